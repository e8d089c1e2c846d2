"""From the command to the title screen and to the first lines of text, against the least that each can take.

.venv/bin/python -m tests.benchmarks.bench_start
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from tests.benchmarks.common import KIMBERLEY, report, size
from tests.benchmarks.ratios import PEERS, Measure, Ratio, alternate, command_seconds, compared, missing, ratio
from tests.benchmarks.terminal import Terminal

STARTS: Final = 15
FLOOR: Final = (sys.executable, str(Path(__file__).with_name("floor.py")))
CHESS: Final = PEERS / "cli-chess"
PASS: Final = partial(command_seconds, sys.executable, "-c", "pass")


def started(command: Sequence[str], seen: Callable[[str], bool]) -> float:
    with Terminal(command) as terminal:
        return terminal.wait(seen) - terminal.started


def on_title(screen: str) -> bool:
    return "every game proven fair" in screen and "Join" in screen


def printed(option: str) -> Ratio:
    return compared(partial(command_seconds, *KIMBERLEY, option), PASS, STARTS)


def idle(command: Sequence[str]) -> float:
    """Returns the percentage of a core that the title screen takes while nobody does anything."""
    with Terminal(command) as terminal:
        terminal.wait(on_title)
        terminal.quiet(3.0)
        before, since = terminal.cpu_seconds(), time.perf_counter()
        time.sleep(size(20))
        return 100 * (terminal.cpu_seconds() - before) / (time.perf_counter() - since)


def main() -> None:
    with tempfile.TemporaryDirectory() as data:
        title = (*KIMBERLEY, "--data", data)
        measures: dict[str, Measure] = {
            "ours": lambda: started(title, on_title),
            "floor": lambda: started(FLOOR, lambda screen: screen.count("floor floor") > 20),
        }
        if CHESS.exists():
            measures["chess"] = lambda: started((str(CHESS),), lambda screen: "Offline Games" in screen)
        times = alternate(measures, size(STARTS))
        ratios = {
            "title": ratio(times["ours"], times["floor"]),
            "chess": ratio(times["ours"], times["chess"]) if CHESS.exists() else missing("cli-chess"),
            **{option: printed(option) for option in ("--version", "--help")},
        }
        report({"ratios": ratios, "idle_percent_of_a_core": idle(title)})


if __name__ == "__main__":
    main()
