"""Finding tables on the local network: mDNS (RFC 6762) and DNS-SD (RFC 6763) by python-zeroconf.

A host announces `_kimberley._tcp.local.`; a browser lists who does. What is announced is only a hint: the records of a
killed host stay in caches for minutes, and a machine may announce addresses at which nobody can reach it. So the
browser looks at each table itself, over TCP and TLS, at all its addresses, and lists it as long as that look lasts.
Discovery ends no session: whoever plays does not ask it.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import secrets
import socket
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING, Final, Literal, Self

from p2p.address import multicast_interfaces, own_addresses, show
from p2p.card import Card
from p2p.dial import Look, Unreachable
from p2p.publisher import Publisher
from p2p.seldom import Seldom
from p2p.text import clean
from protocol.crypto.hashing import digest

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

log = logging.getLogger(__name__)

SERVICE: Final = "_kimberley._tcp.local."
NO_NETWORK: Final = (
    "There is no network on which tables could be found by themselves ({reason}). "
    "Joining by address works wherever the two machines reach each other."
)
RESOLVE_MS: Final = 3000
LOOK_SECONDS: Final = 2.5
"""After this long without an answer a listed table counts as gone."""
PING_SECONDS: Final = 1.0
STAGGER_SECONDS: Final = 0.15
"""Between attempts at the addresses of one table."""
ASK_SECONDS: Final = 3.0
"""For answers to a question of one's own."""
RETRY_SECONDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Between looks at a table that is announced and does not answer."""
MOST_TABLES: Final = 64
"""Tables that are looked at; a network that announces more is playing tricks."""
TXT_BYTES: Final = 255


class Announcer:
    """Announces one table until it is closed. Where that is impossible, `problem` says so; the table works without."""

    def __init__(self, port: int, card: Card, interfaces: Sequence[str] | None = None) -> None:
        """`interfaces`: addresses of the interfaces to announce on; None for all."""
        self.problem: str | None = None
        self.name = instance_name(card.identity)
        self._port = port
        self._card = card
        self._interfaces = interfaces
        self._zeroconf: AsyncZeroconf | None = None
        self._sending: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def start(self) -> None:
        """Begins to announce."""
        try:
            self._zeroconf = await open_multicast(self._interfaces)
            # A table that is found has no reason to be probed for: nobody else can have its name.
            sent = await self._zeroconf.async_register_service(self._info(), cooperating_responders=True)
        except Exception as error:
            # zeroconf raises OSError, RuntimeError and errors of its own where a network cannot multicast.
            self.problem = _no_network(error)
        else:
            self._sending = asyncio.create_task(finish(sent))

    async def close(self) -> None:
        """Says goodbye, so that nobody waits for the records to expire."""
        if self._sending is not None:
            self._sending.cancel()
        zeroconf, self._zeroconf = self._zeroconf, None
        if zeroconf is not None:
            with contextlib.suppress(OSError):
                await zeroconf.async_unregister_all_services()
            await zeroconf.async_close()

    async def update(self, card: Card) -> None:
        """Announces what the table shows now."""
        self._card = card
        if self._zeroconf is None or self.problem is not None:
            return
        if self._sending is not None:
            self._sending.cancel()
        self._sending = asyncio.create_task(finish(await self._zeroconf.async_update_service(self._info())))

    def _info(self) -> AsyncServiceInfo:
        from zeroconf.asyncio import AsyncServiceInfo

        addresses = self._interfaces or own_addresses() or ["127.0.0.1"]
        return AsyncServiceInfo(
            SERVICE,
            f"{self.name}.{SERVICE}",
            port=self._port,
            server=f"{self.name}.local.",
            parsed_addresses=[address.partition("%")[0] for address in addresses],
            properties={key: value[: TXT_BYTES - len(key) - 1] for key, value in txt(self._card).items()},
        )


def txt(card: Card) -> dict[str, bytes]:
    """What a table's TXT record says."""
    return {
        "txtvers": b"1",
        "revisions": ",".join(map(str, card.speaker.revisions)).encode(),
        "game": card.game.encode(),
        "rules": str(card.rules).encode(),
        "open": str(card.seats - card.taken).encode(),
        "nickname": card.nickname.encode(),
        "fingerprint": card.fingerprint.encode(),
    }


def instance_name(identity: bytes) -> str:
    """A name for a table of this identity that no other table ever has."""
    return f"{instance_prefix(identity)}{secrets.token_hex(4)}"


