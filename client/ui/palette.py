"""The colors of Kimberley, chosen by hand for every color depth of a terminal.

A color is named by its role ("ink", "paper", "money"). There are four depths: 24-bit, 8-bit (indices), 4-bit (the
terminal's own sixteen) and none, where some backgrounds become reverse video. A mixture that only 24-bit color can show
is a `Tint`, which names the role that replaces it elsewhere. `Dimmed` is any color mixed with the ink. All of this is
the dark theme; `client.ui.theme` makes the others of it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from kimberley.client.ui.theme import DARK, FLARE, MIDDLE, Rgb, Theme, contrast, luminance

__all__ = ["Rgb", "contrast"]


class Tint(NamedTuple):
    """A mixture for 24-bit color. `role` replaces it at every other depth."""

    r: int
    g: int
    b: int
    role: str


class Dimmed(NamedTuple):
    """A color mixed with the ink by `percent`: for what lies under a dialog, or cannot be chosen."""

    color: Color
    percent: int = 50


Color: TypeAlias = "str | Tint | Dimmed"
"""A role's name, a Tint, or either of them dimmed."""


class Depth(Enum):
    """How many colors the terminal shows."""

    NONE = "none"
    BASIC = "4-bit"
    INDEXED = "8-bit"
    TRUE = "24-bit"


class Role(NamedTuple):
    """A color at every depth: 24-bit, one of 256, one of 16. `reverse`: without colors, this background is shown in
    reverse video.
    """

    rgb: Rgb
    indexed: int
    basic: int
    reverse: bool = False


def _role(rgb: str, index: int, basic: int, reverse: bool = False) -> Role:
    value = int(rgb, 16)
    return Role((value >> 16, value >> 8 & 255, value & 255), index, basic, reverse)


ROLES: Final[Mapping[str, Role]] = {
    "ink": _role("0e1118", 233, 0),
    "panel": _role("181d28", 234, 0),
    "raised": _role("252c3c", 236, 0),
    # A secondary button: like raised, but visible on black in sixteen colors.
    "button": _role("252c3c", 236, 8),
    "line": _role("46516a", 240, 8),
    "text": _role("e8ebf2", 254, 7),
    "soft": _role("a9b3c7", 248, 7),
    # A label on paper.
    "faded": _role("565c69", 240, 8),
    "bright": _role("ffffff", 231, 15),
    "paper": _role("f3efe4", 255, 7, reverse=True),
    "ice": _role("9be7f5", 159, 14, reverse=True),
    "money": _role("f0cf6b", 221, 11),
    "ok": _role("8fd69a", 114, 10, reverse=True),
    "warning": _role("ff7a7a", 210, 9),
    "alarm": _role("8d2b3a", 88, 1),
    "heart": _role("ff86b3", 211, 13),
    "london": _role("2b63d0", 26, 4, reverse=True),
    "london_text": _role("ffffff", 231, 15),
    "london_light": _role("86b4ff", 111, 12),
    "london_dark": _role("162a52", 17, 0),
    "antwerp": _role("ee8a2b", 208, 1),
    "antwerp_text": _role("17110a", 16, 15),
    "antwerp_light": _role("ffb066", 215, 9),
    "antwerp_dark": _role("462c1b", 236, 0),
    "sea": _role("12263f", 17, 0),
    "coast": _role("1c3c5e", 24, 0),
    "wild": _role("23262a", 235, 0),
    "border": _role("0b0e15", 232, 0),
    "uige": _role("53496f", 60, 5),
    "lunda": _role("655a18", 58, 3),
    "malanje": _role("1d5f56", 23, 6),
    "moxico": _role("7b4163", 96, 5),
    "huila": _role("3f6429", 22, 2),
    "cuando_cubango": _role("7d481d", 94, 3),
    "seat1": _role("ff9a76", 209, 9),
    "seat2": _role("8ab8ff", 111, 12),
    "seat3": _role("a6e39a", 150, 10),
    "seat4": _role("e6a6e8", 182, 13),
    "seat5": _role("f0cf6b", 221, 11),
    "seat6": _role("9be7f5", 159, 14),
    # Piecepack: sand for tiles and coins. Each suit has an ink on sand, a badge with white on it, and a light color for
    # dark backgrounds.
    "sand": _role("dcd2b6", 187, 7),
    "sand_ink": _role("4c4636", 239, 0),
    "sand_line": _role("a3987a", 144, 8),
    "sand_back": _role("8c8269", 101, 8),
    "ghost": _role("12352b", 22, 0),
    "sun_ink": _role("7d4a00", 58, 0),
    "moon_ink": _role("34389c", 19, 4),
    "club_ink": _role("17591f", 22, 2),
    "diamond_ink": _role("a1146a", 125, 5),
    "heart_ink": _role("ab1a2b", 124, 1),
    "spade_ink": _role("14161c", 233, 0),
    "sun_badge": _role("8a5200", 94, 3, reverse=True),
    "moon_badge": _role("474cc0", 61, 4, reverse=True),
    "club_badge": _role("1f6a2a", 22, 2, reverse=True),
    "diamond_badge": _role("b01c72", 125, 5, reverse=True),
    "heart_badge": _role("b51f31", 124, 1, reverse=True),
    "spade_badge": _role("3a4152", 238, 8, reverse=True),
    "sun_light": _role("ffc46b", 215, 11),
    "moon_light": _role("a9b4ff", 147, 12),
    "club_light": _role("8fd69a", 114, 10),
    "diamond_light": _role("f59bd0", 212, 13),
    "heart_light": _role("ff8a8a", 210, 9),
    "spade_light": _role("d5dae6", 253, 15),
    # Diamond: pieces are called by their color.
    "white_piece": _role("f3efe4", 255, 7, reverse=True),
    "white_piece_ink": _role("0e1118", 233, 0),
    "black_piece": _role("000000", 232, 0),
    "black_piece_ink": _role("ffffff", 231, 15),
    "white_piece_doomed": _role("8d2b3a", 88, 1),
    "black_piece_doomed": _role("ff7a7a", 210, 9),
    "piece_moved": _role("f0cf6b", 221, 11),
    # Blood Diamonds: the kinds of land, bright on the map, dark under text.
    "desert": _role("9c835c", 137, 3),
    "farm": _role("4c8140", 65, 2),
    "coal": _role("677080", 243, 8),
    "gems": _role("cf68a4", 169, 5),
    "river": _role("2a62b2", 25, 4),
    "desert_dark": _role("3f372b", 236, 0),
    "farm_dark": _role("20392a", 235, 0),
    "coal_dark": _role("2c3340", 237, 0),
    "gems_dark": _role("522748", 53, 0),
    "river_dark": _role("1d4278", 24, 4),
    "price0": _role("262a31", 235, 0),
    "price1": _role("4a4130", 58, 8),
    "price2": _role("6e5b34", 94, 6),
    "price3": _role("a3823c", 136, 3),
    "price4": _role("cfa94c", 178, 11),
    "price5": _role("fbe6a4", 229, 15),
    # The facets of the wordmark and of the gem, from dark to light.
    "facet1": _role("1b5875", 24, 4),
    "facet2": _role("2b7d9c", 31, 6),
    "facet3": _role("48a9c6", 74, 6),
    "facet4": _role("7fd3e6", 117, 14),
    "facet5": _role("bdeff8", 159, 14),
    "facet6": _role("f4fdff", 231, 15),
}

