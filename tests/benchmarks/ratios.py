"""Ratios: what something takes against its floor or its peer, in alternating runs of one session."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median, quantiles
from typing import Any

from tests.benchmarks.common import size
from tests.support.paths import ROOT

PEERS = ROOT / "build" / "peers" / "bin"
"""Other people's programs: docs/performance.md says how they are installed."""

Measure = Callable[[], float]
Ratio = dict[str, Any]


def alternate(measures: Mapping[str, Measure], runs: int) -> dict[str, list[float]]:
    """Measures each in turn, again and again, so that what slows the computer down slows all of them down. The first
    turn warms caches up and does not count.
    """
    turns = [{name: measure() for name, measure in measures.items()} for _ in range(runs + 1)][1:]
    return {name: [turn[name] for turn in turns] for name in measures}


def ratio(ours: Sequence[float], against: Sequence[float]) -> Ratio:
    """Returns the median ratio of the pairs with its quartiles, and both medians."""
    pairs = [one / other for one, other in zip(ours, against, strict=True)]
    low, _, high = quantiles(pairs, n=4, method="inclusive") if len(pairs) > 1 else pairs * 3
    return {"ratio": median(pairs), "low": low, "high": high, "ours": median(ours), "against": median(against)}


def compared(ours: Measure, against: Measure, usual: int, quick: int = 2) -> Ratio:
    """Returns the ratio of two measures over `usual` runs, or `quick` in a small run."""
    both = alternate({"ours": ours, "against": against}, size(usual, quick))
    return ratio(both["ours"], both["against"])


def missing(why: str) -> Ratio:
    """Stands for a ratio that this computer cannot measure."""
    return {"missing": why}


def command_seconds(*command: str) -> float:
    """Returns the seconds that a command takes."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start
