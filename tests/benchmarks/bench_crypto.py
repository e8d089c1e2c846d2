"""What cryptography costs with compiled packages and without: CPU seconds of a demo of each game, and of a check of its
record.

.venv/bin/python -m tests.benchmarks.bench_crypto
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping

from kimberley.games.lookup import ids
from kimberley.protocol.crypto.backend import PURE, VARIABLE
from tests.benchmarks.common import KIMBERLEY, report, size

CHOICES: Mapping[str, Mapping[str, str]] = {
    "automatic": {},
    PURE: {VARIABLE: PURE},
}


def main() -> None:
    found: dict[str, object] = {}
    games = ids()
    for game in games[: size(len(games), quick=1)]:
        with tempfile.TemporaryDirectory() as data:
            played = {choice: demo(game, f"{data}/{choice}", environ) for choice, environ in CHOICES.items()}
            record = played["automatic"][1]
            found[game] = {
                choice: {"demo": played[choice][0], "verify": seconds(environ, "verify", record)[0]}
                for choice, environ in CHOICES.items()
            }
    report(found)


def demo(game: str, data: str, environ: Mapping[str, str]) -> tuple[float, str]:
    """Runs a demo. Returns its CPU seconds, and where its record is."""
    took, out = seconds(environ, "demo", game, "--seed", "1", "--data", data, "--json")
    return took, str(json.loads(out)["record"])


def seconds(environ: Mapping[str, str], *typed: str) -> tuple[float, str]:
    """Returns the CPU seconds of a command and all processes that it starts, and what it says."""
    before = os.times()
    ran = subprocess.run(
        (*KIMBERLEY, *typed), check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, **environ}
    )
    after = os.times()
    took = after.children_user - before.children_user + after.children_system - before.children_system
    return round(took, 2), ran.stdout


if __name__ == "__main__":
    main()
