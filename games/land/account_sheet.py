"""Whole games as text: the account sheet of a table, written and read.

    seats 2
    map kimberley
    turns 50
    rolled B
    1 B 3-4 buy k9 l9 5.00
    1 A 6-1 pass

First what the table settled; `begins` names the player that an earlier game let begin. `rolled` is what lots decided
before the first turn: who begins, then the numbers of a map that was rolled. A line for each turn gives its number, the
player, the black and the white die, and the deals (`games.land.notation`). `A leaves` and, at the end, `A resigns` say
who went. A turn that a leave interrupts, or that is not over, has its dice and its deals in lines of their own. Lines
that start with # are comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, cast

from games.land.deals import Deals
from games.land.game import MAPS, LandGame
from games.land.maps import shipped
from games.land.notation import NotationError, parse_deals, write_deals
from games.land.rules import ROLLED_SIDES, SEAT_NAMES, State, TurnSpace
from games.table import Answer, Ask, Decide, Leave, Plain, Result, Roll

LEAVES: Final = "leaves"
RESIGNS: Final = "resigns"

_DICE: Final = re.compile(r"([1-6])-([1-6])", re.ASCII)
_WHOLE: Final = re.compile(r"0|[1-9]\d{0,18}", re.ASCII)


class SheetError(ValueError):
    """A sheet that cannot be read, or a game that the rules forbid; the message says where."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """What the table rolled."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the player who has the turn chose."""

    deals: Deals


@dataclass(frozen=True, slots=True)
class Left:
    """A player left."""

    seat: int


Event: TypeAlias = Rolled | Chosen | Left


@dataclass(frozen=True)
class Sheet:
    """A game: what the table settled, all that happened, and the seats that resigned at the end."""

    seats: int
    options: tuple[tuple[str, Plain], ...] = ()
    begins: int | None = None
    events: tuple[Event, ...] = ()
    resigned: tuple[int, ...] = ()

    def start(self) -> State:
        """The state before anything is rolled. Raises SheetError."""
        try:
            return LandGame().start(self.seats, dict(self.options), self.begins)
        except ValueError as error:
            raise SheetError(str(error)) from None

    def states(self) -> list[State]:
        """The state before each event and after the last. Raises SheetError for what the rules forbid."""
        states = [self.start()]
        for event in self.events:
            states.append(_after(states[-1], event))
        return states


def sheet_of(start: State, story: Iterable[tuple[Ask, Answer]], resigned: tuple[int, ...] = ()) -> Sheet:
    """The sheet of a game that a table has played, from its first state and its story."""
    sides = {side: name for name, side in ROLLED_SIDES.items()}
    names = [name for name in _map_names() if name not in ROLLED_SIDES and shipped(name) == start.map]
    options: tuple[tuple[str, Plain], ...] = (
        ("map", sides[start.rolled_side] if start.rolled_side else names[0]),
        ("turns", start.limit),
    )
    events = tuple(_event(ask, answer) for ask, answer in story)
    return Sheet(start.seats, options, start.first, events, resigned)


def story_of(sheet: Sheet) -> list[tuple[Ask, Answer]]:
    """The story of a sheet's game, as a table would have it. Raises SheetError."""
    story: list[tuple[Ask, Answer]] = []
    for state, event in zip(sheet.states(), sheet.events, strict=False):
        ask = state.ask()
        assert not isinstance(ask, Result)
        match event:
            case Left(seat):
                story.append((Leave(seat), None))
            case Rolled(numbers):
                story.append((ask, numbers))
            case Chosen(deals):
                story.append((ask, deals))
    return story


def _map_names() -> tuple[str, ...]:
    return tuple(cast(str, name) for name, _ in MAPS.values)


def _event(ask: Ask, answer: Answer) -> Event:
    match ask:
        case Leave(seat):
            return Left(seat)
        case Roll():
            return Rolled(tuple(answer))
        case _:
            return Chosen(answer)


def _after(state: State, event: Event) -> State:
    """The state after an event. Raises SheetError."""
    ask = state.ask()
    if isinstance(ask, Result):
        raise SheetError(f"the game is over: {ask.reason}")
    match event:
        case Left(seat):
            if not 0 <= seat < state.seats or not state.alive(seat):
                raise SheetError("who leaves is not in the game")
            return state.leave(seat)
        case Rolled(numbers):
            sides = ask.sides if isinstance(ask, Roll) else ()
            if len(sides) != len(numbers) or any(not 0 <= n < side for n, side in zip(numbers, sides, strict=True)):
                raise SheetError("nothing like that is rolled here" if sides else "a turn is to be chosen, not rolled")
            return state.tell(numbers)
        case Chosen(deals):
            reason = ask.space.why_not(deals) if isinstance(ask, Decide) else "the dice are not rolled yet"
            if reason is not None:
                raise SheetError(reason)
            return state.tell(deals)


# -- writing -----------------------------------------------------------------------------------------------------------


