"""The game in play, at one seat of a table."""

from __future__ import annotations

import math
from typing import Any, Final

from client.board import BoardScreen, Span
from client.boards.mine import helps
from client.boards.mine.course import Course, told
from client.boards.mine.desk import Cursor, Desk, Lights
from client.boards.mine.desk_card import CardDesk
from client.boards.mine.desk_move import MoveDesk
from client.boards.mine.desk_place import PlaceDesk
from client.boards.mine.desk_take import TakeDesk
from client.boards.mine.ground import FIGURES, towards
from client.boards.mine.look import Line, sight_lines
from client.boards.mine.panel import PLACES, Sheet, draw_panel, panel_width
from client.boards.mine.picture import draw_field
from client.boards.mine.reel import Beat, Reel, beats
from client.boards.mine.stage import scene_of
from client.canvas import Action, Canvas
from client.glyphs import clean, wrapped
from client.palette import Colour
from client.screen import Help, MenuItem, Ui
from client.seats import TableLike
from client.standings import winners
from client.widgets import Hint, key_bar, phase_strip, title_bar
from games.mine.rules import State, opening
from games.mine.spaces import Cards, Moves, Places, Takes
from games.table import Plain, Result
from protocol.play import Refused

TITLE: Final = "Diamond Mine"
BELOW: Final = 3
"""Rows below the field, where a choice is made."""
END_SECONDS: Final = 8.0
"""How long the last position and the scores stay before the dossier opens; a key goes on at once."""
ENDS: Final = (
    "If all agree with this card the game ends at once: nobody moves any more, and what is carried does not score."
)


def _as_sentence(rule: str) -> str:
    """A rule with a full stop, and a capital unless a square comes first."""
    return f"{rule if rule[1:2].isdigit() else rule[:1].upper() + rule[1:]}."


