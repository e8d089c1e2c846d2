"""A finished game with all that its seats have published: from a record to the story that the client tells of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from games.mine.rules import State, opening
from games.table import Answer, Ask, Result

if TYPE_CHECKING:
    from protocol.record import Record


class Tale(NamedTuple):
    """The first state of a game, what was asked and answered, and how it ended, if it did."""

    start: State
    story: list[tuple[Ask, Answer]]
    result: Result | None


def truth(record: Record) -> Tale:
    """What a record tells. Where a seat deviated it is what all saw: what was published proves nothing then."""
    from games.mine import GAME
    from games.mine.game import FIFTH
    from protocol import audit

    onlooker, _ = audit.replay(GAME, record)
    known = bool(onlooker.shown) and not onlooker.judge()
    roster = record.table.roster
    start = opening(len(roster.seats), dict(roster.options).get(FIFTH) is True, roster.begins)
    return Tale(start, list(onlooker.truth() if known else onlooker.story), onlooker.result)
