"""Something that happens, told to whoever asked for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Publisher(Generic[T]):
    """Tells its events, all on one loop. An error in a callback goes to the loop's exception handler."""

    def __init__(self) -> None:
        self._callbacks: list[Callable[[T], None]] = []

    def subscribe(self, callback: Callable[[T], None]) -> Callable[[], None]:
        """Calls back with every event from now on, on the loop; what is returned ends that."""
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback) if callback in self._callbacks else None

    def _publish(self, event: T) -> None:
        for callback in tuple(self._callbacks):
            try:
                callback(event)
            except Exception as error:
                message = f"somebody who follows the table failed at {type(event).__name__}"
                asyncio.get_running_loop().call_exception_handler({"message": message, "exception": error})
