"""A turn's deals, made one after another as far as the balance allows.

A turn is a tuple of deals. A deal is ("sell", parcel), to the government; ("buy", parcel, price), from whoever owns it,
with the sale price that it gets at once; or ("price", parcel, price), a new sale price for a parcel of one's own.
Prices are in cents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from kimberley.games.land.land import GOVERNMENT, Land
from kimberley.games.land.maps import Map
from kimberley.games.land.money import CENT, GOAL, HIGHEST, amount, price
from kimberley.games.table import Plain, Unreadable, evolve

SELL: Final = "sell"
BUY: Final = "buy"
PRICE: Final = "price"
MOST: Final = 64
"""Deals in one turn: four for each parcel of a sector, more than any outcome needs."""

Deal: TypeAlias = tuple[str, int] | tuple[str, int, int]
Deals: TypeAlias = tuple[Deal, ...]


@dataclass(frozen=True)
class DealMade:
    """A deal that was made.

    `seller` is a seat or GOVERNMENT, `paid` units changed hands, and `was` is the price before.
    """

    deal: Deal
    seller: int
    paid: int
    was: int


@dataclass(frozen=True)
class DealDraft:
    """A turn so far: the land, and the balance in units, after the deals made."""

    map: Map
    land: Land
    seat: int
    sector: tuple[int, int]
    cash: int
    dealt: tuple[DealMade, ...] = ()

    @property
    def deals(self) -> Deals:
        """The deals so far, as they are chosen."""
        return tuple(done.deal for done in self.dealt)

    @property
    def parcels(self) -> tuple[int, ...]:
        """The land of the sector in play."""
        return self.map.parcels(*self.sector)

    # -- what can be done ----------------------------------------------------------------------------------------------

    def cost(self, parcel: int) -> int:
        """Returns what a parcel costs its buyer now, in units."""
        return self.land.price(parcel) * CENT

    def default(self, parcel: int) -> int:
        """Returns the sale price, in cents, of a parcel after it is bought, unless another is set: the price paid."""
        return self.land.price(parcel)

    def gain(self, parcel: int) -> int:
        """Returns what the government pays for a parcel, in units: half the base price."""
        return self.map.base(parcel) * CENT // 2

    def own(self) -> tuple[int, ...]:
        """Returns the seat's own parcels in the sector."""
        return tuple(parcel for parcel in self.parcels if self.land.owner(parcel) == self.seat)

    def buyable(self) -> tuple[int, ...]:
        """Returns the parcels that the present balance can buy."""
        return tuple(
            parcel for parcel in self.parcels if self.land.owner(parcel) != self.seat and self.cost(parcel) <= self.cash
        )

    @property
    def ruined(self) -> bool:
        """Returns whether the balance stays below zero even if all of the seat's land in the sector is sold."""
        return self.cash + sum(map(self.gain, self.own())) < 0

    def verdict(self) -> str | None:
        """Says what it would mean to end the turn now: "wins", "loses", or None where play goes on."""
        if self.cash >= GOAL:
            return "wins"
        return "loses" if self.cash < 0 else None

    def violation(self, deal: Deal) -> str | None:
        """Returns the rule that forbids a deal now, or None."""
        parcel = deal[1]
        reason = self._violation_here(parcel)
        if reason is not None:
            return reason
        name, own = self.map.name(parcel), self.land.owner(parcel) == self.seat
        if deal[0] == SELL:
            return None if own else f"you cannot sell {name}: it is {self._whose(parcel)}"
        if self.cash < 0:
            return f"you have {amount(self.cash)}K: below zero you can only sell to the government"
        if not 0 <= deal[-1] <= HIGHEST:
            return f"a sale price is between {price(0)}K and {price(HIGHEST)}K"
        if deal[0] == PRICE:
            return None if own else f"you cannot price {name}: it is {self._whose(parcel)}"
        if own:
            return f"you already own {name}"
        if self.cost(parcel) > self.cash:
            return f"{name} costs {price(self.land.price(parcel))}K; you have {amount(self.cash)}K"
        return None

    def _violation_here(self, parcel: int) -> str | None:
        if not 0 <= parcel < len(self.map.kinds):
            return "no such parcel"
        if not self.map.is_land(parcel):
            return f"{self.map.name(parcel)} is part of the river, which nobody can own"
        if self.map.sector_of(parcel) != self.sector:
            row, column = (number + 1 for number in self.sector)
            return f"{self.map.name(parcel)} is outside the sector in play ({row},{column})"
        return None

    def _whose(self, parcel: int) -> str:
        return "the government’s" if self.land.owner(parcel) == GOVERNMENT else "another player’s"

    # -- what it leads to ----------------------------------------------------------------------------------------------

    def then(self, deal: Deal) -> DealDraft:
        """Returns the turn after one more deal, which must be allowed."""
        verb, parcel = deal[0], deal[1]
        owner, was = self.land.owner(parcel), self.land.price(parcel)
        if verb == SELL:
            gain = self.gain(parcel)
            land = self.land.priced(parcel, GOVERNMENT, self.map.base(parcel))
            return self._after(DealMade(deal, self.seat, gain, was), land, self.cash + gain)
        land = self.land.priced(parcel, self.seat, deal[-1])
        paid = self.cost(parcel) if verb == BUY else 0
        return self._after(DealMade(deal, owner, paid, was), land, self.cash - paid)

    def _after(self, done: DealMade, land: Land, cash: int) -> DealDraft:
        return evolve(self, land=land, cash=cash, dealt=(*self.dealt, done))

    def all(self, deals: Deals) -> DealDraft:
        """Returns the turn after more deals, which must be allowed in this order."""
        draft = self
        for deal in deals:
            draft = draft.then(deal)
        return draft

    def violation_of_all(self, deals: Deals) -> str | None:
        """Returns the rule that forbids one of these deals, done in this order, or None."""
        if len(self.dealt) + len(deals) > MOST:
            return f"a turn has at most {MOST} deals, not {len(self.dealt) + len(deals)}"
        draft = self
        for deal in deals:
            reason = draft.violation(deal)
            if reason is not None:
                return reason
            draft = draft.then(deal)
        return None


def read_deals(plain: Plain) -> Deals:
    """Returns the deals of a choice. Raises Unreadable."""
    if type(plain) is not tuple:
        raise Unreadable("a turn is a tuple of deals")
    for deal in plain:
        if type(deal) is not tuple or not deal or type(deal[0]) is not str:
            raise Unreadable("a deal is a tuple that begins with sell, buy or price")
        if deal[0] not in (SELL, BUY, PRICE):
            raise Unreadable(f"a deal is sell, buy or price, not {deal[0][:20]!r}")
        if len(deal) != (2 if deal[0] == SELL else 3) or any(type(number) is not int for number in deal[1:]):
            wanted = "a parcel" if deal[0] == SELL else "a parcel and a sale price"
            raise Unreadable(f"to {deal[0]} takes {wanted}, as whole numbers")
    return cast(Deals, plain)
