"""Background tasks that have an owner."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


class BackgroundTasks:
    """Tasks that run until they end or until all are canceled. An error in one does not disturb the others: it goes to
    the loop's exception handler.
    """

    def __init__(self, failed: Callable[[BaseException], None] | None = None) -> None:
        """`failed` is called with each error too, for an owner that cannot go on without the task that failed."""
        self._on_error = failed
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return self.add(asyncio.get_running_loop().create_task(work))

    def add(self, task: asyncio.Task[None]) -> asyncio.Task[None]:
        """Adds a task that is already running."""
        self._running.add(task)
        task.add_done_callback(self._on_done)
        return task

    def cancel(self) -> None:
        """Cancels all tasks except the one that calls this."""
        for task in self._others():
            task.cancel()

    async def wait(self) -> None:
        """Waits until all tasks have ended, including those started meanwhile, except the one that calls this."""
        while waiting := self._others():
            await asyncio.wait(waiting)

    def _others(self) -> set[asyncio.Task[None]]:
        return self._running - {asyncio.current_task()}

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            context = {"message": "a background task failed", "exception": error, "task": task}
            asyncio.get_running_loop().call_exception_handler(context)
            if self._on_error is not None:
                self._on_error(error)
