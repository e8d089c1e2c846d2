"""From the last "Done" to the revealed move on both screens: two clients on two terminals, over TLS on this machine.

    .venv/bin/python -m tests.benchmarks.bench_reveal

Both people only press Done, with no last look. The time runs from the key that ends the last person's planning to the
arrival, on the later of the two terminals, of the first bytes of the frame that no longer shows the planning: keys,
proofs, journals synced to disk, both processes and their drawing are all in it. The floor is what happens in any case:
a thousand bytes are saved to disk, sent to another process, saved there, and answered. Both are measured in turn.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import tempfile
import time
from pathlib import Path

import pyte

from tests.benchmarks.common import report, size
from tests.benchmarks.ratios import ratio
from tests.support.terminal import Terminal, TimedOut
from tests.support.whole_game import strip

GAMES = size(2, quick=1)
ROUNDS = 9
ENVELOPE = bytes(1000)
COLUMNS, ROWS = 80, 24


class Timed(Terminal):
    """Notes what arrived, and when."""

    def _read(self) -> None:
        self.arrived: list[tuple[float, bytes]] = []
        super()._read()

    def _take(self, data: bytes) -> None:
        self.arrived.append((time.perf_counter(), data))
        super()._take(data)

    def changed(self, since: list[float]) -> list[float]:
        """Returns, for each of these times, when the strip between the screens first showed another phase after it."""
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


def saved_there_and_back(folder: Path) -> float:
    """Returns the seconds of two syncs to disk and two one-way trips."""

    def save(name: str, data: bytes) -> None:
        with (folder / name).open("ab") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as here:
        there, _ = server.accept()
        if (child := os.fork()) == 0:
            save("there", there.recv(len(ENVELOPE), socket.MSG_WAITALL))
            there.sendall(ENVELOPE)
            os._exit(0)
        time.sleep(0.05)
        start = time.perf_counter()
        save("here", ENVELOPE)
        here.sendall(ENVELOPE)
        here.recv(len(ENVELOPE), socket.MSG_WAITALL)
        seconds = time.perf_counter() - start
        there.close()
        os.waitpid(child, 0)
    return seconds


def game(folder: Path) -> tuple[list[float], list[float]]:
    """Returns the seconds from the last Done to the later screen's reveal, and those of the floor, for every round."""
    for name in ("ana", "ben"):
        (folder / name).mkdir(parents=True)
        (folder / name / "settings.json").write_text(json.dumps({"nickname": name, "adjust": "0", "calm": True}))
    pressed: list[float] = []
    floor: list[float] = []
    with Timed("host", data=folder / "ana") as ana:
        # Where another table has the usual port, the command names this one's.
        port = re.search(r"kimberley join [\d.]+(:\d+)?", ana.wait("kimberley join "))
        assert port is not None
        with Timed("join", f"127.0.0.1{port[1] or ''}", data=folder / "ben") as ben:
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
                        floor.append(saved_there_and_back(folder))
            for terminal in (ana, ben):
                terminal.dossier()
        both = zip(pressed, ana.changed(pressed), ben.changed(pressed), strict=True)
        return [max(times) - start for start, *times in both], floor


def _done(terminal: Timed) -> float:
    """Presses Done, and yes if asked to confirm. Returns the time of the key that settled it. A key may be used up by
    skipping.
    """
    text = terminal.wait("Done d")
    asked = _line(text)
    while _line(text) == asked:
        start = time.perf_counter()
        terminal.press("y" if "Finish y" in text else "d")
        with contextlib.suppress(TimedOut):
            terminal.wait(lambda text: "Done d" not in text or _line(text) != asked, patience=4.0)
        text = terminal.text
    return start


def _line(text: str) -> str:
    """What is asked, from the strip between the screens."""
    return text.splitlines()[5][:50]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        games = [game(Path(folder) / str(number)) for number in range(GAMES)]
    ours, floor = ([one for times in kind for one in times] for kind in zip(*games, strict=True))
    report({"ratios": {"reveal": ratio(ours, floor)}})


if __name__ == "__main__":
    main()
