"""A whole game of two targets, line by line, as conformance/target/transcript.jsonl holds it.

python -m tests.conformance.target_transcript --write    plays it and writes it anew
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from kimberley.conformance.target import peer
from tests.support.paths import ROOT

FOLDER: Final = ROOT / "conformance" / "target"
PORT: Final = 7411
"""In place of the one that was free."""
RECORD: Final = "data/record"
"""In place of the paths where records were kept."""

Line = dict[str, Any]
Cue = tuple[str, int, Line]
"""(event, step, what the target is told then)."""

ASKS: Final = [["roll", [6]], ["decide", 0, 9], ["together", [0, 1], 9]]
HOST: Final[Line] = {
    "role": "host",
    "port": 0,
    "game": "script",
    "seats": 2,
    "options": {"asks": ASKS, "last_look": 0},
    "nickname": "ana",
    "seed": "11" * 32,
}
JOIN: Final[Line] = {
    "role": "join",
    "address": "127.0.0.1",
    "options": {"asks": ASKS},
    "nickname": "ben",
    "seed": "22" * 32,
    "choices": [7],
}
HOST_CUES: Final[tuple[Cue, ...]] = (
    ("asked", 2, {"do": "choose", "choice": 9}),
    ("forbidden", 0, {"do": "choose", "choice": 4}),
    ("said", 0, {"do": "choose", "choice": 5}),
)
"""9 is one too many."""
JOIN_CUES: Final[tuple[Cue, ...]] = (("asked", 3, {"do": "say", "text": "a four"}),)
"""The host makes its last choice only after that line: otherwise chat has no fixed place among the stages."""


class Target:
    """A target in this process, and what it is given and says."""

    def __init__(self, cues: tuple[Cue, ...]) -> None:
        self.lines: list[tuple[str, Line]] = []
        self.port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._cues = cues
        self._given: asyncio.Queue[Line | None] = asyncio.Queue()

    async def play(self, job: Line) -> None:
        """Plays a job to its end."""
        self.lines.append(("given", {**job, **({"port": PORT} if job.get("port") else {})}))
        await peer.PeerJob(job, self._given, self._says).run()

    def _says(self, event: Line) -> None:
        if event["event"] == "listening":
            self.port.set_result(event["port"])
            event = {**event, "port": PORT}
        if event.get("record") is not None:
            event = {**event, "record": RECORD}
        self.lines.append(("says", event))
        for name, step, line in self._cues:
            if name == event["event"] and step == event.get("step", 0):
                self.lines.append(("given", line))
                self._given.put_nowait(line)


async def played(data: Callable[[str], Path]) -> list[tuple[str, str, Line]]:
    """Returns (target, "given" or "says", line) of both, the host's first."""
    host, join = Target(HOST_CUES), Target(JOIN_CUES)

    async def joins() -> None:
        await join.play({**JOIN, "port": await host.port, "data": str(data("join"))})

    await asyncio.gather(host.play({**HOST, "data": str(data("host"))}), joins())
    both = [("host", *line) for line in host.lines] + [("join", *line) for line in join.lines]
    return [(name, way, {**line, "data": "data"} if "data" in line else line) for name, way, line in both]


def transcript(data: Callable[[str], Path]) -> str:
    """Returns what the file holds."""
    return "".join(json.dumps(line) + "\n" for line in asyncio.run(played(data)))


def main() -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        made = transcript(lambda name: Path(folder) / name)
    if sys.argv[1:] == ["--write"]:
        (FOLDER / "transcript.jsonl").write_text(made)
    else:
        sys.stdout.write(made)


if __name__ == "__main__":
    main()
