"""Angola and the markets: the constants of Diamond Trust of London, and the formulas of its phases.

Places are plain integers: 0..5 are the regions in the order of `REGIONS`, `HOME` is a side's own city.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

REGIONS: Final = ("Uige", "Lunda", "Malanje", "Moxico", "Huila", "Cuando Cubango")
HOMES: Final = ("London", "Antwerp")
HOME: Final = len(REGIONS)
NOWHERE: Final = HOME + 1
"""Where the Inspector is before he is rolled."""

SEATS: Final = 2
AGENTS: Final = 3
FIRST_MONTHS_LEFT: Final = 8
START_MONEY: Final = 18
START_DIAMONDS: Final = 2
NO_SALE: Final = 18
"""Income of a side that sells nothing."""
MARKET: Final = 24
"""Income divided among the sides that sell."""
MOST_MONEY: Final = START_MONEY + FIRST_MONTHS_LEFT * MARKET
"""No side can ever have had more than this: $210."""

Order: TypeAlias = tuple[int, int, int]
"""One agent's orders: (destination, payment for the diamonds there, bribe to the Inspector)."""
Orders: TypeAlias = tuple[Order, ...]
"""Orders for a side's three agents."""


def other(seat: int) -> int:
    """Returns the seat across the table."""
    return 1 - seat


def place_name(place: int, seat: int) -> str:
    """Returns the name of a place, as the side of `seat` calls it."""
    return HOMES[seat] if place == HOME else REGIONS[place]


def trip_cost(origin: int, to: int) -> int:
    """Returns the dollars for one agent's trip: two for flying out or home, one within Angola, none for staying."""
    if origin == to:
        return 0
    return 2 if HOME in (origin, to) else 1


def least_trip(places: Iterable[int]) -> int:
    """Returns the dollars for the cheapest trip of one of the agents at these places."""
    return min(trip_cost(place, to) for place in places for to in range(HOME + 1) if to != place)


def errand_cost(origin: int, to: int) -> int:
    """Returns the dollars for one agent's trip with the least offer there; what is carried home needs none."""
    return trip_cost(origin, to) + (to not in (origin, HOME))


def least_errand(places: Iterable[int]) -> int:
    """Returns the dollars for the cheapest trip of one of these agents to a region, with the least offer there."""
    return min(errand_cost(place, to) for place in places for to in range(HOME) if to != place)


def order_cost(origin: int, order: Order) -> int:
    """Returns the dollars that one agent's orders take: trip, payment and Inspector bribe."""
    to, payment, bribe = order
    return trip_cost(origin, to) + payment + bribe


def appearing(months_left: int) -> tuple[int, ...]:
    """Returns the diamonds that appear in each region at the start of the round with `months_left` months left."""
    return (1, 1, 1, 1, 2, 1 if months_left % 2 == 0 else 2)


def income(sold: tuple[int, ...]) -> tuple[int, ...]:
    """Returns each side's dollars for selling `sold` diamonds: shares of $24, rounded down; $18 for selling none."""
    total = sum(sold)
    return tuple(MARKET * number // total if number else NO_SALE for number in sold)
