"""Tasks that have an owner: the only place where p2p/ and client/ start one.

The rules are those of asyncio.TaskGroup: no task outlives its owner, an error in one reaches the owner, and
cancellation is not swallowed. An owner is an object (`BackgroundTasks`) or a block of code (`task_scope`, `race`).

An error in the background is also logged with its traceback and told to the person, by the exception handler of the
event loop: each interface sets its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

from kimberley.p2p.base.errors import sentence_of

T = TypeVar("T")

BACKGROUND: Final = "background"
"""A key in the exception handler's context if the error comes from background work, which nothing else awaits."""


def report_error(message: str, error: BaseException, task: asyncio.Task[Any] | None = None) -> None:
    """Gives an error of background work to the loop's exception handler, which logs it and tells the person.

    `task` is the task that failed, if it is not the current one.
    """
    context = {"message": message, "exception": error, "task": task or asyncio.current_task(), BACKGROUND: True}
    asyncio.get_running_loop().call_exception_handler(context)


def tell_errors(say: Callable[[str], None]) -> None:
    """Makes the running loop log each error of background work, and call `say` with a sentence about it."""

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        loop.default_exception_handler(context)
        if (error := context.get("exception")) is not None:
            say(sentence_of(error))

    asyncio.get_running_loop().set_exception_handler(handle)


class BackgroundTasks:
    """The tasks of an object. An error in one does not affect the others: it is reported to the log and the owner."""

    def __init__(self, failed: Callable[[BaseException], None] | None = None, *, reports: bool = True) -> None:
        """Takes `failed`, which is called with each error, for an owner that cannot continue without the task that
        failed. Without `reports`, `failed` also has to log the error and tell the person.
        """
        self._on_error = failed
        self._reports = reports
        self._running: set[asyncio.Task[Any]] = set()
        self._closed = False

    @property
    def busy(self) -> bool:
        """Returns whether a task has not ended yet."""
        return bool(self._running)

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Starts a task. After `close` it is canceled before it does anything."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._on_done)
        if self._closed:
            task.cancel()
        return task

    def cancel(self) -> None:
        """Cancels all tasks except the one that calls this."""
        for task in self._others():
            task.cancel()

    async def wait(self) -> None:
        """Waits until all tasks have ended, including those started meanwhile, except the one that calls this."""
        while waiting := self._others():
            await asyncio.wait(waiting)

    async def close(self) -> None:
        """Cancels all tasks for good and waits until they have ended, even if this is canceled meanwhile."""
        self._closed = True
        self.cancel()
        canceled: asyncio.CancelledError | None = None
        while waiting := self._others():
            try:
                await asyncio.wait(waiting)
            except asyncio.CancelledError as error:
                canceled = error
        if canceled is not None:
            raise canceled

    def _others(self) -> set[asyncio.Task[Any]]:
        current = asyncio.current_task()
        return {task for task in self._running if task is not current}

    def _on_done(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            if self._reports:
                report_error("a background task failed", error, task)
            if self._on_error is not None:
                self._on_error(error)


async def unstoppable(work: Coroutine[Any, Any, T], drop: Callable[[T], None]) -> T:
    """Returns the result of work that cannot be stopped, such as a thread's. If this is canceled meanwhile, it ends
    with the work, whose result is dropped.
    """
    task = asyncio.get_running_loop().create_task(work)
    canceled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            canceled = error
    if canceled is None:
        return task.result()
    if not task.cancelled() and task.exception() is None:
        drop(task.result())
    raise canceled


class TaskScope:
    """The tasks of a block of code. Use `task_scope`."""

    def __init__(self, group: asyncio.TaskGroup) -> None:
        self._group = group
        self._started: list[asyncio.Task[Any]] = []

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = self._group.create_task(work)
        self._started.append(task)
        return task

    def cancel(self) -> None:
        for task in self._started:
            task.cancel()


@asynccontextmanager
async def task_scope() -> AsyncIterator[TaskScope]:
    """Ends tasks with a block of code: those that still run at its end are canceled.

    An error in one ends the block, which raises that error; if there are several, the others are reported.
    """
    try:
        async with asyncio.TaskGroup() as group:
            scope = TaskScope(group)
            yield scope
            scope.cancel()
    except BaseExceptionGroup as several:
        first, *others = dict.fromkeys(several.exceptions)
        for error in others:
            report_error("a background task failed", error)
        raise first from None


async def race(
    attempts: Sequence[Callable[[], Awaitable[T]]],
    stagger: float,
    expected: type[Exception] | tuple[type[Exception], ...],
    drop: Callable[[T], Awaitable[None]],
) -> T:
    """Returns the result of the first attempt that succeeds. The attempts start one after another, as in RFC 8305.

    Args:
        attempts: What to try; at least one.
        stagger: Seconds between the starts of two attempts.
        expected: What an attempt that fails raises. Other errors end the race.
        drop: Called with the results of attempts that succeeded too late.

    Raises:
        Exception: All attempts have failed: the first of the expected errors.

    """
    ended: asyncio.Queue[tuple[list[T], Exception | None]] = asyncio.Queue()

    async def attempt(work: Callable[[], Awaitable[T]], delay: float) -> None:
        await asyncio.sleep(delay)
        try:
            result = await work()
        except expected as error:
            ended.put_nowait(([], error))
        else:
            ended.put_nowait(([result], None))

    problems: list[Exception] = []
    won: list[T] = []
    try:
        async with task_scope() as tasks:
            for number, work in enumerate(attempts):
                tasks.start(attempt(work, number * stagger))
            while not won and len(problems) < len(attempts):
                won, error = await ended.get()
                if error is not None:
                    problems.append(error)
        if won:
            return won[0]
    except BaseException:
        # It was canceled while the other attempts ended.
        for result in won:
            await drop(result)
        raise
    finally:
        while not ended.empty():
            for late in ended.get_nowait()[0]:
                await drop(late)
    raise problems[0]
