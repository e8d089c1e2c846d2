"""`kimberley demo`: a whole game between two bots in two processes, over the real network, and its proof."""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from client.verify import as_plain, in_words, judge
from p2p.trouble import Trouble
from protocol.audit import FAIR

PATIENCE_SECONDS: Final = 60.0
"""A game between bots that takes longer hangs."""


@dataclass(slots=True)
class Seat:
    """One bot's process, and when it said what."""

    name: str
    process: Process
    at: dict[str, float] = field(default_factory=dict)
    last: Mapping[str, Any] = field(default_factory=dict)

    async def follow(self) -> None:
        """Reads its events to the end. Raises Trouble with its own words if it fails."""
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        errors = asyncio.create_task(self.process.stderr.read())
        async for line in self.process.stdout:
            self.last = json.loads(line)
            self.at[str(self.last["event"])] = float(self.last["clock"])
        said = (await errors).decode(errors="replace").strip()
        if await self.process.wait() or "done" not in self.at:
            raise Trouble(f"The seat of {self.name} failed. {said.removeprefix('kimberley: ')}".strip())


def run(game: str, *, seed: int, level: int, data: Path | None, as_json: bool) -> int:
    """Plays, verifies and tells. Returns 0 if the game is proven fair. Raises Trouble."""
    started = time.monotonic()
    folder = data if data is not None else Path(tempfile.mkdtemp(prefix="kimberley-demo-"))
    host, guest = asyncio.run(_play(game, seed, level, folder))
    record = Path(str(host.last["record"]))
    verifying = time.monotonic()
    verdict = judge(record)
    ended = time.monotonic()
    found = {
        "result": as_plain(verdict)["result"],
        "record": str(record),
        "verdict": verdict.code,
        "envelopes": verdict.envelopes,
        "bytes": int(host.last["bytes"]) + int(guest.last["bytes"]),
        "seconds": {
            "announce": host.at["open"] - started,
            "meet": host.at["playing"] - host.at["open"],
            "play": host.at["closing"] - host.at["playing"],
            "audit": max(host.at["done"], guest.at["done"]) - host.at["closing"],
            "leave": verifying - max(host.at["done"], guest.at["done"]),
            "verify": ended - verifying,
            "all": ended - started,
        },
    }
    found["seconds"] = {phase: round(seconds, 3) for phase, seconds in found["seconds"].items()}
    if as_json:
        print(json.dumps(found, indent=1))
    else:
        print("\n".join(in_words(verdict)))
        print(f"{found['envelopes']} envelopes, {found['bytes']} bytes on the wire, {found['seconds']['all']:.1f} s")
        print(f"The record: {record}")
    return 0 if verdict.code == FAIR else 1


async def _play(game: str, seed: int, level: int, folder: Path) -> tuple[Seat, Seat]:
    """Both seats, after the game. Whatever happens, no process is left behind."""
    token = secrets.token_hex(2)
    common = ("--level", str(level), "--json")
    seats: list[Seat] = []
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            for number, (name, how) in enumerate(
                (
                    (f"Ana {token}", ("host", game, "--last-look", "0")),
                    (f"Ben {token}", ("join", f"Ana {token}")),
                )
            ):
                own = (
                    "--data",
                    str(folder / name.split()[0].lower()),
                    "--nickname",
                    name,
                    "--seed",
                    str(2 * seed + number),
                )
                seats.append(Seat(name, await _start(*how, *own, *common)))
            async with asyncio.TaskGroup() as group:
                for seat in seats:
                    group.create_task(seat.follow())
    except TimeoutError:
        reached = ", ".join(f"{seat.name} came to {seat.last.get('event', 'nothing')!r}" for seat in seats)
        raise Trouble(
            f"The game did not end within {PATIENCE_SECONDS:.0f} seconds; {reached}. Its journals are in {folder}."
        ) from None
    except ExceptionGroup as several:
        raise several.exceptions[0] from None
    finally:
        for seat in seats:
            if seat.process.returncode is None:
                seat.process.kill()
                await seat.process.wait()
    return seats[0], seats[1]


async def _start(*arguments: str) -> Process:
    """A headless seat in a process of its own."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "client.cli", "bot", *arguments, stdout=PIPE, stderr=PIPE
    )
