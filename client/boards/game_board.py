"""The board of a game with a `GameUI`: what the rest of the client asks for, made of the parts that all games share."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.boards.api import BoardScreen, Dossier, PlainSeat
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.game_ui import AnyGameUI
from kimberley.client.boards.timeline import Timeline
from kimberley.client.session.ports import TableLike
from kimberley.client.ui.screen import Help, Screen, Ui
from kimberley.games.table import State
from kimberley.protocol.audit import AuditedGame


class GameBoard:
    """`client.boards.api.Board` and `HasTimeline` for any game with a `GameUI`."""

    def __init__(self, game: AnyGameUI) -> None:
        self.game = game

    def view(self, table: TableLike, ui: Ui) -> BoardScreen:
        """The screen that plays the game at this seat of `table`."""
        from kimberley.client.boards.game_screen import GameScreen

        return GameScreen(self.game, table, ui)

    def dossier(self, audited: AuditedGame, names: Sequence[str], seat: int | None) -> Dossier:
        """The dossier of a game that has ended. `seat` is "you", None for a spectator."""
        timeline = GameTimeline(self.game, audited.start, names, seat)
        timeline.refresh(audited.story, audited.result)
        return self.game.report(timeline.shown(len(timeline.events)))

    def replay(self, audited: AuditedGame, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """A screen that steps through a game on the board, from the start or from a step."""
        from kimberley.client.boards.stepping import ReplayScreen

        return ReplayScreen(self.timeline(audited.start, names), audited.story, audited.result, ui, step)

    def timeline(self, start: State, names: Sequence[str]) -> Timeline:
        """The timeline of a game that begins in the state `start`, for a spectator."""
        return GameTimeline(self.game, start, names)

    def plain(self, table: TableLike) -> PlainSeat:
        """The game in sentences."""
        from kimberley.client.boards.line_mode import LineMode

        return LineMode(self.game, table)

    def about(self) -> Help:
        """The game in short, for the title screen."""
        return self.game.about()

    def rules(self) -> Help:
        """All rules of the game."""
        return self.game.rules()
