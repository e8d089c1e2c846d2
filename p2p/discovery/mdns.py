"""Discovers tables on the local network: mDNS (RFC 6762) and DNS-SD (RFC 6763), with python-zeroconf.

A host announces `_kimberley._tcp.local.`, and a browser lists the hosts. An announcement is only a hint: the records of
a killed host stay in caches for minutes, and a machine may announce addresses at which nobody can reach it. So the
browser checks each table over TCP and TLS, at all its addresses, and lists it for as long as it answers. Discovery ends
no session: a game does not depend on it.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Final, Literal, Self

from kimberley.p2p.base import platform
from kimberley.p2p.base.backoff import Backoff
from kimberley.p2p.base.platform import in_background, monotonic, random_bytes
from kimberley.p2p.base.publisher import Publisher
from kimberley.p2p.base.rate_limited_log import RateLimitedLog
from kimberley.p2p.base.tasks import BackgroundTasks, TaskScope, race, report_error, unstoppable
from kimberley.p2p.base.text import clean
from kimberley.p2p.transport.address import announced_addresses, format_address, likeliest_first, multicast_interfaces
from kimberley.p2p.transport.dial import CardProbe, Unreachable
from kimberley.p2p.transport.table_card import TableCard
from kimberley.protocol.crypto.hashing import digest

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

log = logging.getLogger(__name__)

SERVICE: Final = "_kimberley._tcp.local."
NO_NETWORK: Final = "Tables on this network cannot be found automatically ({reason}). You can still join by address."
RESOLVE_MS: Final = 3000
LOOK_SECONDS: Final = 2.5  # SPEC: list
"""A listed table that does not answer for this long counts as gone."""
PING_SECONDS: Final = 1.0
STAGGER_SECONDS: Final = 0.15
"""Time between attempts at the addresses of one table."""
ASK_SECONDS: Final = 3.0
"""How long a browser waits for the answers to its own query."""
ASK_AGAIN_SECONDS: Final = (4.0, 8.0, 16.0)
"""Time between queries of a browser that lists nothing: queries and answers may be lost. The interval at least doubles,
up to an hour (RFC 6762, section 5.2); a person waits less.
"""
RETRY_SECONDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Time between attempts to reach a table that is announced and does not answer."""
FORGET_SECONDS: Final = 15.0
"""How long after its last announcement a table that does not answer is still reported. Asking again takes less."""
LATE_SECONDS: Final = 2.0
"""How long after a table's goodbye its announcements are ignored: they were sent before it. No table comes back under
the same name.
"""
MOST_ADDRESSES: Final = 80
"""Addresses of one table that are tried. A host that announces more is not honest."""
MOST_TABLES: Final = 64  # SPEC: tables that a list looks at
"""Tables that are checked. A network that announces more is not honest."""
TXT_BYTES: Final = 255  # SPEC: bytes of a TXT entry


class Announcer:
    """Announces one table until it is closed. If it cannot, `problem` says why; the table works without it."""

    def __init__(self, port: int, card: TableCard, interfaces: Sequence[str] | None = None) -> None:
        """Takes the addresses of the `interfaces` to announce on, or None for all."""
        self.problem: str | None = None
        self.name = instance_name(card.identity)
        self._port = port
        self._card = card
        self._interfaces = interfaces
        self._zeroconf: AsyncZeroconf | None = None
        self._lock = asyncio.Lock()
        """Held while something is registered, changed or unregistered."""
        self._sending = BackgroundTasks()
        self._tasks = BackgroundTasks()
        self._withdrawn = False

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def start(self) -> None:
        """Starts to announce, unless it is withdrawn meanwhile."""
        async with self._lock:
            try:
                self._zeroconf = await open_multicast(self._interfaces)
                if not self._withdrawn:
                    # No need to probe: nobody else can have this name.
                    keep_sending(
                        await self._zeroconf.async_register_service(self.service(), cooperating_responders=True),
                        self._sending,
                    )
            except Exception as error:
                self.problem = _no_network(error)

    def withdraw(self) -> None:
        """Starts to say goodbye, so that nobody waits for the records to expire. Announces nothing from now on."""
        if not self._withdrawn:
            self._withdrawn = True
            self._tasks.start(self._say_goodbye())

    async def close(self) -> None:
        """Says goodbye, unless that is done."""
        self.withdraw()
        await self._tasks.wait()

    async def update(self, card: TableCard) -> None:
        """Announces a changed card."""
        self._card = card
        if self._zeroconf is None:
            return  # The announcement starts later, with this card.
        async with self._lock:
            if self.problem is None and not self._withdrawn:
                self._sending.cancel()
                keep_sending(await self._zeroconf.async_update_service(self.service()), self._sending)

    async def _say_goodbye(self) -> None:
        async with self._lock:
            await self._sending.close()
            if self._zeroconf is not None:
                await say_goodbye(self._zeroconf)

    def service(self) -> AsyncServiceInfo:
        """Returns what is announced."""
        from zeroconf.asyncio import AsyncServiceInfo

        text = {key: value[: TXT_BYTES - len(key) - 1] for key, value in txt_record(self._card).items()}
        # Each entry has its length and an equals sign, too.
        text_bytes = sum(len(key) + len(value) + 2 for key, value in text.items())
        addresses = self._interfaces or announced_addresses(text_bytes) or ["127.0.0.1"]
        return AsyncServiceInfo(
            SERVICE,
            f"{self.name}.{SERVICE}",
            port=self._port,
            server=f"{self.name}.local.",
            parsed_addresses=list(addresses),
            properties=text,
        )