class GameScreen(BoardScreen):
    """Plays a game at a table. All it knows comes from the table's story."""

    def __init__(self, table: TableLike, ui: Ui) -> None:
        super().__init__(table, ui)
        self._seat = table.seat
        self._names = tuple(clean(each) or f"seat {seat + 1}" for seat, each in enumerate(table.names))
        self._start = opening(len(self._names), fifth=False, begins=None)
        self._course = Course()
        self._reel = Reel(ui.calm)
        self._cursor = Cursor()
        self._desk: Desk | None = None
        self._asked = -1
        self._hidden = False
        self._played: int | None = None
        self._ended_at = -math.inf
        self._follow(quick=True)

    def opened(self) -> None:
        super().opened()
        self._follow(quick=True)

    def busy(self, now: float) -> bool:
        return bool(self._reel.current(now)) or now < self._ended_at + END_SECONDS

    # -- following the table -----------------------------------------------------------------------------------------

    def heard(self, event: Any) -> None:
        del event
        self._follow()

    def _follow(self, quick: bool = False) -> None:
        """Takes up what the story has got since; with `quick` nothing of it is shown moving."""
        peer = self._table.peer
        news = self._course.follow(peer)
        if any(what.kind == "cards" for what in news):
            self._played = None
        if not quick:
            self._reel.add(beat for what in news for beat in beats(what, self._names))
        if news and self._state.ended and not self.ui.calm:
            self._ended_at = self.ui.now() + self._reel.seconds
        self._open_desk()

    @property
    def _state(self) -> State:
        """The present state of the game."""
        return self._course.state or self._start

    def _open_desk(self) -> None:
        """Opens the desk for what is asked of this seat, once."""
        peer = self._table.peer
        asked = peer.asked if peer is not None and peer.result is None else None
        if asked is None:
            self._desk = None
            return
        if asked.step == self._asked:
            return
        self._asked = asked.step
        here = (self._state, self._seat, self._names, self._cursor, self._send)
        match asked.space:
            case Places():
                self._desk = PlaceDesk(*here, asked.space)
            case Cards():
                self._desk = CardDesk(*here, self._hidden)
            case Moves():
                self._desk = MoveDesk(*here, asked.space)
            case Takes():
                self._desk = TakeDesk(*here, asked.space)

    def _send(self, choice: Plain) -> None:
        """Hands a choice to the table, after asking back where it may end the game."""
        match choice:
            case (int(), True):
                self.ui.confirm("End the game?", ENDS, "Agree", "Not yet", lambda: self._choose(choice))
            case _:
                self._choose(choice)

    def _choose(self, choice: Plain) -> None:
        desk = self._desk
        if desk is None:
            return
        match choice:
            case (int(card), bool()):
                self._played = card
        self._desk = None
        try:
            self._table.choose(choice)
        except Refused as error:
            self._desk = desk
            desk.refusal = str(error)
            return
        self._follow()
        self.ui.redraw()

    def _open(self, now: float) -> Desk | None:
        """The desk, unless something is still being shown."""
        return None if self._reel.current(now) else self._desk

    # -- drawing -----------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        beat, desk = self._reel.current(now), self._open(now)
        state = beat.state if beat is not None else self._state
        title_bar(canvas, TITLE, self._note(canvas.width, beat.before.round if beat is not None else state.round))
        phase, sentence = self._sentence(beat, desk)
        waiting, waiting_fg = self._waiting(now, beat, desk)
        phase_strip(canvas, 1, phase, sentence, waiting, waiting_fg)
        room = panel_width(canvas.width)
        width, rows = canvas.width - room, canvas.height - 3
        lights = desk.lights() if desk is not None else Lights()
        acts = beat.seat if beat is not None else self._acting()
        flash = beat.flash if beat is not None else None
        scene = scene_of(state, lights, acts, self._cursor.square if beat is None else None, flash)
        ground = draw_field(canvas.region(0, 2, width, rows - BELOW), scene)
        left = ground.left - FIGURES
        below = canvas.region(left, 2 + rows - BELOW, min(ground.right + 1, width - 1) - left, BELOW)
        if desk is not None:
            desk.draw(below)
        elif beat is None and self._played is not None and state.phase == "cards":
            card = "a card" if self._hidden else f"card {self._played}"
            below.put(4, 1, f"Your {card} lies face down." if not self._hidden else "Your card lies face down.", "soft")
        draw_panel(canvas.region(canvas.width - room, 2, room, rows), self._sheet(state, beat, desk, room - 2))
        key_bar(canvas, desk.hints() if desk is not None else self._hints(beat))

    def _note(self, columns: int, round: int) -> str:
        said = f"round {round}" if round else ""
        if columns >= 100:
            practice = "bot" in self._table.acquaintance
            checked = all(self._table.agreed) and len(self._table.agreed) > 1
            said = ("practice · " if practice else "four words checked ✓ · " if checked else "") + said
        return said.removesuffix(" · ")

    def _acting(self) -> int | None:
        """The seat that is to act alone."""
        state = self._state
        return state.turn if state.phase in ("place", "move", "show", "take") and not state.ended else None

    def _sentence(self, beat: Beat | None, desk: Desk | None) -> tuple[str, str]:
        """The phase, and what to do in it or what happens."""
        state = self._state
        if beat is not None:
            return helps.BEATS[beat.kind], beat.said
        if (result := self._result) is not None:
            return "THE END", f"{result.reason[:1].upper()}{result.reason[1:]}."
        if desk is not None:
            return desk.phase, desk.sentence()
        phase = helps.PHASES[state.phase]
        if state.phase == "cards":
            return phase, "Cards are chosen, face down."
        if (seat := self._acting()) is not None:
            who = self._names[seat]
            doing = {"place": "places a nest", "show": "opens a vein", "take": "may take gems"}
            return phase, f"{who} {doing.get(state.phase) or f'goes {state.cards[seat]}'}."
        return phase, "Lots decide who begins, and who collects which colour." if not state.colours else (
            "A shuffle fills the nests, and nobody knows with what."
        )

    def _waiting(self, now: float, beat: Beat | None, desk: Desk | None) -> tuple[str, Colour]:
        """Who is waited for, or when one acts; at the right of the strip."""
        if beat is not None or self._table.peer is None or self._result is not None:
            return "", "soft"
        if desk is not None and not self._table.away and self.waits.timed(now, 28) is None:
            state = self._state
            if state.phase != "cards" or state.seats == 2:
                return "your turn", "ok"
            order = state.order()
            return f"you move {PLACES[order.index(self._seat)]} of {len(order)}", "ok"
        return self.waits.said(now, 28)

    def _sheet(self, state: State, beat: Beat | None, desk: Desk | None, room: int) -> Sheet:
        heading, about = self._about(state, beat, desk, room)
        cards, notes = self._standing(state, beat)
        return Sheet(
            state,
            self._names,
            self._seat,
            cards,
            notes,
            heading,
            about,
            acts=beat.seat if beat is not None else self._acting(),
            log=[line for what in self._course.past[-40:] for line in told(what, self._names)],
            talk=[(self._names[said.seat], clean(said.text)) for said in list(self._table.talk)[-12:]],
            places=self._places() if beat is None else (),
        )

    def _places(self) -> tuple[int, ...]:
        return self._result.places if self._result is not None and self._state.colours else ()

    @property
    def _result(self) -> Result | None:
        """How the game ended, if it has."""
        peer = self._table.peer
        return peer.result if peer is not None else None

    def _standing(self, state: State, beat: Beat | None) -> tuple[list[str], list[str]]:
        """By seat: the card that lies on the table, and what the player is about."""
        cards, notes = [""] * state.seats, [""] * state.seats
        # While something is shown, the round is still the one in which it happened.
        round = beat.before if beat is not None else state
        order = round.order()
        peer = self._table.peer
        waiting = peer.waiting if peer is not None else ()
        shown = beat.cards if beat is not None and beat.cards else state.cards
        for seat in range(state.seats):
            if not state.present[seat]:
                notes[seat] = "has left"
                continue
            card = shown[seat]
            if state.ended and beat is None:
                continue
            if card is not None:
                cards[seat] = str(card)
            place = f"{PLACES[order.index(seat)]} to move" if seat in order else ""
            if state.phase == "cards" and beat is None:
                chose = seat not in waiting or (seat == self._seat and self._played is not None)
                own = seat == self._seat and self._played is not None and not self._hidden
                cards[seat] = str(self._played) if own else "?" if chose else ""
                notes[seat] = place
            elif state.phase == "place" and state.begins is not None:
                notes[seat] = "places a nest" if seat == state.turn else ""
            elif state.phase in ("move", "show", "take", "cards"):
                acting = seat == (beat.seat if beat is not None else state.turn)
                notes[seat] = "moves" if acting else "done" if round.acted[seat] else place
        return cards, notes

    def _about(self, state: State, beat: Beat | None, desk: Desk | None, room: int) -> tuple[str, list[Line]]:
        """What is looked at, what may be done, or what happened last."""
        if desk is not None and desk.refusal:
            return "Not possible", [[Span(row, "warning")] for row in wrapped(_as_sentence(desk.refusal), room)]
        if beat is None and self._result is not None:
            return self._end_said(self._result, room)
        if desk is not None and (about := desk.about(room)) is not None:
            return about
        if self._cursor.square is not None and beat is None:
            return sight_lines(state, self._cursor.square, self._names, self._seat, room)
        latest = [what for what in self._course.past[-12:] if told(what, self._names)]
        if beat is not None:
            return helps.HEADINGS[beat.kind], [[Span(row, "text")] for row in wrapped(beat.said, room)]
        if not latest:
            return "The start", [[Span(row, "soft")] for row in wrapped(helps.START, room)]
        lines: list[Line] = []
        for what in latest[-3:]:
            lines += [[Span(row, "soft")] for said in told(what, self._names) for row in wrapped(said, room)]
        return "What happened", lines[-6:]

    def _end_said(self, result: Result, room: int) -> tuple[str, list[Line]]:
        """Who has won, and what counted."""
        return f"{winners(self._names, result, self._seat)}.", [
            [Span(row, "soft")] for row in wrapped("What is still carried, or lies on the field, does not score.", room)
        ]

    def _hints(self, beat: Beat | None) -> list[Hint]:
        if beat is not None:
            return [Hint("Enter", "show it at once"), Hint("F1", "help"), Hint("F10", "menu")]
        hide = [Hint("h", "show" if self._hidden else "hide")] if self._played is not None else []
        return [Hint("← → ↑ ↓", "look at a square", "nothing"), *hide, Hint("F1", "help"), Hint("F10", "menu")]

    # -- keys and the mouse ------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        desk = self._open(self.ui.now())
        if desk is not None:
            desk.refusal = ""
            if desk.key(name):
                if isinstance(desk, CardDesk):
                    self._hidden = desk.hidden
                return True
        match name:
            case "up" | "down" | "left" | "right":
                self._walk(name, desk)
            case "esc" if self._cursor.square is not None:
                self._cursor.square = None
            case "h" if desk is None:
                self._hidden = not self._hidden
            case _:
                return False
        return True

    def _walk(self, way: str, desk: Desk | None) -> None:
        square, pawn = self._cursor.square, self._state.mine.pawns[self._seat]
        self._cursor.square = towards(square if square is not None else pawn if pawn is not None else 27, way)
        if desk is not None:
            desk.looked()

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del x, y, button
        desk = self._open(self.ui.now())
        if desk is not None:
            desk.refusal = ""
        match action:
            case ("square", int(square)):
                if desk is not None:
                    desk.touch(square)
                else:
                    self._cursor.square = None if square == self._cursor.square else square
                return True
            case ("player", int(seat)):
                self._cursor.square = self._state.mine.pawns[seat]
                if desk is not None:
                    desk.looked()
                return True
        return desk is not None and desk.act(action)

    def skip(self, now: float) -> bool:
        moving = self._reel.current(now) is not None
        if self.busy(now):
            self._reel.skip()
            self._ended_at = min(self._ended_at, now) if moving else -math.inf
            return True
        return False

    def next_frame(self, now: float) -> float | None:
        due = [when for when in (self._reel.due(now), self.waits.next_frame(now)) if when is not None]
        if now < self._ended_at + END_SECONDS:
            due.append(self._ended_at + END_SECONDS)
        return min(due, default=None)

    # -- help, menu --------------------------------------------------------------------------------------------------

    def menu(self) -> list[MenuItem]:
        desk = self._desk
        if not isinstance(desk, CardDesk):
            return []
        label = "Do not end the game" if desk.ends else "Agree to end the game"
        return [MenuItem(label, "e", desk.agree)]

    def help(self) -> Help:
        return helps.for_phase(self._state.phase)
