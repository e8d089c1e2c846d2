"""The real program in the line mode, on pipes. It can be told what to answer, and then plays by itself."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from tests.support.program import PATIENCE, Program

Answers: TypeAlias = Callable[[str], str | None]
"""What is typed after a line, if anything."""


class Pipe(Program[subprocess.Popen[str]]):
    """`kimberley --plain` on pipes: what it says, and a way to type. Whatever it says, it also gets its `answers`."""

    def __init__(
        self,
        *arguments: str,
        data: Path,
        environ: Mapping[str, str] | None = None,
        answers: Answers = lambda line: None,
    ) -> None:
        command = [sys.executable, "-m", "tests.support.seeded", *arguments, "--plain", "--data", str(data)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1,
            env={**os.environ, **(environ or {})},
        )  # fmt: skip
        self.said: list[str] = []
        self._answers = answers
        self._listen()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.rstrip("\n"))
            self.news.set()
            if (answer := self._answers(line.strip())) is not None:
                self.type(answer)

    def _close(self) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, pattern: str, patience: float = PATIENCE) -> re.Match[str]:
        """Returns the first line, of those said since the last one that was found, that has the pattern."""
        end = time.monotonic() + patience
        while True:
            self.news.clear()
            for number, line in enumerate(self.said):
                if match := re.search(pattern, line):
                    del self.said[: number + 1]
                    return match
            assert time.monotonic() < end, f"{pattern!r} was not said, but: {self.said}"
            self.news.wait(0.1)