def txt_record(card: TableCard) -> dict[str, bytes]:
    """Returns the TXT record of a table."""
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
    """Returns a name for a table of this identity. No other table ever has it."""
    return f"{instance_prefix(identity)}{random_bytes(4).hex()}"


def instance_prefix(identity: bytes) -> str:
    """Returns how the names of all tables of this identity begin."""
    return f"kimberley-{digest('instance', identity).hex()[:16]}-"


def instance_of(name: str) -> str:
    """Returns the name of a table in the announced name of its service."""
    return clean(name.removesuffix(f".{SERVICE}"), 80)


@dataclass(frozen=True, slots=True)
class DiscoveredTable:
    """A table that answers. `name` is its instance name, `since` the loop's time when it was first seen, `round_trip`
    the latest time to it and back, in seconds.
    """

    name: str
    card: TableCard
    host: str
    port: int
    since: float
    round_trip: float

    @property
    def address(self) -> str:
        """The address in the form that `kimberley join` takes."""
        return format_address(self.host, self.port)

    @property
    def open(self) -> int:
        """The number of free seats."""
        return self.card.seats - self.card.taken


@dataclass(frozen=True, slots=True)
class DiscoveryEvent:
    """A change of the list: a table appeared, changed its card, or went away."""

    what: Literal["came", "changed", "went"]
    found: DiscoveredTable


