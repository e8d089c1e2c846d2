"""From the last "Done" to the revealed move on both screens: two clients on two terminals, over TLS on this machine.

    .venv/bin/python -m tests.benchmarks.bench_latency

Both people only press Done, with no last look. The time runs from the key that ends the last person's planning to the
arrival of the first bytes of the frame, on the later of the two terminals, that is no longer the planning: keys,
proofs, journals synced to disk, both processes and their drawing are all in it.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
import time
from pathlib import Path

import pyte

from tests.benchmarks.common import report, size, summary
from tests.support.terminal import Terminal, TimedOut, at_the_end
from tests.support.whole_game import strip

GAMES = size(2, quick=1)
ROUNDS = 9
COLUMNS, ROWS = 80, 24


class Timed(Terminal):
    """Keeps when what arrived."""

    def _read(self) -> None:
        self.arrived: list[tuple[float, bytes]] = []
        super()._read()

    def _take(self, data: bytes) -> None:
        self.arrived.append((time.perf_counter(), data))
        super()._take(data)

    def changed(self, since: list[float]) -> list[float]:
        """For each of these times, when the strip between the screens first showed another phase after it."""
        screen = pyte.Screen(COLUMNS, ROWS)
        stream = pyte.ByteStream(screen)
        shown: list[tuple[float, str]] = []
        for when, data in self.arrived:
            stream.feed(data)
            shown.append((when, strip("\n".join(screen.display))))
        found = []
        for start in since:
            before = next(phase for when, phase in reversed(shown) if when <= start)
            found.append(next(when for when, phase in shown if when > start and phase != before))
        return found


def game(folder: Path) -> list[float]:
    """Seconds from the last Done to the later screen's reveal, for every round."""
    for name in ("ana", "ben"):
        (folder / name).mkdir(parents=True)
        (folder / name / "settings.json").write_text(json.dumps({"nickname": name, "adjust": "0", "calm": True}))
    pressed: list[float] = []
    with Timed("host", data=folder / "ana") as ana:
        ana.wait("kimberley join ")
        with Timed("join", "127.0.0.1", data=folder / "ben") as ben:
            for terminal in (ana, ben):
                terminal.wait("Same words")
                terminal.press("y")
            for number in range(1, ROUNDS + 1):
                for phase in (" PAY ", " MOVE ", " SALE ")[: 2 if number == ROUNDS else 3]:
                    for terminal in (ana, ben):
                        terminal.wait(f"month {number} of {ROUNDS}")
                        terminal.wait(phase)
                    _done(ana)
                    settled = _done(ben)
                    if phase == " MOVE ":
                        pressed.append(settled)
            for terminal in (ana, ben):
                terminal.wait(at_the_end)
                terminal.press("enter")
            for terminal in (ana, ben):
                terminal.wait("FAIR ✓")
        both = zip(pressed, ana.changed(pressed), ben.changed(pressed), strict=True)
        return [max(times) - start for start, *times in both]


def _done(terminal: Timed) -> float:
    """Done, and yes where it asks back; the time of the key that settled it. A key may be used up by skipping."""
    text = terminal.wait("Done d")
    asked = _line(text)
    while _line(text) == asked:
        start = time.perf_counter()
        terminal.press("y" if "Finish y" in text else "d")
        with contextlib.suppress(TimedOut):
            terminal.wait(lambda text: "Done d" not in text or _line(text) != asked, patience=1.0)
        text = terminal.text
    return start


def _line(text: str) -> str:
    """What is asked, from the strip between the screens."""
    return text.splitlines()[5][:50]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        times = [seconds for number in range(GAMES) for seconds in game(Path(folder) / str(number))]
    report({"done_to_reveal_on_both_screens": summary(times)})


if __name__ == "__main__":
    main()
