"""The input of the line mode: events, and the lines that the player types."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from kimberley.p2p.base.tasks import TaskScope


async def merge_inputs(
    tasks: TaskScope, event: Callable[[], Awaitable[Any]], line: Callable[[], Awaitable[str]]
) -> AsyncIterator[tuple[str, Any]]:
    """Yields events and typed lines in the order in which they come, until `tasks` end. Raises EOFError when the lines
    end.
    """

    async def next_line() -> str | EOFError:
        try:
            return await line()
        except EOFError as error:
            return error

    sources: dict[str, Callable[[], Awaitable[Any]]] = {"event": event, "line": next_line}
    waiting = {name: tasks.start(_awaited(source)) for name, source in sources.items()}
    while True:
        await asyncio.wait(waiting.values(), return_when=asyncio.FIRST_COMPLETED)
        # Events first: a typed line answers what was said before it.
        for name, source in sources.items():
            if waiting[name].done():
                if isinstance(what := waiting[name].result(), EOFError):
                    raise what
                yield name, what
                waiting[name] = tasks.start(_awaited(source))


async def _awaited(source: Callable[[], Awaitable[Any]]) -> Any:
    return await source()
