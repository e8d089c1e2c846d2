"""The events of a game: its turns, read from a table's story, and each of them in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from kimberley.client.session.notices import LEAVES, join_names
from kimberley.games.land import GAME
from kimberley.games.land.accounts import TurnOpening
from kimberley.games.land.deals import BUY, PRICE, SELL, DealMade
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.maps import FACES
from kimberley.games.land.money import GOAL, balance
from kimberley.games.land.rules import SEAT_NAMES, State
from kimberley.games.table import Decide, Leave, Plain, Result, Roll, state_after

_SEAT: Final = re.compile(r"\b[A-F](?= (?:has|is|and|gave|resigned)\b)")
"""A seat in the reason for the end of a game."""


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """A turn: its number in the table's story, the state in which its seat chose, and the state after it."""

    step: int
    before: State
    after: State

    @property
    def seat(self) -> int:
        return self.before.seat

    @property
    def number(self) -> int:
        """Which of its seat's turns it was, from 1."""
        return self.before.turn

    @property
    def sector(self) -> tuple[int, int]:
        assert self.before.sector is not None
        return self.before.sector

    @property
    def opening(self) -> TurnOpening:
        assert self.before.opening is not None
        return self.before.opening

    @property
    def dealt(self) -> tuple[DealMade, ...]:
        assert self.after.last is not None
        return self.after.last.dealt

    @property
    def cash(self) -> int:
        """The balance at its end, in units."""
        assert self.after.last is not None
        return self.after.last.cash

    @property
    def ruined(self) -> bool:
        """Whether its seat was out after it."""
        return not self.after.alive(self.seat)


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat left."""

    step: int
    before: State
    after: State
    seat: int


GameEvent: TypeAlias = TurnPlayed | SeatLeft


def start_of(seats: int, options: Mapping[str, Plain], begins: int | None) -> State:
    """The first state of a game at a table with these options, its own among them."""
    known = {option.name: options[option.name] for option in GAME.options if option.name in options}
    return GAME.start(seats, known, begins)


def started(seats: int, options: Mapping[str, Plain], state: State, story: Sequence[tuple[Any, Any]]) -> State:
    """The first state of a game that has come to `state`: the first roll of its story shows whether lots decided."""
    if not story:
        return state
    roll = next((ask for ask, _ in story if isinstance(ask, Roll)), None)
    by_lot = roll is not None and roll.sides[0] == seats and roll.sides != (FACES, FACES)
    return start_of(seats, options, None if by_lot else state.first)


def read_events(story: Iterable[tuple[Any, Any]], state: State, first: int = 0) -> tuple[list[GameEvent], State]:
    """What happened in a story, or in the rest of one that begins with ask `first` in `state`; and the last state."""
    found: list[GameEvent] = []
    for step, (ask, answer) in enumerate(story, start=first):
        if isinstance(state.ask(), Result):
            break
        new = state_after(state, ask, answer)
        assert isinstance(new, State)
        if isinstance(ask, Decide):
            found.append(TurnPlayed(step, state, new))
        elif isinstance(ask, Leave):
            found.append(SeatLeft(step, state, new, ask.seat))
        state = new
    return found, state


# -- in words ----------------------------------------------------------------------------------------------------------


def place(sector: tuple[int, int]) -> str:
    """A sector as the dice name it: "3,4"."""
    return f"{sector[0] + 1},{sector[1] + 1}"


def amount(units: int) -> str:
    """An amount in K without needless zeros and without its sign: "612.4418", "12"."""
    return balance(units).rstrip("0").rstrip(".")


def money(units: int) -> str:
    """An amount in K: "612.4418K", "12K"."""
    return f"{amount(units)}K"


def deals_in_words(dealt: Sequence[DealMade], names: Sequence[str], you: int | None) -> list[str]:
    """What a turn's deals came to: ["buys 3 for 12K", "buys 1 from ana for 30K", "prices 4"]."""
    said = []
    sellers = sorted({done.seller for done in dealt if done.deal[0] == BUY})
    for seller in sellers:
        bought = [done for done in dealt if done.deal[0] == BUY and done.seller == seller]
        whom = "" if seller == GOVERNMENT else " from you" if seller == you else f" from {names[seller]}"
        said.append(f"buys {len(bought)}{whom} for {money(sum(done.paid for done in bought))}")
    sold = [done for done in dealt if done.deal[0] == SELL]
    if sold:
        said.append(f"sells {len(sold)} for {money(sum(done.paid for done in sold))}")
    prices = len({done.deal[1] for done in dealt if done.deal[0] == PRICE})
    if prices:
        said.append(f"prices {prices}")
    return said


def describe_event(each: GameEvent, names: Sequence[str], you: int | None = None) -> str:
    """What happened, in a sentence without its subject: "buys 3 for 12K and prices 2 in 3,4"."""
    if isinstance(each, SeatLeft):
        return f"{LEAVES}; the government takes the land"
    said = deals_in_words(each.dealt, names, you) or ["does nothing"]
    text = f"{join_names(said)} in {place(each.sector)}"
    if each.ruined:
        text += f", ends below zero and is out, with {money(each.cash)}"
    elif each.cash >= GOAL:
        text += f", and has {money(each.cash)}: a million"
    return text


def opening_in_words(opening: TurnOpening) -> str:
    """The sum with which a turn began."""
    return (
        f"{amount(opening.before)} + credits {amount(opening.credits)} - {amount(opening.tax)} tax"
        f" + {amount(opening.revenue)} revenue = {amount(opening.after)}"
    )


def ended(reason: str, names: Sequence[str]) -> str:
    """Why a game ended, with names in the place of letters."""

    def name(found: re.Match[str]) -> str:
        seat = SEAT_NAMES.index(found[0])
        return names[seat] if seat < len(names) else found[0]

    return _SEAT.sub(name, reason)


def who_resigned(reason: str) -> tuple[int, ...]:
    """The seats that a reason says have resigned."""
    if not reason.endswith("resigned"):
        return ()
    return tuple(SEAT_NAMES.index(found[0]) for found in _SEAT.finditer(reason))
