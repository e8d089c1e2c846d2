"""The history of a game: every turn with its accounts and its deals, and who came and went, in figures and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from games.land.accounts import Opening, explain_opening
from games.land.deals import PRICE, SELL, Dealt
from games.land.land import GOVERNMENT
from games.land.maps import KIND_NAMES, Map
from games.land.money import balance, price
from games.land.rules import BANKRUPT, State
from games.table import Answer, Ask, Decide, Leave, Result, after


@dataclass(frozen=True)
class Begun:
    """It is settled who begins, and on which map."""

    seat: int


@dataclass(frozen=True)
class Turn:
    """A turn that ended: its number for this seat, how it began, the dice, what was dealt, the balance at its end."""

    number: int
    seat: int
    opening: Opening
    dice: tuple[int, int]
    dealt: tuple[Dealt, ...]
    cash: int
    bankrupt: bool


@dataclass(frozen=True)
class Left:
    """A player left."""

    seat: int


@dataclass(frozen=True)
class Over:
    """The game ended. `opening` is the start of the turn that ended it, None where it ended otherwise."""

    reason: str
    opening: Opening | None


Entry: TypeAlias = Begun | Turn | Left | Over


def chronicle(start: State, story: Iterable[tuple[Ask, Answer]]) -> tuple[Entry, ...]:
    """All that has happened since the first state of a game."""
    found: list[Entry] = []
    state = start
    for ask, answer in story:
        then = cast(State, after(state, ask, answer))
        found += entries(state, ask, then)
        state = then
    return tuple(found)


def entries(before: State, ask: Ask, then: State) -> list[Entry]:
    """What one answer added to the history: the states around it, and what was asked."""
    found: list[Entry] = []
    if isinstance(ask, Leave):
        found.append(Left(ask.seat))
    elif isinstance(ask, Decide):
        past, opening = then.last, before.opening
        assert past is not None
        assert opening is not None
        bankrupt = (past.seat, BANKRUPT) in then.gone
        found.append(Turn(before.turn, past.seat, opening, past.dice, past.dealt, past.cash, bankrupt))
    elif before.first is None or before.map is None:
        assert then.first is not None
        found.append(Begun(then.first))
    result = then.ask()
    if isinstance(result, Result):
        fresh = then.opening is not before.opening
        found.append(Over(result.reason, then.opening if fresh else None))
    return found


# -- in words ----------------------------------------------------------------------------------------------------------


def say(map: Map, entry: Entry, names: Sequence[str]) -> str:
    """An entry in sentences, with the players' names by seat."""
    match entry:
        case Begun(seat):
            return f"{names[seat]} begins."
        case Left(seat):
            return f"{names[seat]} leaves; the government takes the land back."
        case Over(reason, None):
            return f"The game is over: {reason}."
        case Over(reason, opening):
            assert opening is not None
            return f"{names[opening.seat]}’s turn begins: {explain_opening(opening)}. The game is over: {reason}."
        case Turn():
            row, column = map.rolled(*entry.dice)
            dealt = " ".join(say_dealt(map, done, names) for done in entry.dealt) or "No deals."
            ended = " That is below zero: bankrupt." if entry.bankrupt else ""
            return (
                f"{names[entry.seat]}, turn {entry.number}: {explain_opening(entry.opening)}."
                f" Black {entry.dice[0] + 1}, white {entry.dice[1] + 1}: sector row {row + 1}, column {column + 1}."
                f" {dealt} The turn ends with {balance(entry.cash)}K.{ended}"
            )


def say_dealt(map: Map, done: Dealt, names: Sequence[str]) -> str:
    """A deal in a sentence without its doer."""
    parcel = done.deal[1]
    what = f"{map.name(parcel)} ({KIND_NAMES[map.kind(parcel)]})"
    if done.deal[0] == SELL:
        return f"Sells {what} to the government for {balance(done.paid)}K."
    if done.deal[0] == PRICE:
        return f"Prices {what} at {price(done.deal[-1])}K instead of {price(done.was)}K."
    seller = "the government" if done.seller == GOVERNMENT else names[done.seller]
    return f"Buys {what} from {seller} for {balance(done.paid)}K and prices it at {price(done.deal[-1])}K."
