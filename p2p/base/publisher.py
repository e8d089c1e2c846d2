"""Events and their subscribers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Publisher(Generic[T]):
    """Sends its events to all subscribers, on one event loop. An error in a callback goes to the loop's exception
    handler.
    """

    def __init__(self) -> None:
        self._callbacks: list[Callable[[T], None]] = []

    def subscribe(self, callback: Callable[[T], None]) -> Callable[[], None]:
        """Calls `callback` with every event from now on. Returns a function that ends the subscription."""
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback) if callback in self._callbacks else None

    def publish(self, event: T) -> None:
        """Calls all subscribers with this event."""
        for callback in tuple(self._callbacks):
            try:
                callback(event)
            except Exception as error:
                message = f"a subscriber failed at {type(event).__name__}"
                asyncio.get_running_loop().call_exception_handler({"message": message, "exception": error})
