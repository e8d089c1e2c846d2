"""Something that happens, told to whoever asked for it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Generic, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")


class Publisher(Generic[T]):
    """Tells its events, all on one loop."""

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
            except Exception:
                # A screen that cannot draw must not stop the game of all.
                log.exception("somebody who follows the table failed at %s", type(event).__name__)
