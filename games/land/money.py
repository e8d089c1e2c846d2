"""Money in whole numbers.

Balances, taxes and revenues count units of 0.0002K, which is the tax on a price of 0.01K: so nothing is ever rounded.
Sale prices count hundredths of 1K ("cents"). The tax on a parcel, in units, is its price in cents.
"""

from __future__ import annotations

import re
from typing import Final

K: Final = 5000
"""Units in 1K."""
CENT: Final = 50
"""Units in 0.01K, the step of prices."""
CENTS: Final = 100
"""Hundredths in 1K."""
HIGHEST: Final = 999 * CENTS
"""The highest sale price; the lowest is 0."""
START: Final = 500 * K
"""What each player begins with."""
GOAL: Final = 1000 * K
"""The million: a player with this much at the start or the end of a turn wins."""
REVENUE_PARTS: Final = 10
"""A parcel that earns brings one part in ten of its base price."""

_PRICE: Final = re.compile(r"(\d{1,6})(?:\.(\d{1,2}))?K?", re.ASCII | re.IGNORECASE)


def balance(units: int) -> str:
    """Returns units as K, exact: "612.4418", "-0.0002"."""
    whole, rest = divmod(abs(units), K)
    return f"{'-' if units < 0 else ''}{whole}.{rest * 2:04}"


def amount(units: int) -> str:
    """Returns units as K without needless zeros, for sentences: "612.4418", "-12"."""
    return balance(units).rstrip("0").rstrip(".")


def price(cents: int) -> str:
    """Returns cents as K: "30.00"."""
    return f"{cents // CENTS}.{cents % CENTS:02}"


def read_price(text: str) -> int:
    """Returns the cents in "30", "30.5" or "30.50". Raises ValueError with a sentence for a person."""
    match = _PRICE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text.strip()!r} is not a price: write 30 or 30.50")
    cents = int(match[1]) * CENTS + int((match[2] or "").ljust(2, "0"))
    if cents > HIGHEST:
        raise ValueError(f"a price is at most {price(HIGHEST)}K, not {price(cents)}K")
    return cents
