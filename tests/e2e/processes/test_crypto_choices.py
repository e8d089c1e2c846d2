"""Games and the protocol's own tests with every choice of cryptography, and on a machine that lacks the libraries."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest

from kimberley.games.lookup import find, ids
from kimberley.games.options import format_value
from tests.support.effort import spread, tries
from tests.support.paths import ROOT

pytestmark = pytest.mark.e2e

KIMBERLEY: Final = (sys.executable, "-m", "kimberley.client.cli.main")
PATIENCE: Final = 300
APART: Final = (
    *("crypto/test_backend.py", "crypto/test_group.py", "crypto/test_primitives.py"),
    *("test_encoding.py", "test_words.py"),
    *("test_hidden.py", "test_leaving.py", "test_mesh_cheats.py", "test_records.py"),
    *("test_refusals.py", "test_rematch.py"),
)
"""Tests that compare all libraries anyway, that need none, and that play or judge hundreds of games which differ only
where no library is asked.
"""
OFTEN: Final = (
    *("pure", "schema", "fits", "wrong_input"),
    *("order_of_arrival", "envelopes_of_another_table", "states_of_all_seats", "flood", "resign"),
    *("every_size", "every_challenge", "value_of_every_part", "equally_likely", "another_digest", "any_other_shape"),
)
"""Parts of the names of tests that use the slow group of the tests or none, play the same game again and again, or
prove again and again. What has another shape is asked of a library only as a point, which `crypto/test_group.py` does.
"""
LONG_IN_PURE_PYTHON: Final = ("land", "piecepack")
WITHOUT_LIBRARIES: Final = """
import ctypes, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("cryptography", "numpy", "rbcl"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

class Loader(ctypes.CDLL):
    def __init__(self, name, *more, **options):
        if "sodium" in str(name):
            raise OSError(f"{name}: cannot open shared object file")
        super().__init__(name, *more, **options)

sys.meta_path.insert(0, Missing())
ctypes.CDLL = Loader
"""


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """Returns the environment of a machine without libsodium and compiled packages, for a program and all that it
    starts.
    """
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(WITHOUT_LIBRARIES)
    return {"PYTHONPATH": str(folder), "MSGPACK_PUREPYTHON": "1"}


def run(environ: Mapping[str, str], *typed: object) -> subprocess.CompletedProcess[str]:
    command = [*KIMBERLEY, *map(str, typed)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, **environ})


def bot(environ: Mapping[str, str], *typed: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*KIMBERLEY, "bot", *map(str, typed), "--json", "--level", "1"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environ},
    )


def until(process: subprocess.Popen[str], event: str) -> dict[str, Any]:
    """Reads a seat's events up to this one."""
    assert process.stdout is not None
    for line in process.stdout:
        found: dict[str, Any] = json.loads(line)
        if found["event"] == event:
            return found
    raise AssertionError(f"no {event!r}")


def test_a_machine_without_libraries_says_what_it_uses(bare: dict[str, str]) -> None:
    assert "cryptography: pure Python\n" in run(bare, "doctor").stdout
    missing = run(bare | {"KIMBERLEY_CRYPTO": "libsodium"}, "doctor")
    assert (missing.returncode, missing.stdout) == (1, "")
    assert missing.stderr.startswith("kimberley: KIMBERLEY_CRYPTO asks for libsodium, which cannot be loaded here")


@pytest.mark.parametrize(
    "game", spread(1, tries([game for game in ids() if game not in LONG_IN_PURE_PYTHON], list(ids())))
)
def test_a_machine_without_libraries_hosts_plays_and_verifies(game: str, bare: dict[str, str], tmp_path: Path) -> None:
    """Those who join have libsodium alone, or what a machine usually has."""
    known = find(game)
    terms = [f"--option={name}={format_value(value)}" for name, value in known.quick]
    terms += ["--adjust=0"] * known.last_looks
    joining = [{"KIMBERLEY_CRYPTO": "libsodium"}, {}][: min(known.seats) - 1]
    with ExitStack() as ends:
        seats = [bot(bare, "host", game, "--data", tmp_path / "0", "--bind", "127.0.0.1", *terms)]
        ends.callback(end, seats)
        address = f"127.0.0.1:{until(seats[0], 'open')['port']}"
        for number, environ in enumerate(joining, 1):
            seats.append(bot(environ, "join", address, "--data", tmp_path / str(number)))
        done = [until(seat, "done") for seat in seats]
    assert {each["verdict"] for each in done} == {"fair"}
    assert len({Path(each["record"]).read_bytes() for each in done}) == 1
    verified = run(bare, "verify", done[0]["record"])
    assert (verified.returncode, verified.stderr) == (0, "")


def end(processes: list[subprocess.Popen[str]]) -> None:
    for process in processes:
        process.kill()
        process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("choice", "tests"),
    [
        ("pure", ("tests/protocol", "tests/conformance/test_forgeries.py", "tests/conformance/test_vectors.py")),
        # Only what it signs and encrypts with differs from the default.
        ("libsodium", ("tests/protocol/crypto", "tests/conformance/test_vectors.py")),
    ],
    ids=["pure", "libsodium"],
)
@pytest.mark.nightly
def test_the_protocol_holds_with_every_choice(choice: str, tests: tuple[str, ...]) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    left_out = [f"--ignore=tests/protocol/{name}" for name in APART]
    chosen = ("-m", "not slow and not e2e", "-k", f"not ({' or '.join(OFTEN)})")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *chosen, "-p", "no:cacheprovider", *left_out, *tests],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=environ | {"KIMBERLEY_CRYPTO": choice},
    )
    assert ran.returncode == 0, ran.stdout[-4000:]
