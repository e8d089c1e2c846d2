"""A referee that is stopped, or killed, and started again: the tournament goes on where it was."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.clock import TableClocks
from kimberley.p2p.tournament.events import GameSeated, TableDecided
from kimberley.p2p.tournament.messages import TableId
from kimberley.referee import status
from kimberley.referee.command import obey
from kimberley.referee.server import RoundTiming, next_round_at
from kimberley.referee.store import StoreReader
from tests.support.asyncs import run, until
from tests.support.evenings import Evening, clock, evening
from tests.support.program import PATIENCE, Program
from tests.support.referee_console import console_of
from tests.support.seated import LOOPBACK, no_faults
from tests.support.stones import STONES

pytestmark = pytest.mark.e2e

ELSEWHERE = "127.0.0.2"
"""Another address of this machine, on Linux."""
KIMBERLEY = (sys.executable, "-m", "tests.support.seeded")


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


def playing(held: Evening) -> bool:
    """Returns whether somebody is asked for a choice."""
    tables = [one.table for one in held.clients.values() if one.table is not None]
    return any(table.peer is not None and len(table.peer.story) > 3 for table in tables)


@pytest.mark.nightly
def test_the_cup_goes_on_after_its_referee_was_away_in_the_middle_of_a_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story() -> None:
        plan = RoundTiming(players=4, pause=0.0)
        async with evening(tmp_path, STONES, plan, rounds=2, options={"rounds": 40}) as held:
            await held.all(("ana", "ben", "cleo", "dan"))
            await until(lambda: playing(held))
            before = held.server.settings.referee
            await held.server.close()
            await until(lambda: all(one.away_since is not None for one in held.clients.values()))
            # The tables play on: some come to their end while nobody watches.
            ended = [one.table for one in held.clients.values() if one.table is not None]
            await until(lambda: any(table.phase == "done" for table in ended), 40)
            await held.open()
            console_of(held.server, tmp_path / "referee", held.identity).open(plan)
            said = capsys.readouterr().out
            assert "Not connected: ana, ben, cleo, dan." in said
            assert "not seen since the referee came back." in said
            assert held.server.settings.referee == before
            results = await held.end()
            said = capsys.readouterr().out
            assert all(f"{name} is back." in said for name in ("ana", "ben", "cleo", "dan"))
            assert [result.how for result in results] == [events.PLAYED] * 4
            assert len({event.game for event in held.events() if isinstance(event, GameSeated)}) == 4

    run(story(), 120)


def test_clocks_go_on_from_where_they_were_and_nobody_pays_for_the_time_between(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(players=2, pause=0.0), rounds=1, **clock(30)) as held:
            await held.enter("ana")
            ben = await held.enter("ben", plays=False)
            await until(lambda: ben.table is not None and ben.table.peer is not None and ben.table.peer.asked)
            own = ben.table
            assert own is not None
            seat = own.occupants.seat
            await until(lambda: ben.clocks and ben.clocks[seat].runs and ben.clocks[seat].seconds < 29)
            await held.server.close()
            kept = TableClocks.read(held.stored(TableId(1, 0)))
            # The time between, which nobody pays for: four times as long as the clocks may differ.
            await asyncio.sleep(2)
            await held.open()
            await until(lambda: held.server.referees and next(iter(held.server.referees.values())).clocks.running)
            again = next(iter(held.server.referees.values())).clocks
            # What was thought before this seat's clock began to run again.
            assert again.thought == pytest.approx(kept.thought, abs=0.5)
            assert again.given == kept.given
            assert 1 < kept.thought[seat] < 29
            assert not held.results

    run(story())


def test_the_pause_between_two_rounds_goes_on_with_what_is_left_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(players=4, pause=600.0), rounds=2) as held:
            await held.all(("ana", "ben", "cleo", "dan"))
            await until(lambda: len(held.results) == 2, 40)
            ends = max(result.at for result in held.results) + 600
            await until(lambda: time.time() > ends - 597)
            await held.reopen()
            following = next_round_at(held.server)
            assert following is not None
            left = following - asyncio.get_running_loop().time()
            assert time.time() + left == pytest.approx(ends, abs=1), "not the whole pause once more"
            console_of(held.server, tmp_path / "referee", held.identity).open(held.plan)
            assert re.search(r"The next round begins at \d\d:\d\d:\d\d\.", capsys.readouterr().out)
            await until(lambda: len(held.server.present) == 4)
            assert len(held.server.tournament.rounds) == 1
            held.plan = RoundTiming(pause=1.0)
            await held.reopen()
            await held.end()

    run(story(), 120)


@pytest.mark.parametrize(("form", "rounds"), [("swiss", 1), ("knockout", 0)])
def test_a_tournament_that_is_over_says_so_after_a_restart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, rounds: int
) -> None:
    async def story() -> None:
        folder = tmp_path / "referee"
        async with evening(tmp_path, STONES, RoundTiming(players=2, pause=0.0), format=form, rounds=rounds) as held:
            await held.all(("ana", "ben"))
            await held.end()
            await held.reopen()
            capsys.readouterr()
            console = console_of(held.server, folder, held.identity)
            console.open(held.plan)
            for line in ("status", "y", "help"):
                await obey(held.server, console, held.identity, asyncio.Event(), line)
            await console.close()
            said = capsys.readouterr().out
            assert 'No command "y". Commands: status, stop.' in said
            assert "Not connected" not in said
            assert "start the next round" not in said
            assert ("Buchholz" in said) == (form == "swiss")
            bundle = folder / "export" / "friday-cup.cup"
            where = f"The whole tournament in one signed file: {bundle}"
            assert "Friday Cup is over." in said
            assert where in said
            assert "Players type" not in said
            assert bundle.exists()
            with StoreReader(folder) as reader:
                assert status.lines(folder, reader)[-1] == where

    run(story())


def test_a_cup_goes_on_at_another_port_where_the_former_one_is_taken(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(pause=0.0), rounds=1) as held:
            await held.enter("ana")
            await held.enter("ben")
            former = held.server.port
            await held.server.close()
            taken = await asyncio.start_server(lambda _reader, writer: writer.close(), LOOPBACK, former)
            async with taken:
                await held.open()
                assert held.server.port != former
                for name in ("ana", "ben"):
                    await held.leave(name)
                    await held.enter(name)
                await held.start()
                (result,) = await held.end()
            assert result.how == events.PLAYED

    run(story())


class Referee(Program[subprocess.Popen[str]]):
    """`kimberley referee` in a process of its own."""

    def __init__(self, folder: Path, *typed: str, bind: str | None = LOOPBACK) -> None:
        where = () if bind is None else ("--bind", bind)
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            [*KIMBERLEY, "referee", "Friday Cup", *where, "--data", str(folder), *typed],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        self._listen()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            self.news.set()

    def _close(self) -> None:
        assert self.process.stdout is not None
        self.process.stdout.close()

    def wait(self, pattern: str, patience: float = 3 * PATIENCE) -> re.Match[str]:
        """Returns the first line in which something is found."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            self.news.clear()
            for line in self.lines:
                if (found := re.search(pattern, line)) is not None:
                    return found
            if self.process.poll() is not None and not self._reader.is_alive():
                break
            self.news.wait(0.2)
        raise AssertionError(f"no {pattern!r} in {self.lines}")


