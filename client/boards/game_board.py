"""The board of a game with a `GameUI`: what the rest of the client asks for, made of the parts that all games share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from kimberley.client.audio.port import NO_AUDIO, AudioLike
from kimberley.client.boards.curve import curve_of
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.game_ui import AnyGameUI
from kimberley.client.boards.report import Dossier
from kimberley.client.ui.screen import Help, Screen, Ui
from kimberley.games.table import State
from kimberley.protocol.audit import AuditedGame

if TYPE_CHECKING:
    from kimberley.client.boards.game_screen import GameScreen
    from kimberley.client.boards.line_mode import LineMode
    from kimberley.p2p.table.table import Table


@dataclass(frozen=True, slots=True)
class WrittenGame:
    """A game that somebody wrote down as text. Nothing in it is proven.

    `replay` steps through the game from a step of its story, or from the start. `lines` describes it for the line mode.
    """

    replay: Callable[[Ui, int | None], Screen]
    lines: tuple[str, ...]


class GameBoard:
    """One game's board. `load` makes its `GameUI`, once, when it is first needed; `summary` says what the
    game is, for the title screen: two lines of 42 columns at most.

    It has no state: the state of a running game lives in its screen.
    """

    def __init__(self, load: Callable[[], AnyGameUI], summary: str = "") -> None:
        self._load, self.summary = load, summary

    @cached_property
    def game(self) -> AnyGameUI:
        return self._load()

    def view(self, table: Table, ui: Ui) -> GameScreen:
        """Returns the screen that plays the game at this seat of `table`."""
        from kimberley.client.boards.game_screen import GameScreen

        return GameScreen(self.game, table, ui)

    def dossier(self, audited: AuditedGame, names: Sequence[str], seat: int | None) -> Dossier:
        """Returns the dossier of a game that has ended. `seat` is "you", None for a spectator."""
        timeline = GameTimeline(self.game, audited.start, names, seat)
        timeline.refresh(audited.story, audited.result)
        dossier = dossier_of(timeline)
        return replace(dossier, lines=(*dossier.lines, *self.game.sheet(audited.start, audited.story, audited.result)))

    def replay(self, audited: AuditedGame, names: Sequence[str], ui: Ui, step: int | None = None) -> Screen:
        """Returns a screen that steps through a game on the board, from the start or from a step."""
        from kimberley.client.boards.stepping import ReplayScreen

        return ReplayScreen(self.timeline(audited.start, names), audited.story, audited.result, ui, step)

    def timeline(self, start: State, names: Sequence[str]) -> GameTimeline:
        """Returns the timeline of a game that begins in the state `start`, for a spectator."""
        return GameTimeline(self.game, start, names)

    def read_text(self, text: str) -> WrittenGame | None:
        """Returns the game in a text; None if the game has no text format. Raises ValueError with a sentence if the
        text holds no such game.
        """
        from kimberley.client.boards.stepping import ReplayScreen

        parsed = self.game.read_text(text)
        if parsed is None:
            return None
        start, story, result, names = parsed
        timeline = self.timeline(start, names)
        timeline.refresh(story, result)
        lines = self.game.report(timeline.shown(len(timeline.events))).lines
        return WrittenGame(
            lambda ui, step: ReplayScreen(self.timeline(start, names), story, result, ui, step),
            (*lines, *self.game.sheet(start, story, result)),
        )

    def plain(self, table: Table, audio: AudioLike = NO_AUDIO) -> LineMode:
        """Returns the game in sentences."""
        from kimberley.client.boards.line_mode import LineMode

        return LineMode(self.game, table, audio)

    @property
    def rules(self) -> Help:
        """All rules of the game."""
        return self.game.rules or self.game.about


def dossier_of(timeline: GameTimeline) -> Dossier:
    """Returns the dossier of the game in a timeline, with its curve and the sentence on its turning point."""
    shown = timeline.shown(len(timeline.events))
    dossier, curve = timeline.game.report(shown), curve_of(timeline.game, shown)
    return replace(dossier, curve=curve, lines=(*dossier.lines, *curve.lines)) if curve is not None else dossier
