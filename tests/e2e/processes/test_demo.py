"""Headless seats and the demo, in real processes, over real mDNS and TLS."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kimberley.games.lookup import find, ids
from kimberley.games.options import format_value
from kimberley.protocol.record import Record
from tests.support.cards_board import installed
from tests.support.effort import tries

pytestmark = pytest.mark.e2e

KIMBERLEY = (sys.executable, "-m", "kimberley.client.cli.main")


def run(*typed: object, environ: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*KIMBERLEY, *map(str, typed)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, **(environ or {})},
    )


@contextmanager
def bot(*typed: object) -> Iterator[subprocess.Popen[str]]:
    """Yields a headless seat in its own process, which is killed afterwards."""
    process = subprocess.Popen(
        [*KIMBERLEY, "bot", *map(str, typed), "--json", "--level", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell's background jobs ignore Ctrl-C, and so do their children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def until(process: subprocess.Popen[str], event: str) -> dict[str, Any]:
    """Reads a seat's events up to this one."""
    assert process.stdout is not None
    seen = []
    for line in process.stdout:
        found: dict[str, Any] = json.loads(line)
        seen.append(found["event"])
        if found["event"] == event:
            return found
    assert process.stderr is not None
    raise AssertionError(f"no {event!r} after {seen}: {process.stderr.read()}")


@pytest.mark.nightly
def test_the_demo_plays_a_whole_game_and_proves_it_fair(tmp_path: Path) -> None:
    ran = run("demo", "--seed", 3, "--data", tmp_path, "--json")
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["verdict"] == "fair"
    assert sorted(found["result"]["places"]) in ([1, 1], [1, 2])
    assert set(found["seconds"]) == {"announce", "meet", "play", "audit", "leave", "verify", "all"}
    assert found["envelopes"] > 100
    assert 100_000 < found["bytes"] < 3_000_000
    assert Path(found["record"]).is_relative_to(tmp_path)
    kept = [list((tmp_path / seat / "records").iterdir()) for seat in ("ana", "ben")]
    assert [len(records) for records in kept] == [1, 1]
    assert len({records[0].read_bytes() for records in kept}) == 1
    assert run("verify", kept[0][0]).returncode == 0


MORE_THAN_TWO = [(id, find(id).seats) for id in ids() if len(find(id).seats) > 1 or find(id).seats[0] > 2]


@pytest.mark.parametrize(("game", "seats"), tries([each for each in MORE_THAN_TWO if each[0] == "land"], MORE_THAN_TWO))
@pytest.mark.nightly
def test_every_game_of_more_than_two_is_demonstrated(game: str, seats: tuple[int, ...], tmp_path: Path) -> None:
    count = next(number for number in seats if number > 2)
    ran = run("demo", game, "--seats", count, "--data", tmp_path, "--json")
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert (found["verdict"], len(found["result"]["places"])) == ("fair", count)
    quick = {name: format_value(value) for name, value in find(game).quick}
    assert quick.items() <= found["options"].items()
    record = Record.unpack(Path(found["record"]).read_bytes())
    assert quick.items() <= {name: format_value(value) for name, value in record.table.roster.options}.items()
    told = run("replay", found["record"], "--plain")
    assert told.returncode == 0, told.stderr
    # A seat that the reason names is called by its player's name there.
    assert re.sub(r"^[A-F] ", "", found["result"]["reason"]) in told.stdout


@pytest.mark.nightly
def test_a_demo_of_several_seats_is_told_of_all_of_them(tmp_path: Path) -> None:
    environ = installed(tmp_path / "packages")
    ran = run("demo", "cards", "--seats", 4, "--seed", 2, "--data", tmp_path, "--json", environ=environ)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["verdict"] == "fair"
    # Those who start later have later seats.
    assert [name.split()[0] for name in found["names"]] == ["Ana", "Ben", "Carla", "Dan"]
    kept = [next((tmp_path / seat / "records").iterdir()).read_bytes() for seat in ("ana", "ben", "carla", "dan")]
    assert len(set(kept)) == 1


@pytest.mark.nightly
def test_a_demo_plays_with_the_first_value_of_each_option_unless_told_otherwise(tmp_path: Path) -> None:
    environ = installed(tmp_path / "packages")
    usual = {"deck": "small", "turns": "0", "fifth": "no", "first": "lot"}
    for typed, seats, options in (
        ((), 2, usual),
        (("--seats", 3, "--option", "turns=100", "--option", "fifth=yes"), 3, usual | {"turns": "100", "fifth": "yes"}),
    ):
        ran = run("demo", "choosy", *typed, "--data", tmp_path / str(seats), "--json", environ=environ)
        assert ran.returncode == 0, ran.stderr
        found = json.loads(ran.stdout)
        assert (found["verdict"], len(found["names"])) == ("fair", seats)
        assert {name: found["options"][name] for name in options} == options
        record = Record.unpack(Path(found["record"]).read_bytes())
        assert {name: format_value(value) for name, value in record.table.roster.options if name in options} == options
    for wrong, said in (
        (("--seats", 2, "--option", "fifth=yes"), "A fifth suit is for 3 and more."),
        (("--seats", 7), "Choosy Cards is for 2 to 6 players, not 7."),
        (("--option", "deck=huge"), 'Option "deck" can be small or large, not "huge".'),
    ):
        ran = run("demo", "choosy", *map(str, wrong), environ=environ)
        assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", f"kimberley: {said}\n")


