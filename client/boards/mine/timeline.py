"""A game on the field, event by event: in a replay, and for onlookers."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.boards.api import Span
from kimberley.client.boards.mine import help_text
from kimberley.client.boards.mine.events import GameEvent, describe_event, read_events
from kimberley.client.boards.mine.grid import towards
from kimberley.client.boards.mine.panel import PLACES, PanelContent, draw_panel, panel_width
from kimberley.client.boards.mine.plain import describe_state
from kimberley.client.boards.mine.playback import Frame, frames_of
from kimberley.client.boards.mine.scene import draw_field
from kimberley.client.boards.mine.scene_from_state import scene_of
from kimberley.client.boards.mine.square_info import Line, square_info_lines
from kimberley.client.boards.timeline import LiveContext, Timeline, sealed
from kimberley.client.session.notices import HAS_LEFT
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.screen import Help, Ui
from kimberley.client.ui.widgets import Hint, phase_strip
from kimberley.games.mine.rules import State
from kimberley.games.table import Answer, Ask

BELOW = 3
"""Rows left free below the field, as in play."""
LATEST = 30
"""Events that the panel may show."""


class MineTimeline(Timeline):
    """`client.boards.timeline.Timeline` of Diamond Mine. What lies in nests is known where the story tells it."""

    title = help_text.TITLE
    leaps = ("round on", "round back")

    def __init__(self, start: State, names: Sequence[str]) -> None:
        super().__init__(names)
        self._start = self._latest = start
        self._event_log: list[GameEvent] = []
        self._looked: int | None = None

    def extend(self, story: Sequence[tuple[Ask, Answer]], first: int) -> None:
        new = read_events(story, self._latest, first)
        self._event_log += [event for event in new if describe_event(event, self.names)]
        self._latest = new[-1].after if new else self._latest

    @property
    def steps(self) -> Sequence[int]:
        return [event.step for event in self._event_log]

    def state(self, at: int) -> State:
        """The state at a position."""
        return self._latest if at == len(self._event_log) else self._event_log[at - 1].after if at else self._start

    def _last(self, at: int) -> GameEvent | None:
        """The event that led to a position; None at the start."""
        return self._event_log[at - 1] if at else None

    # -- in words ------------------------------------------------------------------------------------------------------

    def describe_event(self, at: int) -> str:
        return " ".join(describe_event(self._event_log[at - 1], self.names))

    def describe(self) -> list[str]:
        return describe_state(self._latest, self.names, None)

    def note(self, at: int) -> str:
        round = self.state(at).round
        return f"round {round}" if round else ""

    # -- time ----------------------------------------------------------------------------------------------------------

    def _frames(self, at: int) -> list[Frame]:
        last = self._last(at)
        return frames_of(last, self.names) if last is not None else []

    def moving(self, at: int) -> float:
        return sum(frame.seconds for frame in self._frames(at)[:-1])

    def lasting(self, at: int) -> float:
        return sum(frame.seconds for frame in self._frames(at)) if at else super().lasting(at)

    def leap(self, at: int, way: int) -> int:
        """To where the next or the last cards are shown."""
        at += way
        while 0 < at < len(self._event_log) and self._event_log[at - 1].kind != "cards":
            at += way
        return at

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, at: int, since: float, around: LiveContext) -> None:
        frame = self._walking(at, since)
        last, state = self._last(at), frame.state if frame is not None else self.state(at)
        phase_strip(canvas, 1, *self._strip(at, around), around.aside, around.aside_fg)
        room, rows = panel_width(canvas.width), canvas.height - 3
        acts = self._acts(state, last, around)
        flash = frame.flash if frame is not None else last.square if last is not None else None
        scene = scene_of(state, None, acts, self._looked, flash)
        draw_field(canvas.region(0, 2, canvas.width - room, rows - BELOW), scene)
        heading, about = self._about(state, at, room - 2)
        cards, notes = self._standing(state, last, acts, around)
        content = PanelContent(
            state, self.names, None, cards, notes, heading, about, acts,
            [line for event in self._event_log[max(0, at - LATEST) : at] for line in describe_event(event, self.names)],
            places=self.result.places if self._over(at) and self.result is not None and state.colors else (),
        )  # fmt: skip
        draw_panel(canvas.region(canvas.width - room, 2, room, rows), content)

    def _walking(self, at: int, since: float) -> Frame | None:
        """The frame that runs, while a pawn is on its way."""
        for frame in self._frames(at)[:-1]:
            if since < frame.seconds:
                return frame
            since -= frame.seconds
        return None

    def _over(self, at: int) -> bool:
        return self.result is not None and at == len(self._event_log)

    def _strip(self, at: int, around: LiveContext) -> tuple[str, str]:
        """The phase, and what happened in it."""
        last = self._last(at)
        if self._over(at) and self.result is not None:
            return "THE END", f"{self.result.reason[:1].upper()}{self.result.reason[1:]}."
        phase = (
            help_text.PHASES[self._latest.phase]
            if around.live
            else "START"
            if last is None
            else help_text.FRAMES[last.kind]
        )
        return phase, "An empty field." if last is None else self.describe_event(at)

    def _acts(self, state: State, last: GameEvent | None, around: LiveContext) -> int | None:
        """The seat that is to act alone, or the one that did."""
        if around.live:
            return state.turn if state.phase in ("place", "move", "show", "take") and not state.ended else None
        return last.seat if last is not None else None

    def _standing(
        self, state: State, last: GameEvent | None, acts: int | None, around: LiveContext
    ) -> tuple[list[str], list[str]]:
        """By seat: the card that lies on the table, and what the player is about."""
        seats = range(state.seats)
        notes = ["" if state.present[seat] else HAS_LEFT for seat in seats]
        if around.live and state.phase == "cards" and not state.ended:
            down = sealed(state, around.waiting, state.seats)
            order = state.order()
            for seat in seats:
                if state.present[seat] and seat in order:
                    notes[seat] = f"{PLACES[order.index(seat)]} to move"
            return ["?" if seat in down else "" for seat in seats], notes
        if around.live and acts is not None and state.present[acts]:
            notes[acts] = "places a nest" if state.phase == "place" else "moves"
        if last is None or not last.before.round:
            return [""] * state.seats, notes
        shown = last.cards if last.kind == "cards" else last.before.cards
        return ["" if card is None else str(card) for card in shown], notes

    def _about(self, state: State, at: int, room: int) -> tuple[str, list[Line]]:
        if self._looked is not None and state.colors:
            return square_info_lines(state, self._looked, self.names, None, room)
        last = self._last(at)
        if last is None:
            return "The start", []
        return help_text.HEADINGS[last.kind], [[Span(row, "text")] for row in wrap(self.describe_event(at), room)]

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def key(self, name: str, at: int, ui: Ui) -> bool:
        del at, ui
        match name:
            case "esc" if self._looked is not None:
                self._looked = None
            case "w" | "a" | "s" | "d":
                way = {"w": "up", "a": "left", "s": "down", "d": "right"}[name]
                self._looked = towards(27 if self._looked is None else self._looked, way)
            case _:
                return False
        return True

    def click(self, action: Action, at: int, x: int, y: int) -> bool:
        del x, y
        match action:
            case ("square", int(square)):
                self._looked = None if square == self._looked else square
                return True
            case ("player", int(seat)):
                self._looked = self.state(at).mine.pawns[seat]
                return True
        return False

    def hints(self) -> Sequence[Hint]:
        return [Hint("w a s d", "look", "nothing")]

    def help(self) -> Help:
        return help_text.TIMELINE
