"""How the bot values land: what it brings, and to whom, until the game is likely to end.

All values are in units, over a horizon of some turns. A parcel is worth its revenue, and that of what it joins to the
river, less its tax; a parcel of another is worth the other's loss, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import ceil
from typing import Final

from kimberley.games.land.accounts import account, revenue_of, tax_of
from kimberley.games.land.land import GOVERNMENT, Land
from kimberley.games.land.maps import Map
from kimberley.games.land.money import CENT, GOAL, HIGHEST
from kimberley.games.land.rules import State

LONGEST: Final = 45
"""The most turns that it looks ahead."""
GROWTH: Final = 0.05
"""What cash earns in a turn while all the land is for sale, as a share of the cash."""
PAYS_BACK: Final = 12.0
"""Turns after which land bought at its base price has earned more than selling it loses."""
FARTHER: Final = 0.75
"""The factor on a value for each parcel that is still missing on the way to the river."""


def turns_left(state: State, seat: int) -> int:
    """Returns how many more turns a seat is likely to have, not counting this one.

    The seat nearest to the million decides: by what it earns, or by what its cash would earn in land that is still for
    sale. That takes at least as long as land needs to pay for itself: otherwise nobody would buy where nobody earns,
    and no game would end.
    """
    map, land = state.map, state.land
    assert map is not None
    whole = sum(map.bases)
    share = GROWTH * (whole - sum(map.base(parcel) for parcel in land.owned())) / whole
    left = float(LONGEST)
    for other in range(state.seats):
        if state.alive(other):
            cash = state.cash[other] + state.due[other]
            earned = account(map, land, other).net
            pace = earned + share * max(cash, 0)
            if pace > 0:
                left = min(left, max(PAYS_BACK, (GOAL - cash) / pace))
            if earned > 0:
                left = min(left, max(1.0, (GOAL - cash) / earned))
    turns = ceil(left)
    return min(turns, state.limit - state.played[seat] - 1) if state.limit else turns


class Estate:
    """A mutable copy of the land, which changes while a turn is considered. The game's own is `Land`."""

    def __init__(self, map: Map, land: Land) -> None:
        self.map = map
        self.owners = [land.owner(parcel) for parcel in range(len(map.kinds))]
        self.prices = [land.price(parcel) for parcel in range(len(map.kinds))]
        self._joined: dict[int, set[int]] = {}

    def give(self, parcel: int, owner: int, price: int) -> None:
        """Gives a parcel to a seat at a price."""
        for seat in (self.owners[parcel], owner):
            self._joined.pop(seat, None)
        self.owners[parcel] = owner
        self.prices[parcel] = price

    def joined(self, seat: int) -> set[int]:
        """Returns the parcels of a seat that earn."""
        if seat not in self._joined:
            held = [parcel for parcel in self.map.banks if self.owners[parcel] == seat]
            self._joined[seat] = self._spread(seat, held, -1)
        return self._joined[seat]

    def _spread(self, seat: int, starts: Iterable[int], without: int) -> set[int]:
        """Returns the parcels of a seat that are connected to any of these, without one parcel."""
        reached = {parcel for parcel in starts if parcel != without}
        edge = list(reached)
        while edge:
            for beside in self.map.neighbors[edge.pop()]:
                if self.owners[beside] == seat and beside not in reached and beside != without:
                    reached.add(beside)
                    edge.append(beside)
        return reached

    def touches(self, parcel: int, seat: int) -> bool:
        """Returns whether a parcel would earn at once in the hands of a seat."""
        joined = self.joined(seat)
        return parcel in self.map.banks or any(beside in joined for beside in self.map.neighbors[parcel])

    def brought(self, parcel: int, seat: int) -> int:
        """Returns the revenue that a parcel of another would bring a seat, with what it joins to the river."""
        if not self.touches(parcel, seat):
            return 0
        return sum(revenue_of(self.map, gained) for gained in (parcel, *self.reconnected(parcel, seat)))

    def reconnected(self, parcel: int, seat: int) -> set[int]:
        """Returns the parcels of a seat that a parcel of another would join to the river."""
        if not self.touches(parcel, seat):
            return set()
        joined, beside = self.joined(seat), self.map.neighbors[parcel]
        return self._spread(seat, [other for other in beside if self.owners[other] == seat and other not in joined], -1)

    def lost(self, parcel: int) -> int:
        """Returns the revenue that the owner of a parcel would lose with it, with what it cuts off."""
        seat = self.owners[parcel]
        joined = () if seat == GOVERNMENT else self.joined(seat)
        if parcel not in joined:
            return 0
        held = [other for other in self.map.banks if self.owners[other] == seat]
        left = self._spread(seat, held, parcel)
        return sum(revenue_of(self.map, other) for other in joined if other not in left)

    def way(self, parcels: Collection[int], seat: int) -> dict[int, int]:
        """Returns how many of the parcels given are missing between each of them and the river, or the seat's joined
        land.
        """
        far = {parcel: 0 for parcel in parcels if self.touches(parcel, seat)}
        edge = list(far)
        for parcel in edge:
            for beside in self.map.neighbors[parcel]:
                if beside in parcels and beside not in far:
                    far[beside] = far[parcel] + (self.owners[parcel] != seat)
                    edge.append(beside)
        return far


