"""What the game brings to the client. Each part is imported when it is first wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from client.board import BoardScreen, Dossier, PlainSeat
    from client.screen import Help, Screen, Ui
    from client.seats import TableLike
    from games.table import Answer, Ask, Result
    from protocol.record import Record


class DiamondBoard:
    """The board of Diamond: `client.board.Board`."""

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        """The screen that plays the game at a seat."""
        from client.boards.diamond.view import GameScreen

        return GameScreen(table, ui)

    def dossier(self, record: Record, names: Sequence[str], seat: int | None) -> Dossier:
        """All moves of a record, and what each did."""
        from client.boards.diamond.dossier import dossier

        story, result = _played(record)
        return dossier(story, names, seat, result)

    def replay(self, record: Record, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """The record on the board, move by move."""
        from client.boards.diamond.replay import ReplayScreen

        story, result = _played(record)
        return ReplayScreen(story, names, ui, result, step)

    def plain(self, table: TableLike) -> PlainSeat:
        """The game in sentences, at a seat."""
        from client.boards.diamond.plain import PlainGame

        return PlainGame(table)

    def about(self) -> Help:
        """The game in short."""
        from client.boards.diamond.helps import ABOUT

        return ABOUT


def _played(record: Record) -> tuple[list[tuple[Ask, Answer]], Result | None]:
    """The story of a record, in which nothing was ever hidden, and how it ended."""
    from games.diamond import GAME
    from protocol import audit

    onlooker, _ = audit.replay(GAME, record)
    return list(onlooker.story), onlooker.result
