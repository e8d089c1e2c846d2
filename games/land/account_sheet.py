"""Whole games as text: the account sheet of a table, written and read.

    seats 2
    map kimberley
    turns 50
    rolled B
    1 B 3-3 buy k9 l9 5.00
    1 A 6-1 pass
    2 B 3-3 buy l11 l12 6.00; sell l9; price k9 30.00

The options come first; `begins` names the player who begins if an earlier game decided that. `rolled` holds the lots
before the first turn: who begins, then the numbers of a random map. A line for each turn gives its number, the player,
the black and the white die, and the deals (`games.land.notation`). `A leaves` and, at the end, `A resigns` say who left
or resigned. A turn that is interrupted or unfinished has its dice and its deals on separate lines. Lines that start
with # are comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, cast

from kimberley.games.land.deals import Deals
from kimberley.games.land.game import MAPS, LandGame
from kimberley.games.land.maps import shipped
from kimberley.games.land.notation import DealNotationError, parse_deals, write_deals
from kimberley.games.land.rules import ROLLED_SIDES, SEAT_NAMES, DealSpace, State
from kimberley.games.table import Answer, Ask, Decide, Leave, Plain, Result, Roll

LEAVES: Final = "leaves"
RESIGNS: Final = "resigns"

_DICE: Final = re.compile(r"([1-6])-([1-6])", re.ASCII)
_WHOLE: Final = re.compile(r"0|[1-9]\d{0,18}", re.ASCII)


class AccountSheetError(ValueError):
    """A sheet that cannot be read, or a game that breaks the rules; the message says where."""


@dataclass(frozen=True, slots=True)
class RollEvent:
    """A roll of the table."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DealsEvent:
    """The choice of the player whose turn it is."""

    deals: Deals


@dataclass(frozen=True, slots=True)
class LeaveEvent:
    """A player left."""

    seat: int


SheetEvent: TypeAlias = RollEvent | DealsEvent | LeaveEvent


@dataclass(frozen=True)
class AccountSheet:
    """A game: its options, its events, and the seats that resigned at the end."""

    seats: int
    options: tuple[tuple[str, Plain], ...] = ()
    begins: int | None = None
    events: tuple[SheetEvent, ...] = ()
    resigned: tuple[int, ...] = ()

    def start(self) -> State:
        """Returns the state before anything is rolled. Raises AccountSheetError."""
        try:
            return LandGame().start(self.seats, dict(self.options), self.begins)
        except ValueError as error:
            raise AccountSheetError(str(error)) from None

    def states(self) -> list[State]:
        """Returns the state before each event and after the last. Raises AccountSheetError if one is illegal."""
        states = [self.start()]
        for event in self.events:
            states.append(_state_after_event(states[-1], event))
        return states


def sheet_from_story(start: State, story: Iterable[tuple[Ask, Answer]], resigned: tuple[int, ...] = ()) -> AccountSheet:
    """Returns the sheet of a game, from its first state and its story."""
    sides = {side: name for name, side in ROLLED_SIDES.items()}
    names = [name for name in _map_names() if name not in ROLLED_SIDES and shipped(name) == start.map]
    options: tuple[tuple[str, Plain], ...] = (
        ("map", sides[start.rolled_side] if start.rolled_side else names[0]),
        ("turns", start.limit),
    )
    events = tuple(_event(ask, answer) for ask, answer in story)
    return AccountSheet(start.seats, options, start.first, events, resigned)


def story_from_sheet(sheet: AccountSheet) -> list[tuple[Ask, Answer]]:
    """Returns the story of a sheet's game. Raises AccountSheetError."""
    story: list[tuple[Ask, Answer]] = []
    for state, event in zip(sheet.states(), sheet.events, strict=False):
        ask = state.ask()
        assert not isinstance(ask, Result)
        match event:
            case LeaveEvent(seat):
                story.append((Leave(seat), None))
            case RollEvent(numbers):
                story.append((ask, numbers))
            case DealsEvent(deals):
                story.append((ask, deals))
    return story


