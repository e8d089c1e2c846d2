"""What is said while cases run: each that is not ok at once, and how far the run has come."""

from __future__ import annotations

import time
from typing import Final, TextIO

from client.conformance import report
from client.conformance.runner import Outcome

EVERY: Final = 50
"""Cases between two lines about progress, where no terminal shows it all the time."""


class Progress:
    """Outcomes for people go to one stream, progress to another: on a terminal one line that changes."""

    def __init__(self, stream: TextIO, people: TextIO, count: int) -> None:
        self._stream = stream
        self._people = people
        self._count = count
        self._here = stream.isatty()
        self._done = 0
        self._failed = 0
        self._start = time.monotonic()

    def told(self, outcome: Outcome) -> None:
        """One more case is over."""
        self._done += 1
        self._failed += outcome.verdict == "failed"
        if outcome.verdict not in ("ok", "not claimed"):
            self.end()
            print(report.line(outcome), file=self._people, flush=True)
        if self._here:
            print(f"\r\x1b[K{self._text}", end="", file=self._stream, flush=True)
        elif self._done % EVERY == 0 and self._done < self._count:
            print(self._text, file=self._stream, flush=True)

    def end(self) -> None:
        """The terminal's line is free again."""
        if self._here:
            print("\r\x1b[K", end="", file=self._stream, flush=True)

    @property
    def _text(self) -> str:
        left = (time.monotonic() - self._start) / self._done * (self._count - self._done)
        return f"{self._done} of {self._count} cases, {self._failed} failed, about {left:.0f} s left"
