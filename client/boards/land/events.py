"""The events of a game: its turns, and seats that left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from kimberley.games.land.accounts import TurnOpening, connected, revenue_of
from kimberley.games.land.deals import BUY, DealMade
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.rules import State
from kimberley.games.table import Answer, Ask, Decide, Leave, evolve


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
        """Returns which of its seat's turns it was, from 1."""
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
        """Returns whether its seat was out of the game after it."""
        return not self.after.alive(self.seat)


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat left."""

    step: int
    before: State
    after: State
    seat: int


GameEvent: TypeAlias = TurnPlayed | SeatLeft


class RiverLoss(NamedTuple):
    """Parcels that a seat kept, but that another’s turn cut off from the river, and the revenue that they lose."""

    seat: int
    parcels: frozenset[int]
    units: int


def river_losses(event: GameEvent) -> list[RiverLoss]:
    """Returns what a turn cut off from the river by buying what led there."""
    map, losses = event.before.map, list[RiverLoss]()
    if isinstance(event, SeatLeft) or map is None:
        return losses
    for seat in sorted({done.seller for done in event.dealt if done.deal[0] == BUY and done.seller != GOVERNMENT}):
        cut = connected(map, event.before.land, seat) - connected(map, event.after.land, seat)
        kept = cut.intersection(event.after.land.of(seat))
        if kept:
            losses.append(RiverLoss(seat, kept, sum(revenue_of(map, parcel) for parcel in kept)))
    return losses


def span(event: GameEvent) -> tuple[State, State]:
    """Returns the states before and after an event, with what the start of its own turn brought and cost, and without
    that of the next turn.
    """
    before, after = event.before, event.after
    if event.seat == before.seat:
        before = _before_opening(before)
    return before, after if after.opening == event.before.opening else _before_opening(after)


def _before_opening(state: State) -> State:
    """Returns the amounts before the turn began."""
    opening = state.opening
    if opening is None:
        return state
    cash, due = list(state.cash), list(state.due)
    cash[opening.seat], due[opening.seat] = opening.before, opening.credits
    government = state.government + opening.revenue - opening.tax
    return evolve(state, cash=tuple(cash), due=tuple(due), government=government)


def read(step: int, before: State, ask: Ask, answer: Answer, after: State) -> list[GameEvent]:
    """Returns what happened in one entry of a story."""
    del answer
    if before.over is not None:
        return []
    if isinstance(ask, Decide):
        return [TurnPlayed(step, before, after)]
    return [SeatLeft(step, before, after, ask.seat)] if isinstance(ask, Leave) else []
