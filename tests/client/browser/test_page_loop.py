"""The event loop of a page, without a browser."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kimberley.client.browser.page_loop import allow_late_timers


def page_loop() -> asyncio.AbstractEventLoop:
    """Returns a loop that refuses timers as Pyodide's does."""
    loop = asyncio.new_event_loop()
    ask = loop.call_at

    def call_later(delay: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:
        if delay < 0:
            raise ValueError("Can't schedule in the past")
        return ask(loop.time() + delay, callback, *args, context=context)

    def call_at(when: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:
        return call_later(when - loop.time(), callback, *args, context=context)

    loop.call_later = call_later  # type: ignore[assignment, method-assign]
    loop.call_at = call_at  # type: ignore[assignment, method-assign]
    return loop


@pytest.mark.parametrize("late", [True, False])
def test_a_timer_fires_whether_or_not_its_time_has_passed(late: bool) -> None:
    async def story() -> list[str]:
        loop = asyncio.get_running_loop()
        told: list[str] = []
        with pytest.raises(ValueError, match="in the past"):
            loop.call_at(loop.time() - 1.0, told.append, "refused")
        allow_late_timers(loop)
        fired = asyncio.Event()
        loop.call_at(loop.time() + (-1.0 if late else 0.001), told.append, "fired")
        loop.call_at(loop.time() + 0.002, fired.set)
        await asyncio.wait_for(fired.wait(), 60.0)
        return told

    with asyncio.Runner(loop_factory=page_loop) as runner:
        assert runner.run(story()) == ["fired"]
