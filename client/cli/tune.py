"""`kimberley tune`: tunes the policy of the bot's simulations."""

from __future__ import annotations

import argparse
from concurrent.futures import Executor
from typing import Any, Final

from kimberley.client.cli.learning import begun, keep, say, write
from kimberley.client.session.workers import workers
from kimberley.games.diamond_trust.tuning import Tuning, fitness
from kimberley.p2p.base.platform import monotonic

GENERATIONS: Final = 1000
KEPT: Final = 50
"""Generations between two writes of the state."""


def run(found: argparse.Namespace) -> int:
    """Tunes, and writes what it found. Raises UserError."""
    with workers(found.workers, found.dask) as executor:
        write(found.out, _tuned(found, executor))
    return 0


def _tuned(found: argparse.Namespace, executor: Executor) -> dict[str, Any]:
    tuning = begun(found.state, Tuning.of_plain) or Tuning.begin(found.generations or GENERATIONS, found.seed)
    start = monotonic()
    try:
        while not tuning.done:
            tuning.learn(list(executor.map(fitness, tuning.jobs())))
            if tuning.generation % KEPT == 0 or tuning.done:
                keep(found.state, tuning)
                say(f"generation {tuning.generation} of {tuning.generations}")
    except KeyboardInterrupt:
        keep(found.state, tuning)
        say(f"stopped after {tuning.generation} of {tuning.generations} generations", end="\n")
    say("", end="")
    return {"seconds": round(monotonic() - start), **tuning.found()}
