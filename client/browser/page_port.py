"""How the program, in a worker, and the page that shows it talk to each other: in messages with a `kind`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

Message: TypeAlias = Mapping[str, Any]
"""Strings, numbers, booleans and bytes by name, and lists of them."""


class PagePort(Protocol):
    """The program's end of the connection to its page."""

    on_message: Callable[[Message], None]
    """Called with each message from the page, on the event loop."""

    def post(self, message: Message) -> None:
        """Sends a message to the page."""
