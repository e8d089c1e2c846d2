"""The line mode beside the screens of a page: a screen reader speaks its sentences, and its user types its commands.

The page has no terminal to print lines to. It shows what is said in a live region.
"""

from __future__ import annotations

import asyncio

from kimberley.client.browser.page_port import PagePort
from kimberley.client.plain.table import PlainTable
from kimberley.client.screens.app import App
from kimberley.client.screens.shell import TableFlowLike
from kimberley.client.ui.glyphs import clean


class PageConsole:
    """The console of the line mode in a page (`client.plain.console.ConsoleLike`)."""

    def __init__(self, port: PagePort) -> None:
        self._port = port
        self._typed: asyncio.Queue[str] = asyncio.Queue()

    def type(self, line: str) -> None:
        """Takes a line that was typed into the page."""
        self._typed.put_nowait(line.strip())

    async def read(self) -> str:
        return await self._typed.get()

    def say(self, *lines: str) -> None:
        for line in lines:
            self._port.post({"kind": "say", "text": clean(line)})

    def show(self, text: str) -> None:
        self.say(text)


async def speak(app: App, console: PageConsole, flow: TableFlowLike) -> None:
    """Runs the line mode of a table until its player leaves it, on screen or by a typed command, or the table fails."""
    seat = PlainTable(flow.table, app.services, console, app.settings, counts=flow.counts)
    commands = seat.commands
    try:
        await seat.play()
    except EOFError:
        # The typed command ends the program, which keeps the seat.
        app.quit()
        return
    if commands.choices_to_keep is not None:
        flow.take_back(commands.choices_to_keep)
    elif commands.next_level is not None:
        flow.play_at(commands.next_level)
    elif flow.table.phase != "failed":
        flow.leave()
