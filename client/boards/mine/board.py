"""What the game brings to the client. Each part is imported when it is first wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from client.board import BoardScreen, Dossier, PlainSeat
    from client.moments import Moments
    from client.screen import Help, Screen, Ui
    from client.seats import TableLike
    from games.table import State as TableState
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
        """The record on the board, step by step."""
        from client.boards.mine.truth import truth
        from client.screens.stepping import ReplayScreen

        start, story, result = truth(record)
        return ReplayScreen(self.moments(start, names), story, result, ui, step)

    def moments(self, start: TableState, names: Sequence[str]) -> Moments:
        """The game moment by moment: `client.board.Unfolds`."""
        from client.boards.mine.moments import MineMoments
        from games.mine.rules import State

        assert isinstance(start, State)
        return MineMoments(start, names)

    def plain(self, table: TableLike) -> PlainSeat:
        """The game in sentences, at a seat."""
        from client.boards.mine.plain import PlainGame

        return PlainGame(table)

    def about(self) -> Help:
        """The game in short."""
        from client.boards.mine.helps import ABOUT

        return ABOUT
