"""Themes: the colors of the palette as they are on a dark terminal, on a light one, and with high contrast.

The palette names the colors of the dark theme. The other themes follow from it: the light theme turns luminance around
in a way that keeps every ratio of contrast, and high contrast moves what is lighter and what is darker apart. So text
that can be read on its ground in the dark theme can be read in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import Final

Rgb = tuple[int, int, int]

FLARE: Final = 0.05
"""The light that WCAG 2.1 adds to every luminance."""
MIDDLE: Final = (FLARE * (1 + FLARE)) ** 0.5
"""The luminance, flare included, that contrasts with black as it does with white."""
APART: Final = 0.5
"""How far high contrast moves colors away from the middle: 1 leaves them, 0 makes them black and white."""


def linear(channel: float) -> float:
    """Returns a channel of sRGB, from 0 to 255, as light from 0 to 1."""
    share = channel / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def luminance(rgb: Rgb) -> float:
    """Returns the relative luminance of WCAG 2.1, from 0 to 1."""
    r, g, b = map(linear, rgb)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: Rgb, b: Rgb) -> float:
    """Returns the contrast ratio of WCAG 2.1, from 1 to 21."""
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + FLARE) / (dark + FLARE)


@lru_cache(maxsize=16384)
def relit(rgb: Rgb, wanted: float) -> Rgb:
    """Returns the color made darker or lighter until it has a luminance; white is mixed in only where more light needs
    it.
    """
    wanted = min(1.0, max(0.0, wanted))
    light, now = [linear(channel) for channel in rgb], luminance(rgb)
    if now:
        factor = min(wanted / now, 1 / max(light))
        light, now = [part * factor for part in light], now * factor
    if wanted > now:
        share = (wanted - now) / (1 - now)
        light = [part + (1 - part) * share for part in light]
    r, g, b = (
        round(255 * (12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055)) for part in light
    )
    return r, g, b


def _turned(lit: float) -> float:
    """Turns light into dark and dark into light; every ratio of contrast stays."""
    return MIDDLE * MIDDLE / (lit + FLARE) - FLARE


def _apart(lit: float) -> float:
    """Makes light lighter and dark darker."""
    ratio = (lit + FLARE) / MIDDLE
    most = (1 + FLARE) / MIDDLE
    share = log(ratio) / log(most)
    moved = abs(share) ** APART * (1 if share >= 0 else -1)
    return float(MIDDLE * most**moved - FLARE)


@dataclass(frozen=True, eq=False)
class Theme:
    """A theme: its name, how it changes the luminance of a color, and which of the sixteen colors replaces which."""

    name: str
    light: Callable[[float], float] | None
    basic: Mapping[int, int]

    def rgb(self, rgb: Rgb) -> Rgb:
        """Returns a color of the dark theme in this one."""
        return rgb if self.light is None else relit(rgb, self.light(luminance(rgb)))


_PAIRS: Final = {0: 15, 7: 0, 8: 7, 15: 0, **{normal: normal + 8 for normal in range(1, 7)}}

DARK: Final = Theme("dark", None, {})
LIGHT: Final = Theme("light", _turned, {**_PAIRS, **{normal + 8: normal for normal in range(1, 7)}})
HIGH: Final = Theme("high-contrast", _apart, {7: 15, 8: 8})
THEMES: Final[Mapping[str, Theme]] = {theme.name: theme for theme in (DARK, LIGHT, HIGH)}
THEME_NAMES: Final = ("auto", *THEMES)
"""What can be chosen: `auto` follows the terminal's background."""

# -- the terminal's background -----------------------------------------------------------------------------------------

QUERY: Final = "\x1b]11;?\x1b\\"
"""Asks a terminal for its background (OSC 11). Terminals that do not know this ignore it."""
_ANSWER: Final = re.compile(r"11;rgba?:([0-9a-fA-F/]{1,24})")


def background_in(answer: str) -> Rgb | None:
    """Returns the background in a terminal's answer to `QUERY`, without its frame; None for another answer."""
    match = _ANSWER.fullmatch(answer)
    return _color(match[1]) if match else None


def _color(text: str) -> Rgb | None:
    """Returns the color in a reply: three numbers of 1 to 4 hexadecimal digits, "1e1e/1e1e/1e1e"; None for another."""
    parts = text.split("/")[:3]
    if len(parts) < 3 or not all(0 < len(part) <= 4 for part in parts):
        return None
    r, g, b = (round(255 * int(part, 16) / (16 ** len(part) - 1)) for part in parts)
    return r, g, b


def told_by(environ: Mapping[str, str]) -> Theme | None:
    """Returns the theme for the background that COLORFGBG names, as some terminals set it: "0;15" is black on white."""
    ground = environ.get("COLORFGBG", "").rpartition(";")[2]
    return (LIGHT if int(ground) in (7, *range(9, 16)) else DARK) if ground.isdecimal() else None


def asks(environ: Mapping[str, str]) -> bool:
    """Returns whether the terminal can be asked for its background without a mark on its screen."""
    term = environ.get("TERM", "").lower()
    plain = term in ("", "dumb", "unknown", "linux", "cons25") or term.startswith(("vt", "ansi"))
    return not plain and not environ.get("NO_COLOR")


def theme_for(ground: Rgb) -> Theme:
    """Returns the theme for a terminal with that background."""
    return LIGHT if luminance(ground) + FLARE > MIDDLE else DARK
