"""A price that is being entered: typed, stepped along a ladder of prices, or turned digit by digit."""

from __future__ import annotations

import re
from typing import Final

from kimberley.games.land.money import CENTS, HIGHEST, price, read_price

STEPS: Final = tuple(
    CENTS * whole
    for whole in (
        0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 20, 25, 30, 35, 40, 50, 60, 70, 80, 90, 100, 120, 150, 180, 200, 250,
        300, 350, 400, 500, 600, 700, 800, 900, 999,
    )
)  # fmt: skip
"""Prices in cents that one step up or down leads to; digits reach the others."""
TYPED: Final = tuple("0123456789.x")
MOST_CHARACTERS: Final = 6

_TIMES: Final = re.compile(r"x(\d{1,3}(?:\.\d{1,2})?)")


def priced(text: str, base: int) -> int:
    """Returns the price in cents that is meant by "30", "30.5" or "x2", twice the base price. Raises ValueError."""
    if text.startswith("x"):
        match = _TIMES.fullmatch(text)
        if match is None:
            raise ValueError("x2 or x1.5 means that many times the base price")
        whole, _, part = match[1].partition(".")
        cents = base * (int(whole) * CENTS + int(part.ljust(2, "0") or 0)) // CENTS
        if cents > HIGHEST:
            raise ValueError(f"{text} would be {price(cents)}K; the highest price is {price(HIGHEST)}K")
        return cents
    return read_price(text)


class PriceEntry:
    """The price that the next deal sets. `text` is empty if none has been entered."""

    def __init__(self) -> None:
        self.text = ""

    def cents(self, base: int, now: int) -> int:
        """Returns the price for a parcel of that base price, which costs `now`: the one entered, else `now`."""
        try:
            return priced(self.text, base) if self.text else now
        except ValueError:
            return now

    def is_price(self, base: int) -> bool:
        """Returns whether a parcel of that base price can have the price entered, or whether none is entered."""
        try:
            return not self.text or priced(self.text, base) >= 0
        except ValueError:
            return False

    def step(self, cents: int, steps: int) -> None:
        """Moves some steps up or down the ladder, from a price."""
        for _ in range(abs(steps)):
            cents = next((s for s in STEPS if s > cents), HIGHEST) if steps > 0 else (
                next((s for s in reversed(STEPS) if s < cents), 0)
            )  # fmt: skip
        self.text = price(cents)

    def turn_digit(self, cents: int, place: int, steps: int) -> None:
        """Changes one digit of a price, `place` a power of ten in cents, within what is allowed."""
        self.text = price(min(HIGHEST, max(0, cents + steps * 10**place)))

    def type(self, character: str) -> None:
        """Takes a typed character, if it can go there."""
        if character == "backspace":
            self.text = self.text[:-1]
        elif (
            character in TYPED
            and len(self.text) < MOST_CHARACTERS
            and not (character == "x" and self.text)
            and not (character == "." and "." in self.text)
        ):
            self.text += character
