"""Players who have enrolled and do harm: they come and go, ask for everything again, and take a name that the organizer
means (docs/referee.md).
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.tournament import bundle
from kimberley.p2p.tournament.enrollment import connect_to_referee
from kimberley.p2p.tournament.events import (
    MessageSent,
    PlayerEnrolled,
    PlayerReturned,
    RoundPaired,
    TeamFormed,
    TournamentEvent,
)
from kimberley.p2p.transport.channel import Channel, ChannelClosed
from kimberley.referee.export import write_bundle
from kimberley.referee.store import StoreReader
from tests.attacks.attack import Attack, Outcome
from tests.support.tournaments import REFEREE, secret, settings_of

LOOPBACK: Final = "127.0.0.1"
PLAYERS: Final = 60
HOSTILE: Final = 3
PATIENCE: Final = 45.0
"""Seconds that the second round may take to be paired after its time has come."""
SIEGE_SECONDS: Final = 20.0
PACE_SECONDS: Final = 0.05
"""The pause between two things that a hostile player does."""
MANY_EVENTS: Final = 140_000
"""Events of an hour in which nothing bounded how often a player returns."""


@dataclass
class _Club:
    """A running referee, its own `folder`, and what it has printed."""

    folder: Path
    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)

    @property
    def port(self) -> int:
        return int((self.folder / "door").read_text())

    def type(self, line: str) -> None:
        """Types a line at the referee's machine."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def events(self) -> list[TournamentEvent]:
        with StoreReader(self.folder) as reader:
            return reader.events()

    def begun(self) -> int:
        """Returns the number of rounds that are paired."""
        return sum(isinstance(event, RoundPaired) for event in self.events())


