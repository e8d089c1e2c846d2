"""From the command to the title screen; from a key to its frame; what an idle screen costs.

.venv/bin/python -m tests.benchmarks.bench_startup
"""

from __future__ import annotations

import tempfile
import time

from tests.benchmarks.common import KIMBERLEY, report, size, summary
from tests.benchmarks.terminal import Terminal

STARTS = size(15)
KEYS = size(40)
IDLE_SECONDS = size(20)


def on_title(screen: str) -> bool:
    return "every game proven fair" in screen and "Join" in screen


def main() -> None:
    with tempfile.TemporaryDirectory() as data:
        command = (*KIMBERLEY, "--data", data)
        starts, frames = [], []
        for _ in range(STARTS):
            with Terminal(command) as terminal:
                starts.append(terminal.wait(on_title) - terminal.started)
        with Terminal(command) as terminal:
            terminal.wait(on_title)
            frames = [terminal.frame(b"\x1b[B" if turn % 2 else b"\x1b[A") for turn in range(KEYS)]
            terminal.quiet(0.5)
            before, since = terminal.cpu_seconds(), time.perf_counter()
            while time.perf_counter() - since < IDLE_SECONDS:
                terminal.quiet(IDLE_SECONDS / 10)
                time.sleep(IDLE_SECONDS / 10)
            idle = (terminal.cpu_seconds() - before) / (time.perf_counter() - since)
    report(
        {
            "title_screen": summary(starts),
            "key_to_frame": summary(frames),
            "idle_percent_of_a_core": round(idle * 100, 2),
        }
    )


if __name__ == "__main__":
    main()
