"""The process that brings far players together: `python -m kimberley.p2p.far`, with orders as lines of JSON.

The first line is `{"keys": [...], "port": N, "bind": HOST}` at a host, and `{"servers": {...}, "code": CODE, "key":
KEY}` at a guest, whose key is null the first time. Later a host may be ordered `{"invite": {...}}`, with the servers.
The process writes these lines:

    {"code": CODE}                    a new code to pass on to somebody
    {"key": {...}}                    the key that a code has become
    {"port": N}                       where the table can be reached on this computer
    {"trouble": KIND, "why": TEXT}    what failed: server, spelling, code, nobody, relay; or ended, by a fault
    {"well": true}                    the relay can be reached again

It ends when its standard input does. The engine has an event loop of its own (Twisted), which here runs on asyncio's.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from asyncio import StreamReader, StreamWriter
from hashlib import blake2b
from typing import Any, Final

from twisted.internet import asyncioreactor

LOOP: Final = asyncio.SelectorEventLoop()
install: Any = asyncioreactor.install
install(LOOP)

from kimberley.p2p.base.backoff import Backoff  # noqa: E402
from kimberley.p2p.base.platform import start_thread  # noqa: E402
from kimberley.p2p.base.tasks import BackgroundTasks  # noqa: E402
from kimberley.p2p.far import meeting  # noqa: E402
from kimberley.p2p.far.codes import FarKey, FarServers  # noqa: E402
from kimberley.p2p.far.pipe import NobodyThere, Pipe, PipeError, Side  # noqa: E402

HERE: Final = "127.0.0.1"
AGAIN_SECONDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
STRANGER_SECONDS: Final = 1.0
"""How long a stranger without the key keeps the place of a stream: a relay may bring one stranger after another."""
MOST_STREAMS: Final = 16
"""Streams of one key at a time."""
END_SECONDS: Final = 3.0
"""How long the process may take to withdraw a code that nobody has used."""


def say(**what: object) -> None:
    print(json.dumps(what), flush=True)


class HostSide:
    """Connects everybody who has a key to the table at a port of this computer."""

    def __init__(self, tasks: BackgroundTasks, bind: str, port: int) -> None:
        self._tasks, self._bind, self._port = tasks, bind, port
        self._inviting: asyncio.Task[None] | None = None
        self._well = True

    def admit(self, key: FarKey) -> None:
        self._tasks.start(self._wait_for(key))

    def invite(self, servers: FarServers) -> None:
        """Makes a new code, in place of one that nobody has typed yet."""
        if self._inviting is not None:
            self._inviting.cancel()
        self._inviting = self._tasks.start(self._invite(servers))

    async def _invite(self, servers: FarServers) -> None:
        try:
            key = await meeting.invite(servers, lambda code: say(code=code))
        except meeting.MeetingError as error:
            say(trouble=str(error), why=str(error.__cause__ or ""))
        else:
            self.admit(key)
            say(key=key.plain())

    async def _wait_for(self, key: FarKey) -> None:
        """Waits at the relay for one stream after another."""
        backoff, streams = Backoff(AGAIN_SECONDS), asyncio.Semaphore(MOST_STREAMS)
        while True:
            await streams.acquire()
            try:
                pipe = await Pipe.meet(key, Side.HOST)
            except PipeError as error:
                streams.release()
                self._tell(str(error))
                await asyncio.sleep(backoff.next())
                continue
            self._tell(None)
            self._tasks.start(self._carry(pipe, source_of(key))).add_done_callback(lambda _: streams.release())
            backoff.reset()

    async def _carry(self, pipe: Pipe, source: str) -> None:
        try:
            await pipe.greet()
            reader, writer = await self._connect(source)
        except (NobodyThere, OSError):
            pipe.abort()
            await asyncio.sleep(STRANGER_SECONDS)
            return
        await pipe.carry(reader, writer)

    async def _connect(self, source: str) -> tuple[StreamReader, StreamWriter]:
        """Connects to the table, if possible from this address. Raises OSError."""
        try:
            return await asyncio.open_connection(self._bind, self._port, local_addr=(source, 0))
        except OSError:
            return await asyncio.open_connection(self._bind, self._port)

    def _tell(self, trouble: str | None) -> None:
        """Says once that the relay is gone, and once that it is back."""
        well = trouble is None
        if well is not self._well:
            self._well = well
            say(well=True) if well else say(trouble="relay", why=trouble)


def source_of(key: FarKey) -> str:
    """Returns an address of this computer for the friend who has a key: the table must tell friends apart, and does so
    by their addresses.
    """
    drawn = blake2b(key.key, person=b"kimberley source", digest_size=3).digest()
    return f"127.{drawn[0] % 254 + 1}.{drawn[1]}.{drawn[2] % 254 + 1}"


class GuestSide:
    """Forwards connections to a port of this computer to the host's table."""

    def __init__(self, servers: FarServers, code: str, key: FarKey | None) -> None:
        self._servers, self._code, self._key = servers, code, key

    async def serve(self) -> None:
        try:
            # A saved key is useless if the same code has been given to others since.
            if self._key is not None and not await self._leads_somewhere(self._key):
                self._key = None
            if self._key is None:
                self._key = await meeting.answer(self._servers, self._code)
                say(key=self._key.plain())
        except meeting.MeetingError as error:
            say(trouble=str(error), why=str(error.__cause__ or ""))
            return
        server = await asyncio.start_server(self._lead, HERE, 0)
        say(port=server.sockets[0].getsockname()[1])
        await server.serve_forever()

    async def _leads_somewhere(self, key: FarKey) -> bool:
        """Returns whether the host, or at least the relay, may still be there."""
        try:
            pipe = await Pipe.meet(key, Side.GUEST)
            await pipe.greet()
        except NobodyThere:
            return False
        except PipeError:
            return True
        pipe.abort()
        return True

    async def _lead(self, reader: StreamReader, writer: StreamWriter) -> None:
        assert self._key is not None
        try:
            pipe = await Pipe.meet(self._key, Side.GUEST)
            await pipe.greet()
        except PipeError as error:
            say(trouble="nobody" if isinstance(error, NobodyThere) else "relay", why=str(error))
            writer.transport.abort()
            return
        say(well=True)
        await pipe.carry(reader, writer)


async def run(order: dict[str, Any], orders: asyncio.Queue[dict[str, Any]], tasks: BackgroundTasks) -> None:
    if "code" in order:
        return await GuestSide(FarServers(**order["servers"]), order["code"], FarKey.read(order["key"])).serve()
    host = HostSide(tasks, order["bind"], order["port"])
    for key in filter(None, map(FarKey.read, order["keys"])):
        host.admit(key)
    while True:
        host.invite(FarServers(**(await orders.get())["invite"]))


def main() -> None:
    from twisted.internet import reactor

    # The program whose process this is decides what Ctrl-C means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    first = json.loads(sys.stdin.readline())
    orders: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    runs: Any = reactor

    def fail(error: BaseException) -> None:
        say(trouble="ended", why=repr(error))
        runs.stop()

    tasks = BackgroundTasks(fail, reports=False)

    async def end() -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                await tasks.close()
        runs.stop()

    def read() -> None:
        for line in sys.stdin:
            LOOP.call_soon_threadsafe(orders.put_nowait, json.loads(line))
        LOOP.call_soon_threadsafe(lambda: BackgroundTasks(fail).start(end()))

    LOOP.call_soon(lambda: tasks.start(run(first, orders, tasks)))
    start_thread(read)
    runs.run(installSignalHandlers=False)


main()
