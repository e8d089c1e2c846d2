"""A finished game, step by step on the board, with both sides visible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from client.board import Span
from client.boards.diamond_trust import helps
from client.boards.diamond_trust.atlas import Line, Scene, Spans, Tag, Trip, Where, badge, on_side
from client.boards.diamond_trust.beats import beats, display
from client.boards.diamond_trust.desk import Agent, all_agents
from client.boards.diamond_trust.frame import Frame, draw_frame, hearts, playing, populated
from client.boards.diamond_trust.papers import Card, agent_card, inspector_card, story_card
from client.boards.diamond_trust.phrases import agent_mark, joined, money, soft, stones, strong, where
from client.boards.diamond_trust.reel import FRAME, Reel
from client.boards.diamond_trust.story import Stop, stops
from client.boards.diamond_trust.upper import Header, Strip
from client.canvas import Action, Canvas
from client.screen import Help, Screen, Section, Ui
from client.widgets import Hint
from games.diamond_trust.angola import HOMES, REGIONS, SEATS, Orders
from games.diamond_trust.position import Step
from games.diamond_trust.rules import State
from games.table import Answer, Ask

PHASES: Final = {
    Step.INSPECTOR: "START",
    Step.PAY: "PAY",
    Step.PAY_TOLD: "TOLD",
    Step.PLAN: "PLAN",
    Step.PLAN_TOLD: "TOLD",
    Step.MOVE: "MOVE",
    Step.INSPECT: "INSPECTOR",
    Step.SALE_PLAN: "SALE PLAN",
    Step.SALE_TOLD: "TOLD",
    Step.SALE: "SALE",
    Step.OPEN: "THE END",
    Step.OVER: "THE END",
}


class ReplayScreen(Screen):
    """Steps through a story in which nothing is hidden. `step` is the number of the ask to begin with."""

    def __init__(
        self, story: Iterable[tuple[Ask, Answer]], names: Sequence[str], ui: Ui, step: int | None = None
    ) -> None:
        super().__init__(ui)
        self._names = names
        self._stops = [stop for stop in stops(story) if stop.told_something()]
        self._at = 0
        if step is not None:
            self._at = max((index for index, stop in enumerate(self._stops) if stop.number <= step), default=0)
        self._logs = [
            [(stop.before.round(), beat.log) for beat in beats(stop.before, stop.after, None, names) if beat.log]
            for stop in self._stops
        ]
        self._reel = Reel(ui.calm)
        self._looked_at: Agent | None = None
        self._inspector = False

    @property
    def stop(self) -> Stop | None:
        """The step that is shown, after its answer."""
        return self._stops[self._at] if self._stops else None

    # -- drawing -----------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        draw_frame(canvas, self._frame(now))

    def _frame(self, now: float) -> Frame:
        stop = self.stop
        state = stop.after if stop is not None else State()
        step = stop.step if stop is not None else Step.OVER
        running = self._reel.current(now)
        turned = hearts(state, None)
        if running is not None:
            beat, seconds = running
            scene, shown, card = playing(beat, seconds, turned), beat.at(seconds), story_card(*beat.told)
        else:
            shown = display(state, None)
            scene = populated(shown, turned, self._looked_at, frozenset(), 0)
            scene = scene if stop is None else noted(scene, stop)
            card = self._card(state)
        sentence = "" if stop is None else summary(stop, self._names)
        return Frame(
            title="Diamond Trust of London · replay",
            note=f"{self._names[0]} and {self._names[1]}",
            header=Header(shown, self._names, None),
            card=card,
            strip=Strip(PHASES[step], sentence, f"step {self._at + 1} of {len(self._stops)}"),
            scene=scene,
            hints=[
                Hint("→", "next"),
                Hint("←", "back"),
                Hint("PgDn", "next round", ("round", 1)),
                Hint("PgUp", "round before", ("round", -1)),
                Hint("Tab", "agents"),
                Hint("Esc", "close"),
            ],
            legend=_legend(scene),
            log=self._log(),
        )

    def _card(self, state: State) -> Card:
        if self._inspector and 0 <= state.inspector < len(REGIONS):
            return inspector_card(state, self._names, state.inspector, True)
        if self._looked_at is not None:
            return agent_card(state, None, self._names, *self._looked_at)
        stop = self.stop
        return story_card(*narrated(stop, self._names)) if stop is not None else story_card((), ())

    def _log(self) -> list[tuple[int, str]]:
        return [line for lines in self._logs[: self._at + 1] for line in lines]

    # -- keys and the mouse ------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        match name:
            case "right" | " " | "enter" | "n":
                self._go(self._at + 1)
            case "left" | "backspace":
                self._go(self._at - 1)
            case "pagedown" | "down":
                self._turn(1)
            case "pageup" | "up":
                self._turn(-1)
            case "home":
                self._go(0)
            case "end":
                self._go(len(self._stops) - 1)
            case "tab" | "s-tab":
                agents = all_agents(0)
                at = agents.index(self._looked_at) if self._looked_at in agents else -1 if name == "tab" else 0
                self._looked_at = agents[(at + (1 if name == "tab" else -1)) % len(agents)]
                self._inspector = False
            case "esc" if self._looked_at is not None or self._inspector:
                self._looked_at, self._inspector = None, False
            case "esc" | "q":
                self.ui.pop(self)
            case _:
                return False
        return True

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        del x, y, button
        match action:
            case ("agent", int(seat), int(agent)):
                self._looked_at, self._inspector = (seat, agent), False
            case ("inspector",):
                self._looked_at, self._inspector = None, True
            case ("round", int(by)):
                self._turn(by)
            case _:
                return False
        return True

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        del action, x, y
        self._go(self._at + steps)
        return True

    def skip(self, now: float) -> bool:
        return self._reel.current(now) is not None and self._reel.skip()

    def next_frame(self, now: float) -> float | None:
        return now + FRAME if self._reel.current(now) is not None else None

    def help(self) -> Help:
        keys = Section(
            "Replay",
            "→ shows the next step and plays what it led to, ← goes back. PgDn and PgUp go from round to round, Home "
            "and End to the start and the end. Touch an agent, or Tab, for its papers: nothing is hidden any more.",
        )
        return Help("Replay", (keys, *helps.ABOUT.sections))

    def _go(self, index: int) -> None:
        """Shows another step. Only the one right after the present one is played, not jumped to."""
        index = max(0, min(len(self._stops) - 1, index))
        if index == self._at + 1:
            stop = self._stops[index]
            self._reel.add(beats(stop.before, stop.after, None, self._names))
        else:
            self._reel.skip()
        self._at = index

    def _turn(self, by: int) -> None:
        """Goes to the first step of the next round, or of this one and then of the one before."""
        firsts = [0]
        for index, stop in enumerate(self._stops[1:], 1):
            if stop.before.months_left != self._stops[index - 1].before.months_left:
                firsts.append(index)
        later = [first for first in firsts if first > self._at]
        earlier = [first for first in firsts if first < self._at]
        if by > 0:
            self._go(later[0] if later else len(self._stops) - 1)
        else:
            self._go(earlier[-1] if earlier else 0)


# -- what a step was ---------------------------------------------------------------------------------------------------


def noted(scene: Scene, stop: Stop) -> Scene:
    """The map with what was chosen in a step: payments, plans, or the trips that were made."""
    match stop.step:
        case Step.PAY:
            tags = [
                Tag(owner, agent, stop.before.agents[owner][agent].at, (on_side(payer, f"+${amount}"),), Where.BELOW)
                for payer, owner, agent, amount in paid(stop)
            ]
            return replace(scene, tags=tuple(tags))
        case Step.PLAN:
            return _orders(scene, [stop.before.places(seat) for seat in range(SEATS)], stop.answer, planned=True)
        case Step.PLAN_TOLD:
            told = [(seat, agent, order) for seat, agent, order in stop.told() if isinstance(order, tuple)]
            trips = [
                Trip(Line.TOLD, seat, agent, stop.before.agents[seat][agent].at, order[0])
                for seat, agent, order in told
                if order[0] != stop.before.agents[seat][agent].at
            ]
            return replace(scene, trips=tuple(trips))
        case Step.MOVE if stop.after.moved is not None and stop.after.months_left:
            return _orders(scene, list(stop.after.moved.origins), stop.after.moved.orders, planned=False)
        case _:
            return scene


def _orders(scene: Scene, origins: Sequence[tuple[int, ...]], orders: Sequence[object], planned: bool) -> Scene:
    tags: list[Tag] = []
    trips: list[Trip] = []
    for seat, mine in enumerate(orders):
        if not isinstance(mine, tuple):
            continue
        for agent, (to, payment, bribe) in enumerate(mine):
            start = origins[seat][agent]
            text = [f"→{badge(seat, agent)}"] if planned and to != start else []
            text += [f"${payment}"] if payment else []
            text += [f"UN ${bribe}"] if bribe else []
            if text:
                place = Where.SLOT if planned and to != start else Where.BESIDE
                tags.append(Tag(seat, agent, to, (on_side(seat, " ".join(text)),), place))
            if to != start:
                trips.append(Trip(Line(seat), seat, agent, start, to))
    return replace(scene, tags=tuple(tags), trips=tuple(trips))


def _legend(scene: Scene) -> tuple[tuple[Line, str], ...]:
    if any(trip.line is Line.TOLD for trip in scene.trips):
        return ((Line.TOLD, "told by ♥"),)
    return ((Line.LONDON, "London"), (Line.ANTWERP, "Antwerp")) if scene.trips else ()


def paid(stop: Stop) -> list[tuple[int, int, int, int]]:
    """The payments of a pay phase above $0: (payer, owner, agent, amount)."""
    return [
        (seat, 1 - seat if slot.bribe else seat, slot.agent, amount)
        for seat in range(SEATS)
        if isinstance(stop.answer[seat], tuple)
        for slot, amount in zip(stop.before.slots(seat), stop.answer[seat], strict=True)
        if amount
    ]


def summary(stop: Stop, names: Sequence[str]) -> str:
    """A step in one sentence."""
    match stop.step:
        case Step.INSPECTOR:
            return f"Lots put the Inspector in {REGIONS[stop.after.inspector]}."
        case Step.PAY:
            return "What each side paid its own and the other’s agents."
        case Step.PAY_TOLD | Step.PLAN_TOLD | Step.SALE_TOLD:
            return "What turned agents told."
        case Step.PLAN:
            return "The plans, sealed at the same time."
        case Step.MOVE:
            return "The final moves, and what they led to."
        case Step.INSPECT:
            mover = stop.before.moved.inspector_mover if stop.before.moved else None
            return f"{names[mover]} moves the Inspector." if mover is not None else ""
        case Step.SALE_PLAN:
            return "The sales as they were planned."
        case Step.SALE:
            return "The final sales."
        case _:
            return "The vaults are counted, and the last totals opened."


def narrated(stop: Stop, names: Sequence[str]) -> tuple[Spans, Spans]:
    """What each side did in a step, in two lines."""
    match stop.step:
        case Step.PAY:
            return _by_side(names, lambda seat: _pay_line(stop, seat))
        case Step.PLAN:
            return _by_side(names, lambda seat: _order_line(stop.answer[seat], stop.before.places(seat), seat))
        case Step.MOVE:
            return _by_side(names, lambda seat: _order_line(stop.answer[seat], stop.before.places(seat), seat))
        case Step.SALE_PLAN:
            return _by_side(names, lambda seat: _number(stop.answer[seat], "plans to sell "))
        case Step.SALE if stop.after.sold is not None:
            sold = stop.after.sold
            return _by_side(
                names,
                lambda seat: (soft("sells "), *stones(sold.sold[seat]), soft(" for "), money(sold.income[seat])),
            )
        case Step.PAY_TOLD | Step.PLAN_TOLD | Step.SALE_TOLD:
            lines = [_told_line(stop, owner, agent, payload) for owner, agent, payload in stop.told()]
            return joined(lines[::2]), joined(lines[1::2])
        case Step.OPEN:
            return _by_side(names, lambda seat: _final_line(stop, seat))
        case _:
            return (soft(summary(stop, names)),), ()


def _by_side(names: Sequence[str], line: Callable[[int], Spans]) -> tuple[Spans, Spans]:
    first, second = ((Span(f"{names[seat]}: ", "text", True), *line(seat)) for seat in range(SEATS))
    return first, second


def _pay_line(stop: Stop, seat: int) -> Spans:
    parts = [
        (agent_mark(owner, agent), soft(" salary " if owner == seat else " bribe "), money(amount))
        for payer, owner, agent, amount in paid(stop)
        if payer == seat
    ]
    return joined(parts) or (soft("nothing"),)


def _order_line(orders: object, at: tuple[int, ...], seat: int) -> Spans:
    if not isinstance(orders, tuple):
        return (soft("unknown"),)
    known: Orders = orders
    parts = []
    for agent, (to, payment, bribe) in enumerate(known):
        part: Spans = (agent_mark(seat, agent), soft(" stays" if to == at[agent] else f" {where(to, seat)}"))
        part += (soft(" "), money(payment)) if payment else ()
        part += (soft(" UN "), money(bribe)) if bribe else ()
        parts.append(part)
    return joined(parts)


def _number(number: object, verb: str) -> Spans:
    return (soft(verb), *stones(number)) if isinstance(number, int) else (soft("unknown"),)


def _final_line(stop: Stop, seat: int) -> Spans:
    cash = stop.after.cash(seat)
    return (
        *stones(stop.after.vault[seat]),
        soft(f" in {HOMES[seat]}, "),
        money(cash if isinstance(cash, int) else None),
    )


def _told_line(stop: Stop, owner: int, agent: int, payload: object) -> Spans:
    mark = (agent_mark(owner, agent), Span("♥", "heart", True), soft(" tells "))
    match stop.step, payload:
        case Step.PLAN_TOLD, (int(to), int(payment), int(bribe)):
            extra = f" ${payment}" * bool(payment) + f" UN ${bribe}" * bool(bribe)
            return (*mark, soft("its orders: "), strong(f"{where(to, owner)}{extra}"))
        case Step.PAY_TOLD, (int(salary), tuple(bribes), cash):
            spans: Spans = (*mark, soft("salary "), money(salary))
            for target, total in enumerate(bribes):
                if isinstance(total, int):
                    spans += (soft(", bribed "), agent_mark(1 - owner, target), soft(" "), money(total))
            return spans + ((soft(", cash "), money(cash)) if isinstance(cash, int) else ())
        case Step.SALE_TOLD, (int(cash), int(sale)):
            return (*mark, soft("cash "), money(cash), soft(", sale "), strong(str(sale)))
        case _:
            return (*mark, soft("nothing"))
