"""Runs the page of a tournament in a process of its own, which ends with this one.

No matter how many people load the page, the referee only writes to a pipe, and never waits for it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

from kimberley.games.table import Plain
from kimberley.p2p.base.backoff import Backoff
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import random_bytes
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.tournament.orders import OrderReply
from kimberley.p2p.transport.frames import Frame, encode
from kimberley.referee.feed import Feed
from kimberley.referee.organizer_commands import usage
from kimberley.referee.server import TournamentServer

FEED_SECONDS: Final = 0.5
"""Time between two batches of news."""
START_SECONDS: Final = 60.0
"""How long the process may take until it serves the page."""
TOKEN_SIZE: Final = 16
"""Bytes of the secret in the organizer's link."""
Obey: TypeAlias = Callable[[str], Awaitable[OrderReply]]
"""Does what a line says."""
Faults: TypeAlias = Mapping[str, str]
"""What is wrong with a form: a sentence by field."""
END_SECONDS: Final = 10.0
"""How long the process may take to end by itself."""
PAUSES: Final = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Seconds before the process is started again. They grow until it has lasted for the longest of them."""


class PageProcess:
    """The process that serves a page. Use `page_process`."""

    def __init__(self, games: str, folder: Path | None, host: str, port: int, names: Sequence[str] = ()) -> None:
        self.addresses: tuple[str, ...] = ()
        """The addresses of the page, like "http://192.168.0.5:8080"."""
        self._games, self._folder, self._host, self._port, self._names = games, folder, host, port, tuple(names)
        self._process: Process | None = None
        self._tasks = BackgroundTasks()
        self._token = random_bytes(TOKEN_SIZE).hex()
        self._replies = b""
        """Replies that the process gets with the next batch."""

    @property
    def organizer_path(self) -> str:
        """Returns where the organizer's commands are on the page. It is a secret."""
        return f"/organizer/{self._token}"

    @property
    def pid(self) -> int | None:
        """The ID of the process; None while there is no process."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    async def open(self) -> None:
        """Starts the process, and returns when it serves the page. Raises UserError."""
        # -P: import nothing from the folder in which the referee happens to run.
        program = (sys.executable, "-P", "-m", "kimberley.referee.pages")
        command = (*program, self._games, str(self._folder or ""), self._host, str(self._port), *self._names)
        process = self._process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
        message: dict[str, Any] = {}
        with suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                message = await _next_message(process)
        if "addresses" not in message:
            await self._end()
            raise UserError(message.get("trouble", f"The web page did not start (status {process.returncode})."))
        self.addresses = tuple(message["addresses"])
        # If any free port will do, the next process keeps the port that people know.
        self._port = int(self.addresses[0].rpartition(":")[2])

    @property
    def port(self) -> int:
        """The port of the page."""
        return self._port

    async def interview(self, fields: tuple[tuple[Plain, ...], ...], fill: Callable[[dict[str, str]], Faults]) -> bool:
        """Shows a form with these fields, and calls `fill` with what was sent, until nothing is wrong with it. Returns
        whether that was so; otherwise, the process has ended.
        """
        process = self._process
        assert process is not None
        self._write(("form", self._token, fields))
        while message := await _next_message(process):
            match message:
                case {"form": dict() as filled}:
                    faults = fill({str(key): str(value) for key, value in filled.items()})
                    self._write(("faults", tuple(faults.items())))
                    if not faults:
                        return True
        return False

    def show(self, folder: Path) -> None:
        """Shows the tournament in a folder, where there was a form."""
        self._folder = folder
        self._write(("open", str(folder)))

    def follow(self, server: TournamentServer, say: Callable[[str], None], obey: Obey) -> None:
        """Shows what happens on a tournament server from now on. Calls `say` if the process ends too early, and `obey`
        with what the organizer types on the page.
        """
        self._tasks.start(self._follow(server, say, obey))

    async def close(self) -> None:
        await self._tasks.close()
        await self._end()

    async def _follow(self, server: TournamentServer, say: Callable[[str], None], obey: Obey) -> None:
        backoff = Backoff(PAUSES)
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            reason = await self._feed(server, obey)
            if loop.time() - began > PAUSES[-1]:
                backoff.reset()
            say(f"! The web page stopped: {reason} Restarting it.")
            await asyncio.sleep(backoff.next())
            try:
                await self.open()
            except UserError as error:
                say(f"! {error}")

    async def _feed(self, server: TournamentServer, obey: Obey) -> str:
        """Sends the process everything new until it ends. Returns the reason for its end, as a sentence."""
        process, feed = self._process, Feed(server)
        assert process is not None
        assert process.stdin is not None
        self._replies = encode(("organizer", self._token, tuple(usage())))
        hearing = self._tasks.start(self._hear(process, obey))
        while process.returncode is None:
            # If the pipe is full, the news stays in the feed: nothing is lost, and nobody waits.
            if not process.stdin.is_closing() and process.stdin.transport.get_write_buffer_size() == 0:
                replies, self._replies = self._replies, b""
                process.stdin.write(replies + feed.batch())
            with suppress(TimeoutError):
                async with asyncio.timeout(FEED_SECONDS):
                    await process.wait()
        return await hearing or f"status {process.returncode}."

    async def _hear(self, process: Process, obey: Obey) -> str:
        """Does what the organizer types on the page, one thing after the other. Returns the trouble that the process
        reported at its end; empty if it reported none.
        """
        trouble = ""
        while message := await _next_message(process):
            match message:
                case {"order": int() as number, "line": str() as line}:
                    reply = await obey(line)
                    self._replies += encode(("told", number, reply.done, reply.sentence))
                case {"trouble": str() as trouble}:
                    pass
        return trouble

    def _write(self, frame: Frame) -> None:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        if not process.stdin.is_closing():
            process.stdin.write(encode(frame))

    async def _end(self) -> None:
        """Ends the process if it is still running."""
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(END_SECONDS):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


async def _next_message(process: Process) -> dict[str, Any]:
    """Returns the next line of the process; empty if the process has ended without one."""
    assert process.stdout is not None
    message: dict[str, Any] = json.loads(await process.stdout.readline() or b"{}")
    return message


@asynccontextmanager
async def page_process(
    games: str, folder: Path | None, host: str, port: int, names: Sequence[str] = ()
) -> AsyncIterator[PageProcess]:
    """Serves the tournament in `folder`, or a form (None). An empty host means every address of this machine, port 0
    any free port. `games` says what draws games (`PlayerProgram.page_games`), `names` are those by which people know
    this machine, besides its own.

    Raises UserError if the port is taken.
    """
    page = PageProcess(games, folder, host, port, names)
    try:
        await page.open()
        yield page
    finally:
        await page.close()
