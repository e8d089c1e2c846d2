"""A table in the line mode, from the open table to the verdict."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from kimberley.client.audio.port import NO_AUDIO, AudioLike
from kimberley.client.boards.opening_picture import table_picture
from kimberley.client.plain.console import ConsoleLike
from kimberley.client.plain.inputs import merge_inputs
from kimberley.client.plain.table_commands import TableCommands
from kimberley.client.plain.table_news import TableNews
from kimberley.client.session.services import Services
from kimberley.client.session.table_sharing import TableSharing
from kimberley.p2p.base.errors import InternalError
from kimberley.p2p.base.tasks import BackgroundTasks, task_scope

if TYPE_CHECKING:
    from kimberley.client.session.settings import Settings
    from kimberley.p2p.table.table import Table

log = logging.getLogger(__name__)


class PlainTable:
    """Says what happens at a table, and does what the player types there."""

    def __init__(
        self,
        table: Table,
        services: Services,
        lines: ConsoleLike,
        settings: Settings,
        *,
        counts: bool = False,
        to_player: Callable[[str], str] = str,
        guides: Callable[[], bool] = lambda: False,
        audio: AudioLike = NO_AUDIO,
    ) -> None:
        """Takes `settings`, which say how bots and other games are set up; `counts` says whether the game counts for a
        tournament, and `to_player` returns why the table has ended, as this player is told. Calls `guides` when a game
        begins: it returns whether a guide leads through the first turns.
        """
        self.table, self.lines = table, lines
        self._events: asyncio.Queue[Any] = asyncio.Queue()
        """What happens at the table; None if nothing but time has passed."""
        self._alarm: asyncio.TimerHandle | None = None
        self._tasks = BackgroundTasks()
        self._sharing = TableSharing(table, services, partial(table_picture, table), lambda: None)
        self.news = TableNews(table, lines, audio, counts=counts, to_player=to_player, guides=guides)
        self.commands = TableCommands(self.news, services, settings, self._tasks, self._sharing, counts=counts)

    async def play(self) -> None:
        """Runs until the player leaves the table or the table fails. Raises EOFError if the player quits."""
        stop = self.table.subscribe(self._events.put_nowait)
        try:
            await self._take("start", None)
            if self.table.page_seats.port:
                self._tasks.start(self.commands.serve_page_again())
            async with task_scope() as tasks:
                async for source, what in merge_inputs(tasks, self._events.get, self.lines.read):
                    if not await self._take(source, what) or self.table.phase == "failed":
                        return
        finally:
            stop()
            self._set_alarm(None)
            await self._tasks.close()
            await self._sharing.stop()

    def _set_alarm(self, at: float | None) -> None:
        """Schedules another look at a time of the loop, as what banners say can change by itself. None cancels it."""
        if self._alarm is not None:
            self._alarm.cancel()
        loop = asyncio.get_running_loop()
        self._alarm = None if at is None else loop.call_at(at, self._events.put_nowait, None)

    async def _take(self, source: str, what: Any) -> bool:
        """Handles the start, an event or a line. Returns False if the player leaves the table. Raises EOFError."""
        try:
            if source == "line" and not self.commands.obey(what):
                return False
            if source == "event" and what is not None:
                self.news.on_event(what)
            await self.news.follow()
            self._set_alarm(self.news.banners.next_frame(asyncio.get_running_loop().time()))
        except EOFError:
            raise
        except Exception as error:
            log.exception("the line mode has failed")
            self.lines.say(str(InternalError.of(error)), "The game goes on. Type state to hear the position.")
        return True
