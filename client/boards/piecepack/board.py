"""What the game brings to the client. Each part is imported when it is first used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from kimberley.client.boards.api import BoardScreen, Dossier, PlainSeat
    from kimberley.client.boards.timeline import Timeline
    from kimberley.client.session.ports import TableLike
    from kimberley.client.ui.screen import Help, Screen, Ui
    from kimberley.games.piecepack.rules import State
    from kimberley.games.table import State as TableState
    from kimberley.protocol.audit import AuditedGame


class PiecepackBoard:
    """The board of the piecepack game: `client.boards.api.Board`."""

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        """The screen that plays the game at a seat."""
        from kimberley.client.boards.piecepack.view import PlayingScreen

        return PlayingScreen(table, ui)

    def dossier(self, audited: AuditedGame, names: Sequence[str], seat: int | None) -> Dossier:
        """What a record tells. A game that was given up is told as far as it went."""
        from kimberley.client.boards.piecepack.dossier import dossier

        return dossier(audited.story, names, seat, audited.result, cast("State", audited.start))

    def replay(self, audited: AuditedGame, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """The record on the board, step by step."""
        from kimberley.client.boards.stepping import ReplayScreen

        timeline = self.timeline(audited.start, names)
        return ReplayScreen(timeline, audited.story, audited.result, ui, step)

    def timeline(self, start: TableState, names: Sequence[str]) -> Timeline:
        """The timeline of the game: `client.boards.api.HasTimeline`."""
        from kimberley.client.boards.piecepack.timeline import PiecepackTimeline
        from kimberley.games.piecepack.rules import State

        assert isinstance(start, State)
        return PiecepackTimeline(start, names)

    def plain(self, table: TableLike) -> PlainSeat:
        """The game in sentences, at a seat."""
        from kimberley.client.boards.piecepack.plain import PlainGame

        return PlainGame(table)

    def about(self) -> Help:
        """The game in short."""
        from kimberley.client.boards.piecepack.help_text import ABOUT

        return ABOUT

    def rules(self) -> Help:
        """All rules of the game: `client.boards.api.HasRules`."""
        from kimberley.client.boards.piecepack.help_text import RULES

        return RULES
