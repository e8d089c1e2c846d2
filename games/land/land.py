"""Who owns which parcel, and at what price it is for sale."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

from kimberley.games.land.maps import Map

GOVERNMENT: Final = -1
"""The owner of all that no player owns, and of the river, which is never for sale."""

_NOBODY: Final = 255


@final
class Land:
    """The owners and prices of all parcels. Immutable; nothing in it is hidden, so it is compared as a whole."""

    __slots__ = ("_owners", "_prices")

    def __init__(self, owners: bytes = b"", prices: tuple[int, ...] = ()) -> None:
        self._owners = owners
        self._prices = prices

    @staticmethod
    def of_government(map: Map) -> Land:
        """Returns the land at the start: the government owns all of it, at base prices."""
        return Land(bytes([_NOBODY]) * len(map.kinds), map.bases)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Land) and self._owners == other._owners and self._prices == other._prices

    def __hash__(self) -> int:
        return hash((self._owners, self._prices))

    def __repr__(self) -> str:
        owned = {parcel: (self.owner(parcel), self.price(parcel)) for parcel in self.owned()}
        return f"Land({owned})"

    def owner(self, parcel: int) -> int:
        """Returns the seat that owns a parcel, or GOVERNMENT."""
        owner = self._owners[parcel]
        return GOVERNMENT if owner == _NOBODY else owner

    def price(self, parcel: int) -> int:
        """Returns what a parcel costs, in cents; 0 for river."""
        return self._prices[parcel]

    def of(self, seat: int) -> tuple[int, ...]:
        """Returns the parcels of a seat, in the order of the map."""
        parcels: list[int] = []
        parcel = self._owners.find(seat)
        while parcel >= 0:
            parcels.append(parcel)
            parcel = self._owners.find(seat, parcel + 1)
        return tuple(parcels)

    def owned(self) -> tuple[int, ...]:
        """Returns the parcels that players own."""
        return tuple(parcel for parcel, owner in enumerate(self._owners) if owner != _NOBODY)

    def priced(self, parcel: int, owner: int, price: int) -> Land:
        """Returns the land after a parcel has gone to an owner at a sale price, in cents."""
        owners, prices = bytearray(self._owners), list(self._prices)
        owners[parcel] = _NOBODY if owner == GOVERNMENT else owner
        prices[parcel] = price
        return Land(bytes(owners), tuple(prices))

    def reclaimed(self, map: Map, parcels: Iterable[int]) -> Land:
        """Returns the land after the government has taken parcels back, at their base prices."""
        owners, prices = bytearray(self._owners), list(self._prices)
        for parcel in parcels:
            owners[parcel] = _NOBODY
            prices[parcel] = map.base(parcel)
        return Land(bytes(owners), tuple(prices))