def instance_prefix(identity: bytes) -> str:
    """How the names of all tables of this identity begin."""
    return f"kimberley-{digest('instance', identity).hex()[:16]}-"


@dataclass(frozen=True, slots=True)
class Found:
    """A table that answers. `name` is its instance name, `since` the loop's time when it was first seen,
    `round_trip` seconds to it and back, the latest.
    """

    name: str
    card: Card
    host: str
    port: int
    since: float
    round_trip: float

    @property
    def address(self) -> str:
        """As `kimberley join` takes it."""
        return show(self.host, self.port)

    @property
    def open(self) -> int:
        """Seats that are free."""
        return self.card.seats - self.card.taken


@dataclass(frozen=True, slots=True)
class Listing:
    """A change of the list: a table has come, shows something else, or has gone."""

    what: Literal["came", "changed", "went"]
    found: Found


class Browser(Publisher[Listing]):
    """Lists the tables of the network, as they come and go, while it is entered.

    `silent` are names of tables that are announced but do not answer: gone without a goodbye, or behind a firewall.
    """

    def __init__(self, interfaces: Sequence[str] | None = None) -> None:
        super().__init__()
        self.problem: str | None = None
        self.silent: set[str] = set()
        self._interfaces = interfaces
        self._found: dict[str, Found] = {}
        self._announced: dict[str, asyncio.Event] = {}
        self._watching: dict[str, asyncio.Task[None]] = {}
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._asking: asyncio.Task[None] | None = None
        self._answers: dict[str, AsyncServiceInfo] = {}
        self._left = False
        self._left_out = Seldom(log, logging.WARNING)

    @property
    def found(self) -> tuple[Found, ...]:
        """The tables that answer now, the longest known first."""
        return tuple(sorted(self._found.values(), key=lambda found: (found.since, found.name)))

    async def __aenter__(self) -> Self:
        try:
            self._zeroconf = await open_multicast(self._interfaces)
            from zeroconf.asyncio import AsyncServiceBrowser

            self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, SERVICE, handlers=[self._announcement])
            self._asking = asyncio.create_task(self._ask())
        except Exception as error:
            self.problem = _no_network(error)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._left = True
        tasks = [*self._watching.values(), *([self._asking] if self._asking is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._browser is not None:
            await self._browser.async_cancel()
        if self._zeroconf is not None:
            await self._zeroconf.async_close()

    async def _ask(self) -> None:
        """Asks once from a port of its own, as one-shot queriers do (RFC 6762, section 5.1): the answers come at once.

        At the port that all programs of a machine share, an answer to one of them may come to another.
        """
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

        def answer(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
            if state_change.name == "Added":
                info = AsyncServiceInfo(SERVICE, name)
                if info.load_from_cache(zeroconf):
                    self._answers[name] = info
                    self._announcement(zeroconf, service_type, name, state_change)
                    if name not in self._watching:
                        del self._answers[name]

        zeroconf = await open_multicast(self._interfaces, alone=True)
        browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[answer])
        try:
            await asyncio.sleep(ASK_SECONDS)
        finally:
            await browser.async_cancel()
            await zeroconf.async_close()

    def _announcement(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        """Called by zeroconf, on the loop. A goodbye only means that nobody looks at the table again."""
        del zeroconf, service_type
        if self._left:
            return
        if state_change.name == "Removed":
            if (heard := self._announced.pop(name, None)) is not None:
                heard.set()
            return
        if len(self._watching) >= MOST_TABLES and name not in self._watching:
            self._left_out.say(f"more than {MOST_TABLES} tables are announced; {clean(name, 80)} is left out")
            return
        self._announced.setdefault(name, asyncio.Event()).set()
        if name not in self._watching:
            task = asyncio.get_running_loop().create_task(self._watch(name))
            self._watching[name] = task
            task.add_done_callback(lambda _: self._watching.pop(name, None))

    async def _watch(self, name: str) -> None:
        """Keeps one announced table listed as long as it answers."""
        instance = clean(name.removesuffix(f".{SERVICE}"), 80)
        failures = 0
        try:
            while (heard := self._announced.get(name)) is not None:
                heard.clear()
                if await self._list(name, instance):
                    failures = 0
                else:
                    self.silent.add(instance)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)]):
                        await heard.wait()
                failures += 1
        finally:
            self.silent.discard(instance)

    async def _list(self, name: str, instance: str) -> bool:
        """Lists a table until it falls silent; False if it does not answer at all."""
        reached = await self._reach(name)
        if reached is None:
            return False
        look, host, port = reached
        loop = asyncio.get_running_loop()
        found = Found(instance, look.card, host, port, loop.time(), look.round_trip)
        self.silent.discard(instance)
        self._tell("came", found)
        try:
            while True:
                changed = await look.ping(LOOK_SECONDS)
                changed |= await look.news(PING_SECONDS)
                found = replace(found, card=look.card, round_trip=look.round_trip)
                if changed:
                    self._tell("changed", found)
                self._found[instance] = found
        except Unreachable:
            return True
        finally:
            self._tell("went", found)
            await look.close()

    async def _reach(self, name: str) -> tuple[Look, str, int] | None:
        """A look at the table by whichever of its addresses answers first."""
        from zeroconf import IPVersion
        from zeroconf.asyncio import AsyncServiceInfo

        assert self._zeroconf is not None
        info = self._answers.pop(name, None)
        if info is None:
            info = AsyncServiceInfo(SERVICE, name)
            with contextlib.suppress(OSError):
                await info.async_request(self._zeroconf.zeroconf, RESOLVE_MS)
        port = info.port or 0
        addresses = [*info.parsed_addresses(IPVersion.V4Only), *info.parsed_scoped_addresses(IPVersion.V6Only)]
        tries = [
            asyncio.create_task(_look_later(address, port, STAGGER_SECONDS * number))
            for number, address in enumerate(addresses[:8])
            if port
        ]
        best: Look | None = None
        try:
            for attempt in asyncio.as_completed(tries):
                with contextlib.suppress(Unreachable):
                    best, address = await attempt
                    return best, address, port
        finally:
            try:
                await _drop(tries, best)
            except asyncio.CancelledError:
                if best is not None:
                    best.abort()
                raise
        return None

    def _tell(self, what: Literal["came", "changed", "went"], found: Found) -> None:
        if what == "went":
            self._found.pop(found.name, None)
        else:
            self._found[found.name] = found
        self._publish(Listing(what, found))


