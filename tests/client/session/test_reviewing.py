"""Reviews are made once, kept beside the record, and never kept by half."""

from __future__ import annotations

import json
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kimberley.client.session.reviewing import ReviewTrouble, check_reviewable, kept_review, review_game, reviewable
from kimberley.games import lookup
from kimberley.protocol.audit import AuditedGame
from tests.sixth_game.facets import GAME as SIXTH_GAME
from tests.support.reviewed import finished

LEVEL = 1


class AtOnce(Executor):
    """Works where it is asked to, in this process."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


@pytest.fixture(scope="module")
def played() -> AuditedGame:
    """The beginning of a game of Diamond: so few decisions are judged at once."""
    whole = finished("diamond")
    return replace(whole, story=whole.story[:8])


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.kdt"
    path.write_bytes(b"a record")
    return path


def nothing(_done: int, _steps: int) -> None:
    pass


def test_a_review_is_kept_beside_the_record_and_is_the_same_when_read_and_when_made_again(
    played: AuditedGame, record: Path
) -> None:
    assert kept_review(played, record, LEVEL) is None
    told: list[tuple[int, int]] = []
    made = review_game(played, record, LEVEL, AtOnce(), lambda done, steps: told.append((done, steps)))
    assert len(made.decisions) == told[-1][1] - 2, "the first placements are not judged"
    assert [done for done, _ in told] == list(range(told[-1][1] + 1))
    assert [path.name for path in record.parent.iterdir() if path != record] == ["game.kdt.review.json"]
    assert kept_review(played, record, LEVEL) == made
    assert review_game(played, record, LEVEL, AtOnce(), nothing) == made


def test_another_level_another_record_and_a_damaged_file_are_no_review_of_this_one(
    played: AuditedGame, record: Path
) -> None:
    review_game(played, record, LEVEL, AtOnce(), nothing)
    assert kept_review(played, record, LEVEL + 1) is None
    kept = record.with_name("game.kdt.review.json")
    whole = kept.read_text()
    for damaged in ("", "[]", whole[:-9], json.dumps(json.loads(whole) | {"decisions": [{"step": 1}]})):
        kept.write_text(damaged)
        assert kept_review(played, record, LEVEL) is None
    kept.write_text(whole)
    record.write_bytes(b"another record")
    assert kept_review(played, record, LEVEL) is None


def test_who_leaves_early_leaves_nothing_behind(played: AuditedGame, record: Path) -> None:
    def leave(done: int, _steps: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        review_game(played, record, LEVEL, AtOnce(), leave)
    assert list(record.parent.iterdir()) == [record]


def test_a_game_that_nothing_can_judge_has_no_review(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = finished("diamond")
    monkeypatch.setattr(lookup, "find", lambda _id: SIXTH_GAME)
    assert not reviewable(whole)
    with pytest.raises(ReviewTrouble, match="There is no review of Facets: nothing here can judge its choices"):
        check_reviewable(whole, LEVEL)


def test_only_a_whole_fair_game_is_reviewed() -> None:
    """Of any other game not everything is known."""
    whole = finished("diamond")
    assert reviewable(whole)
    assert not reviewable(replace(whole, result=None))
    assert not reviewable(replace(whole, verdict=replace(whole.verdict, code="incomplete")))
