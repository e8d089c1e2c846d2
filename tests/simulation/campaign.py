"""Many tables, on all cores or on a cluster. The outcomes go to a file, from which a later run can continue."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from kimberley.client.session.workers import as_done, cores, workers
from tests.simulation.faults import FAULTS
from tests.simulation.plan import Focus
from tests.simulation.table import Outcome, simulate

AHEAD: Final = 64
"""Tables sent to a cluster in advance, so that none of its cores is idle."""


@dataclass
class Figures:
    """The combined outcomes of many tables."""

    tables: int = 0
    seconds: float = 0.0
    """Computing time, on one core."""
    steps: int = 0
    envelopes: int = 0
    frames: int = 0
    crashes: int = 0
    virtual_seconds: float = 0.0
    games: Counter[str] = field(default_factory=Counter)
    groups: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    honest: int = 0
    """Tables at which nobody had a trick."""
    cheated: Counter[str] = field(default_factory=Counter)
    """How often each trick was performed."""
    broken: dict[int, str] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> None:
        self.tables += 1
        self.seconds += outcome.seconds
        self.steps += outcome.steps
        self.envelopes += outcome.envelopes
        self.frames += outcome.frames
        self.crashes += outcome.crashes
        self.virtual_seconds += outcome.virtual_seconds
        self.games[f"{outcome.game}, {outcome.seats} seats"] += 1
        self.groups[outcome.group] += 1
        self.verdicts[outcome.verdict] += 1
        self.honest += not outcome.tricks
        self.cheated.update(outcome.cheated)
        if outcome.broken:
            self.broken[outcome.number] = outcome.broken

    def plain(self) -> dict[str, object]:
        """Returns the figures as JSON values."""
        counters = {
            name: dict(sorted(value.items())) for name, value in vars(self).items() if isinstance(value, Counter)
        }
        rounded = {"seconds": round(self.seconds, 1), "virtual_seconds": round(self.virtual_seconds)}
        return {**vars(self), **rounded, **counters}


def play(number: int, focus: Focus, fault: str | None) -> Outcome:
    """Plays the table of an integer, with a fault if one is named."""
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
    cluster: str | None = None,
    enough: Callable[[Outcome], bool] = lambda outcome: False,
) -> Iterator[Outcome]:
    """Plays the tables of these integers, in any order, until `enough` returns True. Raises
    client.workers.NoCluster.
    """
    with workers(count, cluster) as executor:
        ahead = 2 * (count or cores()) if cluster is None else AHEAD
        for outcome in as_done(executor, play, ((number, focus, fault) for number in numbers), ahead):
            yield outcome
            if enough(outcome):
                return


class Kept:
    """The file of outcomes, one JSON object a line. `done` are the integers in it."""

    def __init__(self, path: Path | None) -> None:
        self.outcomes: list[Outcome] = []
        self._file = path.open("a+") if path is not None else None
        if self._file is not None:
            self._file.seek(0)
            whole, end, torn = self._file.read().rpartition("\n")
            for line in whole.splitlines():
                fields = json.loads(line)
                lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
                self.outcomes.append(Outcome(**(fields | lists)))
            if torn:
                self._file.truncate(len((whole + end).encode()))

    @property
    def done(self) -> set[int]:
        return {outcome.number for outcome in self.outcomes}

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        if self._file is not None:
            self._file.write(json.dumps(asdict(outcome)) + "\n")
            self._file.flush()