class Appraisal:
    """What deals in a sector are worth to a seat. `rivalry` is how much another seat's loss counts as a gain."""

    def __init__(self, estate: Estate, state: State, seat: int, turns: int, rivalry: float) -> None:
        self.estate = estate
        self.map = estate.map
        self.seat = seat
        self.turns = turns
        self.rivals = [other for other in range(state.seats) if other != seat and state.alive(other)]
        self.rivalry = rivalry

    def half(self, parcel: int) -> int:
        """Returns what the government pays for a parcel."""
        return self.map.base(parcel) * CENT // 2

    def buying(self, parcel: int, ways: dict[int, int], hope: float) -> float:
        """Returns the gain from buying a parcel now. `hope` is the share of a prospect that counts."""
        estate, cost = self.estate, self.estate.prices[parcel] * CENT
        earns = estate.brought(parcel, self.seat)
        if not earns and parcel in ways:
            earns = int(revenue_of(self.map, parcel) * hope * FARTHER ** ways[parcel])
        held = self.turns * (earns - tax_of(self.map.base(parcel)))
        won = max(held, self.half(parcel)) - cost
        if estate.owners[parcel] == GOVERNMENT:
            return won
        return won + self.rivalry * (self.turns * (estate.lost(parcel) - tax_of(estate.prices[parcel])) - cost)

    def leaving(self, parcel: int, owner: int, price: int) -> float:
        """Returns the gain from not buying a parcel after all, in an estate in which the seat has bought it at that
        price.
        """
        estate, cost = self.estate, price * CENT
        spared = cost + self.turns * (tax_of(self.map.base(parcel)) - estate.lost(parcel))
        return spared + self.rivalry * (cost + self.turns * (tax_of(price) - estate.brought(parcel, owner)))

    def selling(self, parcel: int) -> float:
        """Returns the gain from selling a parcel of the seat to the government now."""
        saved = tax_of(self.estate.prices[parcel]) - self.estate.lost(parcel)
        return self.half(parcel) + self.turns * saved

    def price(self, parcel: int, ways: dict[int, dict[int, int]], chance: float) -> int:
        """Returns the sale price, in cents, at which no rival gains by buying a parcel of this seat; lower if that
        costs too much. A rival who buys it has what it earns there, or sells it on to the government.

        `ways` are the ways to the river by rival, `chance` how likely one of them deals here before the next turn.
        """
        loss = self.turns * self.estate.lost(parcel)
        base, half = self.map.base(parcel), self.half(parcel)
        prize = float(half)
        for rival in self.rivals:
            far = ways[rival].get(parcel)
            earns = revenue_of(self.map, parcel) * FARTHER**far if far is not None else 0.0
            prize = max(prize, self.turns * (earns - tax_of(base)))
        safe = min(ceil((prize + self.rivalry * loss) / (1 + self.rivalry) / CENT), HIGHEST)

        def burden(cents: int) -> float:
            harm = loss + self.rivalry * prize - cents * CENT * (1 + self.rivalry)
            return tax_of(cents) + (0.0 if cents >= safe else chance * max(0.0, harm))

        return min((min(half // CENT, safe), min(base, safe), safe), key=burden)
