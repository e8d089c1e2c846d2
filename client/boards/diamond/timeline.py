"""A game on the board, move by move: in a replay, and for onlookers. Nothing in it was ever hidden."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.boards.api import Span
from kimberley.client.boards.diamond import help_text
from kimberley.client.boards.diamond.events import (
    GameEvent,
    describe_event,
    explain_capture,
    listed,
    read_events,
    won_square,
)
from kimberley.client.boards.diamond.panel import PanelContent, draw_panel, panel_width
from kimberley.client.boards.diamond.scene import Scene, draw_board
from kimberley.client.boards.timeline import LiveContext, Timeline
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.screen import Help
from kimberley.client.ui.widgets import phase_strip
from kimberley.games.diamond.board import names as names_of
from kimberley.games.diamond.position import COLORS, Movement
from kimberley.games.diamond.rules import QUIET, State
from kimberley.games.table import Answer, Ask, Roll


class DiamondTimeline(Timeline):
    """`client.boards.timeline.Timeline` of Diamond: its moves."""

    title = help_text.TITLE
    unit = "move"

    def __init__(self, start: State, names: Sequence[str]) -> None:
        super().__init__(names)
        self._start = self._latest = start
        self._moves: list[GameEvent] = []

    def extend(self, story: Sequence[tuple[Ask, Answer]], first: int) -> None:
        moves = read_events(story, self._latest, first)
        self._moves += moves
        if moves:
            self._latest = moves[-1].after
            self._start = self._moves[0].before
        elif isinstance(story[-1][0], Roll):
            self._start = self._latest = self._latest.apply(story[-1][1])

    @property
    def steps(self) -> Sequence[int]:
        return [each.step for each in self._moves]

    def state(self, at: int) -> State:
        """The state at a position."""
        return self._moves[at - 1].after if at else self._start

    # -- in words ------------------------------------------------------------------------------------------------------

    def describe_event(self, at: int) -> str:
        return f"{self._mover(at)} {describe_event(self._moves[at - 1])}."

    def describe(self) -> list[str]:
        state = self._latest
        if state.first is None:
            return ["Lots decide who plays Black and begins."]
        position = state.position
        lines = []
        for color, side in enumerate(COLORS):
            there = names_of(position.pieces[color])
            stands = f"stands on {listed(there)}" if there else "has no piece on the board"
            lines.append(f"{self.names[state.seat(color)]} plays {side}, and {stands}.")
        if position.neutral:
            lines.append(f"Neutral pieces stand on {listed(names_of(position.neutral))}.")
        if self.result is None:
            to = "place a piece" if position.placing else "move"
            lines.append(f"{self.names[state.seat(position.turn)]}, {COLORS[position.turn]}, is to {to}.")
        if not position.placing:
            lines.append(f"{state.quiet} quiet moves so far; {QUIET} are a draw.")
        return lines

    def _mover(self, at: int) -> str:
        before = self._moves[at - 1].before
        return self.names[before.seat(before.position.turn)]

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, at: int, since: float, around: LiveContext) -> None:
        del since
        state, last = self.state(at), self._moves[at - 1] if at else None
        phase, sentence = self._strip(at, around)
        phase_strip(canvas, 1, phase, sentence, around.aside, around.aside_fg)
        room = panel_width(canvas.width)
        ends = next((each.ends for each in reversed(self._moves[:at]) if each.ends is not None), None)
        scene = Scene(state.position, last=ends, won=won_square(state))
        draw_board(canvas.region(0, 2, canvas.width - room, canvas.height - 3), scene)
        heading = "" if last is None else f"Last: {last.turn}"
        content = PanelContent(state, self.names, None, heading, self._about(at, room - 2), self._moves, at)
        draw_panel(canvas.region(canvas.width - room, 2, room, canvas.height - 3), content)

    def _strip(self, at: int, around: LiveContext) -> tuple[str, str]:
        """The phase, and what happened in it."""
        if self.result is not None and at == len(self._moves):
            return "THE END", f"{self.result.reason}."
        state = self.state(at)
        if around.live and state.first is None:
            return "START", "Lots decide who plays Black and begins."
        if not at:
            return "START", "An empty board."
        shown = state if around.live else self._moves[at - 1].before
        return "PLACE" if shown.position.placing else "MOVE", self.describe_event(at)

    def _about(self, at: int, room: int) -> list[list[Span]]:
        if not at:
            return []
        said = [self.describe_event(at)]
        last = self._moves[at - 1]
        move = last.written.move
        if isinstance(move, Movement) and (reason := explain_capture(last.before.position, move)):
            said.append(f"{reason}.")
        return [[Span(line, "soft")] for text in said for line in wrap(text, room)]

    def help(self) -> Help:
        return help_text.TIMELINE
