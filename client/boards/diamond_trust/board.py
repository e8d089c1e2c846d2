"""What the game brings to the client. Each part is imported when it is first wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from client.board import BoardScreen, Dossier, PlainSeat
    from client.moments import Moments
    from client.screen import Help, Screen, Ui
    from client.seats import TableLike
    from games.table import Answer, Ask, Result
    from games.table import State as TableState
    from protocol.record import Record


class DiamondTrustBoard:
    """The board of Diamond Trust: `client.board.Board`."""

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        """The screen that plays the game at a seat."""
        from client.boards.diamond_trust.view import GameScreen

        return GameScreen(table, ui)

    def dossier(self, record: Record, names: Sequence[str], seat: int | None) -> Dossier:
        """What a record tells. A game that was given up is told as far as it went."""
        from client.boards.diamond_trust.dossier import dossier

        story, result = _truth(record)
        return dossier(story, names, seat, result)

    def replay(self, record: Record, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """The record on the board, step by step."""
        from client.screens.stepping import ReplayScreen
        from games.diamond_trust.rules import State

        story, result = _truth(record)
        return ReplayScreen(self.moments(State(), names), story, result, ui, step)

    def moments(self, start: TableState, names: Sequence[str]) -> Moments:
        """The game moment by moment: `client.board.Unfolds`."""
        from client.boards.diamond_trust.moments import DiamondTrustMoments
        from games.diamond_trust.rules import State

        assert isinstance(start, State)
        return DiamondTrustMoments(start, names)

    def plain(self, table: TableLike) -> PlainSeat:
        """The game in sentences, at a seat."""
        from client.boards.diamond_trust.plain import PlainGame

        return PlainGame(table)

    def about(self) -> Help:
        """The game in short."""
        from client.boards.diamond_trust.helps import ABOUT

        return ABOUT


def _truth(record: Record) -> tuple[list[tuple[Ask, Answer]], Result | None]:
    """The story of a record with all that its seats have published, and how it ended."""
    from games.diamond_trust import GAME
    from protocol import audit

    onlooker, _ = audit.replay(GAME, record)
    # What a seat published proves nothing where the audit finds that it deviated.
    known = bool(onlooker.shown) and not onlooker.judge()
    return list(onlooker.truth() if known else onlooker.story), onlooker.result
