"""The game in play, at one seat of a table."""

from __future__ import annotations

import math
from typing import Any, Final

from kimberley.client.boards.api import BoardScreen, Span
from kimberley.client.boards.mine import help_text
from kimberley.client.boards.mine.events import EventLog, describe_event
from kimberley.client.boards.mine.form import Cursor, Lights, MineForm
from kimberley.client.boards.mine.form_card import CardForm
from kimberley.client.boards.mine.form_move import MoveForm
from kimberley.client.boards.mine.form_place import PlaceForm
from kimberley.client.boards.mine.form_take import TakeForm
from kimberley.client.boards.mine.grid import FIGURES, towards
from kimberley.client.boards.mine.panel import PLACES, PanelContent, draw_panel, panel_width
from kimberley.client.boards.mine.playback import Frame, PlaybackQueue, frames_of
from kimberley.client.boards.mine.scene import draw_field
from kimberley.client.boards.mine.scene_from_state import scene_of
from kimberley.client.boards.mine.square_info import Line, square_info_lines
from kimberley.client.boards.standings import winners
from kimberley.client.session.notices import HAS_LEFT, assurance
from kimberley.client.session.ports import TableLike
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import clean, wrap
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Help, MenuItem, Ui
from kimberley.client.ui.widgets import Hint, key_bar, phase_strip, title_bar
from kimberley.games.mine.rules import State, opening
from kimberley.games.mine.spaces import CardSpace, NestSpace, PawnMoveSpace, TakeSpace
from kimberley.games.table import Plain, Result
from kimberley.protocol.play import NotAllowed

TITLE: Final = "Diamond Mine"
BELOW: Final = 3
"""Rows below the field, where a choice is made."""
END_SECONDS: Final = 8.0
"""How long the last position and the scores stay before the dossier opens; a key goes on at once."""
ENDS: Final = "If everybody agrees, the game ends at once: nobody moves any more, and gems still carried do not count."


def _as_sentence(rule: str) -> str:
    """A rule with a full stop, and a capital unless a square comes first."""
    return f"{rule if rule[1:2].isdigit() else rule[:1].upper() + rule[1:]}."


