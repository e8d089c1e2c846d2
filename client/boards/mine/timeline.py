"""A game on the field, one happening after another: in a replay, and for onlookers."""

from __future__ import annotations

from collections.abc import Sequence

from client.board import Span
from client.boards.mine import helps
from client.boards.mine.course import Happening, happened, told
from client.boards.mine.ground import towards
from client.boards.mine.look import Line, sight_lines
from client.boards.mine.panel import PLACES, Sheet, draw_panel, panel_width
from client.boards.mine.picture import draw_field
from client.boards.mine.plain import described
from client.boards.mine.reel import Beat, beats
from client.boards.mine.stage import scene_of
from client.canvas import Action, Canvas
from client.glyphs import wrapped
from client.moments import Around, Moments, sealed
from client.screen import Help, Ui
from client.widgets import Hint, phase_strip
from games.mine.rules import State
from games.table import Answer, Ask

BELOW = 3
"""Rows left free below the field, as in play."""
LATEST = 30
"""Happenings of which the panel may tell."""


class MineMoments(Moments):
    """`client.moments.Moments` of Diamond Mine. What lies in nests is known where the story tells it."""

    title = helps.TITLE
    leaps = ("round on", "round back")

    def __init__(self, start: State, names: Sequence[str]) -> None:
        super().__init__(names)
        self._start = self._latest = start
        self._course: list[Happening] = []
        self._looked: int | None = None

    def add(self, story: Sequence[tuple[Ask, Answer]], first: int) -> None:
        new = happened(story, self._latest, first)
        self._course += [what for what in new if told(what, self.names)]
        self._latest = new[-1].after if new else self._latest

    @property
    def steps(self) -> Sequence[int]:
        return [what.step for what in self._course]

    def state(self, at: int) -> State:
        """The state that a moment shows."""
        return self._latest if at == len(self._course) else self._course[at - 1].after if at else self._start

    def _last(self, at: int) -> Happening | None:
        """What led to a moment; None at the start."""
        return self._course[at - 1] if at else None

    # -- in words ------------------------------------------------------------------------------------------------------

    def told(self, at: int) -> str:
        return " ".join(told(self._course[at - 1], self.names))

    def describe(self) -> list[str]:
        return described(self._latest, self.names, None)

    def note(self, at: int) -> str:
        round = self.state(at).round
        return f"round {round}" if round else ""

    # -- time ----------------------------------------------------------------------------------------------------------

    def _beats(self, at: int) -> list[Beat]:
        last = self._last(at)
        return beats(last, self.names) if last is not None else []

    def moving(self, at: int) -> float:
        return sum(beat.seconds for beat in self._beats(at)[:-1])

    def lasting(self, at: int) -> float:
        return sum(beat.seconds for beat in self._beats(at)) if at else super().lasting(at)

    def leap(self, at: int, way: int) -> int:
        """To where the next or the last cards are shown."""
        at += way
        while 0 < at < len(self._course) and self._course[at - 1].kind != "cards":
            at += way
        return at

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, at: int, since: float, around: Around) -> None:
        beat = self._walking(at, since)
        last, state = self._last(at), beat.state if beat is not None else self.state(at)
        phase_strip(canvas, 1, *self._strip(at, around), around.aside, around.aside_fg)
        room, rows = panel_width(canvas.width), canvas.height - 3
        acts = self._acts(state, last, around)
        flash = beat.flash if beat is not None else last.square if last is not None else None
        scene = scene_of(state, None, acts, self._looked, flash)
        draw_field(canvas.region(0, 2, canvas.width - room, rows - BELOW), scene)
        heading, about = self._about(state, at, room - 2)
        cards, notes = self._standing(state, last, acts, around)
        sheet = Sheet(
            state, self.names, None, cards, notes, heading, about, acts,
            [line for what in self._course[max(0, at - LATEST) : at] for line in told(what, self.names)],
            places=self.result.places if self._over(at) and self.result is not None and state.colours else (),
        )  # fmt: skip
        draw_panel(canvas.region(canvas.width - room, 2, room, rows), sheet)

    def _walking(self, at: int, since: float) -> Beat | None:
        """The beat that runs, while a pawn is on its way."""
        for beat in self._beats(at)[:-1]:
            if since < beat.seconds:
                return beat
            since -= beat.seconds
        return None

    def _over(self, at: int) -> bool:
        return self.result is not None and at == len(self._course)

    def _strip(self, at: int, around: Around) -> tuple[str, str]:
        """The phase, and what happened in it."""
        last = self._last(at)
        if self._over(at) and self.result is not None:
            return "THE END", f"{self.result.reason[:1].upper()}{self.result.reason[1:]}."
        phase = helps.PHASES[self._latest.phase] if around.live else "START" if last is None else helps.BEATS[last.kind]
        return phase, "An empty field." if last is None else self.told(at)

    def _acts(self, state: State, last: Happening | None, around: Around) -> int | None:
        """The seat that is to act alone, or the one that did."""
        if around.live:
            return state.turn if state.phase in ("place", "move", "show", "take") and not state.ended else None
        return last.seat if last is not None else None

    def _standing(
        self, state: State, last: Happening | None, acts: int | None, around: Around
    ) -> tuple[list[str], list[str]]:
        """By seat: the card that lies on the table, and what the player is about."""
        seats = range(state.seats)
        notes = ["" if state.present[seat] else "has left" for seat in seats]
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
        if self._looked is not None and state.colours:
            return sight_lines(state, self._looked, self.names, None, room)
        last = self._last(at)
        if last is None:
            return "The start", []
        return helps.HEADINGS[last.kind], [[Span(row, "text")] for row in wrapped(self.told(at), room)]

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
        return helps.MOMENTS
