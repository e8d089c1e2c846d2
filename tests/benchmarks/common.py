"""What the benchmarks share: how often to measure, and their report."""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.lab.bench import machine

KIMBERLEY: Final = (str(Path(sys.executable).with_name("kimberley")),)
QUICK: Final = "KIMBERLEY_BENCHMARK_QUICK"
"""Set in the environment, it makes every benchmark small: it shows that one works, and its figures mean nothing."""


def size(usual: int, quick: int = 2) -> int:
    """Returns how often to measure, or for how many seconds: `usual`, or `quick` where `QUICK` is set."""
    return quick if QUICK in os.environ else usual


def summary(seconds: Sequence[float]) -> dict[str, float]:
    """Returns milliseconds: median, 90th percentile and the largest of at least two measurements."""
    ordered = sorted(seconds)
    return {
        "runs": len(ordered),
        "median_ms": round(statistics.median(ordered) * 1000, 2),
        "p90_ms": round(statistics.quantiles(ordered, n=10, method="inclusive")[-1] * 1000, 2),
        "max_ms": round(ordered[-1] * 1000, 2),
    }


def report(figures: dict[str, object]) -> None:
    """Prints the figures as JSON, with the machine they were taken on."""
    print(json.dumps({"on": machine(), "date": time.strftime("%Y-%m-%d"), **figures}, indent=1))
