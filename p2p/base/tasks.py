"""Background work that somebody owns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


class Tasks:
    """Tasks that run until they are done or dropped together. An error in one disturbs no other: it goes to the loop's
    exception handler.
    """

    def __init__(self, failed: Callable[[BaseException], None] | None = None) -> None:
        """`failed` is told of an error, too, by an owner that cannot go on without what has failed."""
        self._failed = failed
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return self.follow(asyncio.get_running_loop().create_task(work))

    def follow(self, task: asyncio.Task[None]) -> asyncio.Task[None]:
        """Counts a task in that runs already."""
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    def cancel(self) -> None:
        """Cancels all but the task that calls this."""
        for task in self._others():
            task.cancel()

    async def settle(self) -> None:
        """Waits until all are done, those that are started meanwhile too, but for the task that calls this."""
        while waiting := self._others():
            await asyncio.wait(waiting)

    def _others(self) -> set[asyncio.Task[None]]:
        return self._running - {asyncio.current_task()}

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            context = {"message": "a background task failed", "exception": error, "task": task}
            asyncio.get_running_loop().call_exception_handler(context)
            if self._failed is not None:
                self._failed(error)
