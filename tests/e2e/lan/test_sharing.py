"""Friends who have only Python get the program over the network, play its owner, and then each other without the owner.

These tests need network namespaces.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest

from kimberley.games.lookup import find, ids
from kimberley.games.options import format_value
from tests.support.effort import spread, tries
from tests.support.lan import Lan

OWN: Final = (sys.executable, "-P", "-m", "kimberley.client.cli.main")
ADDRESS: Final = "10.77.0.{}"
PYTHON: Final = Path(sys.base_prefix, "bin", "python3")
LONG_IN_PURE_PYTHON: Final = frozenset({"diamond-trust", "piecepack"})
"""Games that take several times as long without a libsodium."""
GAMES: Final = tries(["diamond", "diamond-trust"], list(ids()))


class Machine:
    """A host of the network: the owner's, or one with a home, a shell and Python, and nothing of ours."""

    def __init__(self, lan: Lan, number: int, folder: Path, ends: ExitStack) -> None:
        self.address = ADDRESS.format(number)
        self.cryptography = "pure"
        self._lan, self._number, self._ends = lan, number, ends
        self._home = folder / f"home{number}"
        (self._home / "bin").mkdir(parents=True)
        (self._home / "bin/python3").symlink_to(PYTHON)
        self._running: list[subprocess.Popen[str]] = []

    def start(self, *command: object, bare: bool = True) -> subprocess.Popen[str]:
        """Starts a program with its own home; on a bare machine it also lacks what this checkout has."""
        environ = [f"HOME={self._home}", "LANG=C.UTF-8", f"KIMBERLEY_CRYPTO={self.cryptography}"]
        clean = ["env", "-i", "-C", str(self._home), f"PATH={self._home}/bin:/usr/bin:/bin", *environ] if bare else []
        process = subprocess.Popen(
            self._lan.inside(*clean, *map(str, command), host=self._number),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._running.append(process)
        self._ends.callback(self.switch_off)
        return process

    def types(self, line: str) -> subprocess.Popen[str]:
        """Types a line into the shell."""
        return self.start("sh", "-c", line)

    def kept(self) -> Path:
        """Returns the file that the machine got."""
        (folder,) = (self._home / ".cache" / "kimberley").iterdir()
        return folder / "kimberley.pyz"

    def switch_off(self) -> None:
        for process in self._running:
            process.kill()
            process.communicate()
        self._running.clear()


def until(process: subprocess.Popen[str], event: str) -> dict[str, Any]:
    """Reads a seat's events up to this one."""
    assert process.stdout is not None
    for line in process.stdout:
        found: dict[str, Any] = json.loads(line)
        if found["event"] == event:
            return found
    assert process.stderr is not None
    raise AssertionError(f"no {event!r}: {process.stderr.read()}")


def offered(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Returns what `kimberley share --json` prints."""
    assert process.stdout is not None
    found: dict[str, Any] = json.loads(process.stdout.readline())
    return found


def played(seats: Sequence[subprocess.Popen[str]]) -> None:
    """Waits until all seats have come to the end of the same game, which is fair."""
    done = [until(seat, "done") for seat in seats]
    assert {each["verdict"] for each in done} == {"fair"}
    assert len({Path(each["record"]).read_bytes() for each in done}) == 1


@pytest.fixture
def lan() -> Iterator[Lan]:
    with Lan(3) as network:
        yield network


@pytest.fixture
def machines(lan: Lan, tmp_path: Path) -> Iterator[list[Machine]]:
    with ExitStack() as ends:
        yield [Machine(lan, number, tmp_path, ends) for number in (1, 2, 3)]


def terms(game: str) -> list[str]:
    known = find(game)
    options = [f"--option={name}={format_value(value)}" for name, value in known.quick]
    return [game, *options, *["--adjust=0"] * known.last_looks, "--json", "--level", "1", "--seed", "1"]


def join_line(line: str, address: str) -> str:
    """Returns the line with a bot at the friend's seat."""
    return f"{line} bot join {address} --json --level 1 --seed 2"


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.e2e
@pytest.mark.parametrize("game", spread(1, GAMES))
def test_friends_play_the_owner_and_then_each_other(game: str, machines: list[Machine], tmp_path: Path) -> None:
    owner, ben, eva = machines
    if game in LONG_IN_PURE_PYTHON:
        ben.cryptography = eva.cryptography = ""
    assert ben.start("python3", "-c", "import kimberley").wait() == 1
    rest = min(find(game).seats) - 2
    seat = ["--data", tmp_path / "owner", "--nickname", "ana"]

    line = offered(owner.start(*OWN, "share", "--json", *seat, bare=False))["lines"]["sh"]
    host = owner.start(*OWN, "bot", "host", *terms(game), *seat, bare=False)
    until(host, "open")
    others = [
        owner.start(
            *(*OWN, "bot", "join", owner.address, "--json", "--level", "1", "--data", tmp_path / str(number)),
            bare=False,
        )
        for number in range(rest)
    ]
    played([host, ben.types(join_line(line, owner.address)), *others])

    owner.switch_off()
    mine = offered(ben.start("python3", ben.kept(), "share", "--json", "--bind", ben.address))
    assert mine["digits"] in line
    assert mine["pip"] is None
    host = ben.start("python3", ben.kept(), "bot", "host", *terms(game))
    until(host, "open")
    guests = [eva.types(join_line(mine["lines"]["sh"], ben.address))]
    until(guests[0], "open")
    more = ["bot", "join", ben.address, "--json", "--level", "1", "--data"]
    guests += [eva.start("python3", eva.kept(), *more, tmp_path / f"more{number}") for number in range(rest)]
    played([host, *guests])
    assert eva.kept().read_bytes() == ben.kept().read_bytes()
    verified = eva.start("python3", "-I", "-S", eva.kept(), "verify", next(tmp_path.rglob("*.kdt")))
    assert verified.wait() == 0
