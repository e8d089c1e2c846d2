"""Reviews are made once, on all cores, kept beside the record, and never kept in part."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from kimberley.client.session import reviewing
from kimberley.client.session.review_file import kept_review
from kimberley.client.session.reviewing import ReviewRun, ReviewTrouble, StepJudge, check_reviewable, reviewable
from kimberley.games import lookup
from kimberley.games.bots.review import GameReview, ReviewedDecision
from kimberley.protocol.audit import AuditedGame
from tests.sixth_game.facets import GAME as SIXTH_GAME
from tests.support.effort import first_is_quick, spread
from tests.support.full_disk import full_disk
from tests.support.reviewed import finished
from tests.support.threadless import threadless

LEVEL = 1
UNIT = "points"
PATIENCE = 60.0
SUFFIX = ".review.json"


@pytest.fixture(scope="module")
def played() -> AuditedGame:
    """Returns the beginning of a game of Diamond: so few decisions are judged in a moment."""
    whole = finished("diamond")
    return replace(whole, story=whole.story[:8])


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.kdt"
    path.write_bytes(b"a record")
    return path


@pytest.fixture(scope="module")
def expected(played: AuditedGame, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Returns what is kept of the review when it is made without any worker."""
    path = tmp_path_factory.mktemp("expected") / "game.kdt"
    path.write_bytes(b"a record")
    made(ReviewRun(played, path, LEVEL, workers=0))
    return kept_beside(path).read_bytes()


def kept_beside(record: Path) -> Path:
    return record.with_name(f"{record.name}{SUFFIX}")


def made(run: ReviewRun, at_first: Callable[[], object] = lambda: None) -> GameReview:
    """Makes the review. Calls `at_first` once the first step is judged."""
    for done, _ in run:
        if done == 1:
            at_first()
    assert run.review is not None
    return run.review


def kill_a_worker() -> None:
    _worker().kill()


def interrupt_a_worker() -> None:
    pid = _worker().pid
    assert pid is not None
    os.kill(pid, signal.SIGINT)


def _worker() -> BaseProcess:
    return multiprocessing.active_children()[0]


def test_a_review_is_kept_beside_the_record_and_is_the_same_when_read_and_when_made_again(
    played: AuditedGame, record: Path
) -> None:
    assert kept_review(played, record, LEVEL, UNIT) is None
    run = ReviewRun(played, record, LEVEL, workers=0)
    told = list(run)
    review = run.review
    assert review is not None
    assert len(review.decisions) == told[-1][1] - 2, "the first placements are not judged"
    assert told == [(done, told[-1][1]) for done in range(told[-1][1] + 1)]
    assert [path.name for path in record.parent.iterdir() if path != record] == ["game.kdt.review.json"]
    assert kept_review(played, record, LEVEL, UNIT) == review
    written = kept_beside(record).stat().st_mtime_ns
    again = ReviewRun(played, record, LEVEL)
    assert list(again) == [], "nothing is judged again"
    assert again.review == review
    assert kept_beside(record).stat().st_mtime_ns == written
    kept_beside(record).unlink()
    assert made(ReviewRun(played, record, LEVEL, workers=0)) == review


@pytest.mark.slow
@pytest.mark.parametrize("beside", first_is_quick(False, True), ids=["alone", "beside a screen"])
@pytest.mark.parametrize("happens", [lambda: None, kill_a_worker, interrupt_a_worker], ids=["well", "kill", "int"])
def test_what_is_kept_is_the_same_bytes_with_workers_and_also_if_one_ends(
    played: AuditedGame, record: Path, expected: bytes, beside: bool, happens: Callable[[], object]
) -> None:
    made(ReviewRun(played, record, LEVEL, beside=beside, workers=2), happens)
    assert kept_beside(record).read_bytes() == expected
    assert multiprocessing.active_children() == []


