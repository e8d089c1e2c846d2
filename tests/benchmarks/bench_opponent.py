"""How long the practice opponent of Diamond Trust searches, by size: processor time of decisions over whole games.

.venv/bin/python -m tests.benchmarks.bench_opponent
"""

from __future__ import annotations

import time
from random import Random

from kimberley.games.arena import SeatedArena
from kimberley.games.diamond_trust import GAME
from kimberley.games.table import Chooser, Observation, Plain
from tests.benchmarks.common import report, summary
from tests.lab.diamond_trust.opponents import is_bound, search

SIZES = (1, 4, 8, 20)
GAMES = 3


def timed(chooser: Chooser, times: list[float]) -> Chooser:
    """Adds the processor time of each decision where there is something to choose."""

    def choose(observation: Observation) -> Plain:
        start = time.process_time()
        choice = chooser(observation)
        if not is_bound(observation):
            times.append(time.process_time() - start)
        return choice

    return choose


def decisions(size: int) -> dict[str, float]:
    """A search of that size against one of size 1, over some games."""
    times = list[float]()
    for seed in range(GAMES):
        SeatedArena(GAME, 2, Random(seed)).play([timed(search(size, seed), times), search(1, seed)])
    return summary(times)


def main() -> None:
    search(1, 0)
    report({f"search_{size}_decision": decisions(size) for size in SIZES})


if __name__ == "__main__":
    main()
