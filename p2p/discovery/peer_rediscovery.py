"""Seats of a game that miss each other find each other again, wherever they are by now.

A seat that misses another one announces itself on the local network, and looks for the announcement of the other: mDNS
and DNS-SD as in `p2p.discovery`, with a service type of their own, so that no list of open tables shows it. The name is
a digest of game and identity: who does not play this game learns nothing from it. What is found is a hint; the hello
proves who is there. As soon as nobody is missed, nothing is announced.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from p2p.address import own_addresses
from p2p.discovery import finish, open_multicast
from p2p.mesh import Where
from protocol.crypto.hashing import digest

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceInfo

log = logging.getLogger(__name__)

SERVICE: Final = "_kimberley-seat._tcp.local."
ROUND_SECONDS: Final = 6.0
"""After so long the network is asked anew: this machine may have moved to another one."""
MOST_ADDRESSES: Final = 8

Found = Callable[[bytes, Sequence[Where]], None]


def seat_name(game_id: bytes, identity: bytes) -> str:
    """How the name of an identity's seat in a game begins, as it is announced."""
    return f"kimberley-{digest('seat of a game', game_id, identity).hex()[:16]}"


class Reunion:
    """Looks for the seats that are missed at one game. `found` is told where one of them may be.

    `port` is that of this seat's own door, 0 if it has none: then it only looks. `interfaces` are addresses of those to
    use; None for all.
    """

    def __init__(
        self, game_id: bytes, own: bytes, port: int, found: Found, interfaces: Sequence[str] | None = None
    ) -> None:
        self._game_id = game_id
        self._name = f"{seat_name(game_id, own)}-{secrets.token_hex(4)}"
        self._port = port
        self._found = found
        self._interfaces = interfaces
        self._missed: dict[str, bytes] = {}
        self._enough = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def miss(self, identities: Iterable[bytes]) -> None:
        """These are missed now, and nobody else."""
        self._missed = {seat_name(self._game_id, identity): identity for identity in identities}
        if not self._missed:
            self._enough.set()
            return
        self._enough.clear()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._seek())

    async def close(self) -> None:
        """Says goodbye to the network."""
        self.miss(())
        if self._task is not None:
            await self._task

    async def _seek(self) -> None:
        """Announces and asks, anew whenever this machine's addresses have changed, until nobody is missed."""
        while self._missed:
            try:
                await self._seek_here(own_addresses())
            except Exception as error:
                # zeroconf raises OSError, RuntimeError and errors of its own where a network cannot multicast.
                log.info("no mDNS: %s", error)
                await self._pause()

    async def _seek_here(self, addresses: Sequence[str]) -> None:
        """As long as this machine has these addresses."""
        zeroconf = await open_multicast(self._interfaces)
        sending: asyncio.Task[None] | None = None
        try:
            if self._port:
                sent = await zeroconf.async_register_service(self._info(addresses), cooperating_responders=True)
                sending = asyncio.create_task(finish(sent))
            while self._missed and own_addresses() == addresses:
                await self._ask()
        finally:
            if sending is not None:
                sending.cancel()
            with contextlib.suppress(OSError):
                await zeroconf.async_unregister_all_services()
            await zeroconf.async_close()

    async def _pause(self) -> None:
        """Until the next round, or until nobody is missed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ROUND_SECONDS):
                await self._enough.wait()

    def _info(self, addresses: Sequence[str]) -> AsyncServiceInfo:
        from zeroconf.asyncio import AsyncServiceInfo

        shown = self._interfaces or addresses or ["127.0.0.1"]
        return AsyncServiceInfo(
            SERVICE,
            f"{self._name}.{SERVICE}",
            port=self._port,
            server=f"{self._name}.local.",
            parsed_addresses=[address.partition("%")[0] for address in shown],
            properties={"txtvers": b"1"},
        )

    async def _ask(self) -> None:
        """One round of questions, from a port of its own: the answers come at once, and to nobody else."""
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

        def answer(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
            info = AsyncServiceInfo(service_type, name)
            if state_change.name != "Removed" and info.load_from_cache(zeroconf):
                self._heard(name, info)

        zeroconf = await open_multicast(self._interfaces, alone=True)
        browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[answer])
        try:
            await self._pause()
        finally:
            await browser.async_cancel()
            await zeroconf.async_close()

    def _heard(self, name: str, info: AsyncServiceInfo) -> None:
        from zeroconf import IPVersion

        identity = self._missed.get(name.rpartition(f".{SERVICE}")[0].rpartition("-")[0])
        port = info.port or 0
        if identity is None or not 0 < port < 1 << 16:
            return
        addresses = [*info.parsed_addresses(IPVersion.V4Only), *info.parsed_scoped_addresses(IPVersion.V6Only)]
        self._found(identity, [(address, port) for address in addresses[:MOST_ADDRESSES]])
