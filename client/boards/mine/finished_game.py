"""A finished game with all that its seats have published, read from a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kimberley.games.mine.rules import State, opening
from kimberley.games.table import Answer, Ask, Result

if TYPE_CHECKING:
    from kimberley.protocol.record import Record


class FinishedGame(NamedTuple):
    """The first state of a game, what was asked and answered, and how it ended, if it did."""

    start: State
    story: list[tuple[Ask, Answer]]
    result: Result | None


def finished_game(record: Record) -> FinishedGame:
    """What a record tells. Where a seat deviated it is what all saw: what was published proves nothing then."""
    from kimberley.games.mine import GAME
    from kimberley.games.mine.game import FIFTH
    from kimberley.protocol import audit

    onlooker, _ = audit.replay(GAME, record)
    known = bool(onlooker.shown) and not onlooker.judge()
    roster = record.table.roster
    start = opening(len(roster.seats), dict(roster.options).get(FIFTH) is True, roster.begins)
    return FinishedGame(start, list(onlooker.truth() if known else onlooker.story), onlooker.result)
