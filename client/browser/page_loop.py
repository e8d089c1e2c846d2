"""What is missing from the event loop of a page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context
from typing import Any


def allow_late_timers(loop: asyncio.AbstractEventLoop) -> None:
    """Lets a timer whose time has passed fire at once, as asyncio's own loops do. Pyodide's raises ValueError: on a
    slow machine, a frame may be due before it could be asked for.
    """

    def call_at(
        when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return loop.call_later(max(0.0, when - loop.time()), callback, *args, context=context)

    loop.call_at = call_at  # type: ignore[assignment, method-assign]
