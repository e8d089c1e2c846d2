"""What the game brings to the client. Each part is imported when it is first used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from kimberley.client.boards.api import BoardScreen, Dossier, PlainSeat, WrittenGame
    from kimberley.client.boards.timeline import Timeline
    from kimberley.client.session.ports import TableLike
    from kimberley.client.ui.screen import Help, Screen, Ui
    from kimberley.games.land.rules import State
    from kimberley.games.table import State as TableState
    from kimberley.protocol.audit import AuditedGame


class LandBoard:
    """The board of Blood Diamonds, the land game: `client.boards.api.Board`."""

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        """The screen that plays the game at a seat."""
        from kimberley.client.boards.land.view import PlayingScreen

        return PlayingScreen(table, ui)

    def dossier(self, audited: AuditedGame, names: Sequence[str], seat: int | None) -> Dossier:
        """All turns of a record: what they cost and brought, and what was dealt."""
        from kimberley.client.boards.land.dossier import dossier

        return dossier(cast("State", audited.start), audited.story, audited.result, names, seat)

    def replay(self, audited: AuditedGame, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """The record on the board, step by step."""
        from kimberley.client.boards.stepping import ReplayScreen

        timeline = self.timeline(audited.start, names)
        return ReplayScreen(timeline, audited.story, audited.result, ui, step)

    def timeline(self, start: TableState, names: Sequence[str]) -> Timeline:
        """The timeline of the game: `client.boards.api.HasTimeline`."""
        from kimberley.client.boards.land.timeline import LandTimeline
        from kimberley.games.land.rules import State

        assert isinstance(start, State)
        return LandTimeline(start, names)

    def plain(self, table: TableLike) -> PlainSeat:
        """The game in sentences, at a seat."""
        from kimberley.client.boards.land.plain import PlainGame

        return PlainGame(table)

    def about(self) -> Help:
        """The game in short."""
        from kimberley.client.boards.land.help_text import ABOUT

        return ABOUT

    def rules(self) -> Help:
        """All rules of the game: `client.boards.api.HasRules`."""
        from kimberley.client.boards.land.help_text import RULES

        return RULES

    def read_text(self, text: str) -> WrittenGame:
        """The game on an account sheet. Raises ValueError."""
        from kimberley.client.boards.api import WrittenGame
        from kimberley.client.boards.land.dossier import dossier
        from kimberley.client.boards.stepping import ReplayScreen
        from kimberley.games.land import GAME
        from kimberley.games.land.account_sheet import read_sheet, story_from_sheet
        from kimberley.games.land.rules import SEAT_NAMES
        from kimberley.games.table import Result

        sheet = read_sheet(text)
        start, story, last = sheet.start(), story_from_sheet(sheet), sheet.states()[-1]
        end = last.ask()
        result = end if isinstance(end, Result) else None
        if sheet.resigned:
            result = GAME.resignation_result(last, sheet.resigned)
        names = tuple(f"player {SEAT_NAMES[seat]}" for seat in range(sheet.seats))
        lines = dossier(start, story, result, names, None).lines
        return WrittenGame(lambda ui, step: ReplayScreen(self.timeline(start, names), story, result, ui, step), lines)