def _map_names() -> tuple[str, ...]:
    return tuple(cast(str, name) for name, _ in MAPS.values)


def _event(ask: Ask, answer: Answer) -> SheetEvent:
    match ask:
        case Leave(seat):
            return LeaveEvent(seat)
        case Roll():
            return RollEvent(tuple(answer))
        case _:
            return DealsEvent(answer)


def _state_after_event(state: State, event: SheetEvent) -> State:
    """Returns the state after an event. Raises AccountSheetError."""
    ask = state.ask()
    if isinstance(ask, Result):
        raise AccountSheetError(f"the game is over: {ask.reason}")
    match event:
        case LeaveEvent(seat):
            if not 0 <= seat < state.seats or not state.alive(seat):
                raise AccountSheetError("a player who is not in the game cannot leave it")
            return state.leave(seat)
        case RollEvent(numbers):
            sides = ask.sides if isinstance(ask, Roll) else ()
            if len(sides) != len(numbers) or any(not 0 <= n < side for n, side in zip(numbers, sides, strict=True)):
                raise AccountSheetError(
                    "that roll does not belong here" if sides else "expected a turn here, not a roll"
                )
            return state.apply(numbers)
        case DealsEvent(deals):
            reason = ask.space.violation(deals) if isinstance(ask, Decide) else "the dice have not been rolled yet"
            if reason is not None:
                raise AccountSheetError(reason)
            return state.apply(deals)


# -- writing -----------------------------------------------------------------------------------------------------------


def write_sheet(sheet: AccountSheet) -> str:
    """Returns a game as text. Raises AccountSheetError where the rules forbid it."""
    lines = [f"seats {sheet.seats}", *(f"{name} {value!s}" for name, value in sheet.options)]
    if sheet.begins is not None:
        lines.append(f"begins {SEAT_NAMES[sheet.begins]}")
    rolled = False
    for state, event in zip(sheet.states(), sheet.events, strict=False):
        match event:
            case LeaveEvent(seat):
                lines.append(f"{SEAT_NAMES[seat]} {LEAVES}")
            case RollEvent(numbers) if state.map is None or state.first is None:
                spelled = [str(number) for number in numbers]
                begins = [SEAT_NAMES[numbers[0]]] if state.first is None else []
                lines.append(" ".join(["rolled", *begins, *spelled[len(begins) :]]))
            case RollEvent(numbers):
                lines.append(f"{state.turn} {SEAT_NAMES[state.seat]} {numbers[0] + 1}-{numbers[1] + 1}")
            case DealsEvent(deals):
                assert state.map is not None
                written = write_deals(state.map, deals)
                if rolled:
                    lines[-1] += f" {written}"
                else:
                    lines.append(f"{state.turn} {SEAT_NAMES[state.seat]} {written}")
        rolled = isinstance(event, RollEvent)
    lines += [f"{SEAT_NAMES[seat]} {RESIGNS}" for seat in sheet.resigned]
    return "\n".join(lines) + "\n"


# -- reading -----------------------------------------------------------------------------------------------------------


def read_sheet(text: str) -> AccountSheet:
    """Returns the game that a text holds. Raises AccountSheetError, with the line, for what is illegal or cannot be
    read.
    """
    reader = _SheetReader()
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words and not words[0].startswith("#"):
            try:
                reader.take(words)
            except ValueError as error:
                raise AccountSheetError(f"line {number}: {error}") from None
    if reader.sheet is None:
        raise AccountSheetError("the sheet is empty: begin with a line like 'seats 2'")
    return reader.sheet


