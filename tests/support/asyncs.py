"""Runs asynchronous tests, each on its own event loop."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

T = TypeVar("T")

TURNS: Final = 50
"""Turns of the loop: more than any chain of calls in a test takes."""


def run(work: Coroutine[Any, Any, T], seconds: float = 180) -> T:
    """Returns the result of a coroutine. A test that hangs fails after that many seconds."""

    async def limited() -> T:
        async with asyncio.timeout(seconds):
            return await work

    return asyncio.run(limited())


async def settled() -> None:
    """Lets all tasks of the loop go on until each waits for something outside of it: a clock, a thread, a socket."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


async def until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Waits until a condition holds. Fails after that many seconds."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for knows nothing of this test
            await asyncio.sleep(0.01)
