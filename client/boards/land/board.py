"""What the game brings to the client. Each part is imported when it is first wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from client.board import BoardScreen, Dossier, PlainSeat
    from client.screen import Help, Screen, Ui
    from client.seats import TableLike
    from games.land.rules import State
    from games.table import Answer, Ask, Result
    from protocol.record import Record


class LandBoard:
    """The board of Blood Diamonds, the land game: `client.board.Board`."""

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        """The screen that plays the game at a seat."""
        from client.boards.land.view import GameScreen

        return GameScreen(table, ui)

    def dossier(self, record: Record, names: Sequence[str], seat: int | None) -> Dossier:
        """All turns of a record: what they cost and brought, and what was dealt."""
        from client.boards.land.dossier import dossier

        return dossier(*_played(record), names, seat)

    def replay(self, record: Record, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """The record on the board, turn by turn."""
        from client.boards.land.replay import ReplayScreen

        return ReplayScreen(*_played(record), names, ui, step)

    def plain(self, table: TableLike) -> PlainSeat:
        """The game in sentences, at a seat."""
        from client.boards.land.plain import PlainGame

        return PlainGame(table)

    def about(self) -> Help:
        """The game in short."""
        from client.boards.land.helps import ABOUT

        return ABOUT


def _played(record: Record) -> tuple[State, list[tuple[Ask, Answer]], Result | None]:
    """The first state of a record, its story, in which nothing was ever hidden, and how it ended."""
    from client.boards.land.course import start_of
    from games.land import GAME
    from protocol import audit

    roster = record.table.roster
    onlooker, _ = audit.replay(GAME, record)
    start = start_of(len(roster.seats), dict(roster.options), roster.begins)
    return start, list(onlooker.story), onlooker.result
