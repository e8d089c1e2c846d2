"""Real programs, killed with kill -9 at random moments and resumed, until the game is proven fair."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kimberley.games.diamond_trust import GAME
from kimberley.p2p.storage.journal import list_journals, read_journal
from kimberley.protocol.audit import verify
from tests.support.asyncs import run, until
from tests.support.comeback import as_on_another_machine
from tests.support.effort import tries
from tests.support.paths import ROOT

pytestmark = pytest.mark.e2e

DEATHS = tries(3, 6)
BOT = ("--data", "{data}", "--level", "1", "--json", "--linger", "20")


class Seat:
    """A command-line bot at a seat."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.said: list[dict[str, Any]] = []
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._news = asyncio.Event()

    async def start(self, *command: str) -> None:
        options = (option.format(data=self.data) for option in BOT)
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.support.seeded", "bot", *command, *options, cwd=ROOT, stdout=PIPE
        )
        self._reading = asyncio.create_task(self._read(self._process))

    async def says(self, *events: str) -> dict[str, Any]:
        """Returns the first of these events, past or future."""
        while True:
            for line in self.said:
                if line["event"] in events:
                    return line
            self._news.clear()
            assert self._reading is not None
            assert not self._reading.done(), f"it ended and never said {events}: {self.said}"
            await self._news.wait()

    async def kill(self) -> None:
        """Kills the program without a goodbye, and forgets its events."""
        assert self._process is not None
        assert self._reading is not None
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGKILL)
        await self._process.wait()
        await self._reading
        self.said.clear()

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            self.said.append(json.loads(line))
            self._news.set()
        self._news.set()


def test_an_old_copy_resumed_once_costs_nothing(tmp_path: Path) -> None:
    """Where nothing else is known of the seat, as on another machine; then the latest copy is put back."""

    async def story() -> None:
        ana, ben = Seat(tmp_path / "ana"), Seat(tmp_path / "ben")
        old, latest = tmp_path / "old", tmp_path / "latest"
        try:
            await ana.start("host", GAME.id, "--adjust", "0", "--bind", "127.0.0.1", "--nickname", "ana")
            port = (await ana.says("open"))["port"]
            await ben.start("join", f"127.0.0.1:{port}", "--nickname", "ben")
            for seat in (ana, ben):
                await seat.says("playing")
            shutil.copytree(ben.data, old)
            (path,) = list_journals(ben.data)
            await until(lambda: len(read_journal(path).sent) >= 20)
            await ben.kill()
            os.rename(ben.data, latest)
            shutil.copytree(old, ben.data)
            as_on_another_machine()
            await ben.start("resume")
            assert "is an old copy" in (await ben.says("failed"))["problem"]
            await ben.kill()
            shutil.rmtree(ben.data)
            os.rename(latest, ben.data)
            await ben.start("resume")
            ends = [await seat.says("done", "failed") for seat in (ana, ben)]
            assert [end.get("verdict") for end in ends] == ["fair", "fair"]
            assert judged(*(Path(end["record"]) for end in ends)) == "fair"
        finally:
            for seat in (ana, ben):
                await seat.kill()

    run(story(), 120)


def judged(*records: Path) -> str:
    """Returns the verdict on a record of which all have equal copies."""
    (record,) = {path.read_bytes() for path in records}
    return verify(record, lambda _: GAME).code


@pytest.mark.nightly
def test_programs_killed_at_random_moments_end_their_game_fairly(tmp_path: Path) -> None:
    async def story() -> None:
        rng = Random(4)
        ana, ben = Seat(tmp_path / "ana"), Seat(tmp_path / "ben")
        try:
            await ana.start("host", GAME.id, "--adjust", "0", "--bind", "127.0.0.1", "--nickname", "ana")
            port = (await ana.says("open"))["port"]
            await ben.start("join", f"127.0.0.1:{port}", "--nickname", "ben")
            for seat in (ana, ben):
                await seat.says("playing")
            deaths = 0
            while deaths < DEATHS and not any(line["event"] == "done" for seat in (ana, ben) for line in seat.said):
                await asyncio.sleep(rng.uniform(0.05, 0.7))
                dying = (ana,) if deaths % 3 == 0 else (ben,) if deaths % 3 == 1 else (ana, ben)
                deaths += 1
                for seat in dying:
                    await seat.kill()
                for seat in dying:
                    if list_journals(seat.data):
                        await seat.start("resume")
                for seat in dying:
                    await seat.says("playing", "closing", "done")
            ends = [await seat.says("done") for seat in (ana, ben)]
            assert deaths >= 2
            assert [end["verdict"] for end in ends] == ["fair", "fair"]
            assert judged(*(Path(end["record"]) for end in ends)) == "fair"
        finally:
            for seat in (ana, ben):
                await seat.kill()

    run(story(), 400)
