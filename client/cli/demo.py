"""`kimberley demo`: a whole game between bots, a process for each seat, over the real network, and its proof."""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from client.options import refusal
from client.verify import as_plain, in_words, judge
from games import lookup
from games.settling import spelled
from games.table import Game, Plain
from p2p.common_options import LAST_LOOK
from p2p.trouble import Trouble
from protocol.audit import FAIR

MEET_SECONDS: Final = 60.0
"""For all seats to find the table and sit down."""
PLAY_SECONDS: Final = 3600.0
"""A game between bots that takes longer hangs."""
NAMES: Final = ("Ana", "Ben", "Carla", "Dan", "Emeka", "Farid")


@dataclass(slots=True)
class Seat:
    """One bot's process, and when it said what."""

    name: str
    process: Process
    at: dict[str, float] = field(default_factory=dict)
    last: Mapping[str, Any] = field(default_factory=dict)
    sits: asyncio.Event = field(default_factory=asyncio.Event)

    async def follow(self, heard: Callable[[], None]) -> None:
        """Reads its events to the end, and says so after each. Raises Trouble with its own words if it fails."""
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        errors = asyncio.create_task(self.process.stderr.read())
        async for line in self.process.stdout:
            self.last = json.loads(line)
            self.at[str(self.last["event"])] = float(self.last["clock"])
            self.sits.set()
            heard()
        said = (await errors).decode(errors="replace").strip()
        if await self.process.wait() or "done" not in self.at:
            raise Trouble(f"The seat of {self.name} failed. {said.removeprefix('kimberley: ')}".strip())


def run(
    game: str,
    *,
    seats: int | None,
    options: dict[str, Plain],
    seed: int,
    level: int,
    data: Path | None,
    as_json: bool,
) -> int:
    """Plays, verifies and tells. Returns 0 if the game is proven fair. Raises Trouble.

    `seats` are the fewest of the game where None; `options` that are not given are those of its quickest game.
    """
    started = time.monotonic()
    folder = data if data is not None else Path(tempfile.mkdtemp(prefix="kimberley-demo-"))
    known = lookup.find(game)
    number = min(known.seats) if seats is None else seats
    settled = {option.name: option.values[0][0] for option in known.options} | dict(known.quick) | options
    if (reason := refusal(known, number, settled)) is not None:
        raise Trouble(reason)
    played = asyncio.run(_play(_terms(known, number, settled), number, seed, level, folder))
    host = played[0]
    record = Path(str(host.last["record"]))
    verifying = time.monotonic()
    verdict = judge(record)
    ended = time.monotonic()
    done = max(seat.at["done"] for seat in played)
    found = {
        "result": as_plain(verdict)["result"],
        "names": list(verdict.names),
        "record": str(record),
        "verdict": verdict.code,
        "options": {name: spelled(value) for name, value in settled.items()},
        "envelopes": verdict.envelopes,
        "bytes": sum(int(seat.last["bytes"]) for seat in played),
        "seconds": {
            "announce": host.at["open"] - started,
            "meet": host.at["playing"] - host.at["open"],
            "play": host.at["closing"] - host.at["playing"],
            "audit": done - host.at["closing"],
            "leave": verifying - done,
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


def _terms(game: Game, seats: int, options: Mapping[str, Plain]) -> list[str]:
    """What the host's command line says of its table: everything, so that nothing is left to what was chosen before."""
    terms = [game.id, "--seats", str(seats)]
    for option in game.options:
        terms += ["--option", f"{option.name}={spelled(options[option.name])}"]
    if game.last_looks:
        terms += ["--last-look", str(options.get(LAST_LOOK, 0))]
    return terms


async def _play(terms: Sequence[str], count: int, seed: int, level: int, folder: Path) -> list[Seat]:
    """All seats, after the game. Whatever happens, no process is left behind."""
    token = secrets.token_hex(2)
    seats: list[Seat] = []

    def heard() -> None:
        if len(seats) == count and all("playing" in seat.at for seat in seats):
            limit.reschedule(asyncio.get_running_loop().time() + PLAY_SECONDS)

    try:
        async with asyncio.timeout(MEET_SECONDS) as limit, asyncio.TaskGroup() as group:
            for number, called in enumerate(NAMES[:count]):
                name = f"{called} {token}"
                how = ("host", *terms) if number == 0 else ("join", f"{NAMES[0]} {token}")
                own = ("--data", str(folder / called.lower()), "--nickname", name)
                play = ("--seed", str(count * seed + number), "--level", str(level), "--json")
                seats.append(Seat(name, await _start(*how, *own, *play)))
                group.create_task(seats[-1].follow(heard))
                if number:
                    # One sits down after the other, so that the same seed gives the same seat to each.
                    await seats[-1].sits.wait()
    except TimeoutError:
        reached = ", ".join(f"{seat.name} came to {seat.last.get('event', 'nothing')!r}" for seat in seats)
        raise Trouble(f"The game did not end in time; {reached}. Its journals are in {folder}.") from None
    except ExceptionGroup as several:
        raise several.exceptions[0] from None
    finally:
        for seat in seats:
            if seat.process.returncode is None:
                seat.process.kill()
                await seat.process.wait()
    return seats


async def _start(*arguments: str) -> Process:
    """A headless seat in a process of its own."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "client.cli", "bot", *arguments, stdout=PIPE, stderr=PIPE
    )
