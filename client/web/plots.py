"""The two plots of the page as SVG: ratings by round, and thinking time. They load nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import Final, NamedTuple

WIDTH: Final = 720
LEFT: Final = 60
RIGHT: Final = 150
TOP: Final = 24
LINES_HEIGHT: Final = 380
BAR: Final = 26
COLOURS: Final = ("#9be7f5", "#f0cf6b", "#ff9a76", "#8ab8ff", "#a6e39a", "#e6a6e8")
DASHES: Final = ("none", "6 3", "2 3", "10 3 2 3")
SOFT: Final = "#a9b3c7"
TEXT: Final = "#e8ebf2"
LABEL_ROWS: Final = 15.0
"""The least distance between two names on the right, in units of the SVG."""


class Curve(NamedTuple):
    """A player's ratings: `values` has the rating at the start and the rating after each round."""

    name: str
    values: tuple[int, ...]


class Bar(NamedTuple):
    """A player's average thinking time per game, in minutes."""

    name: str
    minutes: float


def ratings(curves: Sequence[Curve]) -> str:
    """Draws a line for each player, the best first. Colors repeat with other dashes: up to 24 lines look different."""
    rounds = max((len(curve.values) for curve in curves), default=1) - 1
    if rounds < 1:
        return _empty("No round is over yet.")
    values = [value for curve in curves for value in curve.values]
    low, high = min(values) - 10, max(values) + 10

    def x(number: int) -> float:
        return LEFT + number / rounds * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return TOP + (high - value) / (high - low) * (LINES_HEIGHT - 2 * TOP - 20)

    bottom = LINES_HEIGHT - TOP - 10
    parts = [_open(LINES_HEIGHT, "Ratings after each round: " + _said(curves))]
    for number in range(rounds + 1):
        parts.append(_text(x(number), bottom + 12, str(number) if number else "start", SOFT, "middle"))
    for value in _ticks(low, high):
        parts.append(f'<path d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}" stroke="#252c3c"/>')
        parts.append(_text(LEFT - 8, y(value) + 4, str(value), SOFT, "end"))
    labels = _apart([y(curve.values[-1]) for curve in curves])
    for place, (curve, label) in enumerate(zip(curves, labels, strict=True)):
        colour = COLOURS[place % len(COLOURS)]
        dash = DASHES[place // len(COLOURS) % len(DASHES)]
        points = " ".join(f"{x(number):.1f},{y(value):.1f}" for number, value in enumerate(curve.values))
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
        )
        parts.append(_text(WIDTH - RIGHT + 10, label + 4, _short(curve.name), colour, "start"))
    return "".join([*parts, "</svg>"])


def thinking(bars: Sequence[Bar]) -> str:
    """Draws a bar for each player, in the order given."""
    if not any(bar.minutes for bar in bars):
        return _empty("Nobody has had to think yet.")
    most = max(bar.minutes for bar in bars)
    room = WIDTH - LEFT - RIGHT - 60
    said = "; ".join(f"{bar.name} {bar.minutes:.1f}" for bar in bars)
    parts = [_open(2 * TOP + BAR * len(bars), f"Average minutes of thinking per game: {said}")]
    for row, bar in enumerate(bars):
        middle = TOP + BAR * row + BAR / 2
        parts.append(_text(RIGHT - 10, middle + 4, _short(bar.name), TEXT, "end"))
        wide = bar.minutes / most * room
        parts.append(f'<rect x="{RIGHT}" y="{middle - 8:.1f}" width="{wide:.1f}" height="16" rx="3" fill="#f0cf6b"/>')
        parts.append(_text(RIGHT + wide + 8, middle + 4, f"{bar.minutes:.1f}", SOFT, "start"))
    return "".join([*parts, "</svg>"])


def _open(height: int, label: str) -> str:
    return (
        f'<svg class="plot" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(label)}" font-family="system-ui, sans-serif" font-size="13">'
    )


def _empty(text: str) -> str:
    return f'<p class="soft">{escape(text)}</p>'


def _text(x: float, y: float, text: str, fill: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" text-anchor="{anchor}">{escape(text)}</text>'


def _said(curves: Sequence[Curve]) -> str:
    return "; ".join(f"{curve.name} {curve.values[-1]}" for curve in curves)


def _short(name: str) -> str:
    return name if len(name) <= 18 else name[:17] + "…"


def _ticks(low: float, high: float) -> list[int]:
    """Four to eight round numbers between `low` and `high`."""
    step = next(step for step in (10, 20, 25, 50, 100, 200, 250, 500, 1000, 10000) if (high - low) / step <= 8)
    return [value for value in range(int(low) // step * step, int(high) + 1, step) if low <= value <= high]


def _apart(wanted: Sequence[float]) -> list[float]:
    """Heights near the wanted ones, each at least LABEL_ROWS from the next."""
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    found = list(wanted)
    for before, after in pairwise(order):
        found[after] = max(found[after], found[before] + LABEL_ROWS)
    lowest = LINES_HEIGHT - TOP - 10
    limit = float(lowest)
    for place in reversed(order):
        found[place] = min(found[place], limit)
        limit = found[place] - LABEL_ROWS
    return found
