"""Reviews the game in a record, on all cores, and keeps the review beside the record (`review_file`).

The same record gives the same review: every decision is judged with a seed that follows from the record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final

from kimberley.client.session.review_file import digest, keep_review, kept_review, seats_of
from kimberley.client.session.workers import LocalWorkers, as_done, cores
from kimberley.games import lookup
from kimberley.games.bots import hints
from kimberley.games.bots.lookup import bots_of
from kimberley.games.bots.review import (
    CannotReview,
    GameReview,
    ReviewedDecision,
    SupportsReview,
    conclude,
    decision_points,
    review_decision,
)
from kimberley.games.table import Answer, Ask, State
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import has_processes
from kimberley.protocol.audit import FAIR, AuditedGame

NO_WORKERS: Final = (OSError, ImportError, NotImplementedError, RuntimeError)
"""Raised where a worker cannot be started or has ended: BrokenExecutor is a RuntimeError, as is a lack of threads."""


class ReviewTrouble(UserError):
    """A game cannot be reviewed; the message says why."""


class ReviewRun:
    """The making of one review, on all cores. Where there are no workers, or if one ends, one thread does the rest.

    Iterating over it does the work, and yields how many steps are judged, and of how many; nothing if the review was
    kept before. Afterwards `review` is set. Each step may run on any thread; ReviewTrouble is raised if the game cannot
    be reviewed.
    """

    def __init__(
        self,
        audited: AuditedGame,
        path: Path,
        level: int,
        *,
        beside: bool = False,
        workers: int | None = None,
        decisions: Mapping[int, Sequence[ReviewedDecision]] = MappingProxyType({}),
    ) -> None:
        """Takes a game whose record is at `path`. The review is kept beside it.

        Args:
            audited: The game.
            path: Its record.
            level: How much the judge thinks.
            beside: Whether this process goes on with something else meanwhile, such as a screen.
            workers: The most processes; None: one for each core; 0: all is done on the calling thread.
            decisions: By step, the decisions that are judged already.

        """
        self.review: GameReview | None = None
        """None until it is whole."""
        self.not_kept = ""
        """Why the whole review could not be kept, in a sentence."""
        self._audited, self._path, self._level = audited, path, level
        self._beside, self._most = beside, workers
        self._workers = (cores() if workers is None else workers) if has_processes() else 0
        self._local: LocalWorkers | None = None
        self._stopped = False
        self._found = dict(decisions)

    @property
    def so_far(self) -> GameReview:
        """Returns the review of what is judged already. To be read between two steps of the iteration."""
        unit = check_reviewable(self._audited, self._level)
        return conclude(unit, [one for decisions in self._found.values() for one in decisions], seats_of(self._audited))

    def resumed(self) -> ReviewRun:
        """Returns a run that goes on from where this one was stopped. May be called while this one ends."""
        return ReviewRun(
            self._audited, self._path, self._level, beside=self._beside, workers=self._most, decisions=self._found
        )

    def stop(self) -> None:
        """Ends the work and its workers soon. No file is kept then. May be called on any thread."""
        self._stopped = True
        if self._local is not None:
            self._local.end()

    def __iter__(self) -> Iterator[tuple[int, int]]:
        audited, path, level = self._audited, self._path, self._level
        unit = check_reviewable(audited, level)
        self.review = kept_review(audited, path, level, unit)
        if self.review is not None:
            return
        judge = StepJudge.of(audited, path, level)
        steps = [step for step, (ask, _) in enumerate(audited.story) if ask.choosers]
        yield len(self._found), len(steps)
        for step, decisions in self._judged(judge, [step for step in steps if step not in self._found]):
            self._found[step] = decisions
            yield len(self._found), len(steps)
        if not self._stopped:
            self.review = self.so_far
            self.not_kept = keep_review(path, level, self.review)

    def _judged(self, judge: StepJudge, steps: Sequence[int]) -> Iterator[tuple[int, list[ReviewedDecision]]]:
        """Yields each step with its decisions, as soon as they are judged. Ends early if this is stopped."""
        waiting = set(steps)
        if self._workers > 0 and waiting:
            with suppress(*NO_WORKERS):
                yield from self._judged_by_workers(judge, waiting)
        for step in sorted(waiting):
            if self._stopped:
                return
            yield step, judge.judge(step)

    def _judged_by_workers(self, judge: StepJudge, waiting: set[int]) -> Iterator[tuple[int, list[ReviewedDecision]]]:
        """Takes from `waiting` what is judged. Raises one of NO_WORKERS."""
        steps = [(step,) for step in sorted(waiting)]
        count = min(self._workers, len(steps))
        # The game goes to each worker once. A long one in every job would fill the pipe to the workers, and before
        # Python 3.11.5 a pool whose workers have ended waits forever for one of them to empty it.
        with LocalWorkers(count, beside=self._beside, begin=partial(_begin_judging, judge)) as local:
            self._local = local
            try:
                if self._stopped:
                    return
                for step, decisions in as_done(local, _judge_in_worker, steps, 2 * count):
                    if self._stopped:  # Workers may have judged more before that.
                        return
                    waiting.remove(step)
                    yield step, decisions
            finally:
                local.end()


@dataclass(frozen=True, slots=True)
class StepJudge:
    """Judges the decisions of a game, on whatever core or thread it is called. All their seeds begin with `salt`."""

    game: str
    level: int
    salt: str
    start: State
    story: tuple[tuple[Ask, Answer], ...]
    seats: int

    @classmethod
    def of(cls, audited: AuditedGame, path: Path, level: int) -> StepJudge:
        """Returns the judge of the game whose record is at `path`. Raises ReviewTrouble."""
        try:
            salt = digest(path)
        except OSError as error:
            raise ReviewTrouble(f"Cannot read {path}: {error.strerror or error}.") from error
        return cls(audited.record.table.roster.game, level, salt, audited.start, audited.story, seats_of(audited))

    def judge(self, step: int) -> list[ReviewedDecision]:
        """Judges the decisions of one step."""
        game = lookup.find(self.game)
        bots = bots_of(game)
        assert isinstance(bots, SupportsReview)
        judge = bots.judge(self.level)
        hinted = partial(hints.names, game)
        points = decision_points(self.start, self.story[: step + 1], self.seats)
        decisions = (review_decision(judge, point, self.salt, hinted) for point in points if point.step == step)
        return [one for one in decisions if one is not None]


_judging: StepJudge | None = None
"""In a worker, what it judges: a worker serves one run."""


def _begin_judging(judge: StepJudge) -> None:
    global _judging
    _judging = judge


def _judge_in_worker(step: int) -> tuple[int, list[ReviewedDecision]]:
    """Judges the decisions of a step, and returns its number with them: results come in any order."""
    assert _judging is not None
    return step, _judging.judge(step)


def reviewable(audited: AuditedGame) -> bool:
    """Returns whether a game was played to its end, and fairly, and there is a judge of its choices."""
    bots = bots_of(lookup.find(audited.record.table.roster.game))
    return isinstance(bots, SupportsReview) and is_whole(audited)


def is_whole(audited: AuditedGame) -> bool:
    """Returns whether a game was played to its end, and fairly."""
    return audited.result is not None and audited.verdict.code == FAIR


def check_reviewable(audited: AuditedGame, level: int) -> str:
    """Returns the unit in which the choices of a game are judged. Raises ReviewTrouble if they cannot be."""
    game = lookup.find(audited.record.table.roster.game)
    bots = bots_of(game)
    if not isinstance(bots, SupportsReview):
        raise ReviewTrouble(f"{game.title} cannot be reviewed yet.")
    try:
        return bots.judge(level).unit
    except CannotReview as error:
        raise ReviewTrouble(str(error)) from error