@pytest.mark.nightly
def test_two_demos_at_the_same_time_do_not_meet_and_tell_programs_and_people_who_won(tmp_path: Path) -> None:
    """The second one is told in words, and imports nothing from the current folder."""
    (tmp_path / "client.py").write_text("raise SystemExit('planted')\n")
    kimberley = str(Path(sys.executable).with_name("kimberley"))
    typed = [*KIMBERLEY, "demo", "diamond", "--json", "--data", str(tmp_path / "one")]
    with subprocess.Popen(typed, stdout=subprocess.PIPE, text=True) as other:
        ran = subprocess.run(
            [kimberley, "demo", "diamond", "--data", tmp_path / "two"], cwd=tmp_path, capture_output=True, text=True,
            timeout=300, check=False,
        )  # fmt: skip
        found = json.loads(other.communicate(timeout=300)[0])
    assert found["verdict"] == "fair"
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("Fair: ")
    assert f"The record: {tmp_path}" in ran.stdout


def test_bots_meet_by_address_and_play_again(tmp_path: Path) -> None:
    with bot("host", "diamond", "--data", tmp_path / "a", "--bind", "127.0.0.1", "--again") as host:
        address = f"127.0.0.1:{until(host, 'open')['port']}"
        with bot("join", address, "--data", tmp_path / "b", "--again") as guest:
            first, second = until(guest, "done"), until(guest, "done")
    assert first["verdict"] == second["verdict"] == "fair"
    assert first["record"] != second["record"]


@pytest.mark.nightly
def test_a_host_with_again_waits_for_the_next_guest(tmp_path: Path) -> None:
    with bot("host", "diamond", "--data", tmp_path / "host", "--bind", "127.0.0.1", "--again") as host:
        for guest_name in ("first", "second"):
            address = f"127.0.0.1:{until(host, 'open')['port']}"
            with bot("join", address, "--data", tmp_path / guest_name) as guest:
                assert until(guest, "done")["verdict"] == "fair"
                guest.communicate(timeout=300)
            assert guest.returncode == 0
            until(host, "failed")


def tables_of(host: str) -> list[dict[str, Any]]:
    """Returns the tables of a host that `kimberley list` finds, as soon as it finds one."""
    end = time.monotonic() + 60
    while True:
        found = json.loads(run("list", "--json", "--seconds", 4).stdout)
        listed = [table for table in found if table["host"] == host]
        if listed or time.monotonic() > end:
            return listed


def test_a_hosted_table_is_listed_with_all_that_one_needs_to_join(tmp_path: Path) -> None:
    with bot("host", "--data", tmp_path, "--nickname", "Zoë Listed") as host:
        port = until(host, "open")["port"]
        until(host, "announced")
        listed = tables_of("Zoë Listed")
    assert len(listed) == 1
    table = listed[0]
    assert (table["game"], table["seats_taken"], table["seats_total"]) == ("diamond-trust", 1, 2)
    assert len(table["fingerprint"]) == 4
    assert table["identity"].startswith(table["fingerprint"])
    assert table["port"] == port
    assert table["milliseconds"] > 0


@pytest.mark.nightly
def test_a_bot_stays_after_the_game_until_the_others_have_gone(tmp_path: Path) -> None:
    quick = ("--bind", "127.0.0.1", "--linger", 60)
    with bot("host", "diamond", "--data", tmp_path / "ana", *quick) as host:
        address = f"127.0.0.1:{until(host, 'open')['port']}"
        with bot("join", address, "--data", tmp_path / "ben", "--linger", 60) as guest:
            until(guest, "done")
            until(host, "done")
            assert host.poll() is None
            guest.send_signal(signal.SIGINT)
            assert host.wait(30) == 0


def test_who_is_interrupted_says_nothing(tmp_path: Path) -> None:
    with bot("host", "--data", tmp_path, "--bind", "127.0.0.1") as host:
        until(host, "open")
        host.send_signal(signal.SIGINT)
        _, errors = host.communicate(timeout=300)
    assert (host.returncode, errors) == (130, "")


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("127.0.0.1:1", "Nobody is hosting a table at 127.0.0.1:1"),
        ("nobody here", 'No table called "nobody here" was found'),
        ("1.2.3:x", "is not an address"),
    ],
)
def test_joining_nobody_is_one_sentence_that_says_what_to_do(where: str, told: str, tmp_path: Path) -> None:
    ran = run("bot", "join", where, "--data", tmp_path)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("kimberley: ")
    assert told in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_demo_whose_folder_cannot_be_used_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    ran = run("demo", "--data", tmp_path / "file")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "--data" in ran.stderr
    assert "Traceback" not in ran.stderr
