"""The two screens, for a player, a spectator and a replay: balances, card and phase above, or at the left; the map."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from kimberley.client.boards.diamond_trust import help_text, lower_screen, upper_screen, upright_screen
from kimberley.client.boards.diamond_trust.agent_card import InfoCard, agent_card, inspector_card, story_card
from kimberley.client.boards.diamond_trust.animation import Frame, running
from kimberley.client.boards.diamond_trust.current_card import current_card, last_sale
from kimberley.client.boards.diamond_trust.dossier import outcome
from kimberley.client.boards.diamond_trust.events import (
    AgentPaid,
    AgentTold,
    AgentTurned,
    ChoicesSealed,
    GameEvent,
    MonthBegun,
    MonthSummed,
    PlanMade,
    knows_turned,
)
from kimberley.client.boards.diamond_trust.form import (
    EQUAL_WAIT,
    SEEMS_TO_ADJUST,
    Agent,
    Selection,
    TrustForm,
    all_agents,
)
from kimberley.client.boards.diamond_trust.form_inspector import InspectorForm
from kimberley.client.boards.diamond_trust.form_move import MoveForm
from kimberley.client.boards.diamond_trust.form_sale import SaleForm
from kimberley.client.boards.diamond_trust.layout import TALL_ROWS, Layout, layout, tall_layout
from kimberley.client.boards.diamond_trust.map_geometry import WIDEST_UPRIGHT
from kimberley.client.boards.diamond_trust.month_card import draw_map_buttons, draw_month, draw_month_upright
from kimberley.client.boards.diamond_trust.narration import (
    NONE_TO_SELL,
    Narrator,
    annotated,
    card_lines,
    choosing,
    label,
    legend,
)
from kimberley.client.boards.diamond_trust.phrases import LINE, WAIT_HIDES, WAIT_IN_SHORT, colored, explains
from kimberley.client.boards.diamond_trust.scene import LineStyle, Piece, Scene, badge
from kimberley.client.boards.live_context import sealed
from kimberley.client.boards.subject import subject
from kimberley.client.boards.view import BoardView, Shown, Strip
from kimberley.client.session.participants import short_name
from kimberley.client.ui.bars import sentence_room
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Help, Ui
from kimberley.client.ui.spans import Spans
from kimberley.games.diamond_trust.angola import AGENTS, REGIONS, SEATS, other
from kimberley.games.diamond_trust.knowledge import Knowledge
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.phrases import join_names
from kimberley.games.table import Result, space_for
from kimberley.p2p.sentences.notices import as_sentence
from kimberley.p2p.table.common_options import adjust_times

WAVE: Final = 0.5
"""Seconds per frame of waving."""
NAME_ROOM: Final = 14
PHASES: Final = {
    "collect": "MOVE", "UN": "INSPECTOR", "adjust": "ADJUST", "sum": "MOVE", "month": "NEW MONTH", "end": "THE END",
    "report": "REVEAL",
}  # fmt: skip
"""The phases of events whose label is not the name of the phase."""
PENDING: Final = {
    RoundStep.INSPECTOR: ("START", "The Inspector’s first region is drawn at random."),
    RoundStep.PAY: ("PAY", "Both sides pay agents in secret."),
    RoundStep.PAY_TOLD: ("REVEAL", "Double agents secretly report."),
    RoundStep.PLAN: ("PLAN", "Both sides plan their moves in secret."),
    RoundStep.PLAN_TOLD: ("REVEAL", "Double agents secretly report."),
    RoundStep.MOVE: ("MOVE", "Plans can still be adjusted."),
    RoundStep.INSPECT: ("INSPECTOR", "The higher bribe decides where the Inspector goes."),
    RoundStep.SALE_PLAN: ("SALE PLAN", "Both sides plan their sales in secret."),
    RoundStep.SALE_TOLD: ("REVEAL", "Double agents secretly report."),
    RoundStep.SALE: ("SALE", "Sales can still be adjusted."),
    RoundStep.OPEN: ("THE END", "Both sides reveal what they have left."),
    RoundStep.OVER: ("THE END", "Both sides reveal all, and the game is checked."),
}
"""The phase and what goes on while a step is pending, for a spectator."""
TOLD: Final = frozenset({RoundStep.PAY_TOLD, RoundStep.PLAN_TOLD, RoundStep.SALE_TOLD})
"""The steps in which double agents report."""
AS_PLANNED: Final = {RoundStep.MOVE: "All orders are revealed.", RoundStep.SALE: "Both sales are revealed."}
"""What goes on in a step where nobody can adjust anything."""
BY_ONE: Final = {RoundStep.PAY: ("pays", "agents"), RoundStep.SALE_PLAN: ("plans", "a sale")}
"""What a side does in secret in a step in which the other one may have nothing to choose."""
PLAYER_PHASES: Final = {
    RoundStep.PAY_TOLD: "PAY", RoundStep.PLAN: "MOVE", RoundStep.PLAN_TOLD: "MOVE",
    RoundStep.MOVE: "ADJUST", RoundStep.SALE_PLAN: "SALE", RoundStep.SALE_TOLD: "SALE", RoundStep.SALE: "ADJUST",
}  # fmt: skip
"""The names of phases for a player, where they differ."""
PATH: Final = {
    RoundStep.PAY: "pay", RoundStep.PAY_TOLD: "pay", RoundStep.PLAN: "move", RoundStep.PLAN_TOLD: "move",
    RoundStep.MOVE: "adjust", RoundStep.INSPECT: "move", RoundStep.SALE_PLAN: "sale", RoundStep.SALE_TOLD: "sale",
    RoundStep.SALE: "adjust",
}  # fmt: skip
"""Where each step stands on the path through a month, while it is pending."""
EVENT_PATH: Final = {
    "start": "", "month": "", "move": "move", "collect": "move", "UN": "move", "sum": "move", "adjust": "adjust",
    "sale": "sale", "end": "",
}  # fmt: skip
"""Where events stand there, by their labels; other events where their step stands."""
SALES: Final = frozenset({RoundStep.SALE_PLAN, RoundStep.SALE_TOLD, RoundStep.SALE})
HAPPENS: Final = {
    "start": "The game begins.",
    "move": "Both pay; the higher offer takes the diamonds.",
    "collect": "Both pay; the higher offer takes the diamonds.",
    "UN": "The Inspector seizes and freezes diamonds.",
    "sum": "The month at a glance.",
    "sale": "Sellers share $24; a side that sells nothing gets $18.",
    "month": "Diamonds appear in every region.",
    "report": "Double agents report.",
    "pay": "Both sides pay agents in secret.",
    "plan": "Both sides plan in secret.",
    "adjust": "A plan was adjusted.",
    "end": "The vaults are counted and final totals revealed.",
}
"""What the phase strip says of an event, by its label."""
MAP_ALONE: Final = "The map after the moves."
"""What it says there instead, while the card of the month is put away."""


class DiamondTrustView(BoardView[State, GameEvent]):
    """Both screens. They lie one above the other, or side by side, by the size of the terminal."""

    def __init__(self, names: Sequence[str], you: int | None) -> None:
        super().__init__(names, you)
        self.selection = Selection()
        self._narrator = Narrator(names, you)
        self._map_alone = False
        """Whether the player looks at the map without the card of the month."""
        self._at: Layout | None = None
        """Where the parts of both screens lie; None on a portrait screen."""

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, shown: Shown[State, GameEvent]) -> None:
        at = self._at = layout(canvas.width, canvas.height)
        moving = self._running(shown)
        state = moving[0].at(moving[1]) if moving is not None else shown.state
        if at.side:
            canvas.fill(*at.upper, "panel")
        upper_screen.draw_balances(canvas, at, self._header(state, shown))
        upper_screen.draw_card(canvas, at, self._card(shown))
        board = canvas.region(*at.board)
        scene = self._scene(state, shown, moving)
        lower_screen.draw_map(board, scene, self._legend(scene, shown))
        if (turned := _treason(shown)) is not None:
            lower_screen.light_place(board, *turned.place)
        summed = _summed(shown)
        if summed is not None and not self._map_alone:
            draw_month(board, summed, self.names, last=_at_end(shown))
        else:
            self._draw_docked(board, shown)
            if summed is not None:
                draw_map_buttons(board, last=_at_end(shown))
        if at.log is not None:
            log = canvas.region(*at.log)
            lower_screen.draw_log(log, self._log(shown, log.height), shown.talk if self.you is not None else None)

    portrait = True

    def draw_portrait(self, header: Canvas, body: Canvas, shown: Shown[State, GameEvent]) -> None:
        self._at = None
        moving = self._running(shown)
        state = moving[0].at(moving[1]) if moving is not None else shown.state
        upright_screen.draw_header(header, self._header(state, shown))
        rows = upright_screen.map_rows(body.height)
        width = min(body.width, WIDEST_UPRIGHT)
        board = body.region((body.width - width) // 2, 0, width, rows)
        lower_screen.draw_map(board, self._scene(state, shown, moving))
        if (turned := _treason(shown)) is not None:
            lower_screen.light_place(board, *turned.place)
        card = body.region(0, rows, body.width, body.height - rows)
        upright_screen.draw_card(card, self._card(shown), _form(shown), self.names)
        summed = _summed(shown)
        if summed is not None and not self._map_alone:
            draw_month_upright(body, summed, self.names)

    tall_rows = TALL_ROWS

    def draw_tall(self, canvas: Canvas, shown: Shown[State, GameEvent]) -> None:
        at = self._at = tall_layout()
        upper_screen.draw_balances(canvas, at, self._header(shown.state, shown))
        lower_screen.draw_map_in_parts(canvas, at.board, self._scene(shown.state, shown, None))
        upper_screen.draw_card(canvas, at, self._card(shown))

    def _legend(self, scene: Scene, shown: Shown[State, GameEvent]) -> Sequence[tuple[LineStyle, str]]:
        """Returns what the lines on the map mean, where nothing else stands there."""
        form = _form(shown)
        if (_summed(shown) is not None and not self._map_alone) or isinstance(form, SaleForm):
            return ()
        if form is None:
            return legend(scene)
        return () if form.stepper() is not None and not form.sealed else _planned_legend(form)

    def _draw_docked(self, board: Canvas, shown: Shown[State, GameEvent]) -> None:
        """Draws what lies on the map: the sale, or the stepper and the buttons."""
        form = _form(shown)
        if isinstance(form, SaleForm):
            lower_screen.draw_sale(board, form, self.names)
            return
        stepper = form.stepper() if form is not None and not form.sealed else None
        if stepper is not None:
            lower_screen.draw_stepper(board, stepper)
        if form is not None:
            lower_screen.draw_form_buttons(board, form.buttons())

    def draw_strip(self, canvas: Canvas, strip: Strip) -> None:
        assert self._at is not None, "the kit draws the strip of a portrait screen"
        upper_screen.draw_strip(canvas, self._at, strip)

    @staticmethod
    def _running(shown: Shown[State, GameEvent]) -> tuple[Frame, float] | None:
        return running(shown.last, shown.since) if shown.last is not None else None

    def _header(self, state: State, shown: Shown[State, GameEvent]) -> upper_screen.Header:
        form, notes = _form(shown), ["", ""]
        spent = 0
        if form is not None:
            spent, notes[form.seat] = form.cost(), form.spent()
        elif self.you is None and shown.live:
            notes = ["locked in" if seat in sealed(state, shown.waiting, SEATS) else "" for seat in range(SEATS)]
        return upper_screen.Header(state, self.names, self.you, (notes[0], notes[1]), spent, shown.result is not None)

    def _scene(self, state: State, shown: Shown[State, GameEvent], moving: tuple[Frame, float] | None) -> Scene:
        form, turned = _form(shown), hearts(state)
        if form is not None:
            frame = 0 if shown.calm else int(shown.now / WAVE)
            scene = populated(state, turned, self.selection.agent, form.payable(), frame)
            return replace(form.decorate(scene), focus=form.focus() if not form.sealed else None)
        last = shown.last
        if isinstance(last, AgentTurned):
            turned = turned | {(last.owner, last.agent)} if last.turned else turned - {(last.owner, last.agent)}
        scene = populated(state, turned, self.selection.agent)
        if last is not None and (shown.playing or shown.stepping):
            scene = annotated(scene, shown.past, moving is not None, self._narrator, self.selection.agent)
        return underway(scene, *moving) if moving is not None else scene

    def _card(self, shown: Shown[State, GameEvent]) -> InfoCard:
        state, form, chosen = shown.state, _form(shown), self.selection
        if form is not None:
            return current_card(state, self.you or 0, self.names, form, self._paid(shown))
        if chosen.inspector and 0 <= state.inspector < len(REGIONS):
            return inspector_card(state, self.names, state.inspector, True)
        if chosen.agent is not None:
            return agent_card(state, self.you, self.names, *chosen.agent)
        if shown.live and state.step is RoundStep.INSPECT:
            return inspector_card(state, self.names, state.inspector, True, choosing=True)
        if shown.last is not None and (shown.playing or shown.stepping):
            if (turned := _treason(shown)) is not None:
                return self._turned_card(turned)
            first, second, *rest = card_lines(shown.past, self._narrator)
            return story_card(first, second, *(rest or [self._last_sale(shown)]))
        return story_card(self._last_sale(shown), ())

    def _turned_card(self, turned: AgentTurned) -> InfoCard:
        """Returns the card beside the heart. Names are cut where a line would not fit on a small screen."""
        # The heart before the first line is drawn apart.
        head, *more = self._narrator.fitted(turned, LINE - upper_screen.HEART_ROOM + cell_width("♥ "))
        heading = (
            span._replace(fg="bright", bold=True) if span.fg == "soft" else span
            for span in colored(head.removeprefix("♥ "))
        )
        return replace(story_card(tuple(heading), colored(" ".join(more))), treason=True)

    def _last_sale(self, shown: Shown[State, GameEvent]) -> Spans:
        """Returns how the last sale ended, or the goal before the first one; nothing if there was none in the game."""
        return () if shown.result is not None and shown.state.sold is None else last_sale(shown.state, self.names)

    def _paid(self, shown: Shown[State, GameEvent]) -> list[tuple[Agent, int]]:
        """Returns the agents that the player has paid in this month, with the amount in dollars."""
        month = shown.state.round()
        return [
            ((event.owner, event.agent), event.amount)
            for event in shown.past
            if isinstance(event, AgentPaid) and event.seat == self.you and event.month == month
        ]

    def _log(self, shown: Shown[State, GameEvent], rows: int) -> list[tuple[int, str]]:
        """Returns what happened last, by months. That a month begins is one sentence: the map shows the rest."""
        recent = ((event, self._narrator.sentences(event)) for event in shown.past[-rows:])
        return [(event.month, sentence) for event, lines in recent for sentence in _for_log(event, lines)]

    def has_way_on(self, shown: Shown[State, GameEvent]) -> bool:
        return _summed(shown) is not None and not self._map_alone

    # -- in words ------------------------------------------------------------------------------------------------------

    def strip(self, shown: Shown[State, GameEvent], room: int) -> tuple[str, str]:
        if shown.result is not None:
            return "THE END", self._ended(shown.result)
        form = _form(shown)
        if form is not None:
            return form.phase, self._form_sentence(form, shown, room)
        last = shown.last
        if shown.live and self.you is None:
            return self._pending(shown, room)
        if shown.live:
            step = shown.state.step
            looks = step not in (RoundStep.MOVE, RoundStep.SALE) or _has_last_look(shown, shown.state)
            pending = PENDING[step][0]
            return PLAYER_PHASES.get(step, pending) if looks else pending, self._idle(shown, room)
        if last is None:
            return "START", "The game begins."
        if (turned := _treason(shown)) is not None:
            return "REVEAL", _what_changed(turned, self.you)
        if isinstance(last, AgentTold) and self.you is not None and last.bribed:
            marks = join_names([badge(self.you, agent) for agent in last.bribed])
            return "REVEAL", f"{badge(last.owner, last.agent)} reports: it bribed {marks}."
        if isinstance(last, AgentTold) and not last.payload:
            return "REVEAL", f"{'Your bribes' if last.seat == self.you else 'Bribes'} are not enough."
        if self._map_alone and _summed(shown) is not None:
            return PHASES[label(last)], MAP_ALONE
        kind = label(last)
        planned = kind == "plan" and self.you is not None
        phase = PATH[last.played.step].upper() if planned else PHASES.get(kind, kind.upper())
        if not explains(shown.state) and kind != "end":
            return phase, ""
        one = self._by_one(last.played.before) if isinstance(last, AgentPaid | PlanMade | ChoicesSealed) else ""
        return phase, one or HAPPENS[kind]

    def _ended(self, result: Result) -> str:
        who, why = outcome(result, self.names, self.you)
        return f"{who}{' ' if why.startswith('by ') else ': '}{why}."

    def _form_sentence(self, form: TrustForm, shown: Shown[State, GameEvent], room: int) -> str:
        at, room = self._at, sentence_room(room, form.phase)
        if at is not None and (at.side or form.timed):
            beside_clock = upper_screen.sentence_room(at, form.phase, upper_screen.CLOCK)
            room = beside_clock if at.side else min(room, beside_clock)
        if form.refusal:
            return as_sentence(form.refusal)
        if not form.sealed:
            form.late = shown.late or shown.unobserved
            return form.sentence(room)
        if form.timed:
            return "Done. Waiting for the clock to run out." if form.times.fixed else SEEMS_TO_ADJUST
        return form.locked_in if len(form.locked_in) <= room else form.locked_in_short

    def _pending(self, shown: Shown[State, GameEvent], room: int) -> tuple[str, str]:
        state = shown.state
        phase, text = PENDING[state.step][0], self._pending_text(shown)
        mover = state.moved.inspector_mover if state.moved is not None else None
        if state.step is RoundStep.INSPECT and mover is not None:
            text = self._mover_decides(self.names[mover], room)
        return phase, text

    def _idle(self, shown: Shown[State, GameEvent], room: int) -> str:
        """Returns what happens while the player has nothing to choose."""
        state, rival = shown.state, self._rival
        if state.step is RoundStep.INSPECT:
            return self._mover_decides(rival, room)
        if state.step is RoundStep.INSPECTOR:
            return "The Inspector’s first region is drawn at random."
        if state.step is RoundStep.SALE_PLAN and self.you is not None and not state.vault[self.you]:
            return "You have no diamonds to sell."
        ask, times = state.ask(), adjust_times(shown.options)
        seat = other(self.you or 0)
        if times.most and state.step in (RoundStep.MOVE, RoundStep.SALE) and _has_last_look(shown, state):
            if times.fixed:
                return EQUAL_WAIT
            return WAIT_HIDES if cell_width(WAIT_HIDES) <= self._sentence_room(room, "ADJUST") else WAIT_IN_SHORT
        if not isinstance(ask, Result) and seat in shown.waiting and space_for(ask, seat) is not None:
            return "Nothing for you to do."
        return "Double agents report." if state.step in TOLD else self._pending_text(shown)

    def _mover_decides(self, who: str, room: int) -> str:
        """Says whose bribe decides where the Inspector goes."""
        text = f"{who} decides where the Inspector goes."
        return text if cell_width(text) <= self._sentence_room(room, "INSPECTOR") else f"{who} moves the Inspector."

    def _pending_text(self, shown: Shown[State, GameEvent]) -> str:
        """Returns what goes on while a step is pending."""
        step = shown.state.step
        if one := self._by_one(shown.state):
            return one
        if step in AS_PLANNED and not _has_last_look(shown, shown.state):
            return AS_PLANNED[step] if len(choosing(shown.state)) > 1 else "The sale is revealed."
        return PENDING[step][1]

    def _by_one(self, state: State) -> str:
        """Returns what goes on in a step in which not both sides have something to choose; empty if both have."""
        seats = choosing(state)
        if state.step in (RoundStep.SALE_PLAN, RoundStep.SALE) and not seats:
            return NONE_TO_SELL
        if state.step not in BY_ONE or len(seats) != 1:
            return ""
        verb, what = BY_ONE[state.step]
        who = subject([short_name(self.names, seat, NAME_ROOM) for seat in range(SEATS)], seats[0], self.you)
        return f"{who} {who.does(verb)} {what} in secret."

    def _sentence_room(self, room: int, phase: str) -> int:
        """Returns the columns for a sentence in the strip: at the side it has rows of its own."""
        if self._at is None or not self._at.side:
            return sentence_room(room, phase)
        return upper_screen.sentence_room(self._at, phase, "")

    @property
    def _rival(self) -> str:
        return short_name(self.names, other(self.you or 0), NAME_ROOM)

    def note(self, shown: Shown[State, GameEvent]) -> str:
        if self.you is None:
            return f"{self.names[0]} and {self.names[1]}"
        return month_path(shown) if shown.result is None else ""

    def your_turn(self, shown: Shown[State, GameEvent]) -> tuple[str, Color]:
        if isinstance(shown.form, InspectorForm):
            return f"{self._rival} is waiting for you", "soft"
        if other(self.you or 0) in shown.waiting:
            # Both choose at once, and the other one may still be reading about the previous game.
            return "your turn", "ok"
        return f"{self._rival} is done ✓", "ok"

    def help(self, shown: Shown[State, GameEvent]) -> Help:
        return help_text.for_step(shown.state.step, adjust_times(shown.options), shown.unobserved)

    # -- looking around ------------------------------------------------------------------------------------------------

    def hints(self, shown: Shown[State, GameEvent]) -> Sequence[Hint]:
        card = [Hint("a", "card" if self._map_alone else "map")] if _summed(shown) is not None else []
        return [*card, Hint("Tab", "agents")] if shown.form is None else []

    def key(self, name: str, shown: Shown[State, GameEvent], ui: Ui) -> bool:
        match name:
            case "tab" | "s-tab":
                agents = all_agents(self.you or 0)
                self.selection.look_at(self.selection.next(agents, 1 if name == "tab" else -1))
                return True
            case "a" if _summed(shown) is not None:
                self._map_alone = not self._map_alone
                return True
            case "esc":
                return self.selection.clear()
        return False

    def click(self, action: Action, x: int, y: int, shown: Shown[State, GameEvent]) -> bool:
        match action:
            case ("agent", int(seat), int(agent)) | ("tag", int(seat), int(agent), _):
                self.selection.toggle((seat, agent))
            case ("inspector",):
                self.selection.toggle_inspector()
            case ("region" | "home", int()) if self._map_alone:
                self._map_alone = False
            case _:
                return False
        return True

    def on_position_changed(self) -> None:
        self.selection.clear()
        self._map_alone = False

    def next_frame(self, shown: Shown[State, GameEvent]) -> float | None:
        form = _form(shown)
        if shown.calm or form is None or not form.payable():
            return None
        return (math.floor(shown.now / WAVE) + 1) * WAVE


def _form(shown: Shown[State, GameEvent]) -> TrustForm | None:
    return shown.form if isinstance(shown.form, TrustForm) else None


def _for_log(event: GameEvent, lines: Sequence[str]) -> Sequence[str]:
    """Returns what the log beside the map says of an event, whose sentences are `lines`."""
    match event:
        case MonthBegun():
            return lines[:1]
        case MonthSummed():
            return (" ".join(lines),)
    return lines


def _summed(shown: Shown[State, GameEvent]) -> MonthSummed | None:
    """Returns the month whose card lies over the map."""
    last = shown.last
    return last if isinstance(last, MonthSummed) and (shown.playing or shown.stepping) else None


def _at_end(shown: Shown[State, GameEvent]) -> bool:
    """Returns whether no key leads on from here: a replay, or a game being watched, has no further event."""
    return shown.stepping and shown.at == len(shown.events)


def _treason(shown: Shown[State, GameEvent]) -> AgentTurned | None:
    """Returns the agent whose treason, or loyalty, is being shown."""
    last = shown.last
    return last if isinstance(last, AgentTurned) and (shown.playing or shown.stepping) else None


def _what_changed(event: AgentTurned, you: int | None) -> str:
    """Returns what the phase strip says of a treason."""
    if event.seat == you:
        return "Your bribe worked." if event.turned else "An agent has stopped reporting to you."
    if not event.turned:
        return f"An agent {'seems to be' if event.owner == you else 'is'} loyal again."
    known = event.played.after.known[event.owner]
    briber = known.bribers[event.agent] if event.owner == you and isinstance(known, Knowledge) else None
    if briber is None:
        return "An agent has been won over."
    return f"{badge(other(event.owner), briber)} reports: {badge(event.owner, event.agent)} has been won over."


def _planned_legend(form: TrustForm) -> tuple[tuple[LineStyle, str], ...]:
    """Returns what the lines of a plan mean: those on the map."""
    drawn = {trip.line for trip in form.decorate(_EMPTY).trips} if isinstance(form, MoveForm) else set()
    meanings = ((LineStyle(form.seat), "your plan"), (LineStyle.TOLD, "revealed by ♥"))
    return tuple((line, meaning) for line, meaning in meanings if line in drawn)


def month_path(shown: Shown[State, GameEvent]) -> str:
    """Returns the phases of the month, that of the strip in capitals: "PAY > move > adjust > sale".

    All of it is public, except where a player alone has no last look unless an agent tells something: then it says what
    the player knows.
    """
    state, event = shown.state, None if shown.live else shown.last
    before, step = (state, state.step) if event is None else (event.played.before, event.played.step)
    now = PATH.get(step, "")
    if event is not None:
        now = EVENT_PATH.get(label(event), now)
    phases = ["pay", "move", *(["sale"] if state.months_left else [])]
    if _has_last_look(shown, before):
        # A move and a sale each have their own last look.
        phases.insert(3 if step in SALES else 2, "adjust")
    elif now == "adjust":
        now = "sale" if step in SALES else "move"
    return " > ".join(phase.upper() if phase == now else phase for phase in phases)


def _has_last_look(shown: Shown[State, GameEvent], state: State) -> bool:
    """Returns whether the move or the sale of a state has a last look, or may have one."""
    looks = state.sale_looks() if state.step in SALES else state.anyone_met()
    if shown.you is None or not shown.unobserved or shown.options.get("last_look"):
        return looks
    return looks and state.may_look(shown.you)


def hearts(state: State) -> frozenset[Agent]:
    """Returns the agents that are known to be turned."""
    return frozenset(
        (seat, agent) for seat in range(SEATS) for agent in range(AGENTS) if knows_turned(state, seat, agent)
    )


def populated(
    state: State,
    turned: frozenset[Agent],
    chosen: Agent | None = None,
    waving: frozenset[Agent] = frozenset(),
    frame: int = 0,
) -> Scene:
    """Returns a map with everybody where a state has them."""
    pieces = tuple(
        Piece(
            seat,
            agent,
            place,
            waving=(seat, agent) in waving,
            heart=(seat, agent) in turned,
            chosen=(seat, agent) == chosen,
            carries=carries,
        )
        for seat in range(SEATS)
        for agent, (place, carries) in enumerate(state.agents[seat])
    )
    return Scene(state.diamonds, state.vault, state.inspector, pieces, frame=frame)


def underway(scene: Scene, frame: Frame, seconds: float) -> Scene:
    """Returns the map while somebody is on a trip."""
    if frame.trip is None:
        return scene
    progress = min(1.0, seconds / frame.seconds)
    flying = None if frame.trip.inspector else (frame.trip.seat, frame.trip.agent)
    pieces = tuple(
        replace(piece, faded=True, heart=False) if (piece.seat, piece.agent) == flying else piece
        for piece in scene.pieces
    )
    return replace(scene, pieces=pieces, trips=(*scene.trips, replace(frame.trip, progress=progress)))


_EMPTY: Final = populated(State(), frozenset())
