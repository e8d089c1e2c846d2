"""Searches one decision: candidates are simulated on sampled worlds, and the better half again on more.

Sequential halving (Karnin, Koren, Somekh 2013) spends the same number of simulations on each stage and keeps the better
half of the candidates after it. Within a stage all candidates meet the same worlds and the same first answers of the
other side, so that luck is shared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from kimberley.games.diamond_trust.bots.simulator import Index, Real

Rows: TypeAlias = npt.NDArray[np.int16]

Trial: TypeAlias = Callable[[Index, Index, Rows], Real]
"""Tries choices. Takes the worlds of a stage, and for each simulation the index of the world that it uses, and its
choice. Returns what each simulation reached, from 0 to 1.
"""


@dataclass(frozen=True)
class Ranked:
    """Candidates that were tried most, the best first, with the average of what each reached and its standard error."""

    candidates: Rows
    values: Real
    errors: Real


MixedStrategy: TypeAlias = list[tuple[list[int], float]]
"""Choices as rows (`games.diamond_trust.bots.strategist.Thinker`), and how likely each is chosen: these add up to 1."""

Report: TypeAlias = Callable[[float], None]
"""Called with the share of a search that is done, from 0 to 1."""


def halving(
    candidates: Rows, trial: Trial, worlds: int, simulations: int, report: Report, finalists: int = 2
) -> Ranked:
    """Ranks candidates by sequential halving. Worlds are used in turn.

    Args:
        candidates: One candidate in each row.
        trial: Simulates choices.
        worlds: The number of worlds to use.
        simulations: About how many simulations to run in all.
        report: Told the progress, from 0 to 1.
        finalists: How many candidates the last stage compares.

    """
    count = len(candidates)
    total, squares, tried = np.zeros(count), np.zeros(count), np.zeros(count)
    alive = np.arange(count)
    stages = max(1, int(np.ceil(np.log2(count / finalists))) + 1) if count > 1 else 1
    first = 0
    for stage in range(stages):
        report(stage / stages)
        runs = max(1, simulations // (stages * len(alive)))
        picked = (first + np.arange(runs)) % worlds
        first += runs
        take = np.tile(np.arange(runs), len(alive))
        reached = trial(picked, take, np.repeat(candidates[alive], runs, axis=0))
        rows = reached.reshape(len(alive), runs).astype(np.float64)
        total[alive] += rows.sum(axis=1)
        squares[alive] += (rows**2).sum(axis=1)
        tried[alive] += runs
        means = total[alive] / tried[alive]
        order = alive[np.argsort(-means, kind="stable")]
        alive = order if stage == stages - 1 else order[: max(finalists, (len(order) + 1) // 2)]
    means = total[alive] / tried[alive]
    errors = np.sqrt(np.maximum(squares[alive] / tried[alive] - means**2, 1e-4) / tried[alive])
    return Ranked(candidates[alive], means.astype(np.float32), errors.astype(np.float32))


def distinct(rows: Rows, most: int) -> Rows:
    """Returns the first `most` different rows, in their order."""
    seen: dict[bytes, int] = {}
    for number, row in enumerate(rows):
        seen.setdefault(row.tobytes(), number)
        if len(seen) == most:
            break
    return rows[list(seen.values())]
