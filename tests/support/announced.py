"""Announcements of tables that no network carries: whoever listened first hears them from a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import zeroconf.asyncio
from zeroconf import ServiceStateChange, Zeroconf

from kimberley.p2p.discovery.mdns import SERVICE

Handler = Callable[[Zeroconf, str, str, ServiceStateChange], None]


class Announcements:
    """Stands for what zeroconf hears: nothing but what a test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._listening: list[tuple[Zeroconf, Sequence[Handler]]] = []
        listening = self._listening

        class Silent:
            def __init__(self, network: Zeroconf, service: str, handlers: Sequence[Handler]) -> None:
                del service
                listening.append((network, handlers))

            async def async_cancel(self) -> None:
                pass

        monkeypatch.setattr(zeroconf.asyncio, "AsyncServiceBrowser", Silent)

    def announce(self, name: str) -> None:
        """Announces a table to whoever listened first, even if that one has stopped listening."""
        self._say(name, ServiceStateChange.Added)

    def withdraw(self, name: str) -> None:
        """Says a table's goodbye to whoever listened first, even if that one has stopped listening."""
        self._say(name, ServiceStateChange.Removed)

    def _say(self, name: str, change: ServiceStateChange) -> None:
        network, handlers = self._listening[0]
        for handler in handlers:
            handler(network, SERVICE, f"{name}.{SERVICE}", change)
