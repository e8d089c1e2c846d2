"""The reviews that a session makes: one at a time, even while nobody is looking. Nothing is judged twice."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from kimberley.client.boards.review_report import ReviewReport
from kimberley.client.session.reviewing import ReviewRun
from kimberley.games.bots.judge_levels import NORMAL_LEVEL
from kimberley.games.bots.review import GameReview
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import in_background
from kimberley.protocol.audit import AuditedGame


class ReviewMaking:
    """The making of one review."""

    def __init__(self, audited: AuditedGame, path: Path) -> None:
        self.audited, self.path = audited, path
        self.report: ReviewReport | None = None
        """What has been judged, in words; None until the first step of the game has been."""
        self.problem = ""
        """Why the game cannot be reviewed, in a sentence."""
        self.changed: Callable[[], None] | None = None
        """Called whenever there is more to show; None if nobody is looking."""
        self._run = ReviewRun(audited, path, NORMAL_LEVEL, beside=True)
        self._done = self._steps = 0
        self._runs = False

    @property
    def whole(self) -> bool:
        """Returns whether all is judged."""
        return self.report is not None and self.report.whole

    @property
    def not_kept(self) -> str:
        """Returns why the whole review could not be kept, in a sentence; empty if it could."""
        return self._run.not_kept

    @property
    def share(self) -> float:
        """Returns how much is judged, from 0 to 1."""
        return self._done / self._steps if self._steps else 1.0

    def pause(self) -> None:
        """Stops the work soon, until `go_on` is called."""
        self._run.stop()
        self._runs = False

    async def go_on(self) -> None:
        """Judges what is not judged yet, step by step. Does nothing if that is under way or done."""
        if self._runs or self.whole:
            return
        self._runs, self.problem = True, ""
        run = self._run = self._run.resumed()
        steps = iter(run)
        try:
            while (progress := await in_background(next, steps, None)) is not None and run is self._run:
                self._done, self._steps = progress
                await self._tell(run, run.so_far, whole=False)
            if run.review is not None:
                await self._tell(run, run.review, whole=True)
        except UserError as error:
            self.problem = str(error)
            self._tell_change()
        finally:
            # This task is canceled if the program ends.
            run.stop()
            self._runs = self._runs and run is not self._run

    async def _tell(self, run: ReviewRun, review: GameReview, *, whole: bool) -> None:
        """Puts into words what a run has judged, unless another one has taken its place meanwhile."""
        if self.report is None:
            report = await in_background(ReviewReport, self.audited, review, whole=whole)
        else:
            report = await in_background(self.report.judged, review, whole=whole)
        if run is self._run:
            self.report = report
            self._tell_change()

    def _tell_change(self) -> None:
        if self.changed is not None:
            self.changed()


class Reviews:
    """All reviews that a session has begun. Those that are kept beside their records need no place here."""

    def __init__(self, start: Callable[[Coroutine[Any, Any, object]], None]) -> None:
        """Takes `start`, which starts work that goes on until the program ends."""
        self._start = start
        self._begun: list[ReviewMaking] = []

    def open(self, audited: AuditedGame, path: Path) -> ReviewMaking:
        """Returns the making of the review of the record at `path`, which goes on where it stopped. Others pause."""
        begun = [earlier for earlier in self._begun if not earlier.whole or earlier.not_kept]
        same = [earlier for earlier in begun if earlier.path == path and earlier.audited.record == audited.record]
        making = same[0] if same else ReviewMaking(audited, path)
        for earlier in begun:
            if earlier is not making:
                earlier.pause()
        self._begun = [making, *(earlier for earlier in begun if earlier.path != path)]
        self._start(making.go_on())
        return making
