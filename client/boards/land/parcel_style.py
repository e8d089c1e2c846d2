"""What parcels look like: kinds of land, owners and prices as colors, and as letters where there are no colors."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from kimberley.client.ui.layout import SEAT_MARKS
from kimberley.client.ui.palette import Color, Depth, Palette, Rgb, Tint, contrast, dark_rgb
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.maps import LAND, RIVER

KINDS: Final = LAND + RIVER

LANDS: Final[dict[str, str]] = {"D": "desert", "F": "farm", "C": "coal", "P": "gems", "R": "river"}
"""The palette's role for each kind."""
WORDS: Final[dict[str, str]] = {"D": "desert", "F": "farm", "C": "coal", "P": "diamond", "R": "river"}
NIGHT: Final = Tint(0, 0, 0, "border")
INKS: Final[dict[str, Color]] = {"D": NIGHT, "F": NIGHT, "C": "bright", "P": NIGHT, "R": "bright"}
"""The color of text on each kind's bright ground."""
SIGNS: Final[dict[str, str]] = {"D": "·", "F": "F", "C": "C", "P": "P", "R": "~"}
"""The sign of each kind on a map of letters."""

CLASSES: Final = (100, 500, 2000, 10_000, 30_000)
"""Prices in cents from which the next class begins: 1K, 5K, 20K, 100K, 300K."""
CLASS_WORDS: Final = ("<1K", "1", "5", "20", "100", "300+")


class Plot(NamedTuple):
    """A parcel as the map shows it. `price` in cents; `joined` if a path of its owner's parcels leads to the river."""

    kind: str
    owner: int
    price: int
    joined: bool = False

    @property
    def owned(self) -> bool:
        return self.owner != GOVERNMENT


def letter(seat: int) -> str:
    """Returns a seat's letter: A to F."""
    return "ABCDEF"[seat]


def mark(seat: int) -> str:
    """Returns a seat's sign and letter: "▲A"."""
    return SEAT_MARKS[seat] + letter(seat)


def light(seat: int) -> str:
    """Returns the palette's role for a seat."""
    return f"seat{seat + 1}"


def price_class(price: int) -> int:
    """Returns which of six classes a price in cents is in, 0 to 5."""
    return sum(price >= limit for limit in CLASSES)


def short_price(price: int, room: int) -> str:
    """Returns a price in cents in `room` cells, of which two are enough below 100K: exact where that fits, else
    rounded.
    """
    whole, cents = divmod(price, 100)
    exact = f"{whole}.{cents:02}".rstrip("0").rstrip(".") if cents else str(whole)
    for text in (exact, exact.removeprefix("0")):
        if len(text) <= room:
            return text
    tenths = f"{price / 100:.1f}"
    short = next((text for text in (tenths, tenths.removeprefix("0")) if len(text) <= room), "")
    return short or str(round(price / 100))


def ink_on(palette: Palette, ground: Color, kind: str) -> Color:
    """Returns black or white, whichever is easier to read on a shade of a kind's bright ground."""
    if palette.depth is not Depth.TRUE:
        return INKS[kind]
    return _better(dark_rgb(ground))


@lru_cache(maxsize=1024)
def _better(ground: Rgb) -> Color:
    return NIGHT if contrast(ground, (0, 0, 0)) >= contrast(ground, (255, 255, 255)) else "bright"


def dark(kind: str) -> str:
    """Returns the palette's role for a kind under text."""
    return f"{LANDS[kind]}_dark"