def test_where_no_worker_can_be_started_one_thread_judges(
    played: AuditedGame, record: Path, expected: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: object) -> None:
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr("multiprocessing.context.SpawnProcess.start", refuse)
    made(ReviewRun(played, record, LEVEL, beside=True, workers=2))
    assert kept_beside(record).read_bytes() == expected


def test_a_platform_without_processes_is_asked_for_none(
    played: AuditedGame, record: Path, expected: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with threadless(1, tmp_path, monkeypatch):
        made(ReviewRun(played, record, LEVEL, beside=True))
    assert kept_beside(record).read_bytes() == expected


def test_another_level_another_record_and_a_damaged_file_are_no_review_of_this_one(
    played: AuditedGame, record: Path
) -> None:
    made(ReviewRun(played, record, LEVEL, workers=0))
    assert kept_review(played, record, LEVEL + 1, UNIT) is None
    kept = kept_beside(record)
    whole = kept.read_text()
    for damaged in ("", "[]", whole[:-9]):
        kept.write_text(damaged)
        assert kept_review(played, record, LEVEL, UNIT) is None
    kept.write_text(whole)
    record.write_bytes(b"another record")
    assert kept_review(played, record, LEVEL, UNIT) is None


def _put(kept: dict[str, Any], *path: Any, value: object) -> None:
    for part in path[:-1]:
        kept = kept[part]
    kept[path[-1]] = value


@pytest.mark.parametrize(
    ("path", "value"),
    spread(
        5,
        [
            (("decisions", 0), {"step": 1}),
            (("decisions", 0, "step"), 1_000_000),
            (("decisions", 0, "seat"), 2),
            (("decisions", 0), None),
            (("decisions", 0, "known", "chosen", "choice"), 0),
            (("decisions", 0, "known", "best", "choice"), 999),
            (("decisions", 0, "known", "best", "choice"), "a square"),
            (("decisions", 0, "known", "best", "worth"), float("nan")),
            (("decisions", 0, "known", "best", "worth"), 10**400),
            (("decisions", 0, "known", "best", "worth"), 1.7e308),
            (("decisions", 0, "known", "chosen", "worth"), 1.5),
            (("decisions", 0, "true", "chosen", "chances"), [0.5]),
            (("decisions", 0, "true", "chosen", "chances"), [0.5, float("nan")]),
            (("decisions", 0, "true", "chosen", "chances"), [-3, 4]),
        ],
    ),
)
def test_what_is_no_decision_of_this_game_is_not_read(
    played: AuditedGame, record: Path, expected: bytes, path: tuple[Any, ...], value: object
) -> None:
    kept = json.loads(expected)
    _put(kept, *path, value=value)
    kept_beside(record).write_text(json.dumps(kept))
    assert kept_review(played, record, LEVEL, UNIT) is None
    made(ReviewRun(played, record, LEVEL, workers=0))
    assert kept_beside(record).read_bytes() == expected


def test_nothing_else_of_the_file_is_shown_and_no_pipe_is_read(
    played: AuditedGame, record: Path, expected: bytes
) -> None:
    kept = json.loads(expected)
    _put(kept, "decisions", 0, "kind", value="\x1b]0;owned\x07")
    kept_beside(record).write_text(json.dumps(kept))
    review = kept_review(played, record, LEVEL, UNIT)
    assert review is not None
    assert review.decisions[0].kind == "placement"
    kept_beside(record).unlink()
    os.mkfifo(kept_beside(record))
    assert kept_review(played, record, LEVEL, UNIT) is None


def test_a_decision_that_is_there_twice_makes_the_review_anew(
    played: AuditedGame, record: Path, expected: bytes
) -> None:
    kept = json.loads(expected)
    kept["decisions"].append(kept["decisions"][0])
    kept_beside(record).write_text(json.dumps(kept))
    assert kept_review(played, record, LEVEL, UNIT) is None


def test_a_full_disk_is_told_and_nothing_is_lost(played: AuditedGame, record: Path, expected: bytes) -> None:
    run = ReviewRun(played, record, LEVEL, workers=0)
    with full_disk(64):
        made(run)
    assert run.not_kept == "This review could not be saved next to the record: File too large."
    assert list(record.parent.iterdir()) == [record]
    assert record.read_bytes() == b"a record"
    made(ReviewRun(played, record, LEVEL, workers=0))
    assert kept_beside(record).read_bytes() == expected


@pytest.mark.parametrize("workers", [0, 2])
def test_a_run_that_is_stopped_ends_with_its_workers_and_leaves_nothing_behind(
    played: AuditedGame, record: Path, workers: int
) -> None:
    run = ReviewRun(played, record, LEVEL, beside=True, workers=workers)
    steps = iter(run)
    assert next(steps) == (0, len(played.story))
    run.stop()
    assert list(steps) == []
    assert run.review is None
    assert list(record.parent.iterdir()) == [record]


@pytest.mark.parametrize("workers", first_is_quick(0, 2))
def test_a_run_that_goes_on_judges_only_the_rest_and_keeps_the_same_bytes(
    played: AuditedGame, record: Path, expected: bytes, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ReviewRun(played, record, LEVEL, beside=True, workers=workers)
    steps = iter(run)
    while (told := next(steps))[0] < 4:
        pass
    run.stop()
    assert list(steps) == []
    rest = run.resumed()
    judge, judged = StepJudge.judge, set(run._found)

    def judge_new(self: StepJudge, step: int) -> list[ReviewedDecision]:
        assert step not in judged
        return judge(self, step)

    monkeypatch.setattr(StepJudge, "judge", judge_new)
    assert list(rest) == [(done, told[1]) for done in range(4, told[1] + 1)]
    assert kept_beside(record).read_bytes() == expected


def test_a_run_that_is_stopped_takes_nothing_more_that_workers_have_judged(
    played: AuditedGame, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The workers are far ahead: all is judged before anything is asked for.
    monkeypatch.setattr(reviewing, "as_done", lambda local, judge, steps, ahead: ((step, []) for (step,) in steps))
    run = ReviewRun(played, record, LEVEL, beside=True, workers=2)
    steps = iter(run)
    while next(steps)[0] < 4:
        pass
    run.stop()
    assert list(steps) == []
    assert run.review is None


@pytest.mark.slow
def test_it_can_be_stopped_on_another_thread_while_workers_judge(record: Path) -> None:
    """At the highest level one step takes much longer than the whole test."""
    whole = finished("diamond-trust")
    with ThreadPoolExecutor(1) as thread:
        run = ReviewRun(whole, record, 20, beside=True, workers=2)
        steps = iter(run)
        next(steps)
        judged = thread.submit(next, steps, None)
        while len(multiprocessing.active_children()) < 2:
            assert not judged.done()
        run.stop()
        assert judged.result(PATIENCE) is None
    assert multiprocessing.active_children() == []
    assert list(record.parent.iterdir()) == [record]


def test_who_leaves_early_leaves_nothing_behind(played: AuditedGame, record: Path) -> None:
    def leave() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made(ReviewRun(played, record, LEVEL, workers=0), leave)
    assert list(record.parent.iterdir()) == [record]


def test_a_game_that_nothing_can_judge_has_no_review(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = finished("diamond")
    monkeypatch.setattr(lookup, "find", lambda _id: SIXTH_GAME)
    assert not reviewable(whole)
    with pytest.raises(ReviewTrouble, match="Facets cannot be reviewed yet"):
        check_reviewable(whole, LEVEL)


def test_only_a_whole_fair_game_is_reviewed() -> None:
    """Of any other game not everything is known."""
    whole = finished("diamond")
    assert reviewable(whole)
    assert not reviewable(replace(whole, result=None))
    assert not reviewable(replace(whole, verdict=replace(whole.verdict, code="incomplete")))
