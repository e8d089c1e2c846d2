"""Which land of a sector leads to the river, and what is worth buying first."""

from __future__ import annotations

from collections.abc import Collection

from kimberley.games.land.accounts import account, connected, revenue_of
from kimberley.games.land.deals import DealDraft
from kimberley.games.land.land import GOVERNMENT


def affordable(draft: DealDraft) -> tuple[int, ...]:
    """Returns the government's parcels of the sector in play that the balance can buy one by one."""
    return tuple(parcel for parcel in draft.buyable() if draft.land.owner(parcel) == GOVERNMENT)


def reaching(draft: DealDraft, free: Collection[int]) -> tuple[int, ...]:
    """Returns the parcels that would lead to the river if all of these were bought."""
    edge = [parcel for parcel in free if connects(draft, parcel)]
    reached = set(edge)
    while edge:
        more = {beside for beside in draft.map.neighbors[edge.pop()] if beside in free} - reached
        reached |= more
        edge += more
    return tuple(sorted(reached))


def connects(draft: DealDraft, parcel: int) -> bool:
    """Returns whether a parcel would earn as soon as the player bought it."""
    joined = connected(draft.map, draft.land, draft.seat)
    return parcel in draft.map.banks or not joined.isdisjoint(draft.map.neighbors[parcel])


def first_look(draft: DealDraft) -> int:
    """Returns the parcel where a turn begins: what would bring most at once, of the government's land or by connecting
    the player's own; else the player's own, else the first.
    """
    now = account(draft.map, draft.land, draft.seat)
    worth = {}
    for parcel in draft.buyable():
        if connects(draft, parcel):
            then = account(draft.map, draft.land.priced(parcel, draft.seat, draft.default(parcel)), draft.seat)
            alone = then.revenue - now.revenue == revenue_of(draft.map, parcel)
            if draft.land.owner(parcel) == GOVERNMENT or not alone:
                worth[parcel] = then.net - now.net
    if worth:
        return max(worth, key=lambda parcel: worth[parcel])
    return (draft.own() or draft.parcels)[0]
