"""The game in play, at one seat of a table."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final

from client.board import BoardScreen
from client.boards.diamond_trust import helps
from client.boards.diamond_trust.arrange import arrange
from client.boards.diamond_trust.atlas import Line
from client.boards.diamond_trust.beats import Display, beats, display
from client.boards.diamond_trust.desk import Agent, Desk
from client.boards.diamond_trust.desk_move import LastLookDesk, MoveDesk
from client.boards.diamond_trust.desk_pay import PayDesk
from client.boards.diamond_trust.desk_rest import InspectorDesk, SaleDesk
from client.boards.diamond_trust.frame import Frame, draw_frame, hearts, playing, populated
from client.boards.diamond_trust.moment import card_at
from client.boards.diamond_trust.papers import story_card
from client.boards.diamond_trust.phrases import agent_mark, look_over
from client.boards.diamond_trust.reel import FRAME, Reel
from client.boards.diamond_trust.upper import Header, Strip, sentence_room
from client.canvas import Action, Canvas
from client.glyphs import clean, fitted
from client.palette import Colour
from client.screen import Help, Ui
from client.seats import TableLike
from client.widgets import Hint
from games.diamond_trust.angola import HOMES, Orders, other
from games.diamond_trust.position import Step
from games.diamond_trust.rules import State
from games.table import Plain, Together, standing
from protocol.play import Refused

TITLE: Final = "Diamond Trust of London"
BLINK: Final = 0.5
"""Seconds of the one blink of a heart that is new."""
WAVE: Final = 0.5
COUNTDOWN: Final = 0.25
"""Seconds a frame: of waving, of the countdown."""

_SHOWN_IN: Final[dict[type[Desk], frozenset[Step]]] = {
    PayDesk: frozenset({Step.PAY}),
    MoveDesk: frozenset({Step.PLAN, Step.PLAN_TOLD, Step.MOVE}),
    LastLookDesk: frozenset({Step.MOVE}),
    InspectorDesk: frozenset({Step.INSPECT}),
    SaleDesk: frozenset({Step.SALE_PLAN, Step.SALE_TOLD, Step.SALE}),
}
"""The steps in which a desk stays on the screen, sealed, after its choice was made."""


class GameScreen(BoardScreen):
    """Plays a game at a table. All it knows comes from the table's story, folded step by step."""

    def __init__(self, table: TableLike, ui: Ui) -> None:
        super().__init__(table, ui)
        self._seat = table.seat
        self._names = tuple(clean(name) or HOMES[seat] for seat, name in enumerate(table.names))
        self._state = State()
        self._seen = 0
        self._desk: Desk | None = None
        self._desk_step: int | None = None
        self._spent_note = ""
        self._reel = Reel(ui.calm)
        self._log: list[tuple[int, str]] = []
        self._paid: list[tuple[Agent, int]] = []
        self._new_hearts: tuple[frozenset[Agent], float] = (frozenset(), -math.inf)
        self._follow(animate=False)

    def opened(self) -> None:
        super().opened()
        self._follow(animate=True)

    def busy(self, now: float) -> bool:
        return self._reel.current(now) is not None

    # -- following the table -----------------------------------------------------------------------------------------

    def heard(self, event: Any) -> None:
        del event
        self._follow(animate=True)

    def _follow(self, *, animate: bool) -> None:
        """Takes up what the story has got since, then what is asked."""
        peer = self._table.peer
        if peer is None:
            return
        for ask, answer in peer.story[self._seen :]:
            self._seen += 1
            if isinstance(ask, Together) and ask.last_look and animate:
                self._look_over(standing(ask, self._seat), answer[self._seat])
            before, self._state = self._state, self._state.tell(answer)
            shown = beats(before, self._state, self._seat, self._names)
            self._log += [(before.round(), beat.log) for beat in shown if beat.log]
            if before.step is Step.PAY and isinstance(answer[self._seat], tuple):
                self._note_paid(before, answer[self._seat])
            elif self._state.step in (Step.PAY, Step.PAY_TOLD) and before.step is Step.SALE:
                self._paid = []
            self._note_hearts(before, animate)
            if animate:
                self._reel.add(shown)
        if self._desk is not None and self._state.step not in _SHOWN_IN[type(self._desk)]:
            self._desk = None
        asked = peer.asked
        if asked is not None and asked.step != self._desk_step:
            self._desk_step = asked.step
            self._open_desk(asked.ask)

    def _look_over(self, plan: Plain, stood: Plain) -> None:
        """Says what counts, to who had not said that it was done."""
        desk = self._desk
        if isinstance(desk, LastLookDesk | SaleDesk) and not desk.locked:
            self.ui.toast(look_over(plan, stood, desk.choice()))

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

    def _open_desk(self, ask: object) -> None:
        """The desk for what is asked; a last look without a right that could exist is answered without one."""
        state, seat = self._state, self._seat
        timed = self._last_look_seconds > 0
        look = isinstance(ask, Together) and ask.last_look
        match state.step:
            case Step.PAY:
                self._desk = PayDesk(state, seat)
            case Step.PLAN:
                self._desk = MoveDesk(state, seat)
            case Step.MOVE:
                plan = state.plan[seat]
                assert isinstance(plan, tuple)
                desk: Desk = LastLookDesk(state, seat, plan, state.right[seat] is True, timed)
                self._desk = self._looked(look, desk, plan)
            case Step.INSPECT:
                self._desk = InspectorDesk(state, seat)
            case Step.SALE_PLAN:
                self._desk = SaleDesk(state, seat)
            case Step.SALE:
                number = state.sale_plan[seat]
                assert isinstance(number, int)
                desk = SaleDesk(state, seat, number, state.right[seat] is not True, timed)
                self._desk = self._looked(look, desk, number)

    def _looked(self, look: bool, desk: Desk, plan: Orders | int) -> Desk | None:
        """The desk of a last look; where none is due the plan is handed in, and the former desk stays, sealed."""
        if look:
            return desk
        self._table.choose(plan)
        return self._desk

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        draw_frame(canvas, self._frame(canvas, now))

    def _frame(self, canvas: Canvas, now: float) -> Frame:
        running = self._reel.current(now)
        turned = self._hearts_at(now)
        peer = self._table.peer
        desk = self._desk
        note = self._note()
        talk = [(self._names[said.seat], clean(said.text)) for said in list(self._table.talk)[-40:]]
        if running is not None:
            beat, seconds = running
            waiting = f"{self._reel.left} to go   Space skips"
            return Frame(
                title=TITLE,
                note=note,
                header=Header(beat.at(seconds), self._names, self._seat),
                card=story_card(*beat.told),
                strip=Strip(_PHASES[beat.step], _HAPPENS[beat.step], waiting),
                scene=playing(beat, seconds, turned),
                hints=[Hint("Space", "skip to the end"), Hint("F10", "menu"), Hint("F1", "help")],
                legend=_LINES if beat.lines or beat.trip else (),
                log=self._log,
                talk=talk,
            )
        shown = display(self._state, self._seat)
        waiting, waiting_fg = self._waiting(now)
        legend: tuple[tuple[Line, str], ...] = ()
        scene = populated(shown, turned, None, frozenset(), 0)
        hints = [Hint("F1", "help")]
        notes = ["", ""]
        if desk is not None:
            scene = populated(shown, turned, desk.looked_at, desk.payable(), 0 if self.ui.calm else int(now / WAVE))
            scene = replace(desk.decorate(scene), focus=desk.focus() if not desk.locked else None)
            shown = self._planned(shown, desk)
            notes[self._seat] = desk.spent()
            legend = self._legend(desk)
            if not desk.locked:
                hints = [*desk.hints(), *([Hint("c", "chat")] if canvas.width >= 100 else []), *hints]
        at = arrange(canvas.width, canvas.height)
        open_desk = desk is not None and not desk.locked and (peer is None or peer.result is None)
        choosing = desk is not None and desk.stepper() is not None
        return Frame(
            title=TITLE,
            note=note,
            header=Header(shown, self._names, self._seat, (notes[0], notes[1])),
            card=card_at(self._state, self._seat, self._names, desk, self._paid),
            strip=self._strip(at, waiting, waiting_fg, now),
            scene=scene,
            hints=hints,
            stepper=desk.stepper() if desk is not None and not desk.locked else None,
            sale=desk if isinstance(desk, SaleDesk) else None,
            done="Done" if open_desk else None,
            undo="Undo" if open_desk and desk is not None and desk.undoable() else None,
            legend=() if choosing else legend,
            log=self._log,
            talk=talk,
        )

    def _note(self) -> str:
        """Who plays, and whether they know that nobody sits in between."""
        if "bot" in self._table.acquaintance:
            return "practice"
        checked = all(self._table.agreed) and len(self._table.agreed) > 1
        return f"{self._names[0]} and {self._names[1]}" + (" · four words checked ✓" if checked else "")

    def _hearts_at(self, now: float) -> frozenset[Agent]:
        """The hearts to be drawn: a new one blinks once."""
        new, since = self._new_hearts
        turned = hearts(self._state, self._seat)
        age = now - since
        return turned - new if BLINK / 3 <= age < 2 * BLINK / 3 and not self.ui.calm else turned

    def _planned(self, shown: Display, desk: Desk) -> Display:
        """A position with one's own cash less what the choice takes as it stands."""
        cash = list(shown.cash)
        cash[self._seat] = desk.cash() - desk.cost()
        return replace(shown, cash=tuple(cash))

    def _legend(self, desk: Desk) -> tuple[tuple[Line, str], ...]:
        if not isinstance(desk, MoveDesk) or not desk.decorate(_EMPTY).trips:
            return ()
        own = (Line(self._seat), "your plan")
        return (own, (Line.TOLD, "told by ♥")) if isinstance(desk, LastLookDesk) and desk.told() else (own,)

    def _waiting(self, now: float) -> tuple[str, Colour]:
        """Who is waited for."""
        peer, desk = self._table.peer, self._desk
        rival = fitted(self._names[other(self._seat)], 14)
        if peer is None or peer.result is not None:
            return "", "soft"
        if (timed := self.waits.timed(now, 28)) is not None:
            return timed
        if isinstance(desk, InspectorDesk) and not desk.locked:
            return f"{rival} waits for you", "soft"
        if self._table.away or other(self._seat) in peer.waiting:
            return self.waits.said(now, 28)
        if desk is not None and not desk.locked:
            return f"{rival} is done ✓", "ok"
        return "…", "soft"

    def _strip(self, at: Any, waiting: str, waiting_fg: Colour, now: float) -> Strip:
        desk, peer = self._desk, self._table.peer
        if peer is not None and peer.result is not None:
            return Strip("THE END", "Both sides show everything now, and the game is proven.", "")
        if desk is None:
            return Strip(_PHASES[self._state.step], self._idle(), waiting, waiting_fg)
        title = "LAST LOOK" if isinstance(desk, SaleDesk) and desk.last_look else desk.title
        until = self._table.look_until
        countdown = None
        if title == "LAST LOOK" and until is not None:
            countdown = (min(max(0.0, until - now), self._last_look_seconds), float(self._last_look_seconds))
        room = sentence_room(at, title, " " * 13 if countdown else waiting)
        if desk.locked:
            sentence = "Done. The time runs out for both." if countdown else "Sealed: nobody sees it before it is time."
        else:
            sentence = desk.sentence(room)
        return Strip(title, sentence, waiting, waiting_fg, countdown)

    def _idle(self) -> str:
        rival = self._names[other(self._seat)]
        if self._state.step is Step.INSPECT:
            return f"{rival} paid the Inspector more and decides where he goes."
        if self._state.step is Step.INSPECTOR:
            return "Both sides draw lots for the Inspector’s first region."
        return "Both sides are told what they have a right to know."

    # -- keys and the mouse ------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        desk = self._desk
        if desk is None:
            return False
        match name:
            case "d":
                return self._done()
            case "u":
                handled = desk.undo()
            case _:
                handled = desk.key(name)
        self._stand()
        return handled

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del x, y, button
        if self._desk is None:
            return False
        handled = self._desk.touch(action)
        self._stand()
        return handled

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        if self._desk is None or self._desk.locked:
            return False
        handled = self._desk.wheel(steps)
        self._stand()
        return handled

    def skip(self, now: float) -> bool:
        return self._reel.current(now) is not None and self._reel.skip()

    def _done(self) -> bool:
        desk = self._desk
        if desk is None or desk.locked:
            return False
        question = desk.question()
        if question is None:
            self._choose(desk)
        else:
            self.ui.confirm("Done?", question, "Done", "Go on", lambda: self._choose(desk))
        return True

    def _choose(self, desk: Desk) -> None:
        """Hands the choice to the table. What it refuses is said, and stays on the desk."""
        if desk is not self._desk or desk.locked or not self._stand(final=True):
            return
        desk.locked = True
        self.ui.redraw()

    def _stand(self, *, final: bool = False) -> bool:
        """Where the clock ends a last look, the choice as it stands goes to the table at every change."""
        desk = self._desk
        timed = isinstance(desk, LastLookDesk | SaleDesk) and desk.timed
        if desk is None or desk.locked or not (final or timed):
            return False
        try:
            self._table.choose(desk.choice())
        except Refused as error:
            if final:
                self.ui.toast(str(error), bad=True)
            return False
        return True

    # -- clocks, help --------------------------------------------------------------------------------------------------

    def next_frame(self, now: float) -> float | None:
        if self._reel.current(now) is not None:
            return now + FRAME
        desk = self._desk
        waits = self.waits.next_frame(now)
        due: list[float] = [] if waits is None else [waits]
        if not self.ui.calm:
            if now - self._new_hearts[1] < BLINK:
                due.append(now + BLINK / 3)
            if desk is not None and desk.payable():
                due.append((math.floor(now / WAVE) + 1) * WAVE)
        if self._table.look_until is not None and now < self._table.look_until:
            due.append((math.floor(now / COUNTDOWN) + 1) * COUNTDOWN)
        return min(due, default=None)

    def help(self) -> Help:
        return helps.for_step(self._state.step, self._last_look_seconds)


_EMPTY: Final = populated(display(State(), 0), frozenset(), None, frozenset(), 0)
_LINES: Final = ((Line.LONDON, "London"), (Line.ANTWERP, "Antwerp"))
_PHASES: Final = {
    Step.INSPECTOR: "START",
    Step.PAY: "PAY",
    Step.PAY_TOLD: "PAY",
    Step.PLAN: "MOVE",
    Step.PLAN_TOLD: "MOVE",
    Step.MOVE: "MOVE",
    Step.INSPECT: "INSPECTOR",
    Step.SALE_PLAN: "SALE",
    Step.SALE_TOLD: "SALE",
    Step.SALE: "SALE",
    Step.OPEN: "THE END",
    Step.OVER: "THE END",
}
_HAPPENS: Final = {
    Step.INSPECTOR: "The game begins.",
    Step.MOVE: "Both pay what they offered; more collects.",
    Step.INSPECT: "He confiscates and blocks where he is.",
    Step.SALE: "The sale, and a new month.",
}
