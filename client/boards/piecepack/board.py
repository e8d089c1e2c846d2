"""What the game brings to the client. Each part is imported when it is first wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from client.board import BoardScreen, Dossier, PlainSeat
    from client.moments import Moments
    from client.screen import Help, Screen, Ui
    from client.seats import TableLike
    from games.piecepack.rules import State
    from games.table import Answer, Ask, Result
    from games.table import State as TableState
    from protocol.record import Record


class PiecepackBoard:
    """The board of the piecepack game: `client.board.Board`."""

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        """The screen that plays the game at a seat."""
        from client.boards.piecepack.view import GameScreen

        return GameScreen(table, ui)

    def dossier(self, record: Record, names: Sequence[str], seat: int | None) -> Dossier:
        """What a record tells. A game that was given up is told as far as it went."""
        from client.boards.piecepack.dossier import dossier

        story, result, start = _truth(record)
        return dossier(story, names, seat, result, start)

    def replay(self, record: Record, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """The record on the board, step by step."""
        from client.screens.stepping import ReplayScreen

        story, result, start = _truth(record)
        return ReplayScreen(self.moments(start, names), story, result, ui, step)

    def moments(self, start: TableState, names: Sequence[str]) -> Moments:
        """The game moment by moment: `client.board.Unfolds`."""
        from client.boards.piecepack.moments import PiecepackMoments
        from games.piecepack.rules import State

        assert isinstance(start, State)
        return PiecepackMoments(start, names)

    def plain(self, table: TableLike) -> PlainSeat:
        """The game in sentences, at a seat."""
        from client.boards.piecepack.plain import PlainGame

        return PlainGame(table)

    def about(self) -> Help:
        """The game in short."""
        from client.boards.piecepack.helps import ABOUT

        return ABOUT


def _truth(record: Record) -> tuple[list[tuple[Ask, Answer]], Result | None, State]:
    """The story of a record with all that its seats have published, how it ended, and the state that it begins at."""
    from client.boards.piecepack.course import start_of
    from games.piecepack import GAME
    from games.piecepack.rules import State
    from protocol import audit

    onlooker, _ = audit.replay(GAME, record)
    # What a seat published proves nothing where the audit finds that it deviated.
    known = bool(onlooker.shown) and not onlooker.judge()
    story = list(onlooker.truth() if known else onlooker.story)
    assert isinstance(onlooker.state, State)
    return story, onlooker.result, start_of(story, onlooker.state)
