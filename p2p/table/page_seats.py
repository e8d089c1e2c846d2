"""Seats that play in the page that this seat's program serves (SPEC.md, section 10.9)."""

from __future__ import annotations

from collections.abc import Callable, Collection

from kimberley.p2p.transport.channel import Channel


class PageSeats:
    """How the seats in the page come to the table, and where they look for it when they return."""

    def __init__(self, welcome: Callable[[Channel], None], expected: Callable[[], Collection[str]] = tuple) -> None:
        """Takes `welcome` for each channel, and `expected`, which returns the addresses of peers that may come back."""
        self.expected = expected
        self.port = 0
        """The port of the page by which they came, also before this seat was resumed; 0 if none has come."""
        self._welcome = welcome

    def welcome(self, channel: Channel, port: int) -> None:
        """Welcomes somebody who has come by the page at that port."""
        self.port = port
        self._welcome(channel)
