"""What a case works with: jobs of the target, connections to it, ports where it can connect, and waits with limits."""

from __future__ import annotations

import asyncio
import contextlib
import os
import ssl
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from kimberley.conformance.errors import Failed, Late, NotClaimed
from kimberley.conformance.harness.connection import Connection, Frame, client_context, kind_of, server_context
from kimberley.conformance.harness.hello import THROUGH_RELAY, MutateHello, join, unchanged, welcome
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.harness.profile import NAMES, PARTS, SPECTATORS
from kimberley.conformance.harness.target import START_SECONDS, Job, TargetPool
from kimberley.conformance.harness.traffic import Traffic
from kimberley.conformance.harness.web import WebConnection, upgrade
from kimberley.conformance.plain import spelled
from kimberley.conformance.script import ScriptGame
from kimberley.games.phrases import join_names
from kimberley.games.table import Plain
from kimberley.protocol.envelope import START
from kimberley.protocol.roster import SignedRoster

HOST: Final = "127.0.0.1"
WAIT_SECONDS: Final = 15.0
LONGEST_LAG: Final = 2.0
"""The longest lag of a target that a pause takes into account. Anything longer is a clock of the target's."""


class SuiteListener:
    """A port to which the target can connect. `connections` are those that were accepted, each after TLS."""

    def __init__(self) -> None:
        self.port = 0
        self.connections: list[Connection] = []
        self.server: asyncio.Server | None = None


