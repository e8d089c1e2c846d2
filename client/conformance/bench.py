"""What a case works with: jobs of the target, connections to it, doors that it can come to, and waits with limits."""

from __future__ import annotations

import asyncio
import contextlib
import os
import ssl
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from client.conformance.case import Failed, NotClaimed
from client.conformance.hashing import Identity
from client.conformance.hello import Bend, join, straight, welcome
from client.conformance.plain import Plain, spelled
from client.conformance.profile import NAMES, PARTS
from client.conformance.script import ScriptGame
from client.conformance.table import Table
from client.conformance.target import START_SECONDS, Job, Pool
from client.conformance.traffic import Traffic
from client.conformance.wire import Frame, Line, client_context, server_context

HOST: Final = "127.0.0.1"
WAIT_SECONDS: Final = 15.0


class Door:
    """Where the target can connect to. The connections that came are in `lines`, each after TLS."""

    def __init__(self) -> None:
        self.port = 0
        self.lines: list[Line] = []
        self.server: asyncio.Server | None = None


class Bench:
    """One case at work."""

    def __init__(self, pool: Pool) -> None:
        self.traffic = Traffic()
        self.patience = pool.patience
        self.jobs: list[Job] = []
        self.awaited = "beginning"
        """What the case waits for, or waited for last, as a participle."""
        self._pool = pool
        self._stirred = asyncio.Event()
        self._lines: list[Line] = []
        self._doors: list[Door] = []
        self._folder = tempfile.TemporaryDirectory(prefix="kimberley-conformance-")

    async def __aenter__(self) -> Bench:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for door in self._doors:
            if door.server is not None:
                door.server.close()
        for line in [*self._lines, *(line for door in self._doors for line in door.lines)]:
            await line.settle()
        for job in self.jobs:
            await self._pool.release(job)
        with contextlib.suppress(OSError):
            self._folder.cleanup()

    # -- waiting -------------------------------------------------------------------------------------------------------

    def stir(self) -> None:
        """Something has come: who waits looks again."""
        self._stirred.set()

    async def wait(self, condition: Callable[[], object], what: str, seconds: float = WAIT_SECONDS) -> None:
        """Until a condition holds. Raises Failed, with what was waited for, when the limit is over."""
        self.awaited = f"waiting for {what}"
        before = self.traffic.count
        try:
            async with asyncio.timeout(seconds * self.patience):
                while not condition():
                    self.check()
                    self._stirred.clear()
                    await self._stirred.wait()
        except TimeoutError:
            came = self.traffic.latest if self.traffic.count > before else "nothing"
            raise Failed(f"{self.awaited}; got {came} in {seconds * self.patience:g} s") from None

    def check(self) -> None:
        """Raises Unimplemented, or Failed where the target breaks the contract of targets."""
        for job in self.jobs:
            job.check()

    def explained(self, failure: str) -> str:
        """A failure with the role of the target, and what came of it last."""
        role = self.jobs[-1].line["role"] if self.jobs else "target"
        return f"{role}: {failure}; {self.traffic.last_words}"

    async def pause(self, seconds: float) -> None:
        """A while, whatever comes."""
        await asyncio.sleep(seconds * self.patience)

    # -- the target ----------------------------------------------------------------------------------------------------

    @property
    def folder(self) -> Path:
        """Of this case alone."""
        return Path(self._folder.name)

    async def needs(self, name: str) -> None:
        """Raises NotClaimed where the target does not say that it has this role, game or part."""
        if name in NAMES and name not in await self._pool.profile():
            raise NotClaimed(name)

    async def job(self, role: str, **line: Any) -> Job:
        """Gives the target a job. Raises NotClaimed."""
        for name in (role, line.get("game", ScriptGame.id), *(part for part in PARTS if line.get(part))):
            await self.needs(name)
        line.setdefault("data", str(self.folder / f"data{len(self.jobs)}"))
        job = await self._pool.start({"role": role, **line}, self.traffic, self.stir)
        self.jobs.append(job)
        return job

    async def kill(self, job: Job) -> None:
        """Ends the process of a job as a power failure does."""
        job.killed = True
        await job.process.kill()

    def forget_state(self) -> None:
        """Takes what targets keep beside their data from them, as on another machine."""
        self._pool.forget_state()

    async def event(self, job: Job, event: str, seconds: float = WAIT_SECONDS) -> dict[str, Any]:
        """The latest event of a kind, when there is one."""
        await self.wait(lambda: job.last(event) or job.over, f"the event `{event}`", seconds)
        found = job.last(event)
        if found is None:
            self.check()
            told = [spelled(one) for one in job.events if one["event"] == "problem"]
            raise Failed(
                f"waiting for the event `{event}`; the job is over without it ({', '.join(told) or 'no reason'})"
            )
        return found

    async def listening(self, job: Job) -> int:
        """The port of its door."""
        return int((await self.event(job, "listening", START_SECONDS))["port"])

    # -- connections ---------------------------------------------------------------------------------------------------

    async def connect(
        self, port: int, name: str = "line", context: ssl.SSLContext | None = None, *, plain: bool = False
    ) -> Line:
        """A connection to the target, after TLS unless it is to be `plain`. Raises OSError, ssl.SSLError."""
        secure = None if plain else context or client_context()
        server_hostname = "" if secure is not None else None
        async with asyncio.timeout(WAIT_SECONDS * self.patience):
            reader, writer = await asyncio.open_connection(HOST, port, ssl=secure, server_hostname=server_hostname)
        line = Line(name, reader, writer, self.traffic, self.stir)
        self._lines.append(line)
        return line

    async def seat_line(
        self,
        port: int,
        identity: Identity,
        purpose: Plain = ("seat",),
        name: str = "line",
        bend: Bend = straight,
    ) -> Line:
        """A connection to the target, after the hello."""
        line = await self.connect(port, name)
        await join(line, lambda: self.receive(line), identity, purpose, line.certificate, bend)
        line.beat()
        return line

    async def door(self) -> Door:
        """A door on this machine."""
        door = Door()
        context, _ = server_context()

        async def came(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            name = f"door {self._doors.index(door)}, connection {len(door.lines)}"
            door.lines.append(Line(name, reader, writer, self.traffic, self.stir))
            self.stir()

        door.server = await asyncio.start_server(came, HOST, 0, ssl=context)
        door.port = door.server.sockets[0].getsockname()[1]
        self._doors.append(door)
        return door

    async def guest(self, door: Door, identity: Identity, bend: Bend = straight, at: int = 0) -> Line:
        """The connection with this number at a door, after the hello."""
        await self.wait(
            lambda: len(door.lines) > at, "a connection of the target to a door of the suite", START_SECONDS
        )
        line = door.lines[at]
        _, certificate = server_context()
        await welcome(line, lambda: self.receive(line), identity, certificate, bend)
        line.beat()
        return line

    async def receive(self, line: Line, *kinds: str, due: str = "", seconds: float = WAIT_SECONDS) -> Frame:
        """The next frame on a line, of these kinds if any are named; others are passed over. `due` says more exactly
        what a correct target sends now. Raises Failed.
        """
        what = due or " or ".join(f"`{kind}`" for kind in kinds) or "a frame"
        while True:
            await self.wait(lambda: len(line.frames) > line.taken or line.closed, f"{what} to {line.name}", seconds)
            found = line.next()
            if found is None:
                self.check()
                raise Failed(f"{self.awaited}; the target ended the connection{line.why_closed}")
            if not kinds or found[0] in kinds:
                return found

    async def closed(self, line: Line, why: str, seconds: float = WAIT_SECONDS) -> None:
        """Until the target has ended a connection. Raises Failed with what it should have ended it for."""
        await self.wait(lambda: line.closed, f"the end of the connection, {why}", seconds)

    # -- tables --------------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def table(
        self,
        asks: Sequence[Plain] = (),
        *,
        target: str = "host",
        seats: int = 2,
        seat: int | None = None,
        play: bool = True,
        kind: type[Table] = Table,
        **more: Any,
    ) -> AsyncIterator[Table]:
        """A table with the target at it, who is `target`: "host", or "join" at `seat` (the last one by default). With
        `play` it is brought to its first stage. `more`: see `Table`.
        """
        number = 0 if target == "host" else seats - 1 if seat is None else seat
        table = kind(self, tuple(asks), seats, number, hosts=target == "host", **more)
        if play:
            await table.sit()
            await table.begin()
        yield table

    def identity(self) -> Identity:
        """One that nobody has met."""
        return Identity(os.urandom(32))
