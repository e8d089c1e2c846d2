"""What whole tables cost on this machine: a bag of items of two parts, and private draws from it, for 2 to 6 seats.

.venv/bin/python -m tests.benchmarks.bench_mesh [--plot docs/pictures/growth.svg]

Each seat is a process of its own. Between them is plain TCP on loopback, or, where it says so, all that p2p puts on it:
TLS, heartbeats, and a journal that is synced before anything is sent.
"wall" is the time until the last seat is done, "core" the time of a core that a seat uses, the mean of all seats.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.common import report, size, summary
from tests.benchmarks.drawing import BOTH_HIDDEN, HIDDEN_ONLY, OPEN_AND_HIDDEN, Drawing
from tests.benchmarks.mesh import Work, measure, measure_over_p2p
from tests.benchmarks.plot import Chart, draw

SEATS = (2, 3, 4, 5, 6)
ITEMS = (10, 30, 60, 120)
RUNS = size(5)
GROWTH_RUNS = size(5)

Growth = dict[int, dict[int, Work]]
"""By items, then seats: what an ordinary table did."""


def main() -> None:
    parser = argparse.ArgumentParser(description="What whole tables cost.")
    parser.add_argument("--plot", type=Path, metavar="SVG", help="also measure the growth, and draw it")
    plot: Path | None = parser.parse_args().plot
    figures: dict[str, object] = {}
    for seats in (2, 6):
        for kind in (HIDDEN_ONLY, BOTH_HIDDEN, OPEN_AND_HIDDEN):
            for name, table in (("plain TCP", measure), ("p2p", measure_over_p2p)):
                say(f"{seats} seats over {name}, {kind}")
                bags, draws = zip(*(table(Drawing(draw=kind), seats) for _ in range(RUNS)), strict=True)
                figures[f"{seats} seats over {name}: each draws 2 items, {kind}"] = in_figures(draws)
                figures[f"{seats} seats over {name}: bag of 30 items of two parts"] = in_figures(bags)

    if plot is not None:
        growth: Growth = {items: {seats: ordinary(items, seats) for seats in SEATS} for items in ITEMS}
        for unit in ("core", "wall"):
            figures[f"bag by items and seats, {unit}_ms"] = {
                items: {seats: in_ms(work, unit) for seats, work in by_seats.items()}
                for items, by_seats in growth.items()
            }
        plot.write_text(charts(growth))
    report(figures)


def ordinary(items: int, seats: int) -> Work:
    """Returns the bag of the table whose wall time is the median."""
    say(f"{items} items, {seats} seats")
    bags = [measure(Drawing(items, each=1), seats)[0] for _ in range(GROWTH_RUNS)]
    return sorted(bags, key=lambda work: work.wall)[GROWTH_RUNS // 2]


def in_figures(works: Sequence[Work]) -> dict[str, object]:
    return {
        "wall": summary([work.wall for work in works]),
        "core": summary([statistics.mean(work.cpu) for work in works]),
    }


def in_ms(work: Work, unit: str) -> float:
    return round(1000 * (work.wall if unit == "wall" else statistics.mean(work.cpu)), 1)


def charts(growth: Growth) -> str:
    by_seats = {f"{items} items": [in_ms(growth[items][seats], "core") for seats in SEATS] for items in ITEMS}
    by_items = {f"{seats} seats": [in_ms(growth[items][seats], "core") for items in ITEMS] for seats in SEATS}
    return draw(
        "ms", [Chart("By seats", "seats", SEATS, by_seats), Chart("By items", "items of two parts", ITEMS, by_items)]
    )


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