@dataclass
class _SheetReader:
    """A sheet as far as it has been read, and the state there."""

    sheet: AccountSheet | None = None
    state: State | None = None
    events: list[SheetEvent] = field(default_factory=list)

    def take(self, words: list[str]) -> None:
        """Reads one more line. Raises ValueError."""
        if self.sheet is None:
            if words[0] != "seats" or len(words) != 2:
                raise AccountSheetError("begin with the number of seats: seats 2")
            self.sheet = AccountSheet(_whole(words[1]))
            self.sheet.start()
        elif words[0] in ("map", "turns", "begins"):
            self._settle(self.sheet, words)
        else:
            self._happen(self.sheet, words)

    def _settle(self, sheet: AccountSheet, words: list[str]) -> None:
        if self.state is not None:
            raise AccountSheetError(f"{words[0]} must come before the first turn")
        if len(words) != 2:
            raise AccountSheetError(f"{words[0]} takes one word")
        if words[0] in dict(sheet.options) or (words[0] == "begins" and sheet.begins is not None):
            raise AccountSheetError(f"{words[0]} appears twice")
        if words[0] == "begins":
            self.sheet = replace(sheet, begins=_seat(words[1], sheet.seats))
        else:
            value: Plain = _whole(words[1]) if words[0] == "turns" else words[1]
            self.sheet = replace(sheet, options=(*sheet.options, (words[0], value)))
        self.sheet.start()

    def _happen(self, sheet: AccountSheet, words: list[str]) -> None:
        state = sheet.start() if self.state is None else self.state
        if sheet.resigned and words[1:] != [RESIGNS]:
            raise AccountSheetError("the game is over: a player resigned")
        match words:
            case [name, "leaves"]:
                self._add(state, LeaveEvent(_seat(name, sheet.seats)))
            case [name, "resigns"]:
                if isinstance(state.ask(), Result):
                    raise AccountSheetError("nobody can resign: the game is over")
                self.state = state
                self.sheet = replace(sheet, resigned=(*sheet.resigned, _seat(name, sheet.seats)))
            case ["rolled", *rolled]:
                lots = state.first is None
                begins = [_seat(rolled[0], sheet.seats)] if lots and rolled else []
                self._add(state, RollEvent((*begins, *map(_whole, rolled[len(begins) :]))))
            case [number, name, *rest] if rest:
                self._turn(state, _whole(number), _seat(name, sheet.seats), rest)
            case _:
                raise AccountSheetError(
                    f"{' '.join(words)!r} is not a turn: write its number, the player, the dice, the deals"
                )

    def _turn(self, state: State, number: int, seat: int, rest: list[str]) -> None:
        if (number, seat) != (state.turn, state.seat):
            raise AccountSheetError(
                f"expected turn {state.turn} of {SEAT_NAMES[state.seat]}, not {number} of {SEAT_NAMES[seat]}"
            )
        dice = _DICE.fullmatch(rest[0])
        if dice is not None:
            state = self._add(state, RollEvent((int(dice[1]) - 1, int(dice[2]) - 1)))
            rest = rest[1:]
        if rest:
            ask = state.ask()
            if not isinstance(ask, Decide):
                raise AccountSheetError(
                    f"write the dice before the deals, black first: {number} {SEAT_NAMES[seat]} 3-4 pass"
                )
            self._add(state, DealsEvent(parse_deals(cast(DealSpace, ask.space).draft(), " ".join(rest))))

    def _add(self, state: State, event: SheetEvent) -> State:
        self.state = _state_after_event(state, event)
        self.events.append(event)
        assert self.sheet is not None
        self.sheet = replace(self.sheet, events=tuple(self.events))
        return self.state


def _whole(word: str) -> int:
    if not _WHOLE.fullmatch(word):
        raise AccountSheetError(f"{word!r} is not a whole number")
    return int(word)


def _seat(name: str, seats: int) -> int:
    if len(name) != 1 or name not in SEAT_NAMES[:seats]:
        raise AccountSheetError(f"{name!r} is not a player: the players are {', '.join(SEAT_NAMES[:seats])}")
    return SEAT_NAMES.index(name)


__all__ = [
    "AccountSheet",
    "AccountSheetError",
    "DealNotationError",
    "DealsEvent",
    "LeaveEvent",
    "RollEvent",
    "read_sheet",
    "sheet_from_story",
    "write_sheet",
]