async def listed(seconds: float, interfaces: Sequence[str] | None = None) -> tuple[tuple[Found, ...], str | None]:
    """The tables found within so many seconds, and what keeps others from being found, if anything does."""
    async with Browser(interfaces) as browser:
        if browser.problem is None:
            await asyncio.sleep(seconds)
        return browser.found, browser.problem


async def _look_later(address: str, port: int, delay: float) -> tuple[Look, str]:
    await asyncio.sleep(delay)
    return await Look.at(address, port, LOOK_SECONDS), address


async def _drop(tries: Sequence[asyncio.Task[tuple[Look, str]]], best: Look | None) -> None:
    """Gives up all attempts but the best, and what another one may have reached, also where this is cancelled."""

    def end(task: asyncio.Task[tuple[Look, str]]) -> None:
        if not task.cancelled() and task.exception() is None and task.result()[0] is not best:
            task.result()[0].abort()

    for task in tries:
        task.cancel()
        task.add_done_callback(end)
    await asyncio.gather(*tries, return_exceptions=True)


async def finish(sent: object) -> None:
    """Waits until the repeated announcements are out. A network that went away meanwhile is no error."""
    assert isinstance(sent, asyncio.Future)
    with contextlib.suppress(OSError):
        await sent


async def open_multicast(interfaces: Sequence[str] | None, *, alone: bool = False) -> AsyncZeroconf:
    """`alone`: at ports of its own. Raises OSError or RuntimeError where there is no network to multicast on."""
    # Importing takes longer than all the rest, and screens should not stand still for it.
    await asyncio.to_thread(importlib.import_module, "zeroconf.asyncio")
    from zeroconf import IPVersion
    from zeroconf.asyncio import AsyncZeroconf

    # It warns, with a traceback, of every packet that a network does not take.
    logging.getLogger("zeroconf").setLevel(logging.ERROR)
    if interfaces is not None:
        for address in interfaces:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                probe.bind((address, 0))
        return AsyncZeroconf(interfaces=list(interfaces), ip_version=IPVersion.V4Only, unicast=alone)
    four, six = multicast_interfaces()
    if not four and not six:
        raise OSError("no interface is up")
    try:
        version = IPVersion.All if six else IPVersion.V4Only
        return AsyncZeroconf(interfaces=[*four, *six], ip_version=version, unicast=alone)
    except OSError:
        return AsyncZeroconf(interfaces=four, ip_version=IPVersion.V4Only, unicast=alone)


def _no_network(error: Exception) -> str:
    log.info("no mDNS: %s: %s", type(error).__name__, error)
    return NO_NETWORK.format(reason=clean(str(error), 120) or type(error).__name__)
