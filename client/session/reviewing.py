"""Reviews the game in a record, on all cores, and keeps the review beside the record.

The same record gives the same review: every decision is judged with a seed that follows from the record. What is kept
belongs to one version of the program and to one level; anything else is made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from kimberley.client.session.verdicts import read_record
from kimberley.client.session.workers import as_done, cores
from kimberley.games import lookup
from kimberley.games.review import (
    Assessment,
    CannotReview,
    GameReview,
    RatedChoice,
    ReviewedDecision,
    SupportsReview,
    conclude,
    decision_points,
    review_decision,
)
from kimberley.games.table import Answer, Ask, Plain, State
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage import files
from kimberley.protocol.audit import FAIR, AuditedGame

SUFFIX: Final = ".review.json"
READABLE: Final = 0o644

Report = Callable[[int, int], None]
"""Told how many steps are judged, and of how many."""


class ReviewTrouble(UserError):
    """A game cannot be reviewed; the message says why."""


def kept_review(audited: AuditedGame, path: Path, level: int) -> GameReview | None:
    """The review that is kept beside a record; None if there is none of this version and level."""
    try:
        kept = json.loads(_beside(path).read_text("utf-8"))
        if kept["key"] != _key(path, level):
            return None
        decisions = [_decision_of_plain(one) for one in kept["decisions"]]
        return conclude(str(kept["unit"]), decisions, audited.result, _seats(audited))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def review_game(audited: AuditedGame, path: Path, level: int, executor: Executor, report: Report) -> GameReview:
    """Reviews a game whose record is at `path`, and keeps the review, which is written only when it is whole.

    Raises:
        ReviewTrouble: The game cannot be reviewed here.

    """
    jobs = review_jobs(audited, path, level)
    found: list[ReviewedDecision] = []
    report(0, len(jobs))
    for done, decisions in enumerate(as_done(executor, judge_step, jobs, 2 * cores()), 1):
        found += decisions
        report(done, len(jobs))
    return finish_review(audited, path, level, found)


Job = tuple[str, int, str, State, tuple[tuple[Ask, Answer], ...], int, int]


def review_jobs(audited: AuditedGame, path: Path, level: int) -> list[Job]:
    """The arguments of `judge_step` for each step in which somebody chose. Raises ReviewTrouble."""
    check_reviewable(audited, level)
    try:
        digest: str = _key(path, level)["digest"]
    except OSError as error:
        raise ReviewTrouble(f"{path} cannot be read: {error.strerror or error}.") from error
    game, story = audited.record.table.roster.game, audited.story
    steps = [step for step, (ask, _) in enumerate(story) if ask.choosers]
    return [(game, level, digest, audited.start, story, _seats(audited), step) for step in steps]


def finish_review(audited: AuditedGame, path: Path, level: int, found: Iterable[ReviewedDecision]) -> GameReview:
    """The review that all judged decisions add up to. It is kept."""
    review = conclude(check_reviewable(audited, level), list(found), audited.result, _seats(audited))
    _keep(path, level, review)
    return review


def reviewable(audited: AuditedGame) -> bool:
    """Whether a game was played to its end, and fairly, and there is a judge of its choices."""
    game = lookup.find(audited.record.table.roster.game)
    return isinstance(game, SupportsReview) and is_whole(audited)


def is_whole(audited: AuditedGame) -> bool:
    """Whether a game was played to its end, and fairly."""
    return audited.result is not None and audited.verdict.code == FAIR


def check_reviewable(audited: AuditedGame, level: int) -> str:
    """The unit in which the choices of a game are judged. Raises ReviewTrouble if they cannot be."""
    game = lookup.find(audited.record.table.roster.game)
    if not isinstance(game, SupportsReview):
        raise ReviewTrouble(f"There is no review of {game.title}: nothing here can judge its choices.")
    try:
        return game.judge(level).unit
    except CannotReview as error:
        raise ReviewTrouble(str(error)) from error


def judge_step(
    game: str, level: int, salt: str, start: State, story: tuple[tuple[Ask, Answer], ...], seats: int, step: int
) -> list[ReviewedDecision]:
    """Judges the decisions of one step, on whatever core or thread it is called."""
    rules = lookup.find(game)
    assert isinstance(rules, SupportsReview)
    judge = rules.judge(level)
    points = [point for point in decision_points(start, story[: step + 1], seats) if point.step == step]
    found = (review_decision(judge, point, salt) for point in points)
    return [one for one in found if one is not None]


def _seats(audited: AuditedGame) -> int:
    return len(audited.record.table.roster.seats)


# -- what is kept ------------------------------------------------------------------------------------------------------


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}{SUFFIX}")


def _key(path: Path, level: int) -> dict[str, Any]:
    """What a review belongs to."""
    digest = hashlib.sha256(read_record(path)).hexdigest()
    return {"version": version("kimberley"), "digest": digest, "level": level}


def _keep(path: Path, level: int, review: GameReview) -> None:
    """Keeps a review. If the folder cannot be written to, or the record is gone, the next one is made anew."""
    with contextlib.suppress(UserError, OSError):
        decisions = [asdict(one) for one in review.decisions]
        kept = {"key": _key(path, level), "unit": review.unit, "decisions": decisions}
        files.replace(_beside(path), json.dumps(kept, ensure_ascii=False).encode(), READABLE)


def _decision_of_plain(kept: Any) -> ReviewedDecision:
    return ReviewedDecision(
        kept["step"],
        kept["seat"],
        kept["kind"],
        _assessment_of_plain(kept["known"]),
        _assessment_of_plain(kept["true"]),
    )


def _assessment_of_plain(kept: Any) -> Assessment:
    chosen, best, *others = _rated_of_plain((kept["chosen"], kept["best"], *kept["others"]))
    return Assessment(kept["seat"], chosen, best, tuple(others))


def _rated_of_plain(kept: Iterable[Any]) -> Iterator[RatedChoice]:
    for one in kept:
        yield RatedChoice(_as_tuples(one["choice"]), float(one["worth"]), tuple(map(float, one["chances"])))


def _as_tuples(value: Any) -> Plain:
    """A choice from JSON, which knows lists only."""
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value
