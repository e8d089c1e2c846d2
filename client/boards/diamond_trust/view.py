"""The game in play, at one seat of a table."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final

from kimberley.client.boards.api import BoardScreen
from kimberley.client.boards.diamond_trust import help_text
from kimberley.client.boards.diamond_trust.agent_card import story_card
from kimberley.client.boards.diamond_trust.current_card import current_card
from kimberley.client.boards.diamond_trust.form import Agent, TrustForm
from kimberley.client.boards.diamond_trust.form_inspector import InspectorForm
from kimberley.client.boards.diamond_trust.form_last_look import LastLookForm
from kimberley.client.boards.diamond_trust.form_move import MoveForm
from kimberley.client.boards.diamond_trust.form_pay import PayForm
from kimberley.client.boards.diamond_trust.form_sale import SaleForm
from kimberley.client.boards.diamond_trust.frames import Display, display, frames_between
from kimberley.client.boards.diamond_trust.layout import layout
from kimberley.client.boards.diamond_trust.phrases import agent_mark, look_over
from kimberley.client.boards.diamond_trust.picture import Picture, draw_picture, hearts, playing, populated
from kimberley.client.boards.diamond_trust.playback import FRAME, PlaybackQueue
from kimberley.client.boards.diamond_trust.scene import LineStyle
from kimberley.client.boards.diamond_trust.upper_screen import Header, StripContent, sentence_room
from kimberley.client.session.notices import players_and_assurance
from kimberley.client.session.participants import choosing_seats
from kimberley.client.session.ports import TableLike
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width, clean, truncate
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Help, Ui
from kimberley.client.ui.widgets import Hint
from kimberley.games.diamond_trust.angola import HOMES, Orders, other
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Ask, Plain
from kimberley.protocol.play import NotAllowed

TITLE: Final = "Diamond Trust of London"
SEALED: Final = "Sealed. Nobody sees it until both are done."
BLINK: Final = 0.5
"""Seconds of the one blink of a heart that is new."""
WAVE: Final = 0.5
COUNTDOWN: Final = 0.25
"""Seconds a frame: of waving, of the countdown."""

_SHOWN_IN: Final[dict[type[TrustForm], frozenset[RoundStep]]] = {
    PayForm: frozenset({RoundStep.PAY}),
    MoveForm: frozenset({RoundStep.PLAN, RoundStep.PLAN_TOLD, RoundStep.MOVE}),
    LastLookForm: frozenset({RoundStep.MOVE}),
    InspectorForm: frozenset({RoundStep.INSPECT}),
    SaleForm: frozenset({RoundStep.SALE_PLAN, RoundStep.SALE_TOLD, RoundStep.SALE}),
}
"""The steps in which a form stays on the screen, sealed, after its choice was made."""


class PlayingScreen(BoardScreen):
    """Plays a game at a table. All it knows comes from the table's story, folded step by step."""

    def __init__(self, table: TableLike, ui: Ui) -> None:
        super().__init__(table, ui)
        self._seat = table.seat
        self._names = tuple(clean(name) or HOMES[seat] for seat, name in enumerate(table.names))
        self._state = State()
        self._seen = 0
        self._form: TrustForm | None = None
        self._form_step: int | None = None
        self._spent_note = ""
        self._playback = PlaybackQueue(ui.calm)
        self._log: list[tuple[int, str]] = []
        self._paid: list[tuple[Agent, int]] = []
        self._new_hearts: tuple[frozenset[Agent], float] = (frozenset(), -math.inf)
        self._refresh(animate=False)

    def opened(self) -> None:
        super().opened()
        self._refresh(animate=True)

    def busy(self, now: float) -> bool:
        return self._playback.current(now) is not None

    # -- following the table -----------------------------------------------------------------------------------------

    def on_event(self, event: Any) -> None:
        del event
        self._refresh(animate=True)

    def _refresh(self, *, animate: bool) -> None:
        """Takes up what the story has got since, then what is asked."""
        peer = self._table.peer
        if peer is None:
            return
        for ask, answer in peer.story[self._seen :]:
            self._seen += 1
            if ask.last_look and animate:
                self._look_over(ask.standing_choice(self._seat), answer[self._seat])
            before, self._state = self._state, self._state.apply(answer)
            shown = frames_between(before, self._state, self._seat, self._names)
            self._log += [(before.round(), frame.log) for frame in shown if frame.log]
            if before.step is RoundStep.PAY and isinstance(answer[self._seat], tuple):
                self._note_paid(before, answer[self._seat])
            elif self._state.step in (RoundStep.PAY, RoundStep.PAY_TOLD) and before.step is RoundStep.SALE:
                self._paid = []
            self._note_hearts(before, animate)
            if animate:
                self._playback.add(shown)
        if self._form is not None and self._state.step not in _SHOWN_IN[type(self._form)]:
            self._form = None
        asked = peer.asked
        if asked is not None and asked.step != self._form_step:
            self._form_step = asked.step
            self._open_form(asked.ask)

    def _look_over(self, plan: Plain, stood: Plain) -> None:
        """Says what counts, to a player who had not pressed Done."""
        form = self._form
        if isinstance(form, LastLookForm | SaleForm) and not form.locked:
            self.ui.toast(look_over(plan, stood, form.choice()))

    def _note_paid(self, before: State, amounts: tuple[int, ...]) -> None:
        slots = before.slots(self._seat)
        rival = other(self._seat)
        self._paid = [
            ((rival if slot.bribe else self._seat, slot.agent), amount)
            for slot, amount in zip(slots, amounts, strict=True)
            if amount
        ]

    def _note_hearts(self, before: State, blink: bool) -> None:
        new = hearts(self._state, self._seat) - hearts(before, self._seat)
        if new:
            if blink:
                self._new_hearts = (new, self.ui.now())
            self._log += [(self._state.round(), f"{agent_mark(*agent).text}♥ is turned") for agent in sorted(new)]

    @property
    def _last_look_seconds(self) -> int:
        seconds = self._table.options.get("last_look", 0)
        return seconds if isinstance(seconds, int) else 0

    def _open_form(self, ask: Ask) -> None:
        """Opens the form for what is asked. Where no last look is due, the plan is handed in at once."""
        state, seat = self._state, self._seat
        timed = self._last_look_seconds > 0
        look = ask.last_look
        match state.step:
            case RoundStep.PAY:
                self._form = PayForm(state, seat)
            case RoundStep.PLAN:
                self._form = MoveForm(state, seat)
            case RoundStep.MOVE:
                plan = state.plan[seat]
                assert isinstance(plan, tuple)
                form: TrustForm = LastLookForm(state, seat, plan, state.right[seat] is True, timed)
                self._form = self._looked(look, form, plan)
            case RoundStep.INSPECT:
                self._form = InspectorForm(state, seat)
            case RoundStep.SALE_PLAN:
                self._form = SaleForm(state, seat)
            case RoundStep.SALE:
                number = state.sale_plan[seat]
                assert isinstance(number, int)
                form = SaleForm(state, seat, number, state.right[seat] is not True, timed)
                self._form = self._looked(look, form, number)

    def _looked(self, look: bool, form: TrustForm, plan: Orders | int) -> TrustForm | None:
        """The form of a last look. Where none is due, the plan is handed in, and the form before it stays, sealed."""
        if look:
            return form
        self._table.choose(plan)
        return self._form

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        draw_picture(canvas, self._picture(canvas, now))

    def _picture(self, canvas: Canvas, now: float) -> Picture:
        running = self._playback.current(now)
        turned = self._hearts_at(now)
        peer = self._table.peer
        form = self._form
        note = self._note()
        talk = [(self._names[said.seat], clean(said.text)) for said in list(self._table.talk)[-40:]]
        if running is not None:
            frame, seconds = running
            waiting = f"{self._playback.left} to go   Space skips"
            return Picture(
                title=TITLE,
                note=note,
                header=Header(frame.at(seconds), self._names, self._seat),
                card=story_card(*frame.captions),
                strip=StripContent(_PHASES[frame.step], _HAPPENS[frame.step], waiting),
                scene=playing(frame, seconds, turned),
                hints=[Hint("Space", "skip to the end"), Hint("F10", "menu"), Hint("F1", "help")],
                legend=_LINES if frame.lines or frame.trip else (),
                log=self._log,
                talk=talk,
            )
        shown = display(self._state, self._seat)
        waiting, waiting_fg = self._waiting(now)
        legend: tuple[tuple[LineStyle, str], ...] = ()
        scene = populated(shown, turned, None, frozenset(), 0)
        hints = [Hint("F1", "help")]
        notes = ["", ""]
        if form is not None:
            scene = populated(shown, turned, form.looked_at, form.payable(), 0 if self.ui.calm else int(now / WAVE))
            scene = replace(form.decorate(scene), focus=form.focus() if not form.locked else None)
            shown = self._planned(shown, form)
            notes[self._seat] = form.spent()
            legend = self._legend(form)
            if not form.locked:
                hints = [*form.hints(), *([Hint("c", "chat")] if canvas.width >= 100 else []), *hints]
        at = layout(canvas.width, canvas.height)
        open_form = form is not None and not form.locked and (peer is None or peer.result is None)
        choosing = form is not None and form.stepper() is not None
        return Picture(
            title=TITLE,
            note=note,
            header=Header(shown, self._names, self._seat, (notes[0], notes[1])),
            card=current_card(self._state, self._seat, self._names, form, self._paid),
            strip=self._strip(at, waiting, waiting_fg, now),
            scene=scene,
            hints=hints,
            stepper=form.stepper() if form is not None and not form.locked else None,
            sale=form if isinstance(form, SaleForm) else None,
            done="Done" if open_form else None,
            undo="Undo" if open_form and form is not None and form.undoable() else None,
            legend=() if choosing else legend,
            log=self._log,
            talk=talk,
        )

    def _note(self) -> str:
        """Who plays, and whether they know that nobody sits in between."""
        return players_and_assurance(self._table, self._names)

    def _hearts_at(self, now: float) -> frozenset[Agent]:
        """The hearts to draw; a new one blinks once."""
        new, since = self._new_hearts
        turned = hearts(self._state, self._seat)
        age = now - since
        return turned - new if BLINK / 3 <= age < 2 * BLINK / 3 and not self.ui.calm else turned

    def _planned(self, shown: Display, form: TrustForm) -> Display:
        """A position with the player's cash less what the choice costs as it stands."""
        cash = list(shown.cash)
        cash[self._seat] = form.cash() - form.cost()
        return replace(shown, cash=tuple(cash))

    def _legend(self, form: TrustForm) -> tuple[tuple[LineStyle, str], ...]:
        if not isinstance(form, MoveForm) or not form.decorate(_EMPTY).trips:
            return ()
        own = (LineStyle(self._seat), "your plan")
        return (own, (LineStyle.TOLD, "told by ♥")) if isinstance(form, LastLookForm) and form.told() else (own,)

    def _waiting(self, now: float) -> tuple[str, Color]:
        """Whom the game waits for."""
        peer, form = self._table.peer, self._form
        rival = truncate(self._names[other(self._seat)], 14)
        if peer is None or peer.result is not None:
            return "", "soft"
        if (timed := self.waits.timed(now, 28)) is not None:
            return timed
        if isinstance(form, InspectorForm) and not form.locked:
            return f"{rival} waits for you", "soft"
        if self._table.away or other(self._seat) in peer.waiting:
            return self.waits.strip_text(now, 28)
        if form is not None and not form.locked:
            return f"{rival} is done ✓", "ok"
        return "…", "soft"

    def _strip(self, at: Any, waiting: str, waiting_fg: Color, now: float) -> StripContent:
        form, peer = self._form, self._table.peer
        if peer is not None and peer.result is not None:
            return StripContent("THE END", "Both sides reveal everything, and the game is proven.", "")
        if form is None:
            phase = _PHASES[self._state.step]
            return StripContent(phase, self._idle(sentence_room(at, phase, waiting)), waiting, waiting_fg)
        title = "LAST LOOK" if isinstance(form, SaleForm) and form.last_look else form.title
        until = self._table.final_adjustment_until
        countdown = None
        if title == "LAST LOOK" and until is not None:
            countdown = (min(max(0.0, until - now), self._last_look_seconds), float(self._last_look_seconds))
        room = sentence_room(at, title, " " * 13 if countdown else waiting)
        if form.locked:
            sealed = SEALED if len(SEALED) <= room else "Sealed until both are done."
            sentence = "Done. The time runs out for both." if countdown else sealed
        else:
            sentence = form.sentence(room)
        return StripContent(title, sentence, waiting, waiting_fg, countdown)

    def _idle(self, room: int) -> str:
        """What happens while there is nothing to choose, in at most `room` columns where possible."""
        rival = truncate(self._names[other(self._seat)], 14)
        if self._state.step is RoundStep.INSPECT:
            text = f"{rival} paid the Inspector more and decides where he goes."
            return text if cell_width(text) <= room else f"{rival} moves the Inspector."
        if self._state.step is RoundStep.INSPECTOR:
            return "Both sides draw lots for the Inspector’s first region."
        peer = self._table.peer
        if peer is not None and choosing_seats(self._table, [other(self._seat)]) and other(self._seat) in peer.waiting:
            return f"Nothing for you to do: {rival} is choosing."
        return "Turned agents tell what they know."

    # -- keys and the mouse ------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        form = self._form
        if form is None:
            return False
        match name:
            case "d":
                return self._done()
            case "u":
                handled = form.undo()
            case _:
                handled = form.key(name)
        self._stand()
        return handled

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del x, y, button
        if self._form is None:
            return False
        handled = self._form.click(action)
        self._stand()
        return handled

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        if self._form is None or self._form.locked:
            return False
        handled = self._form.wheel(steps)
        self._stand()
        return handled

    def skip(self, now: float) -> bool:
        return self._playback.current(now) is not None and self._playback.skip()

    def _done(self) -> bool:
        form = self._form
        if form is None or form.locked:
            return False
        question = form.question()
        if question is None:
            self._choose(form)
        else:
            self.ui.confirm("Done?", question, "Finish", "Keep going", lambda: self._choose(form))
        return True

    def _choose(self, form: TrustForm) -> None:
        """Hands the choice to the table. If the table refuses it, the player reads why, and the form stays open."""
        if form is not self._form or form.locked or not self._stand(final=True):
            return
        form.locked = True
        self.ui.redraw()

    def _stand(self, *, final: bool = False) -> bool:
        """Where the clock ends a last look, the choice as it stands goes to the table at every change."""
        form = self._form
        timed = isinstance(form, LastLookForm | SaleForm) and form.timed
        if form is None or form.locked or not (final or timed):
            return False
        try:
            self._table.choose(form.choice())
        except NotAllowed as error:
            if final:
                self.ui.toast(str(error), bad=True)
            return False
        return True

    # -- clocks, help --------------------------------------------------------------------------------------------------

    def next_frame(self, now: float) -> float | None:
        if self._playback.current(now) is not None:
            return now + FRAME
        form = self._form
        waits = self.waits.next_frame(now)
        due: list[float] = [] if waits is None else [waits]
        if not self.ui.calm:
            if now - self._new_hearts[1] < BLINK:
                due.append(now + BLINK / 3)
            if form is not None and form.payable():
                due.append((math.floor(now / WAVE) + 1) * WAVE)
        if self._table.final_adjustment_until is not None and now < self._table.final_adjustment_until:
            due.append((math.floor(now / COUNTDOWN) + 1) * COUNTDOWN)
        return min(due, default=None)

    def help(self) -> Help:
        return help_text.for_step(self._state.step, self._last_look_seconds)


_EMPTY: Final = populated(display(State(), 0), frozenset(), None, frozenset(), 0)
_LINES: Final = ((LineStyle.LONDON, "London"), (LineStyle.ANTWERP, "Antwerp"))
_PHASES: Final = {
    RoundStep.INSPECTOR: "START",
    RoundStep.PAY: "PAY",
    RoundStep.PAY_TOLD: "PAY",
    RoundStep.PLAN: "MOVE",
    RoundStep.PLAN_TOLD: "MOVE",
    RoundStep.MOVE: "MOVE",
    RoundStep.INSPECT: "INSPECTOR",
    RoundStep.SALE_PLAN: "SALE",
    RoundStep.SALE_TOLD: "SALE",
    RoundStep.SALE: "SALE",
    RoundStep.OPEN: "THE END",
    RoundStep.OVER: "THE END",
}
_HAPPENS: Final = {
    RoundStep.INSPECTOR: "The game begins.",
    RoundStep.MOVE: "Both pay; the higher offer gets the diamonds.",
    RoundStep.INSPECT: "The Inspector confiscates and blocks sales.",
    RoundStep.SALE: "The sale, and a new month.",
}