@contextmanager
def _club(folder: Path, *typed: str) -> Iterator[_Club]:
    """Runs `kimberley referee`."""
    command = [sys.executable, "-m", "kimberley.client.cli.main", "referee", "Friday Cup", "--data", str(folder)]
    process = subprocess.Popen(
        [*command, "--game", "diamond", "--bind", LOOPBACK, *typed],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    club, stream = _Club(folder, process), process.stdout
    assert stream is not None
    reading = threading.Thread(target=lambda: club.lines.extend(stream), daemon=True)
    reading.start()
    try:
        while not any("Bots join with" in line for line in club.lines):
            assert process.poll() is None, club.lines
            time.sleep(0.05)
        yield club
    finally:
        process.terminate()
        process.wait(20)
        reading.join(20)
        stream.close()


async def _until(holds: Callable[[], bool], seconds: float) -> bool:
    """Whether something holds within so many seconds."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while not holds():  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            return True
    return False


async def _count_frames(channel: Channel, counted: list[int]) -> None:
    """Adds 1 to the number in `counted` for each frame that comes."""
    with contextlib.suppress(ChannelClosed):
        while True:
            await channel.receive()
            counted[0] += 1


async def _enter(port: int, number: int, known: int = 0, name: str | None = None) -> Channel:
    who = Identity.of(secret(number))
    channel, *_ = await connect_to_referee((LOOPBACK, port), who, name or f"p{number}", known, None, bot=True)
    return channel


async def _come_and_go(port: int, number: int, stopped: asyncio.Event) -> None:
    """Withdraws and returns as fast as it can."""
    while not stopped.is_set():
        with contextlib.suppress(UserError, ChannelClosed):
            # It pretends to know everything, so that nothing is sent to it.
            channel = await _enter(port, number, 1 << 20)
            channel.send(("withdraw",))
            await asyncio.sleep(PACE_SECONDS)
            await channel.close()
        await asyncio.sleep(PACE_SECONDS)


async def _returning(folder: Path) -> Outcome:
    # Nobody comes to a table, so the first round is over after a few seconds.
    with _club(folder, "--rounds", "2", "--pause", "1", "--come", "2") as club:
        counted, tasks = [0], []
        for number in range(PLAYERS):
            channel = await _enter(club.port, number)
            if number < PLAYERS - HOSTILE:
                tasks.append(asyncio.create_task(_count_frames(channel, counted)))
            else:
                await channel.close()
        club.type("start")
        assert await _until(lambda: club.begun() == 1, 30)
        stopped = asyncio.Event()
        printed, sent = len(club.lines), counted[0]
        siege = [
            asyncio.create_task(_come_and_go(club.port, number, stopped))
            for number in range(PLAYERS - HOSTILE, PLAYERS)
        ]
        # The tables end 2 and 4 s after the pairing, and the pause takes 1 s.
        since = time.monotonic()
        paired = await _until(lambda: club.begun() == 2, PATIENCE)
        took = time.monotonic() - since
        await asyncio.sleep(max(0.0, SIEGE_SECONDS - took))
        stopped.set()
        lines, frames = len(club.lines) - printed, counted[0] - sent
        returns = sum(isinstance(event, PlayerReturned) for event in club.events())
        await asyncio.gather(*siege)
        for task in tasks:
            task.cancel()
    figure = f"{took:.0f} s" if paired else f"not within {PATIENCE:.0f} s"
    figure = f"second round paired {figure} after the first; {returns} returns, {lines} lines, {frames} frames"
    return Outcome(paired and returns <= 2 * HOSTILE, figure)


async def _asking_again(folder: Path) -> Outcome:
    with _club(folder) as club:
        for number in range(PLAYERS):
            await (await _enter(club.port, number)).close()
        for number in range(PLAYERS):
            club.type(f"say {number} " + "x" * 400)
        assert await _until(lambda: len(club.events()) == 2 * PLAYERS, 30)
        sent, asked, over = 0, 0, time.monotonic() + SIEGE_SECONDS
        while time.monotonic() < over:
            for number in range(HOSTILE):
                with contextlib.suppress(UserError, ChannelClosed):
                    channel = await _enter(club.port, number)
                    asked += 1
                    try:
                        async with asyncio.timeout(2):
                            while (await channel.receive())[0] != "event":
                                pass
                            sent += 1
                            while True:
                                sent += (await channel.receive())[0] == "event"
                                if sent % (2 * PLAYERS) == 0:
                                    break
                    except TimeoutError:
                        pass
                    finally:
                        await channel.close()
            await asyncio.sleep(PACE_SECONDS)
    most = HOSTILE * 4 * 2 * PLAYERS
    return Outcome(sent <= most, f"{sent} events sent again in {SIEGE_SECONDS:.0f} s")


async def _namesake(folder: Path) -> Outcome:
    with _club(folder, "--boards", "2", "--team", "Reds: ana, ben", "--team", "Blues: cleo, dan") as club:
        people = [*enumerate(("ana", "ben", "cleo", "dan")), (4, "ben")]
        for number, name in people:
            await (await _enter(club.port, number, name=name)).close()
        await asyncio.sleep(0.5)
        club.type("start")
        assert await _until(lambda: club.begun() == 1, 30)
        (reds,) = (event for event in club.events() if isinstance(event, TeamFormed) and event.name == "Reds")
        asked = any("ben" in line and "type" in line and "team Reds:" in line for line in club.lines)
    first = Identity.of(secret(1)).public in reds.members
    who = "the first ben" if first else "the last ben"
    return Outcome(
        first and asked, f"{who} plays for the Reds, and the organizer is {'asked' if asked else 'told nothing'}"
    )


def _large_bundle() -> Outcome:
    settings = settings_of()
    happened: list[TournamentEvent] = [PlayerEnrolled(1, Identity.of(secret(0)).public, "ana")]
    happened += [MessageSent(number, "x") for number in range(MANY_EVENTS)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.cup")
        try:
            write_bundle(path, REFEREE, settings, happened, lambda _: None)
        except UserError as error:
            return Outcome(True, f"refused: {error}")
        except Exception as error:
            return Outcome(False, f"{MANY_EVENTS} events: {type(error).__name__}, and no bundle")
        with path.open("rb") as file:
            held = len(bundle.read_bundle(file).events) == len(happened)
        return Outcome(held, f"{MANY_EVENTS} events: a bundle of {path.stat().st_size / 1e6:.1f} MB, read again")


def _run(attack: Callable[[Path], Coroutine[Any, Any, Outcome]]) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(attack(Path(folder, "referee")))


ATTACKS: Final[Sequence[Attack]] = (
    Attack(
        "returning-players",
        f"{HOSTILE} of {PLAYERS} players withdraw and come back without end while a round is due.",
        partial(_run, _returning),
    ),
    Attack(
        "history-again",
        f"{HOSTILE} players ask a referee for everything that has happened, again and again.",
        partial(_run, _asking_again),
    ),
    Attack(
        "team-namesake",
        "A stranger enrolls under the name of a team's member, after that member.",
        partial(_run, _namesake),
    ),
    Attack("large-bundle", "A tournament has more events than fit into one message.", _large_bundle),
)
