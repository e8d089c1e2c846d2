"""From a key to the last byte of its frame on a board, against a screen of the same size that only moves a mark.

.venv/bin/python -m tests.benchmarks.bench_keys
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Final

from kimberley.games import lookup
from tests.benchmarks.bench_start import FLOOR
from tests.benchmarks.common import KIMBERLEY, report
from tests.benchmarks.ratios import Ratio, compared
from tests.benchmarks.terminal import Terminal

KEYS: Final = 40
DOWN, UP, LEFT, RIGHT = b"\x1b[B", b"\x1b[A", b"\x1b[D", b"\x1b[C"
SIZES: Final = ((80, 24), (200, 60))
BOARDS: Final = {2: "diamond-trust", 6: "land"}
"""By seats: a game whose first screen moves a mark to the left and to the right."""


@contextmanager
def board(seats: int, columns: int, rows: int) -> Iterator[Callable[[], float]]:
    """Yields a function that measures a key's frame, on a board against bots."""
    with tempfile.TemporaryDirectory() as data:
        Path(data, "settings.json").write_text(json.dumps({"guided": list(lookup.ids()), "calm": True}))
        command = (*KIMBERLEY, "alone", BOARDS[seats], "--seats", str(seats), "--level", "1", "--data", data)
        with Terminal(command, columns, rows) as terminal:
            terminal.wait(lambda screen: "F1" in screen and "F10" in screen)
            terminal.quiet(1)
            keys = cycle((RIGHT, LEFT))
            yield lambda: terminal.frame(next(keys))


def compare(seats: int, columns: int, rows: int) -> Ratio:
    with board(seats, columns, rows) as ours, Terminal(FLOOR, columns, rows) as floor:
        floor.wait(lambda screen: screen.count("floor floor") >= rows - 1)
        keys = cycle((DOWN, UP))
        return compared(ours, lambda: floor.frame(next(keys)), KEYS)


def main() -> None:
    report(
        {
            "ratios": {
                f"{seats} {columns}x{rows}": compare(seats, columns, rows)
                for seats in BOARDS
                for columns, rows in SIZES
            }
        }
    )


if __name__ == "__main__":
    main()
