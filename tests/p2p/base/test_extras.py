"""The packages that only some commands need, and what is there without them."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from kimberley.games.bots.levels import make_bot
from kimberley.games.diamond_trust import GAME
from kimberley.p2p.base import extras
from kimberley.p2p.base.extras import EXTRAS, MissingExtra, install_line, is_installed, require
from tests.support.paths import ROOT
from tests.support.trust import Trust

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OTHERWISE_NAMED = {"magic-wormhole": "wormhole", "noiseprotocol": "noise"}


def modules(requirements: list[str]) -> set[str]:
    """Returns the modules of these packages: most are named like them, with underscores."""
    packages = [re.match(r"[\w-]+", one)[0] for one in requirements]  # type: ignore[index]
    return {OTHERWISE_NAMED.get(one, one.replace("-", "_")) for one in packages}


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_has_the_packages_of_the_project_and_players_do_without(extra: str) -> None:
    assert modules(PROJECT["optional-dependencies"][extra]) == set(EXTRAS[extra])
    everywhere = [one for one in PROJECT["dependencies"] if ";" not in one]
    assert not modules(everywhere) & set(EXTRAS[extra])


def test_what_is_missing_is_said_with_the_line_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    require("referee", "A tournament")
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(MissingExtra) as missing:
        require("referee", "A tournament")
    assert str(missing.value) == f"A tournament needs more packages. Install them: {install_line('referee')}"
    assert install_line("referee").endswith('[referee]"')
    assert install_line("referee").startswith(f"{sys.executable} -m pip install ")


def test_a_folder_that_an_uninstalled_package_left_is_no_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "left_behind" / "__pycache__").mkdir(parents=True)
    (tmp_path / "whole.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    assert is_installed("whole", "sys", "json")
    assert not is_installed("whole", "left_behind")


@pytest.mark.parametrize(("found", "enough"), [("3.0.9", False), ("3.1", True), ("3.1.6", True), ("3.10rc1", True)])
def test_a_package_older_than_the_extra_needs_is_missing(
    found: str, enough: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "version", lambda name: found if name == "jinja2" else "99")
    with nullcontext() if enough else pytest.raises(MissingExtra, match="needs more packages"):
        require("referee", "A tournament")


@pytest.mark.parametrize(
    ("receipt", "command"), [("pipx_metadata.json", "pipx install --force "), ("uv-receipt.toml", "uv tool install ")]
)
def test_the_line_is_one_of_the_tool_that_installed_the_program(
    receipt: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / receipt).touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert install_line("referee").startswith(command)


def test_a_checkout_that_has_moved_is_not_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"url": (tmp_path / "checkout").as_uri(), "dir_info": {"editable": True}}
    monkeypatch.setattr(extras, "distribution", lambda _: SimpleNamespace(read_text=lambda _: json.dumps(told)))
    assert install_line("referee").endswith('pip install -e ".[referee]" (in the folder of your checkout)')
    (tmp_path / "checkout").mkdir()
    assert install_line("referee").endswith(f'pip install -e "{tmp_path / "checkout"}[referee]"')


def test_what_a_browser_seat_runs_on_has_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "kimberley"
    program.touch(mode=0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", "/nowhere")
    assert install_line("browser") == f"{program} browser install"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert install_line("browser") == "kimberley browser install"


@pytest.mark.parametrize("level", range(1, 12))
def test_without_numpy_the_practice_opponent_plays_and_says_at_which_level(
    level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    bot = make_bot(GAME, level, 1)
    remark = getattr(bot, "remark", "")
    assert ("at level 5" in remark) == (level > 5)
    bot.choose(Trust().seats.observation(0))
