"""How many whole games of Diamond Trust the simulator plays a second on one core, by the tuned policy.

.venv/bin/python -m tests.benchmarks.bench_simulator

Processor time is measured, so that what else runs on the machine counts little.
"""

from __future__ import annotations

import time
from random import Random

import numpy as np

from kimberley.games.diamond_trust.bots.parameters import tuned
from kimberley.games.diamond_trust.bots.policy import Noise, Parameters, Policy
from kimberley.games.diamond_trust.bots.rollout import Rollout
from kimberley.games.diamond_trust.bots.simulator import Games
from tests.benchmarks.common import report

BATCHES = (64, 256, 1024, 4096)
SECONDS = 2.0


def games_a_second(batch: int) -> float:
    """Whole games by the tuned policy on both sides, in batches of so many."""
    rollout = Rollout(Policy(Parameters(tuned()[0], tuned()[0])), Noise(Random(1)))
    inspector = np.arange(batch, dtype=np.int16) % 6
    rollout.from_pay(Games.begin(inspector))
    played, start = 0, time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        rollout.from_pay(Games.begin(inspector))
        played += batch
    return played / spent


def main() -> None:
    report({f"batches_of_{batch}": round(games_a_second(batch)) for batch in BATCHES})


if __name__ == "__main__":
    main()
