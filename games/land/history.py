"""The history of a game: every turn with its accounts and its deals, and who came and went, in figures and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from kimberley.games.land.accounts import TurnOpening, explain_opening
from kimberley.games.land.deals import PRICE, SELL, DealMade
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.maps import KIND_NAMES, Map
from kimberley.games.land.money import amount, price
from kimberley.games.land.rules import BANKRUPT, State
from kimberley.games.table import Answer, Ask, Decide, Leave, Result, state_after


@dataclass(frozen=True)
class GameBegun:
    """Lots have decided who begins, and on which map."""

    seat: int


@dataclass(frozen=True)
class FinishedTurn:
    """A turn that ended: its number for this seat, how it began, the dice, what was dealt, the balance at its end."""

    number: int
    seat: int
    opening: TurnOpening
    dice: tuple[int, int]
    dealt: tuple[DealMade, ...]
    cash: int
    bankrupt: bool


@dataclass(frozen=True)
class PlayerLeft:
    """A player left."""

    seat: int


@dataclass(frozen=True)
class GameDecided:
    """The game ended. `opening` is the start of the turn that ended it, None where it ended otherwise."""

    reason: str
    opening: TurnOpening | None


HistoryEntry: TypeAlias = GameBegun | FinishedTurn | PlayerLeft | GameDecided


def history(start: State, story: Iterable[tuple[Ask, Answer]]) -> tuple[HistoryEntry, ...]:
    """All that has happened since the first state of a game."""
    found: list[HistoryEntry] = []
    state = start
    for ask, answer in story:
        then = cast(State, state_after(state, ask, answer))
        found += new_entries(state, ask, then)
        state = then
    return tuple(found)


def new_entries(before: State, ask: Ask, then: State) -> list[HistoryEntry]:
    """What one answer added to the history: the states around it, and what was asked."""
    found: list[HistoryEntry] = []
    if isinstance(ask, Leave):
        found.append(PlayerLeft(ask.seat))
    elif isinstance(ask, Decide):
        past, opening = then.last, before.opening
        assert past is not None
        assert opening is not None
        bankrupt = (past.seat, BANKRUPT) in then.gone
        found.append(FinishedTurn(before.turn, past.seat, opening, past.dice, past.dealt, past.cash, bankrupt))
    elif before.first is None or before.map is None:
        assert then.first is not None
        found.append(GameBegun(then.first))
    result = then.ask()
    if isinstance(result, Result):
        fresh = then.opening is not before.opening
        found.append(GameDecided(result.reason, then.opening if fresh else None))
    return found


# -- in words ----------------------------------------------------------------------------------------------------------


def describe_entry(map: Map, entry: HistoryEntry, names: Sequence[str]) -> str:
    """An entry in sentences, with the players' names by seat."""
    match entry:
        case GameBegun(seat):
            return f"{names[seat]} begins."
        case PlayerLeft(seat):
            return f"{names[seat]} leaves; the government takes the land back."
        case GameDecided(reason, None):
            return f"The game is over: {reason}."
        case GameDecided(reason, opening):
            assert opening is not None
            return f"{names[opening.seat]}’s turn begins: {explain_opening(opening)}. The game is over: {reason}."
        case FinishedTurn():
            row, column = map.rolled(*entry.dice)
            dealt = " ".join(describe_deal(map, done, names) for done in entry.dealt) or "No deals."
            ended = " That is below zero: bankrupt." if entry.bankrupt else ""
            return (
                f"{names[entry.seat]}, turn {entry.number}: {explain_opening(entry.opening)}."
                f" Black {entry.dice[0] + 1}, white {entry.dice[1] + 1}: sector row {row + 1}, column {column + 1}."
                f" {dealt} The turn ends with {amount(entry.cash)}K.{ended}"
            )


def describe_deal(map: Map, done: DealMade, names: Sequence[str]) -> str:
    """A deal in a sentence without its doer."""
    parcel = done.deal[1]
    what = f"{map.name(parcel)} ({KIND_NAMES[map.kind(parcel)]})"
    if done.deal[0] == SELL:
        return f"Sells {what} to the government for {amount(done.paid)}K."
    if done.deal[0] == PRICE:
        return f"Prices {what} at {price(done.deal[-1])}K instead of {price(done.was)}K."
    seller = "the government" if done.seller == GOVERNMENT else names[done.seller]
    return f"Buys {what} from {seller} for {amount(done.paid)}K and prices it at {price(done.deal[-1])}K."
