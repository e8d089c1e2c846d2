"""A game from another package: built, installed beside Kimberley, played over the network on its own board, and
proven.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from kimberley.games.table import Game, Result
from tests.support.laws import (
    TwoTruths,
    check_bot,
    check_space,
    check_spectator_allows,
    check_views,
    pick,
    spaces,
    steps,
)
from tests.support.terminal import Terminal, address_of, at_the_end

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "tests" / "sixth_game"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Installs the package as a user would, but without the network. Returns its folder."""
    target = tmp_path_factory.mktemp("installed")
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation")
    quiet = ("--disable-pip-version-check", "--root-user-action=ignore")
    subprocess.run([*pip, *quiet, "--target", str(target), str(PACKAGE)], check=True)
    return target


def kimberley(*typed: object, packages: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the command, with or without the package."""
    environ = {**os.environ, "PYTHONPATH": str(packages)} if packages is not None else None
    command = [sys.executable, "-m", "kimberley.client.cli.main", *map(str, typed)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=environ)


@pytest.mark.nightly
def test_it_plays_over_the_network_and_its_record_needs_the_package(folder: Path, tmp_path: Path) -> None:
    for seats in (2, 4):
        ran = kimberley("demo", "facets", "--seats", seats, "--data", tmp_path / str(seats), "--json", packages=folder)
        assert ran.returncode == 0, ran.stderr
        found = json.loads(ran.stdout)
        assert (found["verdict"], found["options"], len(found["names"])) == ("fair", {"facets": "7"}, seats)
        assert kimberley("verify", found["record"], packages=folder).returncode == 0
        told = kimberley("replay", found["record"], "--plain", packages=folder).stdout
        assert "Over: the last facet is cut." in told
    unknown = kimberley("verify", found["record"])
    assert unknown.returncode == 4
    assert "no game 'facets' is installed here" in unknown.stdout


@pytest.mark.nightly
def test_two_people_play_it_on_its_own_board(folder: Path, tmp_path: Path) -> None:
    environ = {"PYTHONPATH": str(folder)}
    with (
        Terminal("--nickname", "ana", "--calm", data=tmp_path / "ana", environ=environ) as ana,
        Terminal("--nickname", "ben", "--calm", data=tmp_path / "ben", environ=environ) as ben,
    ):
        ana.wait("Play alone a")
        ana.press_until("down", "▸ Facets")
        ana.press("h")
        ana.wait("How to join")
        ana.press("o")
        ana.wait("How many can play.")
        ana.press("down", "left", "enter")
        address = address_of(ana)
        ben.touch("Join j")
        ben.press("/", *address, "enter")
        ben.wait(lambda text: re.search(r"Facets +21", text) is not None)
        with Terminal("watch", address, data=tmp_path / "eve", environ=environ) as eve:
            eve.wait("The game has not begun.")
            for seat in (ana, ben):
                seat.touch("Same y")
            eve.wait("21 facets left")
            eve.wait("begins.")
            eve.press("q")
            eve.wait("quit")
        for seat in (ana, ben):
            seat.wait("21 facets left")
        ana.press("l")
        ana.wait("By lot")
        ana.press("esc")
        cuts = 0
        while not all(at_the_end(seat.text) for seat in (ana, ben)):
            for seat in (ana, ben):
                text = seat.wait(
                    lambda text: any(sign in text for sign in ("is choosing", "Cut one", "Enter continue"))
                )
                if "Cut one to three facets." in text:
                    seat.press("3") if seat is ana else seat.touch("Cut 3")
                    seat.wait(lambda now, text=text: now != text)  # type: ignore[misc]
                    cuts += 1
        assert cuts == 7
        assert "the last facet is cut" in ben.dossier()
        ana.dossier()
        ana.press("enter")
        ana.wait("Facets · replay")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_keeps_the_laws(folder: Path, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(folder))
    game: Game = importlib.import_module("facets").GAME
    rng = Random(seats)
    for seed in range(20):
        TwoTruths(game, seats, None, Random(seed)).run()
        for table, ask in steps(game, seats, Random(seed)):
            check_views(table)
            if not isinstance(ask, Result):
                check_spectator_allows(table, ask, {seat: pick(ask, seat, rng) for seat in ask.choosers})
                for seat in ask.choosers:
                    check_bot(game, table.observation(seat), seed)
            for space in spaces(ask):
                check_space(space, [0, 4, True, "1", None, 1.0], rng)
        assert isinstance(ask, Result)
        assert ask.winners
