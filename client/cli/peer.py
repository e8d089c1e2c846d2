"""`kimberley peer`: a seat that is told by lines of JSON what to play, and says in lines of JSON what happens.

It meets the contract for targets (SPEC.md, "Targets"), for the conformance suite and for whoever wants to drive a peer
from another program. A line of standard input is a job, or something to do in the job at hand; a line of standard
output is an event. Jobs are played one after the other.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from client.conformance.plain import from_json, to_json
from client.conformance.profile import PARTS, ROLES
from client.conformance.script import ScriptGame
from games import lookup
from games.table import HIDDEN, NOTHING, Game, Item
from p2p.ending import Changed, TableEvent
from p2p.identity import Identity
from p2p.table import Table
from p2p.trouble import Trouble
from p2p.watch import Watch
from protocol.audit import Verdict, verify
from protocol.events import Answered, Caught, Ended, Gone, Said
from protocol.play import Refused
from protocol.record import MOST_BYTES

LOOPBACK: Final = "127.0.0.1"
DONE: Final = ("done", "failed")
"""The phases in which a table has come to its end."""

Line = dict[str, Any]
Emit = Callable[[Line], None]


def main() -> int:
    """Plays jobs until there are no more. Returns the exit status."""
    return asyncio.run(serve())


async def serve() -> int:
    """Reads lines and plays them, until standard input is closed and the last job is over."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[Line | None] = asyncio.Queue()

    def read() -> None:
        for text in sys.stdin:
            if text.strip():
                loop.call_soon_threadsafe(lines.put_nowait, _parsed(text))
        loop.call_soon_threadsafe(lines.put_nowait, None)

    loop.run_in_executor(None, read)
    while (line := await lines.get()) is not None:
        if "role" in line:
            await Job(line, lines, emit).run()
    return 0


def emit(line: Line) -> None:
    """Says an event."""
    print(json.dumps(line), flush=True)


def _parsed(text: str) -> Line:
    try:
        line = json.loads(text)
    except ValueError:
        return {"do": "nothing"}
    return line if isinstance(line, dict) else {"do": "nothing"}


