"""The board and its panel, for a player, a spectator and a replay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.diamond import help_text
from kimberley.client.boards.diamond.dossier import ending, outcome
from kimberley.client.boards.diamond.events import (
    GameEvent,
    captures_from,
    describe_briefly,
    describe_event,
    effect,
    explain_capture,
    most_urgent,
    near_wins,
    open_corners,
    swap_offer,
    won_square,
)
from kimberley.client.boards.diamond.form import Cursor, TurnForm
from kimberley.client.boards.diamond.panel import PanelContent, draw_card, draw_panel, draw_sides, panel_width
from kimberley.client.boards.diamond.scene import EXAMPLE, Scene, draw_board
from kimberley.client.boards.diamond.tiling import portrait_rows
from kimberley.client.boards.diamond.words import DRAWING
from kimberley.client.boards.subject import subject
from kimberley.client.boards.view import BoardView, Shown
from kimberley.client.session.banners import Banner, BannerButton
from kimberley.client.ui.bars import first_fitting, sentence_room
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Help
from kimberley.client.ui.spans import Span, Spans, text_lines
from kimberley.client.ui.touch import TOUCH_ROWS
from kimberley.games.diamond.board import NAMES, names, points
from kimberley.games.diamond.position import BLACK, COLORS, WHITE, Movement, Placement
from kimberley.games.diamond.rules import State
from kimberley.games.phrases import join_names
from kimberley.p2p.sentences.notices import as_sentence

CARD_ROWS: Final = 7
"""The fewest rows of the card below the board on a portrait screen, without the arrows of a turn."""
MOST_ROWS: Final = 6
"""Rows about the last turn that leave room for the moves and for a note of the guide: more do not explain a capture."""
AIM: Final = "Be the first to hold all four corners of a square with your pieces."


class DiamondView(BoardView[State, GameEvent]):
    """The tiling at the left, the panel at the right."""

    def __init__(self, names: Sequence[str], you: int | None) -> None:
        super().__init__(names, you)
        self.cursor = Cursor()

    def draw(self, canvas: Canvas, shown: Shown[State, GameEvent]) -> None:
        room = panel_width(canvas.width)
        self._draw_board(canvas.region(0, 2, canvas.width - room, canvas.height - 3), shown)
        draw_panel(canvas.region(canvas.width - room, 2, room, canvas.height - 3), self._panel(shown, room - 2))

    portrait = True

    def draw_portrait(self, header: Canvas, body: Canvas, shown: Shown[State, GameEvent]) -> None:
        content = self._panel(shown, body.width - 4)
        header.fill(0, 0, header.width, header.height, "panel")
        draw_sides(header.region(1, 0, header.width - 2, header.height), content)
        card = CARD_ROWS + (0 if shown.stepping else TOUCH_ROWS)
        rows = min(portrait_rows(body.width), body.height - card)
        self._draw_board(body.region(0, 0, body.width, rows), shown)
        draw_card(body.region(0, rows, body.width, body.height - rows), content)

    def _draw_board(self, canvas: Canvas, shown: Shown[State, GameEvent]) -> None:
        self.cursor.size, self.cursor.portrait = (canvas.width, canvas.height), canvas.portrait
        draw_board(canvas, self._scene(shown))

    tall_rows = 42

    def draw_tall(self, canvas: Canvas, shown: Shown[State, GameEvent]) -> None:
        board = 21
        draw_board(canvas.region(0, 0, canvas.width, board), self._scene(shown))
        draw_panel(canvas.region(0, board, canvas.width, canvas.height - board), self._panel(shown, canvas.width - 2))

    def _scene(self, shown: Shown[State, GameEvent]) -> Scene:
        position, form = shown.state.position, shown.form
        ends = next((event.ends for event in reversed(shown.past) if event.ends is not None), None)
        won = EXAMPLE if shown.live and not any(position.pieces) else won_square(shown.state)
        lacking = 0 if won else open_corners(position, BLACK) | open_corners(position, WHITE)
        if not isinstance(form, TurnForm):
            return Scene(position, last=ends, won=won, lacking=lacking)
        picked, at = form.picked, self.cursor.point if self.cursor.shown else None
        captures = 0 if picked is None else captures_from(position, picked)
        doomed = 0
        if picked is not None:
            here = captures & 1 << at if at is not None else captures
            for to in points(here or captures):
                doomed |= position.captured(Movement(picked, to))
        return Scene(
            position,
            last=ends,
            cursor=at,
            picked=picked,
            targets=form.targets & ~captures,
            captures=captures,
            doomed=doomed,
            removable=position.removable() if picked is None else 0,
            won=won,
            lacking=lacking,
            ghost=position.turn if isinstance(form.asked, Placement) else None,
        )

    # -- in words ------------------------------------------------------------------------------------------------------

    def strip(self, shown: Shown[State, GameEvent], room: int) -> tuple[str, str]:
        state, last = shown.state, shown.last
        if shown.result is not None:
            whole = ending(shown.result, self.names, shown.you)
            who, _ = outcome(shown.result, self.names, shown.you)
            # The panel says it in full.
            return "THE END", whole if cell_width(whole) <= sentence_room(room, "THE END") else f"{who}."
        if shown.live and state.first is None:
            return "START", DRAWING
        if shown.form is not None:
            return shown.form.phase, shown.form.sentence(sentence_room(room, shown.form.phase))
        placing = state.position.placing
        if shown.live and shown.you is not None:
            return (
                "PLACE" if placing else "MOVE",
                f"{COLORS[state.position.turn]} to {'place' if placing else 'move'}.",
            )
        if last is None:
            return "START", "An empty board."
        phase = "PLACE" if last.before.position.placing else "MOVE"
        brief = describe_briefly(last, subject(self.names, last.seat, self.you))
        return phase, first_fitting(sentence_room(room, phase), self._told(last), brief)

    def _told(self, event: GameEvent) -> str:
        return describe_event(event, subject(self.names, event.seat, self.you))

    def requests(self, shown: Shown[State, GameEvent]) -> Sequence[Banner]:
        if not (shown.live and shown.state.offered and self.you is not None):
            return ()
        mover = shown.state.seat(shown.state.position.turn)
        if mover != self.you:
            text = f"{self.names[mover]} can accept, or decline by playing on."
            return (Banner("own draw", "ask", "You offered a draw.", text),)
        if shown.form is None or shown.form.sealed:
            return ()
        take = BannerButton("Accept draw", key="=")
        head = f"{self.names[1 - mover]} offers a draw."
        return (Banner("draw", "ask", head, more="Accept, or make a move.", buttons=(take,)),)

    def news(self, events: Sequence[GameEvent]) -> tuple[str, bool]:
        declined = [event for event in events if event.declines and event.seat != self.you]
        return (self._told(declined[-1]) if declined else "", False)

    def your_turn(self, shown: Shown[State, GameEvent]) -> tuple[str, Color]:
        return "your move", "ok"

    def _panel(self, shown: Shown[State, GameEvent], room: int) -> PanelContent:
        form = shown.form if isinstance(shown.form, TurnForm) else None
        heading, about = self._about(shown, form, room)
        return PanelContent(
            shown.state,
            self.names,
            self.you,
            heading,
            about,
            # Only a viewer who steps through the game sees later moves: at a table they are not on the board yet.
            shown.events if shown.stepping else shown.past,
            shown.at,
            typed=form.field if form is not None else None,
            example=form.example if form is not None else "",
            typing=form is not None and (bool(form.field.text) or not self.cursor.shown),
            buttons=form.buttons() if form is not None else (),
            talk=shown.talk[-12:],
        )

    def _about(self, shown: Shown[State, GameEvent], form: TurnForm | None, room: int) -> tuple[str, list[Spans]]:
        """Returns what the picked piece may do, else what happened last."""
        position = shown.state.position
        wins = [] if shown.result is not None else near_wins(position, to_play=form is not None)
        urgent = wins if form is None else most_urgent(wins)
        warnings = [line for win in urgent for line in text_lines(win.text, room, "warning")]
        if form is not None and form.refusal:
            return "Not possible", text_lines(as_sentence(form.refusal), room, "warning") + warnings
        offer: list[Spans] = []
        if form is not None and form.offers:
            offer = text_lines("Your next move will offer a draw.", room, "money")
        if form is not None and form.picked is not None:
            return f"From {NAMES[form.picked]}", offer + self._choices(form, form.picked, room)
        last = shown.last
        if last is None and shown.result is not None:
            return "The end", text_lines(ending(shown.result, self.names, shown.you), room)
        if last is None:
            return "Goal", warnings + text_lines(AIM, room) + offer
        if shown.live and position.may_swap:
            return f"Last: {last.turn}", text_lines(swap_offer(shown.state, self.names, self.you), room) + offer
        move = last.written.move
        why = explain_capture(last.before.position, move) if isinstance(move, Movement) else ""
        reason = text_lines(f"{why}.", room) if why else []
        lines = text_lines(self._told(last).removesuffix(f" {why}."), room)
        lines += reason if len(lines) + len(reason) + len(warnings) <= MOST_ROWS else []
        lines += warnings
        if len(shown.past) == 1 and self.you is not None and shown.result is None:
            lines += text_lines(f"Goal: {AIM[:1].lower()}{AIM[1:]}", room)
        return f"Last: {last.turn}", lines + offer

    def _choices(self, form: TurnForm, picked: int, room: int) -> list[Spans]:
        """Returns where the picked piece may go, captures first, and why they capture."""
        position = form.state.position
        steps = [Movement(picked, to) for to in points(form.targets)]
        steps.sort(key=lambda step: (not position.captured(step), NAMES[step.to]))
        lines: list[Spans] = []
        reasons: list[Spans] = []
        undecided = not self.cursor.shown or self.cursor.point == picked
        for step in steps:
            taking = bool(position.captured(step))
            mark = Span(" × ", "bright", True, "alarm") if taking else Span(" ∙ ", "ink", True, "ok")
            done = effect(position, step)
            here = self.cursor.shown and step.to == self.cursor.point
            parts = [mark, Span(f" {NAMES[step.to]}", "warning" if taking else "text", here or taking)]
            reason = explain_capture(position, step)
            if taking:
                parts.append(Span(f"  {done}", "warning", True))
            elif done:
                parts.append(Span(f"  {done}", "soft"))
                reason = f"{NAMES[step.to]} corners {join_names(names(position.cornered(step)))}"
            lines.append(tuple(parts))
            if reason and (here or undecided or taking):
                reasons += text_lines(reason, room)
        if not steps:
            lines.append((Span("It cannot move.", "soft"),))
        return lines + reasons

    def help(self, shown: Shown[State, GameEvent]) -> Help:
        position = shown.state.position
        return help_text.for_phase(position.placing, position.may_swap or not any(position.pieces))
