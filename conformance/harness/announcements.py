"""Announcements by mDNS and DNS-SD: reads those on this machine's networks, and announces seats of the suite."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Final

from kimberley.conformance.harness.traffic import MULTICAST, RECEIVED, SENT, Traffic
from kimberley.protocol.crypto.hashing import digest

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceInfo

TABLES: Final = "_kimberley._tcp.local."
SEATS: Final = "_kimberley-seat._tcp.local."
RESOLVE_MS: Final = 3000


@dataclass(frozen=True)
class Announcement:
    """An instance of a service: its name without the service's, its port and its TXT record."""

    name: str
    port: int
    txt: dict[str, str]


def table_name(identity: bytes) -> str:
    """Returns how the announced name of a host's table begins."""
    return f"kimberley-{digest('instance', identity).hex()[:16]}-"


def seat_name(game_id: bytes, identity: bytes) -> str:
    """Returns how the announced name of a seat that looks for another one begins."""
    return f"kimberley-{digest('seat of a game', game_id, identity).hex()[:16]}-"


class ServiceBrowser:
    """Keeps the instances of one service that are announced now in `found`. Each change calls `notify`, and is recorded
    in the traffic.
    """

    def __init__(self, service: str, notify: Callable[[], None], traffic: Traffic) -> None:
        self.found: dict[str, Announcement] = {}
        self._service = service
        self._notify = notify
        self._traffic = traffic
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> ServiceBrowser:
        from zeroconf import InterfaceChoice, IPVersion
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

        self._zeroconf = AsyncZeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.V4Only)
        self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, self._service, handlers=[self._changed])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._browser.async_cancel()
        for task in self._tasks:
            task.cancel()
        await self._zeroconf.async_unregister_all_services()
        await self._zeroconf.async_close()

    def named(self, beginning: str) -> list[Announcement]:
        """Returns the announcements whose names have this beginning."""
        return [one for name, one in self.found.items() if name.startswith(beginning)]

    async def announce(self, beginning: str, port: int) -> None:
        """Announces a seat of the suite on this machine until the end."""
        from zeroconf.asyncio import AsyncServiceInfo

        name = beginning + os.urandom(4).hex()
        self._traffic.keep(MULTICAST, SENT, f"{name} is announced at port {port}")
        info = AsyncServiceInfo(
            self._service,
            f"{name}.{self._service}",
            port=port,
            server=f"{name}.local.",
            parsed_addresses=["127.0.0.1"],
            properties={"txtvers": "1"},
        )
        await (await self._zeroconf.async_register_service(info, cooperating_responders=True))

    def _changed(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change.name == "Removed":
            short = name.removesuffix(f".{service_type}")
            self.found.pop(short, None)
            self._traffic.keep(MULTICAST, RECEIVED, f"{short} is announced no more")
            self._notify()
            return
        task = asyncio.create_task(self._resolve(zeroconf, name))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _resolve(self, zeroconf: Zeroconf, name: str) -> None:
        from zeroconf.asyncio import AsyncServiceInfo

        info = AsyncServiceInfo(self._service, name)
        if info.load_from_cache(zeroconf) or await info.async_request(zeroconf, RESOLVE_MS):
            short = name.removesuffix(f".{self._service}")
            announcement = self.found[short] = Announcement(short, info.port or 0, _texts(info))
            self._traffic.keep(
                MULTICAST, RECEIVED, f"{short} is announced at port {announcement.port}, with {announcement.txt}"
            )
            self._notify()


def _texts(info: AsyncServiceInfo) -> dict[str, str]:
    return {key.decode(): (value or b"").decode(errors="replace") for key, value in info.properties.items()}
