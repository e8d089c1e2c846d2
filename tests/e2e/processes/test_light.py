"""What a light installation does: programs without the packages of the extras, and without numpy."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from kimberley.p2p.base.extras import EXTRAS
from kimberley.p2p.tournament.bundle import MAGIC
from tests.support.paths import ROOT

pytestmark = pytest.mark.e2e

KIMBERLEY = (sys.executable, "-m", "kimberley.client.cli.main")
NOTHING = (*(module for modules in EXTRAS.values() for module in modules), "numpy")


def light(without: Sequence[str] = NOTHING) -> dict[str, str]:
    """Returns the environment of a program that lacks these packages."""
    return {**os.environ, "PYTHONPATH": str(ROOT / "tests/support/light"), "WITHOUT": " ".join(without)}


def run(*typed: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*KIMBERLEY, *map(str, typed)], capture_output=True, text=True, timeout=300, check=False, env=light()
    )


@pytest.mark.nightly
def test_the_practice_opponent_plays_without_numpy_and_says_how(tmp_path: Path) -> None:
    played = run("demo", "diamond-trust", "--seed", 1, "--level", 11, "--data", tmp_path, "--json")
    assert played.returncode == 0, played.stderr
    assert json.loads(played.stdout)["verdict"] == "fair"


@pytest.mark.parametrize(
    ("extra", "typed"),
    [
        ("referee", ("referee", "Cup")),
        ("referee", ("verify", "BUNDLE")),
        ("dask", ("verify", ".", "--dask", "tcp://nowhere")),
    ],
)
def test_a_command_that_needs_more_says_the_line_to_type(extra: str, typed: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "BUNDLE").write_bytes(MAGIC)
    said = run(*(tmp_path / one if one in ("BUNDLE", ".") else one for one in typed))
    assert said.returncode == (69 if typed[0] == "verify" else 1)
    _, _, line = said.stderr.strip().partition(" needs more packages. Install them: ")
    assert line.startswith(f"{sys.executable} -m pip install ")
    assert line.endswith(f'[{extra}]"')


def test_a_player_needs_nothing_of_what_a_referee_needs(tmp_path: Path) -> None:
    settings = ("--game", "diamond", "--format", "round-robin", "--players", "2", "--pause", "0", "--linger", "0")
    typed = ("referee", "Cup", *settings)
    with subprocess.Popen(
        [*KIMBERLEY, *typed, "--bind", "127.0.0.1", "--data", str(tmp_path / "referee")],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
    ) as referee:  # fmt: skip
        assert referee.stdout is not None
        where = next(found[1] for line in referee.stdout if (found := re.search(r"kimberley join (127\S+)", line)))
        rest = threading.Thread(target=referee.stdout.read)
        rest.start()
        bots = [
            subprocess.Popen(
                [*KIMBERLEY, "bot", "join", where, "--nickname", name, "--data", str(tmp_path / name), "--seed", "1"],
                stdout=subprocess.PIPE, text=True, env=light(),
            )
            for name in ("Ana", "Ben")
        ]  # fmt: skip
        said = [bot.communicate(timeout=240)[0] for bot in bots]
        assert [bot.returncode for bot in bots] == [0, 0], said
        assert referee.wait(60) == 0
        rest.join()
