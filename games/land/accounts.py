"""Tax and revenue: what a seat pays and earns at the start of its turn, and why, parcel by parcel.

Every parcel is taxed 2% of its sale price. It earns 10% of its base price if a path of the seat's own parcels, edge to
edge, joins it to the river. All amounts are in units (`games.land.money`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from kimberley.games.land.land import Land
from kimberley.games.land.maps import KIND_NAMES, Map
from kimberley.games.land.money import CENT, REVENUE_PARTS, amount, price


@dataclass(frozen=True)
class ParcelAccount:
    """One parcel: its sale price in cents, its tax and revenue in units, and the number of its group."""

    parcel: int
    kind: str
    price: int
    tax: int
    revenue: int
    group: int


@dataclass(frozen=True)
class ParcelGroup:
    """Connected parcels of one seat; `river` says whether one of them lies on the river."""

    parcels: tuple[int, ...]
    river: bool
    tax: int
    revenue: int


@dataclass(frozen=True)
class Account:
    """What a seat pays and earns. Groups and lines stand in the order of the map."""

    groups: tuple[ParcelGroup, ...]
    lines: tuple[ParcelAccount, ...]

    @cached_property
    def tax(self) -> int:
        """The total tax, in units."""
        return sum(group.tax for group in self.groups)

    @cached_property
    def revenue(self) -> int:
        """The total revenue, in units."""
        return sum(group.revenue for group in self.groups)

    @property
    def net(self) -> int:
        """Revenue less tax."""
        return self.revenue - self.tax


@dataclass(frozen=True)
class TurnOpening:
    """How a turn began: the balance before, and what was added and taken, in units."""

    seat: int
    before: int
    credits: int
    tax: int
    revenue: int

    @property
    def after(self) -> int:
        """The balance after credits, tax and revenue, in units."""
        return self.before + self.credits - self.tax + self.revenue


def tax_of(cents: int) -> int:
    """Returns the tax on a sale price, in units: 2% of 0.01K is one unit."""
    return cents


def revenue_of(map: Map, parcel: int) -> int:
    """Returns what a parcel earns while it is connected, in units."""
    return map.base(parcel) * CENT // REVENUE_PARTS


def groups(map: Map, land: Land, seat: int) -> tuple[tuple[int, ...], ...]:
    """Returns the seat's parcels in connected groups, in the order of the map."""
    left = set(land.of(seat))
    connected = []
    for first in sorted(left):
        if first not in left:
            continue
        left.discard(first)
        group, edge = [first], [first]
        while edge:
            for beside in map.neighbors[edge.pop()]:
                if beside in left:
                    left.discard(beside)
                    group.append(beside)
                    edge.append(beside)
        connected.append(tuple(sorted(group)))
    return tuple(connected)


def connected(map: Map, land: Land, seat: int) -> frozenset[int]:
    """Returns the seat's parcels from which a path of its own parcels leads to the river."""
    joined = [group for group in groups(map, land, seat) if not map.banks.isdisjoint(group)]
    return frozenset(parcel for group in joined for parcel in group)


def account(map: Map, land: Land, seat: int) -> Account:
    """Returns what a seat pays and earns with this land, and why."""
    connected, lines = [], []
    for number, parcels in enumerate(groups(map, land, seat)):
        river = not map.banks.isdisjoint(parcels)
        group = [
            ParcelAccount(
                parcel,
                map.kind(parcel),
                land.price(parcel),
                tax_of(land.price(parcel)),
                revenue_of(map, parcel) if river else 0,
                number,
            )
            for parcel in parcels
        ]
        connected.append(
            ParcelGroup(parcels, river, sum(line.tax for line in group), sum(line.revenue for line in group))
        )
        lines += group
    return Account(tuple(connected), tuple(sorted(lines, key=lambda line: line.parcel)))


def explain(map: Map, line: ParcelAccount) -> str:
    """Says why a parcel paid and earned what it did, in a sentence."""
    tax = f"tax {amount(line.tax)}K, 2% of its price {price(line.price)}K"
    what = f"{map.name(line.parcel)}, {KIND_NAMES[line.kind]}: {tax}"
    if line.revenue:
        return f"{what}; revenue {amount(line.revenue)}K, 10% of the base price {price(map.base(line.parcel))}K."
    return f"{what}; no revenue, as it is not connected to the river."


def explain_opening(opening: TurnOpening) -> str:
    """Returns the sum with which a turn began: "500 + 0 sales - 2 tax + 10 revenue = 508K"."""
    return (
        f"{amount(opening.before)} + {amount(opening.credits)} sales - {amount(opening.tax)} tax + "
        f"{amount(opening.revenue)} revenue = {amount(opening.after)}K"
    )