AS_NAMED: Final = frozenset(role for role in ROLES if "piece_" in role or role.endswith("_piece"))
"""Roles that are the same in every theme: a black piece is black."""

BASIC_NAMES: Final = (
    "ansiblack", "ansired", "ansigreen", "ansiyellow", "ansiblue", "ansimagenta", "ansicyan", "ansigray",
    "ansibrightblack", "ansibrightred", "ansibrightgreen", "ansibrightyellow", "ansibrightblue", "ansibrightmagenta",
    "ansibrightcyan", "ansiwhite",
)  # fmt: skip

_CUBE: Final = (0, 95, 135, 175, 215, 255)


def indexed_rgb(index: int) -> Rgb:
    """Returns the color that xterm shows for an index from 16 to 255."""
    if index >= 232:
        grey = 8 + 10 * (index - 232)
        return grey, grey, grey
    index -= 16
    return _CUBE[index // 36], _CUBE[index // 6 % 6], _CUBE[index % 6]


@lru_cache(maxsize=4096)
def nearest_index(rgb: Rgb) -> int:
    """Returns the index from 16 to 255 whose color is nearest to `rgb`."""

    def distance(index: int) -> int:
        return sum((a - b) ** 2 for a, b in zip(rgb, indexed_rgb(index), strict=True))

    return min(range(16, 256), key=distance)


def mix(a: Rgb, b: Rgb, share: float) -> Rgb:
    """Mixes `a` with `share` (0 to 1) of `b`."""
    return tuple(round(x + (y - x) * share) for x, y in zip(a, b, strict=True))  # type: ignore[return-value]


class Palette:
    """The roles at one depth in a theme. `style` returns the look of a cell as a prompt_toolkit style string."""

    def __init__(self, depth: Depth, theme: Theme = DARK) -> None:
        self.depth: Final = depth
        self.theme: Final = theme
        self._styles: dict[tuple[Color, Color, bool, bool], str] = {}

    def __eq__(self, other: object) -> bool:
        """Returns whether depth and theme are the same: pictures that are kept by their palette serve both."""
        return isinstance(other, Palette) and (other.depth, other.theme) == (self.depth, self.theme)

    def __hash__(self) -> int:
        return hash((self.depth, self.theme))

    @property
    def true(self) -> bool:
        """Returns whether mixtures can be shown. Smooth borders and supersampled pictures need 24-bit color."""
        return self.depth is Depth.TRUE

    @property
    def plain(self) -> bool:
        """Returns whether there are no colors at all."""
        return self.depth is Depth.NONE

    def rgb(self, color: Color) -> Rgb:
        """Returns the 24-bit value of a color in the theme, whatever the depth. Raises KeyError for an unknown role."""
        if isinstance(color, Dimmed):
            return mix(self.rgb(color.color), self.rgb("ink"), color.percent / 100)
        return dark_rgb(color) if color in AS_NAMED else self.theme.rgb(dark_rgb(color))

    def indexed(self, role: str) -> int:
        """Returns the index of a role among 256 colors in the theme."""
        index = ROLES[role].indexed
        return index if self.theme is DARK or role in AS_NAMED else _index_in(self.theme, index)

    def basic(self, role: str) -> int:
        """Returns the number of a role among sixteen colors in the theme."""
        number = ROLES[role].basic
        return number if role in AS_NAMED else self.theme.basic.get(number, number)

    def mixed(self, a: Color, b: Color, share: float, role: str | None = None) -> Tint:
        """Mixes `a` with `share` (0 to 1) of `b`. At other depths `role` replaces the mixture; by default that of
        `a`.
        """
        return _mixed(a, b, share, role)

    def style(self, fg: Color, bg: Color, bold: bool = False, underline: bool = False) -> str:
        """Returns the prompt_toolkit style string of a cell."""
        key = (fg, bg, bold, underline)
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = self._style(*key)
        return style

    def _style(self, fg: Color, bg: Color, bold: bool, underline: bool) -> str:
        words = ["bold"] if bold else []
        if underline:
            words.append("underline")
        if self.depth is Depth.NONE:
            if isinstance(bg, str | Tint) and ROLES[_stand_in(bg)].reverse:
                words.append("reverse")
        else:
            words += [f"fg:{self._paint(fg, False)}", f"bg:{self._paint(bg, True)}"]
        return " ".join(words)

    def _paint(self, color: Color, ground: bool) -> str:
        if self.depth is Depth.BASIC:
            if isinstance(color, Dimmed):
                return BASIC_NAMES[self.theme.basic.get(0, 0) if ground else 8]
            return BASIC_NAMES[self.basic(_stand_in(color))]
        if self.depth is Depth.INDEXED:
            dimmed = isinstance(color, Dimmed)
            index = nearest_index(self.rgb(color)) if dimmed else self.indexed(_stand_in(color))
            return "#{:02x}{:02x}{:02x}".format(*indexed_rgb(index))
        return "#{:02x}{:02x}{:02x}".format(*self.rgb(color))


@lru_cache(maxsize=4096)
def _mixed(a: Color, b: Color, share: float, role: str | None) -> Tint:
    return Tint(*mix(dark_rgb(a), dark_rgb(b), share), role or _stand_in(a))


def dark_rgb(color: Color) -> Rgb:
    """Returns the 24-bit value of a color in the dark theme, in which all mixtures are made. Raises KeyError."""
    match color:
        case Tint(r, g, b, _):
            return r, g, b
        case Dimmed(under, percent):
            return mix(dark_rgb(under), ROLES["ink"].rgb, percent / 100)
        case _:
            return ROLES[color].rgb


@lru_cache(maxsize=1024)
def _index_in(theme: Theme, index: int) -> int:
    """Returns the index whose color is nearest to that of an index in another theme, and no nearer to the middle of
    light and dark: contrast does not shrink.
    """
    wanted = theme.rgb(indexed_rgb(index))
    lit = luminance(wanted)
    dark = lit + FLARE < MIDDLE

    def distance(candidate: int) -> tuple[bool, int]:
        rgb = indexed_rgb(candidate)
        nearer = luminance(rgb) > lit + 0.002 if dark else luminance(rgb) < lit - 0.01
        return nearer, sum((a - b) ** 2 for a, b in zip(rgb, wanted, strict=True))

    return min(range(16, 256), key=distance)


def _stand_in(color: Color) -> str:
    """Returns the role that replaces a color at lower depths."""
    match color:
        case Tint():
            return color.role
        case Dimmed():
            return _stand_in(color.color)
        case _:
            return color


def detect_depth(environ: Mapping[str, str] | None = None) -> Depth:
    """Returns how many colors the terminal shows, by NO_COLOR, COLORTERM and TERM (https://no-color.org)."""
    env = os.environ if environ is None else environ
    term = env.get("TERM", "").lower()
    if env.get("NO_COLOR") or term in ("", "dumb", "unknown") or term.startswith("vt"):
        return Depth.NONE
    if env.get("COLORTERM", "").lower() in ("truecolor", "24bit") or "direct" in term or "truecolor" in term:
        return Depth.TRUE
    if "256" in term or term in ("xterm-kitty", "alacritty", "foot", "xterm-ghostty", "wezterm"):
        return Depth.INDEXED
    return Depth.BASIC


def depth_named(name: str) -> Depth | None:
    """Returns the depth for a setting ("24-bit", "8-bit", "4-bit", "none"); None for anything else, such as "auto"."""
    return next((depth for depth in Depth if depth.value == name), None)