def write_sheet(sheet: Sheet) -> str:
    """A game as text. Raises SheetError where the rules forbid it."""
    lines = [f"seats {sheet.seats}", *(f"{name} {value!s}" for name, value in sheet.options)]
    if sheet.begins is not None:
        lines.append(f"begins {SEAT_NAMES[sheet.begins]}")
    rolled = False
    for state, event in zip(sheet.states(), sheet.events, strict=False):
        match event:
            case Left(seat):
                lines.append(f"{SEAT_NAMES[seat]} {LEAVES}")
            case Rolled(numbers) if state.map is None or state.first is None:
                shown = [str(number) for number in numbers]
                begins = [SEAT_NAMES[numbers[0]]] if state.first is None else []
                lines.append(" ".join(["rolled", *begins, *shown[len(begins) :]]))
            case Rolled(numbers):
                lines.append(f"{state.turn} {SEAT_NAMES[state.seat]} {numbers[0] + 1}-{numbers[1] + 1}")
            case Chosen(deals):
                assert state.map is not None
                written = write_deals(state.map, deals)
                if rolled:
                    lines[-1] += f" {written}"
                else:
                    lines.append(f"{state.turn} {SEAT_NAMES[state.seat]} {written}")
        rolled = isinstance(event, Rolled)
    lines += [f"{SEAT_NAMES[seat]} {RESIGNS}" for seat in sheet.resigned]
    return "\n".join(lines) + "\n"


# -- reading -----------------------------------------------------------------------------------------------------------


def read_sheet(text: str) -> Sheet:
    """The game that a text holds. Raises SheetError, with the line, for what is illegal or cannot be read."""
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words and not words[0].startswith("#"):
            try:
                reader.take(words)
            except ValueError as error:
                raise SheetError(f"line {number}: {error}") from None
    if reader.sheet is None:
        raise SheetError("the sheet is empty: begin with a line like 'seats 2'")
    return reader.sheet


@dataclass
class _Reader:
    """A sheet as far as it has been read, and the state there."""

    sheet: Sheet | None = None
    state: State | None = None
    events: list[Event] = field(default_factory=list)

    def take(self, words: list[str]) -> None:
        """One more line. Raises ValueError."""
        if self.sheet is None:
            if words[0] != "seats" or len(words) != 2:
                raise SheetError("begin with the number of seats: seats 2")
            self.sheet = Sheet(_whole(words[1]))
            self.sheet.start()
        elif words[0] in ("map", "turns", "begins"):
            self._settle(self.sheet, words)
        else:
            self._happen(self.sheet, words)

    def _settle(self, sheet: Sheet, words: list[str]) -> None:
        if self.state is not None:
            raise SheetError(f"{words[0]} is settled before the game begins")
        if len(words) != 2:
            raise SheetError(f"{words[0]} takes one word")
        if words[0] in dict(sheet.options) or (words[0] == "begins" and sheet.begins is not None):
            raise SheetError(f"{words[0]} is settled already")
        if words[0] == "begins":
            self.sheet = replace(sheet, begins=_seat(words[1], sheet.seats))
        else:
            value: Plain = _whole(words[1]) if words[0] == "turns" else words[1]
            self.sheet = replace(sheet, options=(*sheet.options, (words[0], value)))
        self.sheet.start()

    def _happen(self, sheet: Sheet, words: list[str]) -> None:
        state = sheet.start() if self.state is None else self.state
        if sheet.resigned and words[1:] != [RESIGNS]:
            raise SheetError("the game is over: somebody resigned")
        match words:
            case [name, "leaves"]:
                self._add(state, Left(_seat(name, sheet.seats)))
            case [name, "resigns"]:
                if isinstance(state.ask(), Result):
                    raise SheetError("nobody can resign: the game is over")
                self.state = state
                self.sheet = replace(sheet, resigned=(*sheet.resigned, _seat(name, sheet.seats)))
            case ["rolled", *shown]:
                lots = state.first is None
                begins = [_seat(shown[0], sheet.seats)] if lots and shown else []
                self._add(state, Rolled((*begins, *map(_whole, shown[len(begins) :]))))
            case [number, name, *rest] if rest:
                self._turn(state, _whole(number), _seat(name, sheet.seats), rest)
            case _:
                raise SheetError(f"{' '.join(words)!r} is no turn: write its number, the player, the dice, the deals")

    def _turn(self, state: State, number: int, seat: int, rest: list[str]) -> None:
        if (number, seat) != (state.turn, state.seat):
            raise SheetError(
                f"turn {state.turn} of {SEAT_NAMES[state.seat]} is next, not {number} of {SEAT_NAMES[seat]}"
            )
        dice = _DICE.fullmatch(rest[0])
        if dice is not None:
            state = self._add(state, Rolled((int(dice[1]) - 1, int(dice[2]) - 1)))
            rest = rest[1:]
        if rest:
            ask = state.ask()
            if not isinstance(ask, Decide):
                raise SheetError(f"the dice stand before the deals, black first: {number} {SEAT_NAMES[seat]} 3-4 pass")
            self._add(state, Chosen(parse_deals(cast(TurnSpace, ask.space).draft(), " ".join(rest))))

    def _add(self, state: State, event: Event) -> State:
        self.state = _after(state, event)
        self.events.append(event)
        assert self.sheet is not None
        self.sheet = replace(self.sheet, events=tuple(self.events))
        return self.state


def _whole(word: str) -> int:
    if not _WHOLE.fullmatch(word):
        raise SheetError(f"{word!r} is no whole number")
    return int(word)


def _seat(name: str, seats: int) -> int:
    if len(name) != 1 or name not in SEAT_NAMES[:seats]:
        raise SheetError(f"{name!r} is no player of this game: they are {', '.join(SEAT_NAMES[:seats])}")
    return SEAT_NAMES.index(name)


__all__ = ["Chosen", "Left", "NotationError", "Rolled", "Sheet", "SheetError", "read_sheet", "sheet_of", "write_sheet"]
