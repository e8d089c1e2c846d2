"""The form of the last look: the plan once more, with what was told."""

from __future__ import annotations

from dataclasses import replace

from kimberley.client.boards.api import Span
from kimberley.client.boards.diamond_trust.form_move import MoveForm
from kimberley.client.boards.diamond_trust.phrases import money, where
from kimberley.client.boards.diamond_trust.scene import LineStyle, Scene, Spans, Tag, Trip, Where, badge, on_side
from kimberley.client.ui.widgets import Hint
from kimberley.games.diamond_trust.angola import Order, Orders, other
from kimberley.games.diamond_trust.knowledge import Knowledge
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Plain


class LastLookForm(MoveForm):
    """The plan once more, with what was told. It looks the same whether or not the player may change it.

    `u` goes back to the first plan at once.
    """

    title = "LAST LOOK"

    def __init__(self, state: State, seat: int, plan: Orders, right: bool, timed: bool) -> None:
        super().__init__(state, seat, plan, bound=not right)
        self.timed = timed
        self._plan = plan

    def choice(self) -> Plain:
        return self._plan if self.bound else self.orders()

    def question(self) -> str | None:
        return None

    def sentence(self, room: int) -> str:
        if self._stage:
            return super().sentence(room)
        pace = "Equal time for both." if self.timed else "Then Done."
        long = "Change your plan or leave it." if not self.bound else "Nobody told you anything: your plan stands."
        text = f"{long} {pace}"
        return text if len(text) <= room else long if len(long) <= room else pace

    def hints(self) -> list[Hint]:
        if self._stage:
            return super().hints()
        own = [Hint("1-3", "your agent", ("noop",)), Hint("Tab", "next agent")]
        return [*own, Hint("u", "back to first plan"), Hint("d", "done")]

    def undo(self) -> bool:
        if self._frozen():
            return False
        self._close()
        changed = tuple(self._orders) != self._plan
        self._orders = list(self._plan)
        return changed

    def undoable(self) -> bool:
        return not self._frozen() and (bool(self._stage) or tuple(self._orders) != self._plan)

    def told(self) -> list[tuple[int, Order]]:
        """The plans that turned agents of the other side told: (agent, order) each."""
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
                tags.append(Tag(rival, agent, to, (Span("♥ stays", "heart", True, "border"), *rest), Where.BESIDE))
            else:
                parts = (on_side(rival, f"→{badge(rival, agent)}"), heart, *rest)
                tags.append(Tag(rival, agent, to, parts, Where.SLOT))
                trips.append(Trip(LineStyle.TOLD, rival, agent, start, to))
        return replace(scene, tags=scene.tags + tuple(tags), trips=scene.trips + tuple(trips))


def told_plan(seat: int, agent: int, order: Order, here: int) -> Spans:
    """What a turned agent of `seat` told of its orders, in words."""
    to, payment, bribe = order
    words = f"stays in {where(to, seat)}" if to == here else f"goes to {where(to, seat)}"
    spans: list[Span] = [
        on_side(seat, badge(seat, agent)),
        Span("♥", "heart", True),
        Span(" tells you: ", "text", True),
    ]
    spans.append(Span(words, "soft"))
    if payment:
        spans += [Span(", offers ", "soft"), money(payment)]
    if bribe:
        spans += [Span(", Inspector ", "soft"), money(bribe)]
    return tuple(spans)
