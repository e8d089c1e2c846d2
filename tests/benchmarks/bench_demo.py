"""`kimberley demo`, whole: seconds by phase, and what both seats sent before TLS.

.venv/bin/python -m tests.benchmarks.bench_demo
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections import defaultdict

from tests.benchmarks.common import KIMBERLEY, report, size, summary

RUNS = size(10)


def main() -> None:
    times: list[float] = []
    phases: defaultdict[str, list[float]] = defaultdict(list)
    sizes: list[int] = []
    for seed in range(RUNS):
        with tempfile.TemporaryDirectory() as data:
            start = time.perf_counter()
            ran = subprocess.run(
                (*KIMBERLEY, "demo", "--seed", str(seed), "--data", data, "--json"), check=True, stdout=subprocess.PIPE
            )
            times.append(time.perf_counter() - start)
        found = json.loads(ran.stdout)
        assert found["verdict"] == "fair"
        sizes.append(found["bytes"])
        for phase, seconds in found["seconds"].items():
            phases[phase].append(seconds)
    report(
        {
            "demo": summary(times),
            "phases": {phase: summary(seconds) for phase, seconds in phases.items()},
            "most_bytes_sent": max(sizes),
        }
    )


if __name__ == "__main__":
    main()