class Browser(Publisher[DiscoveryEvent]):
    """Lists the tables of the network while it is entered."""

    def __init__(self, interfaces: Sequence[str] | None = None) -> None:
        super().__init__()
        self.problem: str | None = None
        self._unanswered: dict[str, float] = {}
        """When the announcement of each table that does not answer was last heard."""
        self._interfaces = interfaces
        self._found: dict[str, DiscoveredTable] = {}
        self.announced: dict[str, asyncio.Event] = {}
        self._withdrawn: dict[str, float] = {}
        """When the goodbye of each announced table was heard, for `LATE_SECONDS`."""
        self.watched: set[str] = set()
        """The names of the announced tables that are checked now."""
        self._tasks = BackgroundTasks()
        self._asking: asyncio.Task[None] | None = None
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._answers: dict[str, AsyncServiceInfo] = {}
        self._left = False
        self._left_out = RateLimitedLog(log, logging.WARNING)

    @property
    def found(self) -> tuple[DiscoveredTable, ...]:
        """The tables that answer now, the longest known first."""
        return tuple(sorted(self._found.values(), key=lambda table: (table.since, table.name)))

    @property
    def silent(self) -> set[str]:
        """The names of tables that are announced but do not answer, such as those behind a firewall. One that is gone
        without a goodbye is not announced again, and is soon left out.
        """
        now = monotonic()
        return {instance_of(name) for name, heard in self._unanswered.items() if now - heard < FORGET_SECONDS}

    @property
    def undecided(self) -> set[str]:
        """The names of tables that are announced, of which it is not known yet whether they answer."""
        return {instance_of(name) for name in self.announced.keys() - self._unanswered.keys()} - self._found.keys()

    async def __aenter__(self) -> Self:
        try:
            self._zeroconf = await open_multicast(self._interfaces)
            from zeroconf.asyncio import AsyncServiceBrowser

            self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, SERVICE, handlers=[self._announcement])
            self._tasks.start(self._ask_while_nothing_is_listed())
        except Exception as error:
            self.problem = _no_network(error)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._left = True
        await self._tasks.close()
        if self._zeroconf is not None:
            await close_multicast(self._zeroconf, self._browser)

    async def _ask_while_nothing_is_listed(self) -> None:
        backoff = Backoff(ASK_AGAIN_SECONDS)
        while True:
            if not self._found:
                self._ask_again()
            await asyncio.sleep(backoff.next())

    def _ask_again(self) -> None:
        if self._asking is None or self._asking.done():
            self._asking = self._tasks.start(self._ask())

    async def _ask(self) -> None:
        """Asks once from its own port, like a one-shot querier (RFC 6762, section 5.1): the answers come at once.

        At the port that all programs of a machine share, the answer to one may reach another.
        """
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

        def answer(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
            if state_change.name == "Added":
                info = AsyncServiceInfo(SERVICE, name)
                if info.load_from_cache(zeroconf):
                    self._answers[name] = info
                    self._announcement(zeroconf, service_type, name, state_change)
                    if name not in self.watched:
                        del self._answers[name]
                    if name in self.announced:
                        self._expect_goodbye(info)

        try:
            zeroconf = await open_multicast(self._interfaces, alone=True)
        except (OSError, RuntimeError) as error:
            log.info("no one-shot query: %s", error)
            return
        browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[answer])
        try:
            await asyncio.sleep(ASK_SECONDS)
        finally:
            await close_multicast(zeroconf, browser)

    def _expect_goodbye(self, info: AsyncServiceInfo) -> None:
        """Tells zeroconf about a table that only the one-shot query has found: otherwise it would ignore the table's
        goodbye.
        """
        assert self._zeroconf is not None
        assert self._browser is not None
        cache = self._zeroconf.zeroconf.cache
        if cache.current_entry_with_name_and_alias(SERVICE, info.name) is None:
            pointer = info.dns_pointer()
            cache.async_add_records([pointer])
            self._browser.query_scheduler.reschedule_ptr_first_refresh(pointer)

    def _announcement(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        """Handles what zeroconf heard, on the loop. After a goodbye the table is not checked again."""
        del zeroconf, service_type
        if self._left:
            return
        now = monotonic()
        self._withdrawn = {gone: since for gone, since in self._withdrawn.items() if now - since < LATE_SECONDS}
        if state_change.name == "Removed":
            if (heard := self.announced.pop(name, None)) is not None:
                heard.set()
                self._withdrawn[name] = now
            return
        if name in self._withdrawn:
            return
        if len(self.watched) >= MOST_TABLES and name not in self.watched:
            self._left_out.log(f"more than {MOST_TABLES} tables are announced; {clean(name, 80)} is left out")
            return
        self.announced.setdefault(name, asyncio.Event()).set()
        if name in self._unanswered:
            self._unanswered[name] = now
        if name not in self.watched:
            self.watched.add(name)
            task = self._tasks.start(self._watch(name))
            task.add_done_callback(lambda _: self.watched.discard(name))

    async def _watch(self, name: str) -> None:
        """Keeps one announced table listed for as long as it answers."""
        backoff = Backoff(RETRY_SECONDS)
        try:
            while (heard := self.announced.get(name)) is not None:
                heard.clear()
                if await self._list(name):
                    backoff.reset()
                else:
                    self._unanswered.setdefault(name, monotonic())
                    self._ask_again()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(backoff.next()):
                        await heard.wait()
        finally:
            self._unanswered.pop(name, None)

    async def _list(self, name: str) -> bool:
        """Lists a table until it stops answering. Returns False if it does not answer at all."""
        reached = await self._reach(name)
        if reached is None:
            return False
        look, host, port = reached
        loop = asyncio.get_running_loop()
        table = DiscoveredTable(instance_of(name), look.card, host, port, loop.time(), look.round_trip)
        self._unanswered.pop(name, None)
        self._update("came", table)
        try:
            while True:
                changed = await look.ping(LOOK_SECONDS)
                changed |= await look.wait_for_change(PING_SECONDS)
                table = replace(table, card=look.card, round_trip=look.round_trip)
                if changed:
                    self._update("changed", table)
                self._found[table.name] = table
        except Unreachable:
            return True
        finally:
            self._update("went", table)
            await look.close()

    async def _reach(self, name: str) -> tuple[CardProbe, str, int] | None:
        """Probes the table at the first of its addresses that answers."""
        from zeroconf.asyncio import AsyncServiceInfo

        assert self._zeroconf is not None
        info = self._answers.pop(name, None)
        if info is None:
            info = AsyncServiceInfo(SERVICE, name)
            with contextlib.suppress(OSError):
                await info.async_request(self._zeroconf.zeroconf, RESOLVE_MS)
        port = info.port or 0
        addresses = likeliest_first(info.parsed_scoped_addresses())[:MOST_ADDRESSES]
        attempts = [partial(_probe, address, port, name) for address in addresses if port]
        if not attempts:
            return None
        try:
            return await race(attempts, STAGGER_SECONDS, Unreachable, _drop)
        except Unreachable:
            return None

    def _update(self, what: Literal["came", "changed", "went"], table: DiscoveredTable) -> None:
        if what == "went":
            self._found.pop(table.name, None)
        else:
            self._found[table.name] = table
        self.publish(DiscoveryEvent(what, table))


async def discover(
    seconds: float, interfaces: Sequence[str] | None = None
) -> tuple[tuple[DiscoveredTable, ...], str | None]:
    """Returns the tables found within `seconds`, and the reason why others cannot be found, or None."""
    async with Browser(interfaces) as browser:
        if browser.problem is None:
            await asyncio.sleep(seconds)
        return browser.found, browser.problem


async def wait_for_table(
    browser: Browser, fits: Callable[[DiscoveredTable], bool], seconds: float
) -> DiscoveredTable | None:
    """Waits for at most `seconds` until a table that `fits` is found; not at all if none can be found here. Returns the
    one known longest, or None.
    """
    came = asyncio.Event()
    stop = browser.subscribe(lambda _event: came.set())
    try:
        async with asyncio.timeout(0 if browser.problem is not None else seconds):
            while (table := next(filter(fits, browser.found), None)) is None:
                came.clear()
                await came.wait()
            return table
    except TimeoutError:
        return None
    finally:
        stop()


async def _probe(address: str, port: int, name: str) -> tuple[CardProbe, str, int]:
    """Raises Unreachable, also if another table answers: more than one machine can have the same address."""
    look = await CardProbe.connect(address, port, LOOK_SECONDS)
    if not name.startswith(instance_prefix(look.card.identity)):
        look.abort()
        raise Unreachable(f"{format_address(address, port)} is another table.")
    return look, address, port


async def _drop(late: tuple[CardProbe, str, int]) -> None:
    late[0].abort()


def keep_sending(sent: object, tasks: BackgroundTasks | TaskScope) -> None:
    """Lets an owner of tasks own the repeated announcements that zeroconf sends. A network that disappears meanwhile is
    no error.
    """
    assert isinstance(sent, asyncio.Future)

    async def wait() -> None:
        with contextlib.suppress(OSError):
            await sent

    # A task that is canceled before it begins would not stop what it waits for.
    tasks.start(wait()).add_done_callback(lambda _: sent.cancel())


async def say_goodbye(zeroconf: AsyncZeroconf) -> None:
    """Withdraws everything that was announced, and closes."""
    for answers in (zeroconf.zeroconf.out_queue, zeroconf.zeroconf.out_delay_queue):
        # Answers wait there for up to a second. After a goodbye they would announce everything again, and for a while
        # others would take further goodbyes for copies of the first one.
        answers.queue.clear()
    with contextlib.suppress(OSError):
        await zeroconf.async_unregister_all_services()
    await close_multicast(zeroconf)


async def close_multicast(zeroconf: AsyncZeroconf, browser: AsyncServiceBrowser | None = None) -> None:
    """Closes mDNS, also in a task that is canceled. There zeroconf itself closes nothing if a browser has just begun to
    wait for its start.
    """

    async def close() -> None:
        if browser is not None:
            await browser.async_cancel()
        await zeroconf.async_close()

    await unstoppable(close(), lambda _: None)


async def open_multicast(interfaces: Sequence[str] | None, *, alone: bool = False) -> AsyncZeroconf:
    """Opens mDNS; `alone` at its own ports. Raises OSError or RuntimeError if no network can multicast."""
    # The import takes longer than the rest. Screens must not freeze meanwhile.
    await in_background(importlib.import_module, "zeroconf.asyncio")
    # It logs a traceback for every packet that a network rejects.
    logging.getLogger("zeroconf").setLevel(logging.ERROR)
    if interfaces is not None:
        for address in interfaces:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                probe.bind((address, 0))
        return platform.open_multicast(interfaces, six=False, alone=alone)
    four, six = multicast_interfaces()
    if not four and not six:
        raise OSError("no interface is up")
    try:
        return platform.open_multicast([*four, *six], six=bool(six), alone=alone)
    except OSError:
        return platform.open_multicast(four, six=False, alone=alone)


def is_network_error(error: Exception) -> bool:
    """Returns whether zeroconf raises such an error where a network cannot multicast."""
    from zeroconf import Error

    return isinstance(error, OSError | RuntimeError | Error)


def _no_network(error: Exception) -> str:
    """Returns why others cannot be found, for a person."""
    if not is_network_error(error):
        report_error("mDNS failed", error)
    log.info("no mDNS: %s: %s", type(error).__name__, error)
    return NO_NETWORK.format(reason=clean(str(error), 120) or type(error).__name__)
