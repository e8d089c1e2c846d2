"""What the game brings to the client. Each part is imported when it is first used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kimberley.client.boards.api import BoardScreen, Dossier, PlainSeat, WrittenGame
    from kimberley.client.boards.timeline import Timeline
    from kimberley.client.session.ports import TableLike
    from kimberley.client.ui.screen import Help, Screen, Ui
    from kimberley.games.table import Answer, Ask
    from kimberley.games.table import State as TableState
    from kimberley.protocol.audit import AuditedGame


class DiamondBoard:
    """The board of Diamond: `client.boards.api.Board`."""

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        """The screen that plays the game at a seat."""
        from kimberley.client.boards.diamond.view import GameScreen

        return GameScreen(table, ui)

    def dossier(self, audited: AuditedGame, names: Sequence[str], seat: int | None) -> Dossier:
        """All moves of a record, and what each did."""
        from kimberley.client.boards.diamond.dossier import dossier

        return dossier(audited.story, names, seat, audited.result)

    def replay(self, audited: AuditedGame, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """The record on the board, step by step."""
        from kimberley.client.boards.stepping import ReplayScreen

        timeline = self.timeline(audited.start, names)
        return ReplayScreen(timeline, audited.story, audited.result, ui, step)

    def timeline(self, start: TableState, names: Sequence[str]) -> Timeline:
        """The timeline of the game: `client.boards.api.HasTimeline`."""
        from kimberley.client.boards.diamond.timeline import DiamondTimeline
        from kimberley.games.diamond.rules import State

        assert isinstance(start, State)
        return DiamondTimeline(start, names)

    def plain(self, table: TableLike) -> PlainSeat:
        """The game in sentences, at a seat."""
        from kimberley.client.boards.diamond.plain import PlainGame

        return PlainGame(table)

    def about(self) -> Help:
        """The game in short."""
        from kimberley.client.boards.diamond.help_text import ABOUT

        return ABOUT

    def read_text(self, text: str) -> WrittenGame:
        """The game on a score sheet. Raises ValueError."""
        from kimberley.client.boards.api import WrittenGame
        from kimberley.client.boards.diamond.dossier import dossier
        from kimberley.client.boards.diamond.events import start_of
        from kimberley.client.boards.stepping import ReplayScreen
        from kimberley.games.diamond import GAME
        from kimberley.games.diamond.position import COLORS
        from kimberley.games.diamond.score_sheet import read_sheet
        from kimberley.games.table import Result

        sheet = read_sheet(text)
        states = sheet.states()
        end = states[-1].ask()
        result = end if isinstance(end, Result) else None
        if sheet.resigned:
            result = GAME.resignation_result(states[-1], [states[-1].color(color) for color in sheet.resigned])
        asks = [ask for state in states if not isinstance(ask := state.ask(), Result)]
        story: list[tuple[Ask, Answer]] = list(zip(asks, sheet.turns, strict=False))
        names = (COLORS[states[-1].color(0)], COLORS[states[-1].color(1)])
        lines = dossier(story, names, None, result).lines
        return WrittenGame(
            lambda ui, step: ReplayScreen(self.timeline(start_of(story), names), story, result, ui, step), lines
        )
