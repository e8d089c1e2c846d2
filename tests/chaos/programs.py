"""The programs of a game of the chaos: they run on hosts of the test network, and all that they say is kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, Final

from tests.support.paths import ROOT
from tests.support.program import Program
from tests.support.seeded import SEED_VARIABLE

WILD: Final = "--wild-clock"
"""The first argument of a program whose wall clock jumps (`tests.chaos.seat`)."""
AHEAD_SECONDS: Final = str(11 * 86400)
AHEAD: Final = (
    "unshare",
    "--time",
    "--monotonic",
    AHEAD_SECONDS,
    "--boottime",
    AHEAD_SECONDS,
    "--fork",
    "--kill-child",
)
"""Runs a program on a machine that has been up for eleven days longer."""


class ChaosProgram(Program[subprocess.Popen[str]]):
    """`kimberley` on pipes, on a host of the test network. What it says is in `said`, and in a file with the time."""

    def __init__(
        self, command: Sequence[str], log: Path, home: Path, seed: int, answers: Callable[[str], str | None]
    ) -> None:
        """`answers` hears each line and returns what is typed then, if anything."""
        self.said: list[str] = []
        self._answers = answers
        self._log: IO[str] = log.open("a", encoding="utf-8")
        self._note(f"$ {' '.join(command)}")
        environ = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", SEED_VARIABLE: str(seed)}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1,
            errors="replace", env=environ, cwd=ROOT, start_new_session=True,
        )  # fmt: skip
        self._listen()

    def type(self, text: str) -> None:
        """Types lines, unless the program is gone."""
        assert self.process.stdin is not None
        self._note(f"> {text}")
        try:
            self.process.stdin.write(text + "\n")
            self.process.stdin.flush()
        except OSError:
            pass

    def signal(self, number: int) -> None:
        """Sends a signal to the program and whatever it runs under."""
        self._note(f"! signal {number}")
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            line = line.rstrip("\n")
            self._note(line)
            self.said.append(line)
            self.news.set()
            if (answer := self._answers(line.strip())) is not None:
                self.type(answer)
        self._note("! ended")

    def _note(self, line: str) -> None:
        self._log.write(f"{time.monotonic():.2f} {line}\n")
        self._log.flush()

    def _close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        for stream in (self.process.stdin, self.process.stdout, self._log):
            try:
                stream.close()
            except OSError:
                continue  # What was typed last was never read.


def command(*typed: str, data: Path, wild: bool = False, ahead: bool = False) -> list[str]:
    """Returns the command line of `kimberley` with these arguments."""
    under = AHEAD if ahead else ()
    return [*under, sys.executable, "-m", "tests.chaos.seat", *([WILD] if wild else []), *typed, "--data", str(data)]


def event(line: str) -> dict[str, Any]:
    """Returns what a bot says in a line of JSON; empty if it is something else."""
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}