class Harness:
    """Everything that one running case uses, and closes at its end."""

    def __init__(self, pool: TargetPool) -> None:
        self.traffic = Traffic()
        self.patience = pool.patience
        self.jobs: list[Job] = []
        self.awaited = "beginning"
        """What the case is waiting for, or waited for last, as a participle."""
        self._pool = pool
        self._lag = 0.0
        """The longest that the target took for anything so far, in seconds; LONGEST_LAG at most."""
        self._changed = asyncio.Event()
        self._connections: list[Connection] = []
        self._listeners: list[SuiteListener] = []
        self._folder = tempfile.TemporaryDirectory(prefix="kimberley-conformance-")

    async def __aenter__(self) -> Harness:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for listener in self._listeners:
            if listener.server is not None:
                listener.server.close()
        accepted = [connection for listener in self._listeners for connection in listener.connections]
        for connection in [*self._connections, *accepted]:
            await connection.close()
        for job in self.jobs:
            await self._pool.release(job)
        with contextlib.suppress(OSError):
            self._folder.cleanup()

    # -- waiting -------------------------------------------------------------------------------------------------------

    def notify(self) -> None:
        """Makes every wait check its condition again, since something has arrived."""
        self._changed.set()

    async def wait_until(self, condition: Callable[[], object], what: str, seconds: float = WAIT_SECONDS) -> None:
        """Waits until a condition holds. Raises Late, which names `what` was awaited, after `seconds`."""
        self.awaited = f"waiting for {what}"
        before = self.traffic.count
        began = time.monotonic()
        try:
            async with asyncio.timeout(seconds * self.patience):
                while not condition():
                    self.check()
                    self._changed.clear()
                    await self._changed.wait()
                self._lag = max(self._lag, min(time.monotonic() - began, LONGEST_LAG))
        except TimeoutError:
            came = self.traffic.latest if self.traffic.count > before else "nothing"
            raise Late(f"{self.awaited}; got {came} in {seconds * self.patience:g} s") from None

    def check(self) -> None:
        """Raises Unimplemented, or Failed if the target breaks the contract for targets."""
        for job in self.jobs:
            job.check()

    def explain(self, failure: str) -> str:
        """Returns a failure, with the target's role and the last that it sent."""
        role = self.jobs[-1].message["role"] if self.jobs else "target"
        return f"{role}: {failure}; {self.traffic.last_words}"

    async def pause(self, seconds: float) -> None:
        """Waits for that long, whatever arrives meanwhile, so that a target can do what it must not.

        A target that was slow before is given twice its lag. Little patience makes no pause shorter.
        """
        await asyncio.sleep(max(seconds * max(self.patience, 1.0), 2 * self._lag))

    # -- the target ----------------------------------------------------------------------------------------------------

    @property
    def folder(self) -> Path:
        """A folder that belongs to this case alone."""
        return Path(self._folder.name)

    async def require(self, name: str) -> None:
        """Raises NotClaimed if the target does not say that it has this role, game or part."""
        if name in NAMES and name not in await self._pool.profile():
            raise NotClaimed(name)

    async def start_job(self, role: str, **entries: Any) -> Job:
        """Gives the target a job. Raises NotClaimed."""
        for name in (role, entries.get("game", ScriptGame.id), *(part for part in PARTS if entries.get(part))):
            await self.require(name)
        entries.setdefault("data", str(self.folder / f"data{len(self.jobs)}"))
        job = await self._pool.start({"role": role, **entries}, self.traffic, self.notify)
        self.jobs.append(job)
        return job

    async def kill(self, job: Job) -> None:
        """Ends the process of a job as a power failure does."""
        job.killed = True
        await job.process.kill()

    def forget_state(self) -> None:
        """Deletes what targets keep outside their data folders, as if the data were copied to another machine."""
        self._pool.forget_state()

    async def await_event(self, job: Job, event: str, seconds: float = WAIT_SECONDS) -> dict[str, Any]:
        """Waits until a job has had an event of this kind, and returns the latest one."""
        await self.wait_until(lambda: job.last(event) or job.over, f"the event `{event}`", seconds)
        latest = job.last(event)
        if latest is None:
            self.check()
            reasons = [spelled(one) for one in job.events if one["event"] == "problem"]
            raise Failed(
                f"waiting for the event `{event}`; the job ended without it ({', '.join(reasons) or 'no reason given'})"
            )
        return latest

    async def listening_port(self, job: Job) -> int:
        """Returns the port at which the target accepts connections for a job."""
        return int((await self.await_event(job, "listening", START_SECONDS))["port"])

    # -- connections ---------------------------------------------------------------------------------------------------

    async def connect(
        self, port: int, name: str = "line", context: ssl.SSLContext | None = None, *, plain: bool = False
    ) -> Connection:
        """Returns a connection to the target, after TLS unless `plain`. Raises OSError, ssl.SSLError."""
        secure = None if plain else context or client_context()
        server_hostname = "" if secure is not None else None
        async with asyncio.timeout(WAIT_SECONDS * self.patience):
            reader, writer = await asyncio.open_connection(HOST, port, ssl=secure, server_hostname=server_hostname)
        connection = Connection(name, reader, writer, self.traffic, self.notify)
        self._connections.append(connection)
        return connection

    async def connect_seat(
        self,
        port: int,
        identity: SuiteIdentity,
        purpose: Plain = ("seat",),
        name: str = "line",
        mutate: MutateHello = unchanged,
    ) -> Connection:
        """Returns a connection to the target, after the hello."""
        connection = await self.connect(port, name)
        await join(connection, lambda: self.receive(connection), identity, purpose, connection.certificate, mutate)
        connection.beat()
        return connection

    async def connect_spectator(self, port: int, identity: SuiteIdentity | None = None) -> Connection:
        """Returns a connection that watches at a door and says of each game that it has nothing. Raises NotClaimed."""
        await self.require(SPECTATORS)
        connection = await self.connect_seat(port, identity or self.identity(), ("watch",), "spectator")

        def on_game(frame: Frame) -> bool:
            if frame[0] == "game":
                signed = SignedRoster.read(frame[1:])
                connection.send("have", signed.game_id, ((0, START),) * len(signed.roster.seats))
            return False

        connection.taps.append(on_game)
        for frame in connection.frames:
            on_game(frame)
        return connection

    async def open_socket(
        self,
        port: int,
        identity: SuiteIdentity,
        name: str = "page",
        *,
        host: str | None = None,
        origin: str | None = None,
    ) -> WebConnection:
        """Returns a WebSocket to the target, before the hello. `host` and `origin` are those of its page, if not given.
        Raises NoSocket.
        """
        own = f"{HOST}:{port}"
        async with asyncio.timeout(WAIT_SECONDS * self.patience):
            reader, writer = await asyncio.open_connection(HOST, port)
            try:
                await upgrade(reader, writer, host or own, f"http://{own}" if origin is None else origin)
            except BaseException:
                writer.transport.abort()
                raise
        connection = WebConnection(name, reader, writer, identity, self.traffic, self.notify)
        self._connections.append(connection)
        return connection

    async def join_by_web(
        self,
        port: int,
        identity: SuiteIdentity,
        purpose: Plain = ("seat",),
        name: str = "page",
        mutate: MutateHello = unchanged,
    ) -> WebConnection:
        """Returns a WebSocket to the target, after the hello. Raises NoSocket."""
        connection = await self.open_socket(port, identity, name)
        m1, m2 = await join(connection, lambda: self.receive(connection), identity, purpose, THROUGH_RELAY, mutate)
        connection.target = connection.identity
        connection.established(m1, m2)
        connection.beat()
        return connection

    async def listen(self) -> SuiteListener:
        """Accepts connections of the target at a port of this machine."""
        listener = SuiteListener()
        context, _ = server_context()

        async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            name = f"door {self._listeners.index(listener)}, connection {len(listener.connections)}"
            listener.connections.append(Connection(name, reader, writer, self.traffic, self.notify))
            self.notify()

        listener.server = await asyncio.start_server(accepted, HOST, 0, ssl=context)
        listener.port = listener.server.sockets[0].getsockname()[1]
        self._listeners.append(listener)
        return listener

    async def accept(
        self, listener: SuiteListener, identity: SuiteIdentity, mutate: MutateHello = unchanged, at: int = 0
    ) -> Connection:
        """Returns the connection number `at` of a listener, after the hello."""
        await self.wait_until(
            lambda: len(listener.connections) > at, "a connection of the target to a door of the suite", START_SECONDS
        )
        connection = listener.connections[at]
        _, certificate = server_context()
        await welcome(connection, lambda: self.receive(connection), identity, certificate, mutate)
        connection.beat()
        return connection

    async def receive(self, connection: Connection, *kinds: str, due: str = "", seconds: float = WAIT_SECONDS) -> Frame:
        """Returns the next frame of a connection; if `kinds` are named, the next one of these kinds. `due` says more
        precisely what a correct target sends now. Raises Failed.
        """
        what = due or join_names([f"`{kind}`" for kind in kinds], "or") or "a frame"
        while True:
            await self.wait_until(
                lambda: len(connection.frames) > connection.taken or connection.closed,
                f"{what} to {connection.name}",
                seconds,
            )
            frame = connection.next()
            if frame is None:
                self.check()
                raise Failed(f"{self.awaited}; the target ended the connection{connection.why_closed}")
            if not kinds or kind_of(frame) in kinds:
                return frame

    async def expect_closed(self, connection: Connection, why: str, seconds: float = WAIT_SECONDS) -> None:
        """Waits until the target has ended a connection. Raises Failed, which says `why` it should have."""
        await self.wait_until(lambda: connection.closed, f"the end of the connection, {why}", seconds)

    def identity(self) -> SuiteIdentity:
        """Returns an identity that nobody has met before."""
        return SuiteIdentity(os.urandom(32))
