"""Line charts and bars as SVG, with nothing but text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 400, 330
LEFT, RIGHT, TOP, BOTTOM = 56, 84, 44, 48
COLOURS = ("#1b6ca8", "#2a9d8f", "#c98a12", "#d1603d", "#8a3b6f")
LETTERS = 'font-family="system-ui, sans-serif" font-size="12" fill="#333"'


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over the same places on the x axis, each with its name at its end."""

    title: str
    across: str
    places: Sequence[int]
    lines: Mapping[str, Sequence[float]]


def draw(up: str, charts: Sequence[Chart]) -> str:
    """Returns the charts side by side, on one scale for all y axes, which is labeled `up` and begins at 0."""
    step = _round_step(max(max(line) for chart in charts for line in chart.lines.values()) / 5)
    top = step * 5
    size = f'width="{WIDTH * len(charts)}" height="{HEIGHT}" viewBox="0 0 {WIDTH * len(charts)} {HEIGHT}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {LETTERS}>']
    parts.append('<rect width="100%" height="100%" rx="6" fill="#fff"/>')
    for number, chart in enumerate(charts):
        parts += [f'<g transform="translate({WIDTH * number})">', *_chart(chart, up, top, step), "</g>"]
    return "\n".join([*parts, "</svg>", ""])


@dataclass(frozen=True, slots=True)
class Bar:
    """A ratio, and the one that is aimed at, if there is one."""

    name: str
    ratio: float
    aim: str


def bars(title: str, ratios: Sequence[Bar]) -> str:
    """Draws ratios as bars, each with a mark at its aim."""
    top, left, across, line = TOP + 8, 470, 340, 24
    most = max([1.0, *(bar.ratio for bar in ratios), *(float(bar.aim) for bar in ratios if bar.aim)])
    height, width = top + line * len(ratios) + 12, left + across + 60
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f"{LETTERS}>",
        '<rect width="100%" height="100%" rx="6" fill="#fff"/>',
        f'<text x="12" y="24" font-size="14" font-weight="600">{escape(title)} (mark: the aim)</text>',
    ]
    for number, bar in enumerate(ratios):
        y, end = top + line * number, left + across * bar.ratio / most
        parts.append(f'<text x="{left - 8}" y="{y + 12}" text-anchor="end" font-size="11">{escape(bar.name)}</text>')
        parts.append(f'<rect x="{left}" y="{y}" width="{end - left:.1f}" height="16" fill="{COLOURS[0]}"/>')
        parts.append(f'<text x="{end + 8:.1f}" y="{y + 12}">{bar.ratio:.2f}</text>')
        if bar.aim:
            aim = left + across * float(bar.aim) / most
            parts.append(f'<path d="M{aim:.1f} {y - 3}V{y + 19}" stroke="{COLOURS[3]}" stroke-width="2"/>')
    return "\n".join([*parts, "</svg>", ""])


def _chart(chart: Chart, up: str, top: float, step: float) -> list[str]:
    least, most = chart.places[0], chart.places[-1]

    def x(place: float) -> float:
        return LEFT + (place - least) / (most - least) * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM)

    parts = [f'<text x="{LEFT}" y="22" font-size="14" font-weight="600">{escape(chart.title)}</text>']
    for tick in range(6):
        level = y(tick * step)
        parts.append(f'<path d="M{LEFT} {level:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{level + 4:.1f}" text-anchor="end">{tick * step:g}</text>')
    parts.append(f'<text x="{LEFT - 8}" y="{TOP - 8}" text-anchor="end">{escape(up)}</text>')
    for place in chart.places:
        parts.append(f'<text x="{x(place):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{place}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">{escape(chart.across)}</text>')
    for colour, (name, values) in zip(COLOURS, chart.lines.items(), strict=False):
        points = [(x(place), y(value)) for place, value in zip(chart.places, values, strict=True)]
        path = " ".join(f"{across:.1f},{height:.1f}" for across, height in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{across:.1f}" cy="{height:.1f}" r="3" fill="{colour}"/>' for across, height in points]
        end = f'x="{points[-1][0] + 8:.1f}" y="{points[-1][1] + 4:.1f}" fill="{colour}"'
        parts.append(f"<text {end}>{escape(name)}</text>")
    return parts


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, 50... that is not below `least`."""
    scale = 1.0
    while True:
        for step in (1, 2, 5):
            if step * scale >= least:
                return step * scale
        scale *= 10
