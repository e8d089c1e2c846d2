"""How an event is animated: a trip, then every number that changes, counted one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kimberley.client.boards.diamond_trust.events import (
    AgentMoved,
    AgentReturned,
    AgentTurned,
    GameEvent,
    InspectorSent,
    MonthBegun,
    SaleMade,
)
from kimberley.client.boards.diamond_trust.phrases import agent_mark
from kimberley.client.boards.diamond_trust.scene import LineStyle, Trip
from kimberley.client.ui.spans import Span
from kimberley.games.diamond_trust.angola import HOME, SEATS, other
from kimberley.games.diamond_trust.bots.deduction import known_cash
from kimberley.games.diamond_trust.knowledge import Unknown
from kimberley.games.diamond_trust.position import Agent
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import evolve

TRIP: Final = 0.45
COUNT: Final = 0.06
MOST: Final = 0.6
BLINK: Final = 0.5
"""Seconds of a trip, of counting one coin or diamond, of counting one number at most, and of a blinking heart."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One movement, in `seconds`, from one state to the next. With a `trip`, somebody is under way."""

    before: State
    after: State
    seconds: float
    trip: Trip | None = None

    def at(self, seconds: float) -> State:
        """Returns the state after some seconds: numbers are on their way, the agent that moves is where it was."""
        share = 1.0 if self.seconds <= 0 else min(1.0, max(0.0, seconds / self.seconds))
        if share >= 1.0:
            return self.after
        return evolve(
            self.before,
            limit=_between(self.before.limit, self.after.limit, share),
            vault=_between(self.before.vault, self.after.vault, share),
            diamonds=_between(self.before.diamonds, self.after.diamonds, share),
            agents=tuple(
                tuple(
                    Agent(agent.at, _number(agent.carries, new.carries, share))
                    for agent, new in zip(mine, theirs, strict=True)
                )
                for mine, theirs in zip(self.before.agents, self.after.agents, strict=True)
            ),
        )


def _number(before: int, after: int, share: float) -> int:
    return before + round((after - before) * share)


def _between(before: tuple[int, ...], after: tuple[int, ...], share: float) -> tuple[int, ...]:
    return tuple(_number(a, b, share) for a, b in zip(before, after, strict=True))


def counting(before: State, after: State) -> Frame:
    """Counts every number from one state to another. What the viewer does not know takes no time."""

    def shown(state: State, seat: int) -> bool:
        return not isinstance(known_cash(state, other(seat), seat), Unknown)

    pairs = [*zip(before.vault, after.vault, strict=True), *zip(before.diamonds, after.diamonds, strict=True)]
    pairs += [(before.limit[seat], after.limit[seat]) for seat in range(SEATS) if shown(before, seat)]
    for mine, new in zip(before.agents, after.agents, strict=True):
        pairs += [(a.carries, b.carries) for a, b in zip(mine, new, strict=True)]
    most = max(abs(b - a) for a, b in pairs)
    return Frame(before, after, min(MOST, COUNT * most))


def trip_of(event: AgentMoved | AgentReturned | InspectorSent, to: int, rider: Span | None = None) -> Trip:
    """Returns the line that an event draws on the map."""
    assert event.seat is not None
    agent = 0 if isinstance(event, InspectorSent) else event.agent
    inspector = isinstance(event, InspectorSent)
    return Trip(LineStyle(event.seat), event.seat, agent, event.start, to, rider=rider, inspector=inspector)


def frames_of(event: GameEvent) -> list[Frame]:
    """Returns the movements of an event, one after another; none where nothing moves."""
    before, after = event.before, event.after
    match event:
        case AgentMoved(seat=int(seat), agent=agent, start=start, to=to):
            # The diamonds reach the vault only once the trip is paid.
            carries = before.agents[seat][agent].carries
            there = evolve(before, agents=_placed(before, seat, agent, Agent(to, carries)))
            paid = evolve(there, limit=after.limit)
            trip = trip_of(event, to, agent_mark(seat, agent))
            flown = [Frame(before, there, TRIP, trip)] if start != to else []
            return _moving([*flown, counting(there, paid), counting(paid, after)])
        case AgentReturned(seat=int(seat), agent=agent):
            there = evolve(before, agents=_placed(before, seat, agent, Agent(HOME, event.brought)))
            trip = trip_of(event, HOME, agent_mark(seat, agent))
            return _moving([Frame(before, there, TRIP, trip), counting(there, after)])
        case InspectorSent(start=start, to=to) if start != to:
            there = evolve(before, inspector=to)
            return [Frame(before, there, TRIP, trip_of(event, to, Span(" UN ", "ink", True, "paper")))]
        case SaleMade(sold=sold):
            handed = evolve(before, vault=tuple(a - b for a, b in zip(before.vault, sold, strict=True)))
            return _moving([counting(before, handed), counting(handed, after)])
        case MonthBegun():
            return _moving([counting(evolve(after, diamonds=before.diamonds), after)])
        case AgentTurned():
            return [Frame(before, after, BLINK)]
        case _:
            return _moving([counting(before, after)])


def _placed(state: State, seat: int, agent: int, placed: Agent) -> tuple[tuple[Agent, ...], ...]:
    mine = state.agents[seat]
    return (
        *state.agents[:seat],
        (*mine[:agent], placed, *mine[agent + 1 :]),
        *state.agents[seat + 1 :],
    )


def _moving(frames: list[Frame]) -> list[Frame]:
    return [frame for frame in frames if frame.seconds > 0]


def moving_seconds(event: GameEvent) -> float:
    """Returns how long an event moves, in seconds."""
    return sum(frame.seconds for frame in frames_of(event))


def running(event: GameEvent, since: float) -> tuple[Frame, float] | None:
    """Returns the movement that runs `since` seconds after an event, and for how long it has; None if all is still."""
    for frame in frames_of(event):
        if since < frame.seconds:
            return frame, since
        since -= frame.seconds
    return None
