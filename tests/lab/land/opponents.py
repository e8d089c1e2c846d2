"""The players of the land game that enter contests besides those that every game has."""

from __future__ import annotations

from typing import Final, cast

from kimberley.games.land.accounts import connected, revenue_of
from kimberley.games.land.deals import BUY, SELL, Deal, DealDraft
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.money import K
from kimberley.games.land.rules import DealSpace
from kimberley.games.table import Chooser, Observation, Plain, Result, space_for
from tests.lab.opponents import Opponents

KEEPS: Final = 100 * K
"""What the greedy player leaves in cash, for taxes."""


def greedy(seed: int) -> Chooser:
    """Buys from the government what earns most at once, and sells only to get above zero. It never sets a price."""
    del seed

    def choose(observation: Observation) -> Plain:
        space = cast(DealSpace, space_for(observation.state.ask(), observation.seat))
        draft: DealDraft = space.draft()
        while (deal := _next(draft)) is not None:
            draft = draft.then(deal)
        return draft.deals

    return choose


def _next(draft: DealDraft) -> Deal | None:
    """Returns the next deal of a turn; None if the turn is over."""

    def earns(parcel: int) -> int:
        return revenue_of(draft.map, parcel)

    if draft.cash < 0:
        own = draft.own()
        return (SELL, min(own, key=earns)) if own else None
    joined = connected(draft.map, draft.land, draft.seat)
    offered = [
        parcel
        for parcel in draft.buyable()
        if draft.land.owner(parcel) == GOVERNMENT
        and (parcel in draft.map.banks or joined.intersection(draft.map.neighbors[parcel]))
        and draft.cash - draft.cost(parcel) >= KEEPS
    ]
    deals = ((BUY, parcel, draft.default(parcel)) for parcel in sorted(offered, key=earns, reverse=True))
    return next((deal for deal in deals if draft.violation(deal) is None), None)


def cash(result: Result, seat: int) -> float:
    """Returns what a seat has in the end, in K."""
    return result.scores[seat][-1] / K


OPPONENTS: Final = Opponents({"greedy": greedy}, unit="K", score=cash)
