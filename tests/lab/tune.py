"""`tune`: tunes the policy of the bot's simulations."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import Executor
from typing import Any, Final

from kimberley.client.cli.output_file import OutputFile
from kimberley.client.session.workers import workers
from kimberley.p2p.base.platform import monotonic
from tests.lab.diamond_trust.tuning import Tuning, fitness
from tests.lab.learning import LearningState, in_all, in_order, say, write
from tests.lab.work_files import after_loss, going_on

GENERATIONS: Final = 1000
KEPT: Final = 50
"""Generations between two writes of the state."""


def run(found: argparse.Namespace) -> int:
    """Tunes, and writes what it found. Raises UserError."""
    out = None if found.out is None else OutputFile.at(found.out, found.state)
    state = LearningState.at(found.state, f"--seed {found.seed}")
    tuning = state.begun(Tuning.of_plain) or Tuning.begin(found.generations or GENERATIONS, found.seed)
    tuning.generations = in_all(found.generations, tuning)
    state.keep(tuning)
    with workers(found.workers, found.dask, after_loss(found.state)) as executor:
        result = _tuned(tuning, state, executor)
    write(out, result)
    return 0


def _tuned(tuning: Tuning, state: LearningState, executor: Executor) -> dict[str, Any]:
    start = monotonic()
    try:
        while not tuning.done:
            tuning.learn(in_order(executor, fitness, [(job,) for job in tuning.jobs()]))
            if tuning.generation % KEPT == 0:
                state.keep(tuning)
                say(f"generation {tuning.generation} of {tuning.generations}")
    except KeyboardInterrupt:
        stopped = f"lab: stopped after {tuning.generation} of {tuning.generations} generations."
        print(f"\n{stopped} {going_on(state.path)}", file=sys.stderr)
    finally:
        state.keep(tuning)
    say("")
    return {"seconds": round(monotonic() - start), **tuning.found()}
