"""Keeps the page of a tournament going in a process of its own, which ends with this one.

However many ask for the page, the referee only writes to a pipe, and never waits for it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from client.web.feed import Feed
from p2p.referee.desk import Desk
from p2p.tasks import Tasks
from p2p.trouble import Trouble

FEED_SECONDS: Final = 0.5
"""Between two batches of news."""
START_SECONDS: Final = 60.0
"""For the process to show its page."""
END_SECONDS: Final = 10.0
"""For the process to end by itself."""
PAUSES: Final = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Seconds before it is started again, ever longer until it lasts for the longest of them."""


class PageProcess:
    """Use `page_process`."""

    def __init__(self, folder: Path, host: str, port: int) -> None:
        self.addresses: tuple[str, ...] = ()
        """Where the page is, for people, like "http://192.168.0.5:8080"."""
        self._folder, self._host, self._port = folder, host, port
        self._process: Process | None = None
        self._tasks = Tasks()

    @property
    def pid(self) -> int | None:
        """The number of the process; None while there is none."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    async def open(self) -> None:
        """Returns when the page is shown. Raises Trouble."""
        # -P: nothing is imported from the folder in which somebody happens to run a referee.
        command = (sys.executable, "-P", "-m", "client.web", str(self._folder), self._host, str(self._port))
        process = self._process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
        said: dict[str, Any] = {}
        with suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                said = await _said(process)
        if "addresses" not in said:
            await self._end()
            raise Trouble(said.get("trouble", f"The page's program did not start (status {process.returncode})."))
        self.addresses = tuple(said["addresses"])
        # Where it may have any port, it keeps the one that people know.
        self._port = int(self.addresses[0].rpartition(":")[2])

    def follow(self, desk: Desk, say: Callable[[str], None]) -> None:
        """Shows what happens at a desk from now on; `say` is told when the process ends before its time."""
        self._tasks.start(self._follow(desk, say))

    async def close(self) -> None:
        self._tasks.cancel()
        await self._tasks.settle()
        await self._end()

    async def _follow(self, desk: Desk, say: Callable[[str], None]) -> None:
        failures = 0
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            reason = await self._feed(desk)
            failures = 1 if loop.time() - began > PAUSES[-1] else failures + 1
            say(f"! The page's program has ended: {reason} It starts again.")
            await asyncio.sleep(PAUSES[min(failures, len(PAUSES)) - 1])
            try:
                await self.open()
            except Trouble as error:
                say(f"! {error}")

    async def _feed(self, desk: Desk) -> str:
        """Sends the process all that it does not know, until it ends: then why, as a sentence."""
        process, feed = self._process, Feed(desk)
        assert process is not None
        assert process.stdin is not None
        while process.returncode is None:
            # What the pipe has no room for stays with the feed: nothing is lost, and nobody waits.
            if not process.stdin.is_closing() and process.stdin.transport.get_write_buffer_size() == 0:
                process.stdin.write(feed.batch())
            with suppress(TimeoutError):
                async with asyncio.timeout(FEED_SECONDS):
                    await process.wait()
        said: str = (await _said(process)).get("trouble", f"status {process.returncode}.")
        return said

    async def _end(self) -> None:
        """Ends the process, if it has not ended."""
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


async def _said(process: Process) -> dict[str, Any]:
    """The next line of the process; nothing where it has ended without one."""
    assert process.stdout is not None
    said: dict[str, Any] = json.loads(await process.stdout.readline() or b"{}")
    return said


@asynccontextmanager
async def page_process(folder: Path, host: str, port: int) -> AsyncIterator[PageProcess]:
    """Shows the cup of a folder at an address; an empty host is every address of this machine, port 0 any free one.

    Raises Trouble where the port is taken.
    """
    page = PageProcess(folder, host, port)
    try:
        await page.open()
        yield page
    finally:
        await page.close()
