"""Many evenings, on all cores, and their figures."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from kimberley.client.session.workers import as_done, cores, workers
from tests.simulation.evenings.evening import Outcome, simulate
from tests.simulation.evenings.faults import FAULTS
from tests.simulation.evenings.plan import Focus


@dataclass
class Figures:
    """The combined outcomes of many evenings."""

    evenings: int = 0
    seconds: float = 0.0
    """Computing time, on one core."""
    virtual_hours: float = 0.0
    tables: int = 0
    events: int = 0
    frames: int = 0
    players: int = 0
    hostile: int = 0
    formats: Counter[str] = field(default_factory=Counter)
    rulings: Counter[str] = field(default_factory=Counter)
    tricks: Counter[str] = field(default_factory=Counter)
    """In how many evenings somebody had each trick."""
    broken: dict[int, str] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> None:
        self.evenings += 1
        self.seconds += outcome.seconds
        self.virtual_hours += outcome.virtual_seconds / 3600
        self.tables += outcome.tables
        self.events += outcome.events
        self.frames += outcome.frames
        self.players += outcome.players
        self.hostile += outcome.hostile
        self.formats[outcome.format] += 1
        self.rulings.update(outcome.rulings)
        self.tricks.update(outcome.tricks)
        if outcome.broken:
            self.broken[outcome.number] = outcome.broken

    def plain(self) -> dict[str, object]:
        """Returns the figures as JSON values."""
        counters = {
            name: dict(sorted(value.items())) for name, value in vars(self).items() if isinstance(value, Counter)
        }
        rounded = {"seconds": round(self.seconds, 1), "virtual_hours": round(self.virtual_hours, 1)}
        return {**vars(self), **rounded, **counters}


def play(number: int, focus: Focus, fault: str | None) -> Outcome:
    """Plays the evening of an integer, with a fault if one is named."""
    started = time.process_time()
    if fault is None:
        outcome = simulate(number, focus)
    else:
        with FAULTS[fault].put_in():
            outcome = simulate(number, focus)
    return replace(outcome, seconds=time.process_time() - started)


def run(
    numbers: Iterable[int],
    focus: Focus,
    *,
    fault: str | None = None,
    count: int | None = None,
    enough: Callable[[Outcome], bool] = lambda outcome: False,
) -> Iterator[Outcome]:
    """Plays the evenings of these integers, in any order, until `enough` returns True."""
    with workers(count, None) as executor:
        for outcome in as_done(executor, play, ((number, focus, fault) for number in numbers), 2 * (count or cores())):
            yield outcome
            if enough(outcome):
                return
