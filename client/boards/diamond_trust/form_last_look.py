"""The form of the last look: the plan once more, with what was told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kimberley.client.boards.diamond_trust.form import Selection, TrustForm
from kimberley.client.boards.diamond_trust.form_move import MoveForm
from kimberley.client.boards.diamond_trust.phrases import look_over, money, told_last_look, where
from kimberley.client.boards.diamond_trust.scene import LineStyle, Scene, Tag, Trip, Where, badge, on_side
from kimberley.client.boards.form import NOTHING_TO_UNDO, FormContext
from kimberley.client.ui.spans import Span, Spans
from kimberley.games.diamond_trust.angola import HOME, Order, Orders, other
from kimberley.games.diamond_trust.knowledge import Knowledge
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Plain


class LastLookForm(MoveForm):
    """The plan once more, with what was told. Both sides get it, whether or not they may change something.

    `u` goes back to the first plan at once.
    """

    phase = "ADJUST"
    next_label, undo_label = "next agent", "original plan"
    locked_in = TrustForm.locked_in
    steps = frozenset({RoundStep.MOVE})

    def __init__(self, context: FormContext[State], selection: Selection) -> None:
        plan = context.state.plan[context.seat]
        assert isinstance(plan, tuple), "a seat knows its own plan"
        super().__init__(context, selection, plan, bound=context.state.right[context.seat] is not True)
        self._plan: Orders = plan

    @property
    def no_region(self) -> str:
        return "You cannot change your plan now" if self.bound else ""

    @property
    def timed(self) -> bool:
        return self.times.most > 0

    def time_over(self, stood: Plain) -> str:
        return look_over(self._plan, stood, self.choice()) if self.tells_end else ""

    def choice(self) -> Plain:
        return self._plan if self.bound else self.orders()

    def oddities(self) -> dict[str, str]:
        return {} if self.timed else self._unanswered()

    def sentence(self, room: int) -> str:
        if self._stage:
            return super().sentence(room)
        if self.only_waits:
            return self.while_waiting("Nobody reported to you.", room)
        if not self.bound and (crowded := self._crowded()):
            return f"{crowded}."
        if self.bound:
            return f"Nobody reported: your plan stands. {self.just_done}"
        return self.while_choosing("Change your plan or keep it.", room)

    def undo(self) -> bool:
        if self.fixed:
            return False
        self._close()
        changed = tuple(self._orders) != self._plan
        self._orders, self._given = list(self._plan), set(self._planned)
        return changed

    def undoable(self) -> bool:
        return not self.fixed and (bool(self._stage) or tuple(self._orders) != self._plan)

    @property
    def begun(self) -> bool:
        return True

    def _waits_for_orders(self, agent: int) -> bool:
        return False

    def prompt(self) -> list[str]:
        how = "Type done." if self.bound else "Type changes, or done. first goes back to your original plan."
        return [
            told_last_look(not self.bound, self.times),
            f"Your plan: {self.in_words()}.",
            *([] if self.only_waits else [how]),
        ]

    def type_words(self, words: Sequence[str]) -> str:
        if self.bound:
            return f"You cannot change your plan now. {self.wait_words if self.timed else 'Type done.'}"
        if words == ["first"]:
            return "Original plan restored." if self.undo() else NOTHING_TO_UNDO
        return super().type_words(words)

    def told(self) -> list[tuple[int, Order]]:
        """Returns the plans that turned agents of the other side told: (agent, order) each."""
        known = self.state.known[self.seat]
        assert isinstance(known, Knowledge)
        return [(agent, order) for agent, order in enumerate(known.plans) if order is not None]

    def decorate(self, scene: Scene) -> Scene:
        scene = super().decorate(scene)
        rival = other(self.seat)
        tags, trips = [], []
        for agent, (to, payment, bribe) in self.told():
            start = self.state.agents[rival][agent].at
            heart = Span("♥", "heart", True, "border")
            rest: list[Span] = []
            for text, amount in (("", payment), ("UN ", bribe)):
                if amount:
                    rest.append(Span(f" {text}${amount}", "money", True, "border"))
            if to == start:
                tags.append(Tag(rival, agent, to, (Span("stays", "heart", True, "border"), *rest), Where.BESIDE))
            else:
                parts = (on_side(rival, f"→{badge(rival, agent)}"), heart, *rest)
                tags.append(Tag(rival, agent, to, parts, Where.SLOT))
                if self.selection.agent in (None, (rival, agent)):
                    trips.append(Trip(LineStyle.TOLD, rival, agent, start, to))
        return replace(scene, tags=scene.tags + tuple(tags), trips=scene.trips + tuple(trips))


def told_plan(seat: int, agent: int, order: Order, here: int) -> Spans:
    """Returns what a turned agent of `seat` told of its orders, in words."""
    to, payment, bribe = order
    words = f"stays in {where(to, seat)}" if to == here else f"goes to {where(to, seat)}"
    spans: list[Span] = [
        on_side(seat, badge(seat, agent)),
        Span("♥", "heart", True),
        Span(" reports: ", "text", True),
    ]
    spans.append(Span(words, "soft"))
    if payment:
        spans += [Span(", offers ", "soft"), money(payment)]
    elif to != HOME:
        spans.append(Span(", offers nothing", "soft"))
    if bribe:
        spans += [Span(", Inspector ", "soft"), money(bribe)]
    return tuple(spans)
