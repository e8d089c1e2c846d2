"""The game in play, at one seat of a table."""

from __future__ import annotations

import math
from typing import Any, Final

from kimberley.client.boards.api import BoardScreen, Span
from kimberley.client.boards.diamond import help_text
from kimberley.client.boards.diamond.events import (
    GameEvent,
    captures_from,
    describe_event,
    effect,
    explain_capture,
    parse_turn,
    read_events,
    won_square,
)
from kimberley.client.boards.diamond.panel import PanelContent, draw_panel, panel_width
from kimberley.client.boards.diamond.scene import Scene, draw_board
from kimberley.client.boards.diamond.tiling import tiling
from kimberley.client.session.notices import players_and_assurance
from kimberley.client.session.ports import TableLike
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import clean, truncate, wrap
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Help, MenuItem, Ui
from kimberley.client.ui.widgets import Hint, TextField, key_bar, phase_strip, title_bar
from kimberley.games.diamond.board import NAMED, NAMES, Bits, points
from kimberley.games.diamond.notation import TurnNotationError, format_turn
from kimberley.games.diamond.position import COLORS, Movement, Placement, Removal, Swap
from kimberley.games.diamond.rules import State
from kimberley.games.table import Result
from kimberley.protocol.play import NotAllowed

TITLE: Final = "Diamond"
END_SECONDS: Final = 4.0
"""How long the last position stays before the dossier opens; a key goes on at once."""
TYPED: Final = frozenset("abcdefgh12345678-()* ")


