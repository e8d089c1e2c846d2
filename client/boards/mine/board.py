"""What the game brings to the client. Each part is imported when it is first wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from client.board import BoardScreen, Dossier, PlainSeat
    from client.screen import Help, Screen, Ui
    from client.seats import TableLike
    from protocol.record import Record


class MineBoard:
    """The board of Diamond Mine: `client.board.Board`."""

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        """The screen that plays the game at a seat."""
        from client.boards.mine.view import GameScreen

        return GameScreen(table, ui)

    def dossier(self, record: Record, names: Sequence[str], seat: int | None) -> Dossier:
        """Every round of a record, what lay in each nest, and where each gem went."""
        from client.boards.mine.dossier import dossier
        from client.boards.mine.truth import truth

        return dossier(truth(record), names, seat)

    def replay(self, record: Record, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """The record on the field, step by step."""
        from client.boards.mine.replay import ReplayScreen
        from client.boards.mine.truth import truth

        return ReplayScreen(truth(record), names, ui, step)

    def plain(self, table: TableLike) -> PlainSeat:
        """The game in sentences, at a seat."""
        from client.boards.mine.plain import PlainGame

        return PlainGame(table)

    def about(self) -> Help:
        """The game in short."""
        from client.boards.mine.helps import ABOUT

        return ABOUT
