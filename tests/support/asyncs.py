"""Runs asynchronous tests, each on its own event loop."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T], seconds: float = 180) -> T:
    """Returns the result of a coroutine. A test that hangs fails after that many seconds."""

    async def limited() -> T:
        async with asyncio.timeout(seconds):
            return await work

    return asyncio.run(limited())


async def until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Waits until a condition holds. Fails after that many seconds."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for knows nothing of this test
            await asyncio.sleep(0.01)
