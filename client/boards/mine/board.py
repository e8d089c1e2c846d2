"""What the game brings to the client. Each part is imported when it is first used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from kimberley.client.boards.api import BoardScreen, Dossier, PlainSeat
    from kimberley.client.boards.timeline import Timeline
    from kimberley.client.session.ports import TableLike
    from kimberley.client.ui.screen import Help, Screen, Ui
    from kimberley.games.mine.rules import State
    from kimberley.games.table import State as TableState
    from kimberley.protocol.audit import AuditedGame


class MineBoard:
    """The board of Diamond Mine: `client.boards.api.Board`."""

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        """The screen that plays the game at a seat."""
        from kimberley.client.boards.mine.view import PlayingScreen

        return PlayingScreen(table, ui)

    def dossier(self, audited: AuditedGame, names: Sequence[str], seat: int | None) -> Dossier:
        """Every round of a record, what lay in each nest, and where each gem went."""
        from kimberley.client.boards.mine.dossier import dossier

        return dossier(cast("State", audited.start), audited.story, audited.result, names, seat)

    def replay(self, audited: AuditedGame, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """The record on the board, step by step."""
        from kimberley.client.boards.stepping import ReplayScreen

        timeline = self.timeline(audited.start, names)
        return ReplayScreen(timeline, audited.story, audited.result, ui, step)

    def timeline(self, start: TableState, names: Sequence[str]) -> Timeline:
        """The timeline of the game: `client.boards.api.HasTimeline`."""
        from kimberley.client.boards.mine.timeline import MineTimeline
        from kimberley.games.mine.rules import State

        assert isinstance(start, State)
        return MineTimeline(start, names)

    def plain(self, table: TableLike) -> PlainSeat:
        """The game in sentences, at a seat."""
        from kimberley.client.boards.mine.plain import PlainGame

        return PlainGame(table)

    def about(self) -> Help:
        """The game in short."""
        from kimberley.client.boards.mine.help_text import ABOUT

        return ABOUT

    def rules(self) -> Help:
        """All rules of the game: `client.boards.api.HasRules`."""
        from kimberley.client.boards.mine.help_text import RULES

        return RULES
