"""A game on both screens, step by step: in a replay, where both sides are visible, and for onlookers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.boards.diamond_trust import helps
from client.boards.diamond_trust.beats import Beat, beats, display
from client.boards.diamond_trust.desk import Agent, all_agents
from client.boards.diamond_trust.frame import Frame, draw_frame, hearts, playing, populated
from client.boards.diamond_trust.moment import last_sale
from client.boards.diamond_trust.narration import legend, narrated, noted, summary
from client.boards.diamond_trust.papers import Card, agent_card, inspector_card, story_card
from client.boards.diamond_trust.phrases import spoken
from client.boards.diamond_trust.plain import described
from client.boards.diamond_trust.story import Stop, stops
from client.boards.diamond_trust.upper import Header, Strip
from client.canvas import Action, Canvas
from client.moments import Around, Moments, sealed
from client.screen import Help, Ui
from client.widgets import Hint
from games.diamond_trust.angola import REGIONS, SEATS
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
PENDING: Final = {
    Step.INSPECTOR: "Lots decide where the Inspector begins.",
    Step.PAY: "Both sides pay agents. Nobody else sees whom.",
    Step.PAY_TOLD: "Turned agents tell what they know, unheard.",
    Step.PLAN: "Both sides plan their moves, sealed.",
    Step.PLAN_TOLD: "Turned agents tell what they know, unheard.",
    Step.MOVE: "The last look: plans may still change.",
    Step.SALE_PLAN: "Both sides decide what to sell, sealed.",
    Step.SALE_TOLD: "Turned agents tell what they know, unheard.",
    Step.SALE: "The last look: sales may still change.",
    Step.OPEN: "Both sides open what they have left.",
}
"""What goes on while a step is pending."""


class DiamondTrustMoments(Moments):
    """`client.moments.Moments` of Diamond Trust of London. What agents tell is no moment where nobody can read it."""

    title = helps.TITLE
    leaps = ("round on", "round back")

    def __init__(self, start: State, names: Sequence[str]) -> None:
        super().__init__(names)
        self._start = self._latest = start
        self._stops: list[Stop] = []
        self._beats: list[list[Beat]] = []
        self._looked_at: Agent | None = None
        self._inspector = False

    def add(self, story: Sequence[tuple[Ask, Answer]], first: int) -> None:
        for stop in stops(story, self._latest, first):
            self._latest = stop.after
            if stop.told_something():
                self._stops.append(stop)
                self._beats.append(beats(stop.before, stop.after, None, self.names))

    @property
    def steps(self) -> Sequence[int]:
        return [stop.number for stop in self._stops]

    def stop(self, at: int) -> Stop | None:
        """The step that led to a moment; None at the start."""
        return self._stops[at - 1] if at else None

    def state(self, at: int) -> State:
        """The state that a moment shows."""
        return self._latest if at == len(self._stops) else self._stops[at - 1].after if at else self._start

    def moving(self, at: int) -> float:
        return sum(beat.seconds for beat in self._beats[at - 1]) if at else 0.0

    def leap(self, at: int, way: int) -> int:
        """To the first step of the next round, or of this one and then of the one before."""
        firsts = [1]
        for number, stop in enumerate(self._stops[1:], 2):
            if stop.before.months_left != self._stops[number - 2].before.months_left:
                firsts.append(number)
        if way > 0:
            return next((first for first in firsts if first > at), len(self._stops))
        return next((first for first in reversed(firsts) if first < at), 0)

    # -- in words ------------------------------------------------------------------------------------------------------

    def told(self, at: int) -> str:
        logged = [beat.log for beat in self._beats[at - 1] if beat.log]
        if logged:
            return " ".join(f"{spoken(line)}." for line in logged)
        lines = ["".join(span.text for span in spans) for spans in narrated(self._stops[at - 1], self.names)]
        return " ".join([summary(self._stops[at - 1], self.names), *(f"{spoken(line)}." for line in lines if line)])

    def describe(self) -> list[str]:
        return described(self._latest, self.names, None)

    def note(self, at: int) -> str:
        del at
        return f"{self.names[0]} and {self.names[1]}"

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, at: int, since: float, around: Around) -> None:
        stop, state = self.stop(at), self.state(at)
        turned = hearts(state, None)
        running = self._running(at, since)
        if running is not None:
            beat, seconds = running
            scene, shown, card = playing(beat, seconds, turned), beat.at(seconds), story_card(*beat.told)
        else:
            shown = display(state, None)
            scene = populated(shown, turned, self._looked_at, frozenset(), 0)
            scene = scene if stop is None else noted(scene, stop)
            card = self._card(state, stop)
        draw_frame(canvas, Frame(
            title="",
            note="",
            header=Header(shown, self.names, None, self._notes(around)),
            card=card,
            strip=self._strip(at, around, running is not None),
            scene=scene,
            hints=(),
            legend=legend(scene),
            log=[(each.before.round(), beat.log) for each, played in zip(self._stops[:at], self._beats, strict=False)
                 for beat in played if beat.log],
        ))  # fmt: skip

    def _running(self, at: int, since: float) -> tuple[Beat, float] | None:
        """The beat that runs in a moment which is shown for so long, with the seconds it has run."""
        for beat in self._beats[at - 1] if at else ():
            if since < beat.seconds:
                return beat, since
            since -= beat.seconds
        return None

    def _notes(self, around: Around) -> tuple[str, str]:
        """Beside the balances: who has sealed a choice that the other side still thinks about."""
        done = sealed(self._latest, around.waiting, SEATS) if around.live else []
        first, second = ("◆ sealed" if seat in done else "" for seat in range(SEATS))
        return first, second

    def _strip(self, at: int, around: Around, running: bool) -> Strip:
        """The phase, and what happened in it; of a game that goes on, what is awaited."""
        stop, step = self.stop(at), self._latest.step
        if self.result is not None and at == len(self._stops):
            phase, said = "THE END", f"{self.result.reason[:1].upper()}{self.result.reason[1:]}."
        elif around.live and not running:
            phase, said = PHASES[step], PENDING.get(step, "")
            mover = self._latest.moved.inspector_mover if self._latest.moved is not None else None
            if step is Step.INSPECT and mover is not None:
                said = f"{self.names[mover]} decides where the Inspector goes."
        else:
            phase = PHASES[stop.step] if stop is not None else "START"
            said = summary(stop, self.names) if stop is not None else "The game begins."
        return Strip(phase, said, around.aside, around.aside_fg)

    def _card(self, state: State, stop: Stop | None) -> Card:
        if self._inspector and 0 <= state.inspector < len(REGIONS):
            return inspector_card(state, self.names, state.inspector, True)
        if self._looked_at is not None:
            return agent_card(state, None, self.names, *self._looked_at)
        told = narrated(stop, self.names) if stop is not None else ((), ())
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
        return helps.MOMENTS