class GameScreen(BoardScreen):
    """Plays a game at a table. All it knows comes from the table's story."""

    def __init__(self, table: TableLike, ui: Ui) -> None:
        super().__init__(table, ui)
        self._seat = table.seat
        self._names = tuple(clean(name) or f"seat {seat + 1}" for seat, name in enumerate(table.names))
        self._state = State()
        self._seen = 0
        self._moves: list[GameEvent] = []
        self._cursor = NAMED["d4"]
        self._cursor_shown = False
        self._picked: int | None = None
        self._field = TextField(limit=9)
        self._offers = False
        self._sent = False
        self._refusal = ""
        self._ended_at = -math.inf
        self._board: tuple[int, int] = (0, 0)
        self._refresh()

    def opened(self) -> None:
        super().opened()
        self._refresh()

    def busy(self, now: float) -> bool:
        return now < self._ended_at + END_SECONDS

    # -- following the table -----------------------------------------------------------------------------------------

    def on_event(self, event: Any) -> None:
        del event
        self._refresh()

    def _refresh(self) -> None:
        """Reads what is new in the story."""
        peer = self._table.peer
        if peer is None or not isinstance(peer.state, State) or peer.state is self._state:
            return
        before = None if self._state.first is None else self._state
        self._moves += read_events(peer.story[self._seen :], before, self._seen)
        self._seen = len(peer.story)
        self._state = peer.state
        self._picked, self._offers, self._sent, self._refusal = None, False, False, ""
        self._field.clear()
        if isinstance(self._state.ask(), Result) and self._moves and not self.ui.calm:
            self._ended_at = self.ui.now()

    @property
    def _mine(self) -> bool:
        """Whether it is this seat's move."""
        peer = self._table.peer
        return peer is not None and peer.asked is not None and not self._sent and peer.result is None

    # -- drawing -----------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        title_bar(canvas, TITLE, self._note() if canvas.width >= 100 else "")
        phase, sentence = self._sentence()
        waiting, waiting_fg = self._waiting(now)
        phase_strip(canvas, 1, phase, sentence, waiting, waiting_fg)
        room = panel_width(canvas.width)
        self._board = canvas.width - room, canvas.height - 3
        draw_board(canvas.region(0, 2, *self._board), self._scene())
        draw_panel(canvas.region(canvas.width - room, 2, room, canvas.height - 3), self._panel_content(room - 2))
        key_bar(canvas, self._hints())

    def _note(self) -> str:
        return players_and_assurance(self._table, self._names)

    def _targets(self) -> Bits:
        return 0 if self._picked is None else self._state.position.targets(self._picked)

    def _scene(self) -> Scene:
        position, picked = self._state.position, self._picked
        last = next((each for each in reversed(self._moves) if each.ends is not None), None)
        targets = self._targets()
        captures = 0 if picked is None else captures_from(position, picked)
        doomed = 0
        if picked is not None:
            here = captures & 1 << self._cursor if self._cursor_shown else captures
            for to in points(here or captures):
                doomed |= position.captured(Movement(picked, to))
        return Scene(
            position,
            last=None if last is None else last.ends,
            cursor=self._cursor if self._cursor_shown and self._mine else None,
            picked=picked,
            targets=targets & ~captures,
            captures=captures,
            doomed=doomed,
            removable=position.removable() if self._mine and picked is None else 0,
            won=won_square(self._state),
        )

    def _sentence(self) -> tuple[str, str]:
        """The phase, and what to do in it."""
        state, peer = self._state, self._table.peer
        result = peer.result if peer is not None else None
        if result is not None:
            return "THE END", f"{result.reason}."
        phase = "PLACE" if state.position.placing else "MOVE"
        if state.first is None:
            return "START", "Lots decide who plays Black and begins."
        if not self._mine:
            return phase, f"{COLORS[state.position.turn]} is to {'place' if state.position.placing else 'move'}."
        if state.offered:
            return phase, f"{self._rival} offers a draw: = accepts it, or play on."
        if state.position.may_swap:
            return "SWAP?", "Place a white piece, or swap with s and go on as Black."
        if state.position.placing:
            return phase, f"You are {COLORS[state.position.turn]}: put a piece on an open point."
        if self._picked is not None:
            return phase, f"Picked {NAMES[self._picked]}: choose a point, or Esc to put it back."
        return phase, f"You are {COLORS[state.position.turn]}: pick a piece of yours."

    @property
    def _rival(self) -> str:
        return truncate(self._names[1 - self._seat], 14)

    def _waiting(self, now: float) -> tuple[str, Color]:
        """Whose move it is, at the right of the strip, with its color."""
        peer = self._table.peer
        if peer is None or peer.result is not None or self._state.first is None:
            return "", "soft"
        mine = self._mine and not self._table.away and self.waits.timed(now, 28) is None
        return ("your move", "ok") if mine else self.waits.strip_text(now, 28)

    def _panel_content(self, room: int) -> PanelContent:
        heading, about = self._about(room)
        buttons = []
        if self._mine and self._state.offered:
            buttons.append(("Take the draw", "=", "ok"))
        if self._mine and self._state.position.may_swap:
            buttons.append(("Swap sides", "s", "ice"))
        return PanelContent(
            self._state,
            self._names,
            self._seat,
            heading,
            about,
            self._moves,
            len(self._moves),
            typed=self._field if self._mine else None,
            typing=bool(self._field.text) or not self._cursor_shown,
            buttons=buttons,
            talk=[(self._names[said.seat], clean(said.text)) for said in list(self._table.talk)[-12:]],
        )

    def _about(self, room: int) -> tuple[str, list[list[Span]]]:
        """What the picked piece may do, else what happened last."""
        if self._refusal:
            return "Not possible", [[Span(line, "warning")] for line in wrap(f"{self._refusal}.", room)]
        lines: list[list[Span]] = []
        if self._offers:
            lines += [[Span(line, "money")] for line in wrap("You offer a draw with this move.", room)]
        if self._picked is not None:
            return f"From {NAMES[self._picked]}", lines + self._choices(room)
        if not self._moves:
            return "The start", lines
        last = self._moves[-1]
        mover = self._names[last.before.seat(last.before.position.turn)]
        lines += [[Span(line, "soft")] for line in wrap(f"{mover} {describe_event(last)}.", room)]
        move = last.written.move
        if isinstance(move, Movement) and (reason := explain_capture(last.before.position, move)):
            lines += [[Span(line, "soft")] for line in wrap(f"{reason}.", room)]
        return f"Last: {last.turn}", lines

    def _choices(self, room: int) -> list[list[Span]]:
        """Where the picked piece may go, captures first, and why they capture."""
        position, picked = self._state.position, self._picked
        assert picked is not None
        steps = [Movement(picked, to) for to in points(self._targets())]
        steps.sort(key=lambda step: (not position.captured(step), NAMES[step.to]))
        lines, reasons = [], []
        for step in steps:
            taking = bool(position.captured(step))
            mark = Span(" × ", "bright", True, "alarm") if taking else Span(" ∙ ", "ink", True, "ok")
            said = effect(position, step)
            here = self._cursor_shown and step.to == self._cursor
            fg = "warning" if taking else "text"
            line = [mark, Span(f" {NAMES[step.to]}", fg, here or taking)]
            if taking:
                line.append(Span(f"  {said}", "warning", True))
            elif said:
                line.append(Span("  takes none", "soft"))
            lines.append(line)
            if (reason := explain_capture(position, step)) and (here or not self._cursor_shown or taking):
                reasons += [[Span(each, "soft")] for each in wrap(reason, room)]
        if not steps:
            lines.append([Span("It has no open point beside it.", "soft")])
        return lines + reasons

    def _hints(self) -> list[Hint]:
        if not self._mine:
            return [Hint("F10", "menu"), Hint("F1", "help")]
        state = self._state
        offer = "take the draw" if state.offered else "no draw" if self._offers else "offer a draw"
        return [
            Hint("← → ↑ ↓", "point", "nothing"),
            Hint("Enter", "go"),
            Hint("a-h 1-8", "type", ("type",)),
            *([Hint("s", "swap")] if state.position.may_swap else []),
            *([Hint("u", "undo")] if self._picked is not None or self._field.text else []),
            Hint("=", offer),
            Hint("F1", "help"),
        ]

    # -- keys and the mouse ------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        if not self._mine:
            return False
        self._refusal = ""
        match name:
            case "up" | "down" | "left" | "right":
                self._walk(name)
            case "enter" if self._field.text.strip():
                self._typed()
            case "enter" | "tab" if not self._cursor_shown:
                self._cursor_shown = True
            case "enter":
                self._touch(self._cursor)
            case "esc" | "u" if self._picked is not None or self._field.text:
                self._put_back()
            case "s" if self._state.position.may_swap:
                self._choose(format_turn(self._state.position, Swap(), self._offers))
            case "=":
                self._draw_key()
            case "backspace" | "delete" | "home" | "end":
                return self._field.key(name)
            case _ if name.lower() in TYPED:
                self._cursor_shown = False
                return self._field.key(name)
            case _:
                return False
        return True

    def paste(self, text: str) -> bool:
        if self._mine:
            self._field.paste(text.strip())
        return self._mine

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        match action:
            case ("point", int(point)) if self._mine:
                self._refusal = ""
                self._cursor_shown = False
                self._cursor = point
                self._touch(point)
                return True
            case ("type",):
                self._cursor_shown = False
                return True
        del x, y, button
        return False

    def skip(self, now: float) -> bool:
        if self.busy(now):
            self._ended_at = -math.inf
            return True
        return False

    def next_frame(self, now: float) -> float | None:
        due = [self._ended_at + END_SECONDS] if self.busy(now) else []
        if (frame := self.waits.next_frame(now)) is not None:
            due.append(frame)
        return min(due, default=None)

    def _walk(self, way: str) -> None:
        if self._cursor_shown:
            self._cursor = tiling(*self._board).towards(self._cursor, way)
        self._cursor_shown = True
        self._field.clear()

    def _put_back(self) -> None:
        self._picked = None
        self._field.clear()

    def _touch(self, point: int) -> None:
        """Places, picks, moves or removes, as the point allows."""
        position = self._state.position
        bit = 1 << point
        if position.placing:
            self._try(Placement(point))
        elif point == self._picked:
            self._picked = None
        elif position.pieces[position.turn] & bit:
            self._picked = point
        elif position.neutral & bit and (self._picked is None or not self._targets() & bit):
            self._try(Removal(point))
        elif self._picked is not None:
            self._try(Movement(self._picked, point))
        else:
            what = position.what(point)
            self._refusal = f"{NAMES[point]} is not yours" if what else f"pick a piece first: {NAMES[point]} is empty"

    def _try(self, move: Placement | Movement | Removal) -> None:
        reason = self._state.position.violation(move)
        if reason is not None:
            self._refusal = reason
        else:
            self._choose(format_turn(self._state.position, move, self._offers))

    def _typed(self) -> None:
        try:
            turn = parse_turn(self._state, self._field.text, self._offers)
        except TurnNotationError as error:
            self._refusal = str(error)
        else:
            self._choose(turn)

    def _draw_key(self) -> None:
        """Accepts the draw that is offered, after a question; else turns an offer with the next move on or off."""
        if self._state.offered:
            text = f"{self._rival} offers a draw. Take it?"
            self.ui.confirm("Draw?", text, "Take the draw", "Play on", lambda: self._choose("="))
        else:
            self._offers = not self._offers

    def _choose(self, turn: str) -> None:
        """Hands the turn to the table. If the table refuses it, the player reads why."""
        if not self._mine:
            return
        self._sent = True
        try:
            self._table.choose(turn)
        except NotAllowed as error:
            self._sent, self._refusal = False, str(error)
            return
        self._picked = None
        self._field.clear()
        self._refresh()
        self.ui.redraw()

    # -- help, menu ----------------------------------------------------------------------------------------------------

    def menu(self) -> list[MenuItem]:
        if not self._mine:
            return []
        label = "Take the draw" if self._state.offered else "Take the offer back" if self._offers else "Offer a draw"
        return [MenuItem(label, "=", self._draw_key)]

    def help(self) -> Help:
        return help_text.for_phase(self._state.position.placing, self._state.position.may_swap)
