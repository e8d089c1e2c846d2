"""`kimberley demo`: plays a whole game between bots over the real network, a process for each seat, and verifies it."""

from __future__ import annotations

import asyncio
import json
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kimberley.client.session.verdicts import verdict_as_plain, verify_file
from kimberley.games import lookup
from kimberley.games.options import format_value
from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.installation import own_command
from kimberley.p2p.base.platform import monotonic, random_bytes, run_loop
from kimberley.p2p.base.tasks import task_scope
from kimberley.p2p.base.terminal import fitted
from kimberley.p2p.sentences.options import refusal
from kimberley.p2p.sentences.verdicts import verdict_lines
from kimberley.p2p.storage.files import temporary_folder
from kimberley.p2p.table.common_options import adjust_times
from kimberley.protocol.audit import FAIR

MEET_SECONDS: Final = 60.0
"""How long the seats may take to find the table and sit down."""
PLAY_SECONDS: Final = 3600.0
"""How long the game may take. If it takes longer, a bot hangs."""
NAMES: Final = ("Ana", "Ben", "Carla", "Dan", "Emeka", "Farid")


@dataclass(slots=True)
class DemoSeat:
    """The process of one bot, and when it reported each event."""

    name: str
    process: Process
    at: dict[str, float] = field(default_factory=dict)
    last: Mapping[str, Any] = field(default_factory=dict)
    end: Mapping[str, Any] = field(default_factory=dict)
    """What it reported when the game was done; others may leave after that."""
    sits: asyncio.Event = field(default_factory=asyncio.Event)

    async def follow(self, heard: Callable[[], None]) -> None:
        """Reads the events of the process to the end, and calls `heard` after each.

        Raises UserError with the words of the process if it fails.
        """
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        async with task_scope() as tasks:
            errors = tasks.start(self.process.stderr.read())
            async for line in self.process.stdout:
                self.last = json.loads(line)
                self.at[str(self.last["event"])] = float(self.last["clock"])
                if self.last["event"] == "done":
                    self.end = self.last
                self.sits.set()
                heard()
            complaint = (await errors).decode(errors="replace").strip()
        if await self.process.wait() or "done" not in self.at:
            raise UserError(f"The seat of {self.name} failed. {complaint.removeprefix('kimberley: ')}".strip())


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
    """Plays a game, verifies it and prints the result. Returns 0 if the game is proven fair. Raises UserError.

    If `seats` is None, as few play as the game allows. Options that are not given are those of its quickest game.
    """
    started = monotonic()
    folder = data if data is not None else Path(tempfile.mkdtemp(prefix="kimberley-demo-", dir=temporary_folder()))
    known = lookup.find(game)
    number = min(known.seats) if seats is None else seats
    settled = {option.name: option.values[0][0] for option in known.options} | dict(known.quick) | options
    if (reason := refusal(known, number, settled)) is not None:
        raise UserError(reason)
    played = run_loop(_play(_terms(known, number, settled), number, seed, level, folder), subprocesses=True)
    host = played[0]
    if (kept := host.end["record"]) is None:
        raise UserError(f"The game was played, but the host saved no record. Its saved games are in {folder}.")
    record = Path(str(kept))
    verifying = monotonic()
    verdict = verify_file(record)
    ended = monotonic()
    done = max(seat.at["done"] for seat in played)
    summary = {
        "result": verdict_as_plain(verdict)["result"],
        "names": list(verdict.names),
        "record": str(record),
        "verdict": verdict.code,
        "options": {name: format_value(value) for name, value in settled.items()},
        "envelopes": verdict.envelopes,
        "bytes": sum(int(seat.end["bytes"]) for seat in played),
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
    summary["seconds"] = {phase: round(seconds, 3) for phase, seconds in summary["seconds"].items()}
    if as_json:
        print(json.dumps(summary, indent=1))
    else:
        print("\n".join(map(fitted, verdict_lines(verdict))))
        print(
            f"{summary['envelopes']} signed messages, {summary['bytes']} bytes sent, {summary['seconds']['all']:.1f} s"
        )
        print(fitted(f"The record: {record}"))
    return 0 if verdict.code == FAIR else 1


def _terms(game: Game, seats: int, options: Mapping[str, Plain]) -> list[str]:
    """Returns the host's arguments for its table: all of them, so that nothing depends on earlier choices."""
    terms = [game.id, "--seats", str(seats)]
    for option in game.options:
        terms += ["--option", f"{option.name}={format_value(options[option.name])}"]
    if game.last_looks:
        terms += ["--adjust", adjust_times(options).text]
    return terms


async def _play(terms: Sequence[str], count: int, seed: int, level: int, folder: Path) -> list[DemoSeat]:
    """Plays the game and returns all seats. Whatever happens, it leaves no process behind."""
    token = random_bytes(2).hex()
    seats: list[DemoSeat] = []

    def heard() -> None:
        if len(seats) == count and all("playing" in seat.at for seat in seats):
            limit.reschedule(asyncio.get_running_loop().time() + PLAY_SECONDS)

    try:
        async with asyncio.timeout(MEET_SECONDS) as limit, task_scope() as tasks:
            following = []
            for number, called in enumerate(NAMES[:count]):
                name = f"{called} {token}"
                how = ("host", *terms) if number == 0 else ("join", f"{NAMES[0]} {token}")
                own = ("--data", str(folder / called.lower()), "--nickname", name)
                play = ("--seed", str(count * seed + number), "--level", str(level), "--json")
                seats.append(DemoSeat(name, await start_program(*how, *own, *play)))
                following.append(tasks.start(seats[-1].follow(heard)))
                if number:
                    # They sit down one after another, so that the same seed gives each the same seat.
                    await seats[-1].sits.wait()
            await asyncio.wait(following)
    except TimeoutError:
        reached = ", ".join(f"{seat.name} got to {seat.last.get('event', 'nothing')!r}" for seat in seats)
        raise UserError(f"The game did not finish in time; {reached}. Its saved games are in {folder}.") from None
    finally:
        for seat in seats:
            if seat.process.returncode is None:
                seat.process.kill()
                await seat.process.wait()
    return seats


async def start_program(*arguments: str) -> Process:
    """Starts a headless seat in a process of its own."""
    return await asyncio.create_subprocess_exec(*own_command(), "bot", *arguments, stdout=PIPE, stderr=PIPE)
