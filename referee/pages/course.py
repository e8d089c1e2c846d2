"""How a finished game went, as SVG: what each seat had, month by month, round by round or move by move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.p2p.tournament.page_games import DASHES, CourseMeasure, GameCourse
from kimberley.referee.pages.plots import GRID, SOFT, TEXT, PlotRoom, apart, opening, short, text, ticks

CHART: Final = 150
"""The height of a chart, in units."""
HEADING: Final = 26
LABELS: Final = 26
CLOSEST: Final = 26
"""The least distance between two labels below the charts."""


def course(curve: GameCourse, here: int | None, room: PlotRoom) -> str:
    """Draws a chart for each quantity, one above the other. `here` is the sample that is looked at."""
    height = len(curve.measures) * (HEADING + CHART) + LABELS
    end = f"{'; in '.join(_said(curve, number) for number in range(len(curve.measures)))}."
    turned = f" {curve.told}" if curve.told else ""
    parts = [opening(room, height, f"The game by {curve.unit}. Final score in {end}{turned}")]
    for number, measure in enumerate(curve.measures):
        parts += _chart(curve, number, measure, HEADING + number * (HEADING + CHART), room, here)
    free = 0.0
    for at, label in enumerate(curve.labels):
        x = _x(curve, at, room)
        if x >= free:
            parts.append(text(x, height - 8, label, TEXT if at == here else SOFT, "middle"))
            free = x + CLOSEST
    return "".join([*parts, "</svg>"])


def _x(curve: GameCourse, at: int, room: PlotRoom) -> float:
    return room.left + at / (len(curve.labels) - 1) * (room.width - room.left - room.right)


def _said(curve: GameCourse, number: int) -> str:
    measure = curve.measures[number]
    had = zip(curve.names, curve.amounts[number][-1], strict=True)
    return f"{measure.name}: {', '.join(f'{name} {amount}{measure.unit}' for name, amount in had)}"


def _chart(
    curve: GameCourse, number: int, measure: CourseMeasure, top: int, room: PlotRoom, here: int | None
) -> list[str]:
    amounts = curve.amounts[number]
    low, high = min(map(min, amounts)), max(map(max, amounts))
    low, high = low if low < 0 or 2 * low > high else 0, max(high, low + 1)

    def y(amount: float) -> float:
        return top + 8 + (high - amount) / (high - low) * (CHART - 16)

    parts = [text(room.left, top - 8, f"{measure.sign} {measure.name}", measure.color, "start")]
    for value in ticks(low, high)[:: 1 if high - low < 5 else 2]:
        parts.append(f'<path d="M{room.left} {y(value):.1f}H{room.width - room.right}" stroke="{GRID}"/>')
        parts.append(text(room.left - 8, y(value) + 4, f"{value}{measure.unit}", SOFT, "end"))
    parts += _upright(curve, top, room, here)
    last = amounts[-1]
    labels = apart([y(amount) for amount in last], top + CHART - 4.0)
    for seat, (sign, color) in enumerate(curve.marks):
        parts.append(_line([(_x(curve, at, room), y(row[seat])) for at, row in enumerate(amounts)], seat, color))
        label = f"{sign.strip()} {last[seat]}{measure.unit} {curve.names[seat]}"
        parts.append(text(room.width - room.right + 8, labels[seat] + 4, short(label, room), color, "start"))
    return parts


def _upright(curve: GameCourse, top: int, room: PlotRoom, here: int | None) -> list[str]:
    """Returns upright lines where the game turned, and at the sample that is looked at."""
    parts = []
    if curve.turn is not None:
        x = _x(curve, curve.turn, room)
        parts.append(f'<path d="M{x:.1f} {top}v{CHART}" stroke="{SOFT}" stroke-dasharray="2 3"/>')
    if here is not None:
        parts.append(f'<path d="M{_x(curve, here, room):.1f} {top}v{CHART}" stroke="{TEXT}"/>')
    return parts


def _line(points: Sequence[tuple[float, float]], seat: int, color: str) -> str:
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return (
        f'<polyline points="{drawn}" fill="none" stroke="{color}" stroke-width="2" '
        f'stroke-dasharray="{DASHES[seat % len(DASHES)]}"/>'
    )