def test_the_address_where_a_referee_listens_is_kept(tmp_path: Path) -> None:
    with Referee(tmp_path / "cup", "--game", "diamond") as first:
        first.wait("Bots join with")
        first.process.send_signal(signal.SIGKILL)
    with Referee(tmp_path / "cup", bind=None) as again:
        again.wait(rf"kimberley join {LOOPBACK}(:\d+)?$")
        again.wait("Bots join with")
        port = int((tmp_path / "cup" / "door").read_text())
        socket.create_connection((LOOPBACK, port), PATIENCE).close()
        with pytest.raises(OSError, match=r"."):
            socket.create_connection((ELSEWHERE, port), 2).close()
        again.process.send_signal(signal.SIGKILL)
    with Referee(tmp_path / "cup", bind=ELSEWHERE) as moved:
        moved.wait(rf"--bind is now {ELSEWHERE}; last time it was {LOOPBACK}\.")
        moved.wait(rf"kimberley join {ELSEWHERE}(:\d+)?$")
        moved.process.send_signal(signal.SIGKILL)


def bot(folder: Path, name: str, port: str) -> subprocess.Popen[str]:
    """Starts `kimberley bot join` in a process of its own."""
    own = ("--data", str(folder / name), "--nickname", name, "--level", "1", "--json")
    return subprocess.Popen([*KIMBERLEY, "bot", "join", f"{LOOPBACK}:{port}", *own], stdout=subprocess.PIPE, text=True)


def test_a_referee_and_a_player_that_are_killed_in_the_middle_go_on_with_the_same_commands(tmp_path: Path) -> None:
    typed = ("--game", "diamond", "--rounds", "3", "--players", "4", "--pause", "0", "--linger", "20")
    folder = tmp_path / "referee"
    bots: list[subprocess.Popen[str]] = []
    try:
        with Referee(folder, *typed) as first:
            port = first.wait(r"Bots join with") and (folder / "door").read_text().strip()
            bots += [bot(tmp_path, name, port) for name in ("ana", "ben", "cleo", "dan")]
            first.wait("Table 1 has started")
            first.process.send_signal(signal.SIGKILL)
        with StoreReader(folder) as reader:
            before = reader.tournament()
            assert not before.ended
        with Referee(folder, *typed) as second:
            second.wait("Round 2 of 3")
            bots[0].kill()
            bots[0].communicate()
            bots[0] = bot(tmp_path, "ana", (folder / "door").read_text().strip())
            second.wait("Friday Cup is over")
            assert second.end(3 * PATIENCE) == 0
        with StoreReader(folder) as reader:
            after = reader.tournament()
            results = [event for event in reader.events() if isinstance(event, TableDecided)]
        assert after.rounds[0].tables[0].seats == before.rounds[0].tables[0].seats
        assert [result.how for result in results] == [events.PLAYED] * 6
        places = set()
        for one in bots:
            said, _ = one.communicate(timeout=3 * PATIENCE)
            assert one.returncode == 0
            last = json.loads(said.splitlines()[-1])
            assert last["event"] == "over"
            places.add(last["place"])
        assert places == {1, 2, 3, 4}
        checked = subprocess.run(
            [*KIMBERLEY, "verify", str(folder / "export" / "friday-cup.cup")],
            capture_output=True,
            text=True,
            check=False,
        )
        assert checked.returncode == 0, checked.stdout
    finally:
        for one in bots:
            one.kill()
            one.wait()
            assert one.stdout is not None
            one.stdout.close()
