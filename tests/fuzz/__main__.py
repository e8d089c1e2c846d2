"""The coverage-guided fuzzer (Atheris, which is libFuzzer for Python) on one target, or on each in turn.

.venv/bin/pip install -e '.[fuzz]'
.venv/bin/python -m tests.fuzz TARGET --seconds 60        (TARGET: a name, or "all")

It begins with what the decoder accepts, keeps inputs that reach new lines in --corpus, and stops at the first that
raises: that input is kept in the same folder, and --input FILE runs it again.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Final

LAYERS: Final = ("kimberley",)
"""The packages whose branches count as coverage."""
MOST_BYTES: Final = 1 << 16
NO_ATHERIS: Final = "The coverage-guided fuzzer is Atheris, for Linux. Install it: .venv/bin/pip install -e '.[fuzz]'"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzzes what reads the input of others.")
    parser.add_argument("target", help='the name of a target, "all", or "list"')
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--corpus", type=Path, help="a folder that keeps what was found; by default a new one")
    parser.add_argument("--input", type=Path, help="runs one input, and nothing else")
    given = parser.parse_args()
    if given.target in ("all", "list"):
        from tests.fuzz.targets import TARGETS

        if given.target == "list":
            print("\n".join(TARGETS))
            return 0
        return max(_apart(name, given.seconds, given.corpus) for name in TARGETS)
    if given.input is not None:
        from tests.fuzz.targets import TARGETS

        TARGETS[given.target].check(given.input.read_bytes())
        return 0
    try:
        atheris = importlib.import_module("atheris")
    except ImportError:
        print(NO_ATHERIS, file=sys.stderr)
        return 2
    with contextlib.ExitStack() as stack:
        corpus = given.corpus or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        _fuzz(atheris, given.target, given.seconds, corpus)
    return 0


def _apart(name: str, seconds: int, corpus: Path | None) -> int:
    """Runs one target in a process of its own: libFuzzer ends the one that it runs in."""
    command = [sys.executable, "-m", "tests.fuzz", name, "--seconds", str(seconds)]
    if corpus is not None:
        command += ["--corpus", str(corpus / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    last = [line for line in done.stderr.splitlines() if "cov:" in line][-1:]
    print(f"{name}: {'holds' if done.returncode == 0 else 'FAILS'} {' '.join(last)}", flush=True)
    if done.returncode:
        print(done.stdout[-4000:], done.stderr[-4000:], sep="\n", flush=True)
    return done.returncode


def _fuzz(atheris: ModuleType, name: str, seconds: int, corpus: Path) -> None:
    """Does not return: libFuzzer ends the process."""
    instrument: Any = atheris
    with instrument.instrument_imports(include=list(LAYERS)):
        from tests.fuzz.target import revalued
        from tests.fuzz.targets import TARGETS

        target = TARGETS[name]
        for seed in target.seeds:
            # Much is imported only when it is used.
            target.check(seed)
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds):
        (corpus / f"seed-{number}").write_bytes(seed)

    def mutate(data: bytes, most: int, salt: int) -> bytes:
        """Changes an input. Half of the changes are to a packed value, which libFuzzer's own would seldom leave
        whole.
        """
        rng = Random(salt)
        if rng.random() < 0.5:
            return revalued(data, rng)[:most]
        changed: bytes = instrument.Mutate(data, most)
        return changed

    options = [f"-max_total_time={seconds}", f"-max_len={MOST_BYTES}", f"-artifact_prefix={corpus}/", "-timeout=20"]
    instrument.Setup([sys.argv[0], *options, str(corpus)], target.check, custom_mutator=mutate)
    instrument.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
