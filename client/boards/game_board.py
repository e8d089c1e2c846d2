"""The board of a game with a `GameUI`: what the rest of the client asks for, made of the parts that all games share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from kimberley.client.audio.port import NO_AUDIO, AudioLike
from kimberley.client.boards.curve import curve_of
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.game_ui import AnyGameUI
from kimberley.client.boards.report import Dossier
from kimberley.client.session.ports import TableLike
from kimberley.client.ui.screen import Help, Screen, Ui
from kimberley.games.table import State
from kimberley.protocol.audit import AuditedGame

if TYPE_CHECKING:
    from kimberley.client.boards.game_screen import GameScreen
    from kimberley.client.boards.line_mode import LineMode


@dataclass(frozen=True, slots=True)
class WrittenGame:
    """A game that somebody wrote down as text. Nothing in it is proven.

    `replay` steps through the game from a step of its story, or from the start. `lines` describes it for the line mode.
    """

    replay: Callable[[Ui, int | None], Screen]
    lines: tuple[str, ...]


@runtime_checkable
class ReadsText(Protocol):
    """A board whose game has a text format."""

    def read_text(self, text: str) -> WrittenGame:
        """Reads the game in a text. Raises ValueError with a sentence if the text holds none."""


class GameBoard:
    """One game's board. It has no state: the state of a running game lives in its screen."""

    def __init__(self, game: AnyGameUI) -> None:
        self.game = game

    def view(self, table: TableLike, ui: Ui) -> GameScreen:
        """The screen that plays the game at this seat of `table`."""
        from kimberley.client.boards.game_screen import GameScreen

        return GameScreen(self.game, table, ui)

    def dossier(self, audited: AuditedGame, names: Sequence[str], seat: int | None) -> Dossier:
        """The dossier of a game that has ended. `seat` is "you", None for a spectator."""
        timeline = GameTimeline(self.game, audited.start, names, seat)
        timeline.refresh(audited.story, audited.result)
        return self.dossier_of(timeline)

    def dossier_of(self, timeline: GameTimeline) -> Dossier:
        """The dossier of the game in a timeline, with its curve and the sentence on its turning point."""
        shown = timeline.shown(len(timeline.events))
        found, curve = self.game.report(shown), curve_of(self.game, shown)
        return replace(found, curve=curve, lines=(*found.lines, *curve.lines)) if curve is not None else found

    def replay(self, audited: AuditedGame, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """A screen that steps through a game on the board, from the start or from a step."""
        from kimberley.client.boards.stepping import ReplayScreen

        return ReplayScreen(self.timeline(audited.start, names), audited.story, audited.result, ui, step)

    def timeline(self, start: State, names: Sequence[str]) -> GameTimeline:
        """The timeline of a game that begins in the state `start`, for a spectator."""
        return GameTimeline(self.game, start, names)

    def plain(self, table: TableLike, audio: AudioLike = NO_AUDIO) -> LineMode:
        """The game in sentences."""
        from kimberley.client.boards.line_mode import LineMode

        return LineMode(self.game, table, audio)

    def about(self) -> Help:
        """The game in short, for the title screen."""
        return self.game.about()

    def rules(self) -> Help:
        """All rules of the game."""
        return self.game.rules()
