"""A game on both screens, step by step: in a replay, where both sides are visible, and for onlookers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.diamond_trust import help_text
from kimberley.client.boards.diamond_trust.agent_card import InfoCard, agent_card, inspector_card, story_card
from kimberley.client.boards.diamond_trust.current_card import last_sale
from kimberley.client.boards.diamond_trust.events import GameEvent, read_events
from kimberley.client.boards.diamond_trust.form import Agent, all_agents
from kimberley.client.boards.diamond_trust.frames import Frame, display, frames_between
from kimberley.client.boards.diamond_trust.narration import annotated, describe_event, event_details, legend
from kimberley.client.boards.diamond_trust.phrases import spoken
from kimberley.client.boards.diamond_trust.picture import Picture, draw_picture, hearts, playing, populated
from kimberley.client.boards.diamond_trust.plain import describe_state
from kimberley.client.boards.diamond_trust.upper_screen import Header, StripContent
from kimberley.client.boards.timeline import LiveContext, Timeline, sealed
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.screen import Help, Ui
from kimberley.client.ui.widgets import Hint
from kimberley.games.diamond_trust.angola import REGIONS, SEATS
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Answer, Ask

PHASES: Final = {
    RoundStep.INSPECTOR: "START",
    RoundStep.PAY: "PAY",
    RoundStep.PAY_TOLD: "TOLD",
    RoundStep.PLAN: "PLAN",
    RoundStep.PLAN_TOLD: "TOLD",
    RoundStep.MOVE: "MOVE",
    RoundStep.INSPECT: "INSPECTOR",
    RoundStep.SALE_PLAN: "SALE PLAN",
    RoundStep.SALE_TOLD: "TOLD",
    RoundStep.SALE: "SALE",
    RoundStep.OPEN: "THE END",
    RoundStep.OVER: "THE END",
}
PENDING: Final = {
    RoundStep.INSPECTOR: "Lots decide where the Inspector begins.",
    RoundStep.PAY: "Both sides pay agents in secret.",
    RoundStep.PAY_TOLD: "Turned agents secretly tell what they know.",
    RoundStep.PLAN: "Both sides plan their moves in secret.",
    RoundStep.PLAN_TOLD: "Turned agents secretly tell what they know.",
    RoundStep.MOVE: "The last look: plans may still change.",
    RoundStep.SALE_PLAN: "Both sides plan their sales in secret.",
    RoundStep.SALE_TOLD: "Turned agents secretly tell what they know.",
    RoundStep.SALE: "The last look: sales may still change.",
    RoundStep.OPEN: "Both sides reveal what they have left.",
}
"""What goes on while a step is pending."""


class DiamondTrustTimeline(Timeline):
    """`client.boards.timeline.Timeline` of Diamond Trust of London. Where nobody can read what agents tell, it is not
    a position of its own.
    """

    title = help_text.TITLE
    leaps = ("round on", "round back")

    def __init__(self, start: State, names: Sequence[str]) -> None:
        super().__init__(names)
        self._start = self._latest = start
        self._events: list[GameEvent] = []
        self._frames: list[list[Frame]] = []
        self._looked_at: Agent | None = None
        self._inspector = False

    def extend(self, story: Sequence[tuple[Ask, Answer]], first: int) -> None:
        for event in read_events(story, self._latest, first):
            self._latest = event.after
            if event.told_anything():
                self._events.append(event)
                self._frames.append(frames_between(event.before, event.after, None, self.names))

    @property
    def steps(self) -> Sequence[int]:
        return [event.number for event in self._events]

    def event(self, at: int) -> GameEvent | None:
        """The step that led to a position; None at the start."""
        return self._events[at - 1] if at else None

    def state(self, at: int) -> State:
        """The state at a position."""
        return self._latest if at == len(self._events) else self._events[at - 1].after if at else self._start

    def moving(self, at: int) -> float:
        return sum(frame.seconds for frame in self._frames[at - 1]) if at else 0.0

    def leap(self, at: int, way: int) -> int:
        """To the first step of the next round, or of this one and then of the one before."""
        firsts = [1]
        for number, event in enumerate(self._events[1:], 2):
            if event.before.months_left != self._events[number - 2].before.months_left:
                firsts.append(number)
        if way > 0:
            return next((first for first in firsts if first > at), len(self._events))
        return next((first for first in reversed(firsts) if first < at), 0)

    # -- in words ------------------------------------------------------------------------------------------------------

    def describe_event(self, at: int) -> str:
        logged = [frame.log for frame in self._frames[at - 1] if frame.log]
        if logged:
            return " ".join(f"{spoken(line)}." for line in logged)
        lines = ["".join(span.text for span in spans) for spans in event_details(self._events[at - 1], self.names)]
        return " ".join(
            [describe_event(self._events[at - 1], self.names), *(f"{spoken(line)}." for line in lines if line)]
        )

    def describe(self) -> list[str]:
        return describe_state(self._latest, self.names, None)

    def note(self, at: int) -> str:
        del at
        return f"{self.names[0]} and {self.names[1]}"

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, at: int, since: float, around: LiveContext) -> None:
        event, state = self.event(at), self.state(at)
        turned = hearts(state, None)
        running = self._running(at, since)
        if running is not None:
            frame, seconds = running
            scene, shown, card = playing(frame, seconds, turned), frame.at(seconds), story_card(*frame.captions)
        else:
            shown = display(state, None)
            scene = populated(shown, turned, self._looked_at, frozenset(), 0)
            scene = scene if event is None else annotated(scene, event)
            card = self._card(state, event)
        draw_picture(canvas, Picture(
            title="",
            note="",
            header=Header(shown, self.names, None, self._notes(around)),
            card=card,
            strip=self._strip(at, around, running is not None),
            scene=scene,
            hints=(),
            legend=legend(scene),
            log=[(each.before.round(), frame.log) for each, played in zip(self._events[:at], self._frames, strict=False)
                 for frame in played if frame.log],
        ))  # fmt: skip

    def _running(self, at: int, since: float) -> tuple[Frame, float] | None:
        """The frame that runs when a position has been shown for so long, with the seconds it has run."""
        for frame in self._frames[at - 1] if at else ():
            if since < frame.seconds:
                return frame, since
            since -= frame.seconds
        return None

    def _notes(self, around: LiveContext) -> tuple[str, str]:
        """The notes beside the balances: who has sealed a choice while the other side still thinks."""
        done = sealed(self._latest, around.waiting, SEATS) if around.live else []
        first, second = ("◆ sealed" if seat in done else "" for seat in range(SEATS))
        return first, second

    def _strip(self, at: int, around: LiveContext, running: bool) -> StripContent:
        """The phase, and what happened in it; in a running game, what the table waits for."""
        event, step = self.event(at), self._latest.step
        if self.result is not None and at == len(self._events):
            phase, said = "THE END", f"{self.result.reason[:1].upper()}{self.result.reason[1:]}."
        elif around.live and not running:
            phase, said = PHASES[step], PENDING.get(step, "")
            mover = self._latest.moved.inspector_mover if self._latest.moved is not None else None
            if step is RoundStep.INSPECT and mover is not None:
                said = f"{self.names[mover]} decides where the Inspector goes."
        else:
            phase = PHASES[event.step] if event is not None else "START"
            said = describe_event(event, self.names) if event is not None else "The game begins."
        return StripContent(phase, said, around.aside, around.aside_fg)

    def _card(self, state: State, event: GameEvent | None) -> InfoCard:
        if self._inspector and 0 <= state.inspector < len(REGIONS):
            return inspector_card(state, self.names, state.inspector, True)
        if self._looked_at is not None:
            return agent_card(state, None, self.names, *self._looked_at)
        told = event_details(event, self.names) if event is not None else ((), ())
        return story_card(*told, last_sale(state, self.names))

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def hints(self) -> Sequence[Hint]:
        return [Hint("Tab", "agents")]

    def key(self, name: str, at: int, ui: Ui) -> bool:
        del at, ui
        match name:
            case "tab" | "s-tab":
                agents = all_agents(0)
                here = agents.index(self._looked_at) if self._looked_at in agents else -1 if name == "tab" else 0
                self._looked_at = agents[(here + (1 if name == "tab" else -1)) % len(agents)]
                self._inspector = False
            case "esc" if self._looked_at is not None or self._inspector:
                self._looked_at, self._inspector = None, False
            case _:
                return False
        return True

    def click(self, action: Action, at: int, x: int, y: int) -> bool:
        del at, x, y
        match action:
            case ("agent", int(seat), int(agent)):
                self._looked_at, self._inspector = (seat, agent), False
            case ("inspector",):
                self._looked_at, self._inspector = None, True
            case _:
                return False
        return True

    def help(self) -> Help:
        return help_text.TIMELINE
