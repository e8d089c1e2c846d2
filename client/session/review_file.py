"""Keeps the review of a game beside its record, and reads it again.

What is kept belongs to one version of the program, one record and one level. The file may come from anywhere, as the
record does: each of its decisions must be one of the game, and each choice legal there. Otherwise the review is made
anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from kimberley.client.session.verdicts import read_record
from kimberley.games.bots.review import (
    Assessment,
    DecisionPoint,
    GameReview,
    RatedChoice,
    ReviewedDecision,
    conclude,
    decision_points,
    kind_of,
)
from kimberley.games.spaces import Space
from kimberley.games.table import space_for
from kimberley.p2p.storage import files
from kimberley.protocol.audit import AuditedGame

SUFFIX: Final = ".review.json"
MOST_BYTES: Final = 4 << 20
"""Python needs up to thirty times as much to read JSON."""
READABLE: Final = 0o644
MOST_WORTH: Final = 1e9
"""No choice is worth more, in any game's unit, or less than minus that."""
UNFIT: Final = (OSError, ValueError, LookupError, TypeError, OverflowError, RecursionError)
"""Raised by the content of a file that holds no review of the game."""


def kept_review(audited: AuditedGame, path: Path, level: int, unit: str) -> GameReview | None:
    """Returns the review that is kept beside the record at `path`; None if there is none of this version and level."""
    beside = review_file(path)
    try:
        kept = json.loads(files.read_file(beside, MOST_BYTES))
        if kept["key"] != _key(path, level):
            return None
        reader = _Reader.of(audited)
        decisions = [reader.decision(one) for one in kept["decisions"]]
        if len({(one.step, one.seat) for one in decisions}) < len(decisions):
            return None
        return conclude(unit, decisions, seats_of(audited))
    except UNFIT:
        return None


def keep_review(path: Path, level: int, review: GameReview) -> str:
    """Keeps a review. If that fails, the next one is made anew: returns why, in a sentence; empty if it is kept."""
    decisions = [asdict(one) for one in review.decisions]
    try:
        kept = {"key": _key(path, level), "decisions": decisions}
        files.replace(review_file(path), json.dumps(kept, ensure_ascii=False).encode(), READABLE)
    except (files.StorageError, OSError) as error:
        return f"This review could not be saved next to the record: {files.reason(error)}."
    return ""


def review_file(path: Path) -> Path:
    """Returns where the review of the record at `path` is kept."""
    return path.with_name(f"{path.name}{SUFFIX}")


def digest(path: Path) -> str:
    """Returns the hash of a record. Raises OSError."""
    return hashlib.sha256(read_record(path)).hexdigest()


def seats_of(audited: AuditedGame) -> int:
    """Returns how many seats a game has."""
    return len(audited.record.table.roster.seats)


def _key(path: Path, level: int) -> dict[str, Any]:
    """Returns what a review belongs to."""
    return {"version": version("kimberley"), "digest": digest(path), "level": level}


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the decisions of one game; `points` are all of them, by step and seat. Raises one of `UNFIT`."""

    points: Mapping[tuple[int, int], DecisionPoint]
    seats: int

    @classmethod
    def of(cls, audited: AuditedGame) -> _Reader:
        seats = seats_of(audited)
        points = decision_points(audited.start, audited.story, seats)
        return cls({(point.step, point.seat): point for point in points}, seats)

    def decision(self, kept: Any) -> ReviewedDecision:
        point = self.points[kept["step"], kept["seat"]]
        known, true = (self._assessment(kept[name], point) for name in ("known", "true"))
        return ReviewedDecision(point.step, point.seat, kind_of(point), known, true)

    def _assessment(self, kept: Any, point: DecisionPoint) -> Assessment:
        space = space_for(point.observation.state.ask(), point.seat)
        assert space is not None
        chosen, best, *others = (self._rated(one, space) for one in (kept["chosen"], kept["best"], *kept["others"]))
        if chosen.choice != point.chosen or (best.choice == chosen.choice and best != chosen):
            raise ValueError("another choice was made")
        return Assessment(point.seat, chosen, best, tuple(others))

    def _rated(self, kept: Any, space: Space) -> RatedChoice:
        choice = space.read(_as_tuples(kept["choice"]))
        worth, chances = float(kept["worth"]), tuple(map(float, kept["chances"]))
        if space.violation(choice) is not None or not abs(worth) <= MOST_WORTH:
            raise ValueError("no choice of this game")
        if len(chances) != self.seats or not all(0 <= chance <= 1 for chance in chances):
            raise ValueError("no chances of this game")
        return RatedChoice(choice, worth, chances)


def _as_tuples(value: Any) -> Any:
    """Turns the lists of a choice from JSON into tuples."""
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value
