"""Finds lost seats of a game again, wherever they are now (SPEC.md, section 6).

A seat that has lost another one announces itself on the local network and looks for the other's announcement: mDNS and
DNS-SD as in `discovery.mdns`, with a separate service type, so that no list of open tables shows it. The name is a
digest of the game and the identity, so outsiders learn nothing from it. What is found is a hint; the handshake proves
whose seat it is. Once nobody is missing, nothing is announced.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from kimberley.p2p.base.backoff import Backoff
from kimberley.p2p.base.platform import random_bytes
from kimberley.p2p.base.tasks import BackgroundTasks, report_error, task_scope
from kimberley.p2p.discovery.mdns import close_multicast, is_network_error, keep_sending, open_multicast, say_goodbye
from kimberley.p2p.transport.address import announced_addresses, likeliest_first
from kimberley.p2p.transport.mesh import HostPort
from kimberley.protocol.crypto.hashing import digest

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceInfo

log = logging.getLogger(__name__)

SERVICE: Final = "_kimberley-seat._tcp.local."
ROUND_SECONDS: Final = 6.0
"""How long one round of queries lasts. Then the network is asked again: this machine may have moved to another one."""

OnFound = Callable[[bytes, Sequence[HostPort]], None]


def seat_name(game_id: bytes, identity: bytes) -> str:
    """Returns the beginning of the announced name of an identity's seat in a game."""
    return f"kimberley-{digest('seat of a game', game_id, identity).hex()[:16]}"


class PeerRediscovery:
    """Looks for the missing seats of one game."""

    def __init__(
        self, game_id: bytes, own: bytes, port: int, on_found: OnFound, interfaces: Sequence[str] | None = None
    ) -> None:
        """Starts nothing yet; `set_missing` does.

        Args:
            game_id: The game whose seats to look for.
            own: The identity of this seat.
            port: The port that this seat listens at; 0 if it does not listen, and so only looks.
            on_found: Called with an identity and the addresses where it may be.
            interfaces: The addresses of the interfaces to use; None for all.

        """
        self._game_id = game_id
        self._name = f"{seat_name(game_id, own)}-{random_bytes(4).hex()}"
        self._port = port
        self._on_found = on_found
        self._interfaces = interfaces
        self._missing: dict[str, bytes] = {}
        self._all_found = asyncio.Event()
        self._tasks = BackgroundTasks()
        self._search_task: asyncio.Task[None] | None = None

    def set_missing(self, identities: Iterable[bytes]) -> None:
        """Sets who is missing now. An empty list stops the search."""
        self._missing = {seat_name(self._game_id, identity): identity for identity in identities}
        if not self._missing:
            self._all_found.set()
            return
        self._all_found.clear()
        if self._search_task is None or self._search_task.done():
            self._search_task = self._tasks.start(self._search())

    async def close(self) -> None:
        """Stops the search and says goodbye to the network."""
        self.set_missing(())
        await self._tasks.wait()

    async def _search(self) -> None:
        """Announces and asks until nobody is missing, and starts over when this machine's addresses change."""
        backoff = Backoff((ROUND_SECONDS,))
        while self._missing:
            try:
                await self._search_from(announced_addresses())
            except Exception as error:
                if is_network_error(error):
                    log.info("no mDNS: %s", error)
                else:
                    report_error("the search for lost seats failed", error)
                await self._pause(backoff.next())

    async def _search_from(self, addresses: Sequence[str]) -> None:
        """Searches while this machine has these addresses."""
        zeroconf = await open_multicast(self._interfaces)
        try:
            async with task_scope() as tasks:
                if self._port:
                    keep_sending(
                        await zeroconf.async_register_service(self._info(addresses), cooperating_responders=True), tasks
                    )
                while self._missing and announced_addresses() == addresses:
                    await self._ask()
        finally:
            await say_goodbye(zeroconf)

    async def _pause(self, seconds: float = ROUND_SECONDS) -> None:
        """Waits for the next round, or until nobody is missing."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._all_found.wait()

    def _info(self, addresses: Sequence[str]) -> AsyncServiceInfo:
        from zeroconf.asyncio import AsyncServiceInfo

        announced = self._interfaces or addresses or ["127.0.0.1"]
        return AsyncServiceInfo(
            SERVICE,
            f"{self._name}.{SERVICE}",
            port=self._port,
            server=f"{self._name}.local.",
            parsed_addresses=list(announced),
            properties={"txtvers": b"1"},
        )

    async def _ask(self) -> None:
        """Sends one round of queries from its own port: the answers come at once, and to nobody else."""
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

        def answer(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
            info = AsyncServiceInfo(service_type, name)
            if state_change.name != "Removed" and info.load_from_cache(zeroconf):
                self._on_answer(name, info)

        zeroconf = await open_multicast(self._interfaces, alone=True)
        browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[answer])
        try:
            await self._pause()
        finally:
            await close_multicast(zeroconf, browser)

    def _on_answer(self, name: str, info: AsyncServiceInfo) -> None:
        identity = self._missing.get(name.rpartition(f".{SERVICE}")[0].rpartition("-")[0])
        port = info.port or 0
        if identity is None or not 0 < port < 1 << 16:
            return
        self._on_found(identity, [(address, port) for address in likeliest_first(info.parsed_scoped_addresses())])