class Drawn:
    """Secrets as a job's seed gives them: the k-th 32 bytes are SHA-256(seed, k), k in four bytes."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._count = 0

    def __call__(self, size: int) -> bytes:
        drawn = hashlib.sha256(self._seed + self._count.to_bytes(4, "big")).digest()
        self._count += 1
        return drawn[:size]


class Job:
    """One job, from its line to its `over`."""

    def __init__(self, job: Line, lines: asyncio.Queue[Line | None], emit: Emit) -> None:
        self._job = job
        self._lines = lines
        self._emit = emit
        self._person = job.get("person") is True
        self._choices = list(job.get("choices", ()))
        self._games = int(job.get("games", 1))
        self._stirred = asyncio.Event()
        self._asked: tuple[object, int] | None = None
        self._chosen = False
        self._phase = ""
        self._closed = False

    async def run(self) -> None:
        """Plays it. Whatever goes wrong is an event."""
        roles: dict[str, Callable[[Path], Awaitable[bool]]] = {
            "host": self._host,
            "join": self._join,
            "resume": self._resume,
            "watch": self._watch,
            "verify": self._verify,
            "referee": self._referee,
            "profile": self._profile,
        }
        done = False
        with tempfile.TemporaryDirectory(prefix="kimberley-peer-") as folder:
            data = Path(self._job.get("data") or folder)
            role = self._job["role"]
            if not isinstance(role, str) or role not in roles:
                self._emit({"event": "unimplemented", "what": str(role)})
            else:
                try:
                    done = await roles[role](data)
                except (Trouble, LookupError, ValueError, OSError) as error:
                    self._emit({"event": "problem", "reason": str(error)})
            self._emit({"event": "over", "done": done})

    # -- roles ---------------------------------------------------------------------------------------------------------

    async def _host(self, data: Path) -> bool:
        draw, identity = self._secrets(data)
        game = self._find(self._job.get("game", ScriptGame.id))
        options = {name: from_json(value) for name, value in self._job.get("options", {}).items()}
        table = await Table.open(
            game,
            nickname=self._nickname,
            identity=identity,
            data=data,
            seats=self._job.get("seats"),
            options=options,
            port=self._job.get("port", 0),
            bind=self._job.get("address", LOOPBACK),
            announce=bool(self._job.get("discovery")),
            headless=not self._person,
            draw=draw,
        )
        self._emit({"event": "listening", "port": table.port})
        return await self._play(table)

    async def _join(self, data: Path) -> bool:
        draw, identity = self._secrets(data)
        table = await Table.join(
            self._where,
            self._find,
            nickname=self._nickname,
            identity=identity,
            data=data,
            bind=self._job.get("address", LOOPBACK),
            seek=bool(self._job.get("discovery")),
            headless=not self._person,
            draw=draw,
        )
        return await self._play(table)

    async def _resume(self, data: Path) -> bool:
        from client.resuming import find_journal  # it brings the whole terminal with it

        _, identity = self._secrets(data)
        path = await asyncio.to_thread(find_journal, data, identity.public, None)
        table = await Table.resume(
            path,
            self._find,
            identity=identity,
            data=data,
            bind=LOOPBACK,
            seek=bool(self._job.get("discovery")),
            headless=True,
        )
        self._emit({"event": "listening", "port": table.port})
        return await self._play(table)

    async def _watch(self, data: Path) -> bool:
        watch = await Watch.open(self._where, self._find, identity=Identity.fresh())
        over = asyncio.Event()

        def heard(event: object) -> None:
            if isinstance(event, (Answered, Said, Gone, Ended, Caught)):
                self._told(event)
            if watch.problem is not None or (watch.peer is not None and (watch.peer.finished or watch.peer.caught)):
                over.set()

        def act(line: Line) -> None:
            if line.get("do") == "abandon":
                watch.attest()

        stop = watch.subscribe(heard)
        await self._until(asyncio.create_task(over.wait()), act)
        stop()
        if watch.problem is not None:
            self._emit({"event": "problem", "reason": watch.problem})
        finished = watch.peer is not None and watch.peer.finished
        await watch.close()
        return finished

    async def _verify(self, data: Path) -> bool:
        def judge() -> Verdict:
            with Path(self._job["file"]).open("rb") as file:
                return verify(file.read(MOST_BYTES + 1), self._find)

        self._judged(await asyncio.to_thread(judge), None)
        return True

    async def _referee(self, data: Path) -> bool:
        from client.peer_referee import running  # it brings a database with it

        over = asyncio.Event()
        _, identity = self._secrets(data)
        async with running(self._job, data, self._find, identity, self._job.get("address", LOOPBACK)) as desk:
            stop = desk.subscribe(lambda event: over.set() if desk.over else None)
            self._emit({"event": "listening", "port": desk.port})
            await self._until(asyncio.create_task(over.wait()), lambda line: None)
            stop()
            return desk.over

    async def _profile(self, data: Path) -> bool:
        self._emit({"event": "profile", "has": [*ROLES, *PARTS, ScriptGame.id, *lookup.ids()]})
        return True

    # -- a seat --------------------------------------------------------------------------------------------------------

    async def _play(self, table: Table) -> bool:
        """Plays what the job says until the table is done, or has failed, or the suite says stop."""
        stop = table.subscribe(lambda event: self._heard(table, event))
        self._heard(table, Changed("phase"))
        ended = asyncio.create_task(self._drive(table))
        await self._until(ended, lambda line: self._do(table, line))
        if not self._closed and (seconds := self._job.get("linger", 0)):
            await self._until(asyncio.create_task(asyncio.sleep(seconds)), lambda line: None)
        stop()
        done = table.phase == "done"
        await (table.suspend() if self._closed else table.close())
        return done

    async def _drive(self, table: Table) -> None:
        games = self._games
        while table.phase != "failed":
            self._stirred.clear()
            if table.phase == "done" and table.seat not in table.again_from:
                games -= 1
                if not games:
                    return
                table.again(True)
            self._choose(table)
            await self._stirred.wait()

    def _choose(self, table: Table) -> None:
        """The next choice of the job, for what is asked now."""
        asked = table.peer.asked if table.phase == "playing" and table.peer is not None else None
        if asked is None:
            return
        if self._asked != (table.peer, asked.step):
            self._asked = table.peer, asked.step
            self._chosen = False
            self._emit({"event": "asked", "step": asked.step})
        while self._choices and not self._chosen:
            try:
                table.choose(from_json(self._choices.pop(0)))
                self._chosen = True
            except (Refused, ValueError) as error:
                self._emit({"event": "forbidden", "reason": str(error)})

    async def _until(self, work: asyncio.Task[Any], act: Callable[[Line], None]) -> None:
        """Does what it is told until this ends."""
        while not work.done():
            coming = asyncio.create_task(self._lines.get())
            await asyncio.wait((work, coming), return_when=asyncio.FIRST_COMPLETED)
            if not coming.done():
                coming.cancel()
                await asyncio.wait((coming,))
                continue
            line = coming.result()
            if line is None:
                self._lines.put_nowait(None)
                await work
            elif line.get("do") == "stop":
                self._closed = True
                work.cancel()
                await asyncio.wait((work,))
            else:
                try:
                    act(line)
                except Refused as error:
                    self._emit({"event": "forbidden", "reason": str(error)})

    def _do(self, table: Table, line: Line) -> None:
        """What a player does. Raises Refused."""
        match line:
            case {"do": "choose", "choice": choice}:
                self._choices.append(choice)
                self._stirred.set()
            case {"do": "say", "text": str() as text}:
                table.say(text)
            case {"do": "same", "yes": bool() as yes}:
                table.same(yes)
            case {"do": "resign"}:
                table.resign()
            case {"do": "aside", "yes": bool() as yes}:
                table.aside(yes)
            case {"do": "abandon"}:
                table.abandon()
            case {"do": "bye"}:
                table.leave()

    # -- events --------------------------------------------------------------------------------------------------------

    def _heard(self, table: Table, event: TableEvent) -> None:
        self._told(event)
        full = table.phase == "open" and len(table.names) == table.seats
        if self._person and full and not table.readiness[table.seat]:
            table.ready(True)
        if table.phase != self._phase:
            self._phase = table.phase
            if table.phase == "words" and table.phrase is not None:
                told: Line = {"event": "words", "seat": table.seat, "words": list(table.phrase)}
                if self._person:
                    told |= {"known": list(table.acquaintance), "warned": table.warning is not None}
                self._emit(told)
            elif table.phase == "playing":
                self._emit({"event": "began"})
            elif table.phase in DONE:
                if table.problem is not None:
                    self._emit({"event": "problem", "reason": table.problem})
                if table.verdict is not None:
                    self._judged(table.verdict, table.record)
        self._stirred.set()

    def _told(self, event: object) -> None:
        match event:
            case Answered():
                self._emit({"event": "answered", "step": event.step, "answer": _seen(event.answer)})
            case Said(seat, text):
                self._emit({"event": "said", "seat": seat, "text": text})
            case Gone(_, seat):
                self._emit({"event": "left", "seat": seat})
            case Ended(result):
                self._emit({"event": "result", "places": list(result.places), "scores": to_json(result.scores)})
            case Caught(seat, step, stage):
                self._emit({"event": "guilty", "seat": seat, "step": step, "stage": stage})

    def _judged(self, verdict: Verdict, record: Path | None) -> None:
        self._emit(
            {
                "event": "verdict",
                "code": verdict.code,
                "seats": list(verdict.seats),
                "absent": list(verdict.absent),
                "step": verdict.step,
                "stage": verdict.stage,
                "record": None if record is None else str(record),
            }
        )

    # -- odds and ends -------------------------------------------------------------------------------------------------

    @property
    def _nickname(self) -> str:
        return str(self._job.get("nickname", "target"))

    @property
    def _where(self) -> str:
        return f"{self._job.get('address', LOOPBACK)}:{self._job['port']}"

    def _find(self, game: str) -> Game:
        """A game of this program, or the script with the asks that the job names. Raises LookupError."""
        if game == ScriptGame.id:
            return ScriptGame(from_json(self._job.get("options", {}).get("asks", [])))
        return lookup.find(game)

    def _secrets(self, data: Path) -> tuple[Callable[[int], bytes], Identity]:
        """Where secrets come from, and the identity."""
        if "seed" in self._job:
            drawn = Drawn(bytes.fromhex(self._job["seed"]))
            return drawn, Identity.of(drawn(32))
        return secrets.token_bytes, Identity.load_or_create(data)


def _seen(answer: Any) -> Any:
    """An answer as this seat saw it, in JSON."""
    if answer is HIDDEN:
        return {"hidden": True}
    if answer is NOTHING:
        return {"nothing": True}
    if isinstance(answer, Item):
        return answer.handle
    if isinstance(answer, tuple):
        return [_seen(entry) for entry in answer]
    return to_json(answer)


if __name__ == "__main__":
    sys.exit(main())
