"""A contest as an SVG picture: the win rate after the games of each seed, with its interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Final

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 24, 48, 44
LETTERS: Final = 'font-family="system-ui, sans-serif" font-size="12" fill="#333"'


def draw(
    title: str, unit: str, points: Sequence[float], games: int, interval: Callable[[float, int], tuple[float, float]]
) -> str:
    """Draws `points`, the first player's share of the `games` games of each seed, from 0 to 1. `unit` is what the games
    of several seeds are called. `interval` takes a rate and a number of games.
    """

    def x(pair: int) -> float:
        return LEFT + (pair - 1) / max(len(points) - 1, 1) * (WIDTH - LEFT - RIGHT)

    def y(rate: float) -> float:
        return HEIGHT - BOTTOM - rate * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" {LETTERS}>',
        '<rect width="100%" height="100%" rx="6" fill="#fff"/>',
        f'<text x="{LEFT}" y="24" font-size="14" font-weight="600">{escape(title)}</text>',
    ]
    for tick in range(0, 101, 25):
        parts.append(f'<path d="M{LEFT} {y(tick / 100):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(tick / 100) + 4:.1f}" text-anchor="end">{tick}%</text>')
    rates = [sum(points[:count]) / count for count in range(1, len(points) + 1)]
    bounds = [interval(rate, games * count) for count, rate in enumerate(rates, 1)]
    band = [f"{x(n):.1f},{y(high):.1f}" for n, (_, high) in enumerate(bounds, 1)]
    band += [f"{x(n):.1f},{y(bounds[n - 1][0]):.1f}" for n in range(len(bounds), 0, -1)]
    line = " ".join(f"{x(n):.1f},{y(rate):.1f}" for n, rate in enumerate(rates, 1))
    parts.append(f'<polygon points="{" ".join(band)}" fill="#1b6ca8" fill-opacity="0.15"/>')
    parts.append(f'<polyline points="{line}" fill="none" stroke="#1b6ca8" stroke-width="2"/>')
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 12}" text-anchor="end">{len(points)} {unit}</text>')
    return "\n".join([*parts, "</svg>", ""])
