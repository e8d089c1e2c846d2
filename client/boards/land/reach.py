"""Which land of a sector leads to the river, and what is worth buying first."""

from __future__ import annotations

from collections.abc import Collection

from kimberley.games.land.accounts import connected, revenue_of, tax_of
from kimberley.games.land.deals import DealDraft
from kimberley.games.land.land import GOVERNMENT


def governments(draft: DealDraft) -> set[int]:
    """The government's parcels of the sector in play."""
    return {parcel for parcel in draft.parcels if draft.land.owner(parcel) == GOVERNMENT}


def affordable(draft: DealDraft) -> tuple[int, ...]:
    """Those of them that the balance can buy one by one."""
    return tuple(parcel for parcel in draft.buyable() if draft.land.owner(parcel) == GOVERNMENT)


def reaching(draft: DealDraft, free: Collection[int]) -> tuple[int, ...]:
    """The parcels that would lead to the river if all of these were bought."""
    edge = [parcel for parcel in free if connects(draft, parcel)]
    found = set(edge)
    while edge:
        more = {beside for beside in draft.map.neighbors[edge.pop()] if beside in free} - found
        found |= more
        edge += more
    return tuple(sorted(found))


def connects(draft: DealDraft, parcel: int) -> bool:
    """Returns whether a parcel would earn as soon as the player bought it."""
    joined = connected(draft.map, draft.land, draft.seat)
    return parcel in draft.map.banks or not joined.isdisjoint(draft.map.neighbors[parcel])


def first_look(draft: DealDraft) -> int:
    """The parcel where a turn begins: what would bring most at once, of the government's; else one's own, else the
    first.
    """
    worth = {
        parcel: revenue_of(draft.map, parcel) - tax_of(draft.land.price(parcel))
        for parcel in affordable(draft)
        if connects(draft, parcel)
    }
    if worth:
        return max(worth, key=lambda parcel: worth[parcel])
    return (draft.own() or draft.parcels)[0]
