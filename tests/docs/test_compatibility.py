"""docs/compatibility.md: this version reads what each release has left behind (tests/data/kept), and plays with it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from kimberley.client.cli.main import main
from kimberley.client.session import settings
from kimberley.games import lookup
from kimberley.games.options import format_value
from kimberley.p2p.base.installation import SHARED_FILE
from kimberley.p2p.storage.identity import Identity, KnownKeys
from kimberley.p2p.storage.journal import list_journals
from kimberley.p2p.table.resume import list_resumable_games, restore_seat
from kimberley.protocol.audit import verify
from kimberley.protocol.peer import Peer
from tests.support.effort import first_is_quick, tries
from tests.support.program import PATIENCE
from tests.support.tables import Wire, at_random
from tests.tools import kept
from tests.tools.kept import KEPT, PLAYERS, SENTENCES, SUMS, VERDICTS

RELEASES: Final = sorted(path for path in KEPT.iterdir() if path.is_dir())
FILES: Final = [
    path for release in RELEASES for path in sorted(release.glob("*.*")) if path.name not in (VERDICTS, SHARED_FILE)
]
OWN: Final = (sys.executable, "-P", "-m", "kimberley.client.cli.main")


def named(path: Path) -> str:
    return path.relative_to(KEPT).as_posix()


def holds(said: Any, promised: Any) -> bool:
    """Returns whether data has all that was promised; it may have more entries."""
    if isinstance(promised, dict):
        return isinstance(said, dict) and all(
            name in said and holds(said[name], value) for name, value in promised.items()
        )
    if isinstance(promised, list):
        return isinstance(said, list) and len(said) == len(promised) and all(map(holds, said, promised))
    return bool(type(said) is type(promised) and said == promised)


@pytest.fixture
def folders(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Returns a copy of the players' data folders of a release, as on another computer."""
    for name in PLAYERS:
        shutil.copytree(request.param / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("release", RELEASES, ids=named)
def test_the_files_of_a_release_never_change(release: Path) -> None:
    assert kept.sums_of(release) == (release / SUMS).read_text("utf-8")


def test_there_is_a_record_of_each_game() -> None:
    for release in RELEASES:
        assert {path.stem for path in release.glob("*.kdt")} >= set(lookup.ids())


@pytest.mark.slow
@pytest.mark.parametrize("path", first_is_quick(*FILES), ids=named)
def test_records_and_tournaments_have_the_verdict_that_they_had(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    promised = json.loads((path.parent / VERDICTS).read_text("utf-8"))[path.name]
    assert promised["says"]["verdict"] == "fair"
    assert main(["verify", str(path), "--json"]) == promised["status"]
    said = json.loads(capsys.readouterr().out)
    assert holds(said, promised["says"]), said
    assert "reason" in SENTENCES
    assert said["reason"]


@pytest.mark.parametrize("folders", RELEASES, ids=named, indirect=True)
def test_what_a_player_has_set_and_whom_they_know_stays(folders: Path) -> None:
    ana, ben = (folders / name for name in PLAYERS)
    chosen = json.loads((ana / settings.FILE).read_text("utf-8"))
    found = settings.load(ana)
    assert {name: getattr(found, name) for name in chosen} == chosen
    keys = [Identity.load_or_create(folder).public for folder in (ana, ben)]
    assert [f"public {key.hex()}" for key in keys] == [
        (folder / "identity").read_text().split("\n")[2] for folder in (ana, ben)
    ]
    assert KnownKeys(ana).status_of(ben.name, keys[1]) == "met"
    assert KnownKeys(ana).status_of(ben.name, keys[0]) == "changed"


def test_every_setting_is_kept_with_a_value_that_is_not_the_default() -> None:
    default = settings.Settings()
    assert [
        one.name
        for one in fields(default)
        if one.compare and getattr(kept.CHOSEN, one.name) == getattr(default, one.name)
    ] == []


def test_the_files_of_what_is_released_are_not_made_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tagged = subprocess.CompletedProcess((), 0, f"v{kept.RELEASE}\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: tagged)
    monkeypatch.setattr(kept, "make", lambda _: pytest.fail("they are made again"))
    monkeypatch.setattr("sys.argv", ["kept"])
    assert kept.main() == 1
    assert capsys.readouterr().err == f"{kept.RELEASE} is released: its files stay as they are.\n"


@pytest.mark.slow
@pytest.mark.parametrize("folders", RELEASES, ids=named, indirect=True)
def test_a_saved_game_is_resumed_and_ends_fair(folders: Path) -> None:
    peers: list[Peer] = []
    for name in PLAYERS:
        identity = Identity.load_or_create(folders / name)
        (listed,) = list_resumable_games(folders / name, identity.public)
        assert (listed.problem, set(listed.people)) == (None, set(PLAYERS))
        (path,) = list_journals(folders / name)
        seat = restore_seat(path, lookup.find, identity)
        assert "well met" in [text for _, text in seat.talk]
        peers.append(seat.peer)
        seat.release()
    before = [len(peer.story) for peer in peers]
    assert min(before) > 20
    for peer, other in (peers, peers[::-1]):
        for envelope in other.chain(other.seat or 0, 0):
            peer.receive(envelope.pack())
    wire = Wire(peers, [at_random(Random(seat)) for seat in range(len(peers))])
    for peer in peers:
        if peer.asked is not None:
            assert peer.seat is not None
            peer.choose(wire.choosers[peer.seat](peer, peer.asked))
    wire.run()
    records = {peer.record().pack() for peer in peers}
    assert len(records) == 1
    verdict = verify(records.pop(), lookup.find)
    assert verdict.code == "fair", verdict
    assert len(peers[0].story) > max(before)


Seat = subprocess.Popen[str]
"""A bot at a table."""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Seat]]:
    """Puts a bot of a program at a table. One that plays for too long is killed."""
    with ExitStack() as ends:

        def started(program: Sequence[str], name: str, *arguments: str) -> Seat:
            choices = ("--json", "--level", "1", "--seed", "1", "--data", str(tmp_path / name), "--nickname", name)
            environ = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
            seat = subprocess.Popen(
                [*program, "bot", *arguments, *choices], stdout=subprocess.PIPE, text=True, env=environ
            )
            ends.callback(seat.communicate)
            ends.callback(seat.kill)
            end = threading.Timer(tries(PATIENCE, 10 * PATIENCE), seat.kill)
            ends.callback(end.cancel)
            end.start()
            return seat

        yield started


def until(seat: Seat, event: str) -> dict[str, Any]:
    """Reads a bot's events up to this one."""
    assert seat.stdout is not None
    found: dict[str, Any] | None = next((one for one in map(json.loads, seat.stdout) if one["event"] == event), None)
    assert found is not None, f"no {event!r}"
    return found


@pytest.mark.e2e
@pytest.mark.parametrize("release", RELEASES, ids=named)
@pytest.mark.parametrize("hosts", ["this version", "the copy"])
@pytest.mark.parametrize("game", tries(["mine"], list(lookup.ids())))
def test_a_copy_of_a_release_plays_with_this_version(
    game: str, hosts: str, release: Path, start: Callable[..., Seat]
) -> None:
    copy = (sys.executable, str(release / SHARED_FILE))
    programs = (OWN, copy) if hosts == "this version" else (copy, OWN)
    known = lookup.find(game)
    options = [f"--option={name}={format_value(value)}" for name, value in known.quick]
    looks = ["--adjust=0"] * known.last_looks
    first = start(programs[0], "ana", "host", game, "--bind", "127.0.0.1", *options, *looks)
    address = f"127.0.0.1:{until(first, 'open')['port']}"
    others = [
        start(programs[number % 2], name, "join", address)
        for number, name in enumerate(kept.NAMES[1 : min(known.seats)], 1)
    ]
    ends = [until(seat, "done") for seat in (first, *others)]
    assert {end["verdict"] for end in ends} == {"fair"}
    assert len({Path(end["record"]).read_bytes() for end in ends}) == 1
