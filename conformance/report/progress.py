"""What is printed while cases run: each outcome that is not ok, and how many cases are done."""

from __future__ import annotations

import time
from typing import Final, TextIO

from kimberley.conformance.report import report
from kimberley.conformance.runner import CaseOutcome
from kimberley.p2p.base.terminal import ChangingLine

EVERY: Final = 50
"""How many cases there are between two lines of progress, if the stream is not a terminal."""


class RunProgress:
    """Prints outcomes to `people` and progress to `stream`: on a terminal as one line that changes."""

    def __init__(self, stream: TextIO, people: TextIO, count: int) -> None:
        self._stream = stream
        self._people = people
        self._count = count
        self._line = ChangingLine(stream)
        self._done = 0
        self._failed = 0
        self._start = time.monotonic()

    def on_outcome(self, outcome: CaseOutcome) -> None:
        """Counts one more case that has ended, and shows it."""
        self._done += 1
        self._failed += outcome.verdict == "failed"
        if outcome.verdict not in ("ok", "not claimed"):
            self.end()
            print(report.describe_outcome(outcome), file=self._people, flush=True)
        if self._line.here:
            self._line.show(self._text)
        elif self._done % EVERY == 0 and self._done < self._count:
            print(self._text, file=self._stream, flush=True)

    def end(self) -> None:
        """Clears the line on the terminal."""
        if self._line.here:
            self._line.end()

    @property
    def _text(self) -> str:
        left = (time.monotonic() - self._start) / self._done * (self._count - self._done)
        return f"{self._done} of {self._count} cases, {self._failed} failed, about {left:.0f} s left"
