"""The two plots of the tournament as SVG: ratings by round, and thinking time. They load nothing else.

Each is drawn twice, for a wide page and for a phone, so that its letters can be read on both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from itertools import pairwise
from typing import Final, NamedTuple

from markupsafe import Markup

TOP: Final = 24
LINES_HEIGHT: Final = 380
BAR: Final = 26
COLOURS: Final = ("#9be7f5", "#f0cf6b", "#ff9a76", "#8ab8ff", "#a6e39a", "#e6a6e8")
DASHES: Final = ("none", "6 3", "2 3", "10 3 2 3")
SOFT: Final = "#a9b3c7"
TEXT: Final = "#e8ebf2"
GRID: Final = "#252c3c"
LABEL_ROWS: Final = 15.0
"""The least distance between two names on the right, in units of the SVG."""


class PlotRoom(NamedTuple):
    """The width of a plot in units, those left of its lines and right of them, and how many letters of a name fit."""

    width: int
    left: int
    right: int
    letters: int


WIDE: Final = PlotRoom(720, 60, 150, 18)
NARROW: Final = PlotRoom(350, 42, 96, 11)
"""About as many units as a phone has pixels for it: a letter of 13 units is as large as one of the page."""


class Curve(NamedTuple):
    """A player's ratings: `values` has the rating at the start and the rating after each round."""

    name: str
    values: tuple[int, ...]


class Bar(NamedTuple):
    """A player's average thinking time per game, in seconds."""

    name: str
    seconds: float


def at_two_widths(draw: Callable[[PlotRoom], str]) -> Markup:
    """Returns a plot for wide pages and for phones; the style sheet shows one of them."""
    wide, narrow = draw(WIDE), draw(NARROW)
    if not wide.startswith("<svg"):
        return Markup(wide)
    return Markup('<div class="at-wide">{}</div><div class="at-narrow">{}</div>').format(Markup(wide), Markup(narrow))


def ratings(curves: Sequence[Curve], room: PlotRoom = WIDE, before: str = "") -> str:
    """Draws a line for each player, the best first. Colors repeat with other dashes: up to 24 lines look different.
    `before` is shown until there is anything to draw.
    """
    rounds = max((len(curve.values) for curve in curves), default=1) - 1
    if rounds < 1:
        return _empty(before)
    values = [value for curve in curves for value in curve.values]
    low, high = min(values) - 10, max(values) + 10

    def x(number: int) -> float:
        return room.left + number / rounds * (room.width - room.left - room.right)

    def y(value: float) -> float:
        return TOP + (high - value) / (high - low) * (LINES_HEIGHT - 2 * TOP - 20)

    bottom = LINES_HEIGHT - TOP - 10
    parts = [opening(room, LINES_HEIGHT, "Ratings after each round: " + _said(curves))]
    for number in range(rounds + 1):
        parts.append(text(x(number), bottom + 12, str(number) if number else "start", SOFT, "middle"))
    for value in ticks(low, high):
        parts.append(f'<path d="M{room.left} {y(value):.1f}H{room.width - room.right}" stroke="{GRID}"/>')
        parts.append(text(room.left - 8, y(value) + 4, str(value), SOFT, "end"))
    labels = apart([y(curve.values[-1]) for curve in curves], bottom)
    for place, (curve, label) in enumerate(zip(curves, labels, strict=True)):
        colour = COLOURS[place % len(COLOURS)]
        dash = DASHES[place // len(COLOURS) % len(DASHES)]
        points = " ".join(f"{x(number):.1f},{y(value):.1f}" for number, value in enumerate(curve.values))
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
        )
        parts.append(text(room.width - room.right + 10, label + 4, short(curve.name, room), colour, "start"))
    return "".join([*parts, "</svg>"])


def thinking(bars: Sequence[Bar], room: PlotRoom = WIDE) -> str:
    """Draws a bar for each player, in the order given."""
    if not any(bar.seconds for bar in bars):
        return _empty("No moves yet.")
    most = max(bar.seconds for bar in bars)
    wide = room.width - room.right - room.left - 20
    summary = "; ".join(f"{bar.name} {_seconds(bar)}" for bar in bars)
    parts = [opening(room, 2 * TOP + BAR * len(bars), f"Average thinking time per game, in seconds: {summary}")]
    for row, bar in enumerate(bars):
        middle = TOP + BAR * row + BAR / 2
        long = bar.seconds / most * wide
        parts.append(text(room.right - 10, middle + 4, short(bar.name, room), TEXT, "end"))
        parts.append(
            f'<rect x="{room.right}" y="{middle - 8:.1f}" width="{long:.1f}" height="16" rx="3" fill="#f0cf6b"/>'
        )
        parts.append(text(room.right + long + 8, middle + 4, _seconds(bar), SOFT, "start"))
    return "".join([*parts, "</svg>"])


# -- what all plots are made of ----------------------------------------------------------------------------------------


def opening(room: PlotRoom, height: int, label: str) -> str:
    return (
        f'<svg class="plot" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {room.width} {height}" role="img" '
        f'aria-label="{escape(label)}" font-family="system-ui, sans-serif" font-size="13">'
    )


def text(x: float, y: float, words: str, fill: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" text-anchor="{anchor}">{escape(words)}</text>'


def short(name: str, room: PlotRoom) -> str:
    return name if len(name) <= room.letters else name[: room.letters - 1] + "…"


def ticks(low: float, high: float) -> list[int]:
    """Returns four to eight round numbers between `low` and `high`, or all where there are fewer."""
    sizes = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10000)
    step = next((size for size in sizes if (high - low) / size <= 8), int(high - low) // 4)
    return [value for value in range(int(low) // step * step, int(high) + 1, step) if low <= value <= high]


def apart(wanted: Sequence[float], lowest: float) -> list[float]:
    """Returns heights near the wanted ones, each at least LABEL_ROWS from the next, and none below the lowest."""
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    heights = list(wanted)
    for before, after in pairwise(order):
        heights[after] = max(heights[after], heights[before] + LABEL_ROWS)
    limit = lowest
    for place in reversed(order):
        heights[place] = min(heights[place], limit)
        limit = heights[place] - LABEL_ROWS
    return heights


def _empty(sentence: str) -> str:
    return f'<p class="soft">{escape(sentence)}</p>'


def _said(curves: Sequence[Curve]) -> str:
    return "; ".join(f"{curve.name} {curve.values[-1]}" for curve in curves)


def _seconds(bar: Bar) -> str:
    """Returns the time of a bar: a short one with tenths."""
    if bar.seconds < 1:
        return "under 1 s"
    return f"{bar.seconds:.1f} s" if bar.seconds < 10 else f"{bar.seconds:.0f} s"
