"""A network in virtual time. One integer decides the delays, cuts and partitions of all connections.

Each frame has its own delay. Frames on one connection do not overtake each other (TCP), but frames on different
connections do. A cut loses what is on its way in both directions. A lost connection returns by itself, unless a
partition separates its ends or one of them is down.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final, Protocol

from kimberley.p2p.transport.frames import Frame

RETURN_SECONDS: Final = (0.2, 8.0)
"""The shortest and the longest time until a lost connection returns (SPEC.md, section 10)."""


class Clock:
    """Virtual time in seconds. Actions due at the same time run in the order in which they were scheduled."""

    def __init__(self) -> None:
        self.now = 0.0
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._due, (self.now + seconds, self._count, action))

    def step(self) -> bool:
        """Runs the next action. Returns False if there is none."""
        if not self._due:
            return False
        self.now, _, action = heapq.heappop(self._due)
        action()
        return True


@dataclass(frozen=True)
class Weather:
    """How bad the network is. Delays are in seconds. `cuts` and `partitions` are counts for a whole table."""

    shortest: float
    longest: float
    slow: float
    """The share of frames that take ten times as long."""
    cuts: int
    partitions: int

    def delay(self, rng: Random) -> float:
        seconds = rng.uniform(self.shortest, self.longest)
        return seconds * 10 if rng.random() < self.slow else seconds


class End(Protocol):
    """A participant of the network."""

    def heard(self, sender: int, frame: Frame) -> None:
        """Called when a frame has arrived."""

    def joined(self, other: int) -> None:
        """Called when the connection to another end has returned."""

    def lost(self, other: int) -> None:
        """Called when the connection to another end is lost."""


@dataclass
class _Line:
    """The connection between two ends. `era` distinguishes successive connections."""

    up: bool = True
    era: int = 0
    arrives: dict[int, float] = field(default_factory=dict)


class Network:
    """All connections. `sit` adds to `ends`."""

    def __init__(self, clock: Clock, rng: Random, weather: Weather) -> None:
        self.ends: dict[int, End] = {}
        self.frames = 0
        self._clock = clock
        self._rng = rng
        self._weather = weather
        self._lines: dict[tuple[int, int], _Line] = {}
        self._apart: set[tuple[int, int]] = set()
        self._down: set[int] = set()

    def sit(self, number: int, end: End) -> None:
        self._lines |= {_between(number, other): _Line() for other in self.ends}
        self.ends[number] = end

    def up(self, one: int, other: int) -> bool:
        return self._lines[_between(one, other)].up

    def send(self, sender: int, receiver: int, frame: Frame) -> None:
        """Sends a frame, if the connection is up."""
        line = self._lines[_between(sender, receiver)]
        if not line.up:
            return
        due = max(self._clock.now + self._weather.delay(self._rng), line.arrives.get(sender, 0.0))
        line.arrives[sender] = due
        era = line.era
        self.frames += 1

        def arrive() -> None:
            if line.era == era:
                self.ends[receiver].heard(sender, frame)

        self._clock.after(due - self._clock.now, arrive)

    def cut(self, one: int, other: int) -> None:
        """Loses the connection and all that is on its way. It returns later."""
        line = self._lines[_between(one, other)]
        if not line.up:
            return
        line.up = False
        line.era += 1
        line.arrives.clear()
        self.ends[one].lost(other)
        self.ends[other].lost(one)
        self._return_later(one, other)

    def part(self, side: set[int], seconds: float) -> None:
        """Separates some ends from all others for a while."""
        pairs = {pair for pair in self._lines if (pair[0] in side) != (pair[1] in side)}
        self._apart |= pairs
        for pair in sorted(pairs):
            self.cut(*pair)

        def heal() -> None:
            self._apart -= pairs

        self._clock.after(seconds, heal)

    def down(self, end: int) -> None:
        """Takes an end down, with all its connections."""
        self._down.add(end)
        for other in self.ends:
            if other != end:
                self.cut(end, other)

    def back(self, end: int) -> None:
        self._down.discard(end)

    def _return_later(self, one: int, other: int) -> None:
        line = self._lines[_between(one, other)]

        def come_back() -> None:
            if line.up:
                return None
            if _between(one, other) in self._apart or {one, other} & self._down:
                return self._return_later(one, other)
            line.up = True
            self.ends[one].joined(other)
            self.ends[other].joined(one)
            return None

        self._clock.after(self._rng.uniform(*RETURN_SECONDS), come_back)


def _between(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