class PlayingScreen(BoardScreen):
    """Plays a game at a table. All it knows comes from the table's story."""

    def __init__(self, table: TableLike, ui: Ui) -> None:
        super().__init__(table, ui)
        self._seat = table.seat
        self._names = tuple(clean(each) or f"seat {seat + 1}" for seat, each in enumerate(table.names))
        self._start = opening(len(self._names), fifth=False, begins=None)
        self._event_log = EventLog()
        self._playback = PlaybackQueue(ui.calm)
        self._cursor = Cursor()
        self._form: MineForm | None = None
        self._asked = -1
        self._hidden = False
        self._played: int | None = None
        self._ended_at = -math.inf
        self._refresh(quick=True)

    def opened(self) -> None:
        super().opened()
        self._refresh(quick=True)

    def busy(self, now: float) -> bool:
        return bool(self._playback.current(now)) or now < self._ended_at + END_SECONDS

    # -- following the table -----------------------------------------------------------------------------------------

    def on_event(self, event: Any) -> None:
        del event
        self._refresh()

    def _refresh(self, quick: bool = False) -> None:
        """Reads what is new in the story; with `quick` it is shown at once."""
        peer = self._table.peer
        news = self._event_log.follow(peer)
        if any(event.kind == "cards" for event in news):
            self._played = None
        if not quick:
            self._playback.add(frame for event in news for frame in frames_of(event, self._names))
        if news and self._state.ended and not self.ui.calm:
            self._ended_at = self.ui.now() + self._playback.seconds
        self._open_form()

    @property
    def _state(self) -> State:
        """The present state of the game."""
        return self._event_log.state or self._start

    def _open_form(self) -> None:
        """Opens the form for what is asked of this seat, once."""
        peer = self._table.peer
        asked = peer.asked if peer is not None and peer.result is None else None
        if asked is None:
            self._form = None
            return
        if asked.step == self._asked:
            return
        self._asked = asked.step
        here = (self._state, self._seat, self._names, self._cursor, self._send)
        match asked.space:
            case NestSpace():
                self._form = PlaceForm(*here, asked.space)
            case CardSpace():
                self._form = CardForm(*here, self._hidden)
            case PawnMoveSpace():
                self._form = MoveForm(*here, asked.space)
            case TakeSpace():
                self._form = TakeForm(*here, asked.space)

    def _send(self, choice: Plain) -> None:
        """Hands a choice to the table, after asking back where it may end the game."""
        match choice:
            case (int(), True):
                self.ui.confirm("End the game?", ENDS, "Agree", "Not yet", lambda: self._choose(choice))
            case _:
                self._choose(choice)

    def _choose(self, choice: Plain) -> None:
        form = self._form
        if form is None:
            return
        match choice:
            case (int(card), bool()):
                self._played = card
        self._form = None
        try:
            self._table.choose(choice)
        except NotAllowed as error:
            self._form = form
            form.refusal = str(error)
            return
        self._refresh()
        self.ui.redraw()

    def _open(self, now: float) -> MineForm | None:
        """The form, unless something is still being shown."""
        return None if self._playback.current(now) else self._form

    # -- drawing -----------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        frame, form = self._playback.current(now), self._open(now)
        state = frame.state if frame is not None else self._state
        title_bar(canvas, TITLE, self._note(canvas.width, frame.before.round if frame is not None else state.round))
        phase, sentence = self._sentence(frame, form)
        waiting, waiting_fg = self._waiting(now, frame, form)
        phase_strip(canvas, 1, phase, sentence, waiting, waiting_fg)
        room = panel_width(canvas.width)
        width, rows = canvas.width - room, canvas.height - 3
        lights = form.lights() if form is not None else Lights()
        acts = frame.seat if frame is not None else self._acting()
        flash = frame.flash if frame is not None else None
        scene = scene_of(state, lights, acts, self._cursor.square if frame is None else None, flash)
        grid = draw_field(canvas.region(0, 2, width, rows - BELOW), scene)
        left = grid.left - FIGURES
        below = canvas.region(left, 2 + rows - BELOW, min(grid.right + 1, width - 1) - left, BELOW)
        if form is not None:
            form.draw(below)
        elif frame is None and self._played is not None and state.phase == "cards":
            card = "a card" if self._hidden else f"card {self._played}"
            below.put(4, 1, f"Your {card} lies face down." if not self._hidden else "Your card lies face down.", "soft")
        draw_panel(canvas.region(canvas.width - room, 2, room, rows), self._panel_content(state, frame, form, room - 2))
        key_bar(canvas, form.hints() if form is not None else self._hints(frame))

    def _note(self, columns: int, round: int) -> str:
        said = f"round {round}" if round else ""
        if columns >= 100:
            said = " · ".join(filter(None, (assurance(self._table), said)))
        return said

    def _acting(self) -> int | None:
        """The seat that is to act alone."""
        state = self._state
        return state.turn if state.phase in ("place", "move", "show", "take") and not state.ended else None

    def _sentence(self, frame: Frame | None, form: MineForm | None) -> tuple[str, str]:
        """The phase, and what to do in it or what happens."""
        state = self._state
        if frame is not None:
            return help_text.FRAMES[frame.kind], frame.said
        if (result := self._result) is not None:
            return "THE END", f"{result.reason[:1].upper()}{result.reason[1:]}."
        if form is not None:
            return form.phase, form.sentence()
        phase = help_text.PHASES[state.phase]
        if state.phase == "cards":
            return phase, "Everybody chooses a card, face down."
        if (seat := self._acting()) is not None:
            who = self._names[seat]
            doing = {"place": "places a nest", "show": "opens a vein", "take": "may take gems"}
            return phase, f"{who} {doing.get(state.phase) or f'goes {state.cards[seat]}'}."
        return phase, "Lots decide who begins, and who collects which color." if not state.colors else (
            "A shuffle fills the nests, and nobody knows with what."
        )

    def _waiting(self, now: float, frame: Frame | None, form: MineForm | None) -> tuple[str, Color]:
        """Who is waited for, or when one acts; at the right of the strip."""
        if frame is not None or self._table.peer is None or self._result is not None:
            return "", "soft"
        if form is not None and not self._table.away and self.waits.timed(now, 28) is None:
            state = self._state
            if state.phase != "cards" or state.seats == 2:
                return "your turn", "ok"
            order = state.order()
            return f"you move {PLACES[order.index(self._seat)]} of {len(order)}", "ok"
        return self.waits.strip_text(now, 28)

    def _panel_content(self, state: State, frame: Frame | None, form: MineForm | None, room: int) -> PanelContent:
        heading, about = self._about(state, frame, form, room)
        cards, notes = self._standing(state, frame)
        return PanelContent(
            state,
            self._names,
            self._seat,
            cards,
            notes,
            heading,
            about,
            acts=frame.seat if frame is not None else self._acting(),
            log=[line for event in self._event_log.past[-40:] for line in describe_event(event, self._names)],
            talk=[(self._names[said.seat], clean(said.text)) for said in list(self._table.talk)[-12:]],
            places=self._places() if frame is None else (),
        )

    def _places(self) -> tuple[int, ...]:
        return self._result.places if self._result is not None and self._state.colors else ()

    @property
    def _result(self) -> Result | None:
        """How the game ended, if it has."""
        peer = self._table.peer
        return peer.result if peer is not None else None

    def _standing(self, state: State, frame: Frame | None) -> tuple[list[str], list[str]]:
        """By seat: the card that lies on the table, and what the player is about."""
        cards, notes = [""] * state.seats, [""] * state.seats
        # While something is shown, the round is still the one in which it happened.
        round = frame.before if frame is not None else state
        order = round.order()
        peer = self._table.peer
        waiting = peer.waiting if peer is not None else ()
        shown = frame.cards if frame is not None and frame.cards else state.cards
        for seat in range(state.seats):
            if not state.present[seat]:
                notes[seat] = HAS_LEFT
                continue
            card = shown[seat]
            if state.ended and frame is None:
                continue
            if card is not None:
                cards[seat] = str(card)
            place = f"{PLACES[order.index(seat)]} to move" if seat in order else ""
            if state.phase == "cards" and frame is None:
                chose = seat not in waiting or (seat == self._seat and self._played is not None)
                own = seat == self._seat and self._played is not None and not self._hidden
                cards[seat] = str(self._played) if own else "?" if chose else ""
                notes[seat] = place
            elif state.phase == "place" and state.begins is not None:
                notes[seat] = "places a nest" if seat == state.turn else ""
            elif state.phase in ("move", "show", "take", "cards"):
                acting = seat == (frame.seat if frame is not None else state.turn)
                notes[seat] = "moves" if acting else "done" if round.acted[seat] else place
        return cards, notes

    def _about(self, state: State, frame: Frame | None, form: MineForm | None, room: int) -> tuple[str, list[Line]]:
        """What is looked at, what may be done, or what happened last."""
        if form is not None and form.refusal:
            return "Not possible", [[Span(row, "warning")] for row in wrap(_as_sentence(form.refusal), room)]
        if frame is None and self._result is not None:
            return self._end_said(self._result, room)
        if form is not None and (about := form.about(room)) is not None:
            return about
        if self._cursor.square is not None and frame is None:
            return square_info_lines(state, self._cursor.square, self._names, self._seat, room)
        latest = [event for event in self._event_log.past[-12:] if describe_event(event, self._names)]
        if frame is not None:
            return help_text.HEADINGS[frame.kind], [[Span(row, "text")] for row in wrap(frame.said, room)]
        if not latest:
            return "The start", [[Span(row, "soft")] for row in wrap(help_text.START, room)]
        lines: list[Line] = []
        for event in latest[-3:]:
            lines += [[Span(row, "soft")] for said in describe_event(event, self._names) for row in wrap(said, room)]
        return "What happened", lines[-6:]

    def _end_said(self, result: Result, room: int) -> tuple[str, list[Line]]:
        """Who has won, and what counted."""
        return f"{winners(self._names, result, self._seat)}.", [
            [Span(row, "soft")] for row in wrap("Gems that are still carried, or lie on the field, do not count.", room)
        ]

    def _hints(self, frame: Frame | None) -> list[Hint]:
        if frame is not None:
            return [Hint("Enter", "show it at once"), Hint("F1", "help"), Hint("F10", "menu")]
        hide = [Hint("h", "show" if self._hidden else "hide")] if self._played is not None else []
        return [Hint("← → ↑ ↓", "look at a square", "nothing"), *hide, Hint("F1", "help"), Hint("F10", "menu")]

    # -- keys and the mouse ------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        form = self._open(self.ui.now())
        if form is not None:
            form.refusal = ""
            if form.key(name):
                if isinstance(form, CardForm):
                    self._hidden = form.hidden
                return True
        match name:
            case "up" | "down" | "left" | "right":
                self._walk(name, form)
            case "esc" if self._cursor.square is not None:
                self._cursor.square = None
            case "h" if form is None:
                self._hidden = not self._hidden
            case _:
                return False
        return True

    def _walk(self, way: str, form: MineForm | None) -> None:
        square, pawn = self._cursor.square, self._state.mine.pawns[self._seat]
        self._cursor.square = towards(square if square is not None else pawn if pawn is not None else 27, way)
        if form is not None:
            form.on_cursor_moved()

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del x, y, button
        form = self._open(self.ui.now())
        if form is not None:
            form.refusal = ""
        match action:
            case ("square", int(square)):
                if form is not None:
                    form.click_square(square)
                else:
                    self._cursor.square = None if square == self._cursor.square else square
                return True
            case ("player", int(seat)):
                self._cursor.square = self._state.mine.pawns[seat]
                if form is not None:
                    form.on_cursor_moved()
                return True
        return form is not None and form.click(action)

    def skip(self, now: float) -> bool:
        moving = self._playback.current(now) is not None
        if self.busy(now):
            self._playback.skip()
            self._ended_at = min(self._ended_at, now) if moving else -math.inf
            return True
        return False

    def next_frame(self, now: float) -> float | None:
        due = [when for when in (self._playback.due(now), self.waits.next_frame(now)) if when is not None]
        if now < self._ended_at + END_SECONDS:
            due.append(self._ended_at + END_SECONDS)
        return min(due, default=None)

    # -- help, menu --------------------------------------------------------------------------------------------------

    def menu(self) -> list[MenuItem]:
        form = self._form
        if not isinstance(form, CardForm):
            return []
        label = "Do not end the game" if form.ends else "Agree to end the game"
        return [MenuItem(label, "e", form.agree)]

    def help(self) -> Help:
        return help_text.for_phase(self._state.phase)
