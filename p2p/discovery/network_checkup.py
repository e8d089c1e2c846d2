"""What may keep two machines apart, tested with real sockets: addresses, multicast, the ports, and one host.

Nothing here is part of the protocol: a query for tables goes to the multicast groups of mDNS (RFC 6762), as any program
may send one, and a listener opens for a moment, with an identity that nobody has met.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import select
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import in_background, monotonic, random_bytes, unreachable_hint
from kimberley.p2p.base.tasks import task_scope
from kimberley.p2p.discovery.mdns import SERVICE, Browser, instance_prefix, wait_for_table
from kimberley.p2p.far.codes import read_code
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.address import (
    LocalAddress,
    assigned_addresses,
    format_address,
    is_loopback,
    is_virtual,
    own_addresses,
)
from kimberley.p2p.transport.dial import CardProbe, Unreachable
from kimberley.p2p.transport.handshake import REVISIONS, PeerVersion
from kimberley.p2p.transport.listener import Listener
from kimberley.p2p.transport.ports import DEFAULT_PORT, MDNS_PORT
from kimberley.p2p.transport.table_card import TableCard

GROUP_4: Final = "224.0.0.251"
GROUP_6: Final = "ff02::fb"
LISTEN_SECONDS: Final = 1.0
"""How long a query waits to be heard, and for the answers of other machines."""
CONNECT_SECONDS: Final = 3.0
DECIDE_SECONDS: Final = 10.0
"""How long it may take to find out whether each announced table answers."""
POLL_SECONDS: Final = 0.1
ANNOUNCED_SECONDS: Final = 6.0
"""How long the announcement of a host that answers may take to be heard."""

FIREWALL: Final = (
    "Allow UDP {port} in and out in this computer’s firewall, and turn off any VPN. Until then, join by address."
)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found. `ok` is None for what is neither good nor bad. `advice` says what to do, if anything."""

    what: str
    ok: bool | None
    found: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class MulticastEcho:
    """What became of a query: whether this machine heard itself, who else answered, and why it could not be sent."""

    heard: bool = False
    others: frozenset[str] = frozenset()
    error: OSError | None = None


async def check_network() -> list[CheckResult]:
    """Checks this machine's addresses, multicast on each of its interfaces, and whether its ports can be used."""
    local = [one for one in assigned_addresses() if not one.address.is_loopback]
    checks = _interfaces(local)
    if local:
        checks.append(await in_background(_check_mdns_port))
        async with task_scope() as tasks:
            tables = tasks.start(_check_tables())
            checks += [*await _check_multicast(local), *await tables]
    return [*checks, *await check_own_port()]


async def check_host(host: str, port: int) -> list[CheckResult]:
    """Checks whether a table can be reached and found there, and speaks a revision that this program speaks."""
    where = format_address(host, port)
    try:
        started = monotonic()
        probe = await CardProbe.connect(host, port)
        seconds = monotonic() - started
    except Unreachable as error:
        return [CheckResult(where, False, "cannot be joined.", str(error))]
    await probe.close()
    card = probe.card
    checks = [
        CheckResult(where, True, f"{card.nickname} hosts a table there. It answered in {seconds * 1000:.0f} ms."),
        _speaks(where, card.speaker),
    ]
    if not is_loopback(host) and read_code(host) is None:
        checks.append(await _check_announced(where, card))
    return checks


async def check_own_port() -> list[CheckResult]:
    """Opens a listener for a moment, and connects to it at each address of this machine."""
    identity = Identity.fresh()
    try:
        listener = Listener(identity, lambda channel: None, lambda: _card(identity))
        await listener.open()
    except UserError as error:
        return [CheckResult("port for hosting", False, "This computer cannot host.", str(error))]
    port = listener.port
    reached: list[str] = []
    refused: list[str] = []
    try:
        async with task_scope() as tasks:
            probing = {address: tasks.start(_answers(address, port)) for address in own_addresses()}
            for address, probe in probing.items():
                (reached if await probe else refused).append(address)
    finally:
        await listener.close()
    checks = []
    if port != DEFAULT_PORT:
        checks.append(
            CheckResult(
                "port for hosting",
                None,
                f"Port {DEFAULT_PORT} is in use, perhaps by a table. Kimberley would use {port}.",
            )
        )
    if refused:
        advice = f"Allow TCP {port} in this computer’s firewall: others cannot join you there."
        checks.append(
            CheckResult("port for hosting", False, f"no answer on port {port} at {', '.join(refused)}.", advice)
        )
    if reached:
        checks.append(CheckResult("port for hosting", True, f"{port} answers at {', '.join(reached)}."))
    return checks


def _interfaces(local: Sequence[LocalAddress]) -> list[CheckResult]:
    """Returns a line for each interface, with its addresses."""
    if not local:
        return [
            CheckResult(
                "network",
                False,
                "This computer is not on any network.",
                "Connect it to Wi-Fi, or plug in a network cable.",
            )
        ]
    checks = []
    for name in dict.fromkeys(one.interface for one in local):
        addresses = [one for one in local if one.interface == name]
        versions = join_names([f"IPv{version}" for version in sorted({one.address.version for one in addresses})])
        kind = " (virtual)" if is_virtual(name) else ""
        listed = ", ".join(str(address) for address in addresses)
        checks.append(CheckResult(f"interface {name}", True, f"{versions}{kind}: {listed}"))
    return checks


# -- multicast ---------------------------------------------------------------------------------------------------------


def _check_mdns_port() -> CheckResult:
    """Returns whether the port of mDNS can be used, shared with other programs or alone."""
    what = f"port {MDNS_PORT}"
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as alone:
            alone.bind(("", MDNS_PORT))
        return CheckResult(what, True, "free")
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            return CheckResult(what, False, f"cannot be used ({error.strerror}).", FIREWALL.format(port=MDNS_PORT))
    try:
        with _shared_socket(socket.AF_INET):
            return CheckResult(what, True, "shared with other programs")
    except OSError as error:
        advice = "Another program blocks it: close that program, or join by address."
        return CheckResult(what, False, f"blocked ({error.strerror}).", advice)


async def _check_multicast(local: Sequence[LocalAddress]) -> list[CheckResult]:
    """Sends a query from each interface, by IPv4 and IPv6, and listens for it and for answers."""
    interfaces = list({(one.index, one.address.version): one for one in local}.values())
    own = frozenset(str(one.address) for one in local)
    async with task_scope() as tasks:
        sending = [tasks.start(_echo_in_background(one, own)) for one in interfaces]
        return [_describe_echo(one, await echo) for one, echo in zip(interfaces, sending, strict=True)]


async def _echo_in_background(local: LocalAddress, own: frozenset[str]) -> MulticastEcho:
    return await in_background(_echo, local, own)


def _describe_echo(local: LocalAddress, echo: MulticastEcho) -> CheckResult:
    what = f"multicast {local.interface}, IPv{local.address.version}"
    # Tables can still be found if only IPv6 or a virtual interface fails.
    bad = False if local.address.version == 4 and not is_virtual(local.interface) else None
    if echo.error is not None:
        reason = echo.error.strerror or type(echo.error).__name__
        advice = f"{FIREWALL.format(port=MDNS_PORT)} {unreachable_hint(echo.error)}".strip()
        return CheckResult(what, bad, f"does not work ({reason}).", advice)
    if not echo.heard:
        return CheckResult(what, bad, "sent but not received.", FIREWALL.format(port=MDNS_PORT))
    others = f"{count_of(len(echo.others), 'other')} answered" if echo.others else "no other computer answered"
    return CheckResult(what, True, f"sent and received; {others}")


def _echo(local: LocalAddress, own: frozenset[str]) -> MulticastEcho:
    """Sends a query from an address to the group of mDNS, and listens for a moment."""
    four = local.address.version == 4
    family, query = (socket.AF_INET if four else socket.AF_INET6), _query()
    heard, others = False, set()
    try:
        with _shared_socket(family) as hearing, socket.socket(family, socket.SOCK_DGRAM) as sending:
            if four:
                membership = socket.inet_aton(GROUP_4) + local.address.packed
                hearing.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
                sending.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, local.address.packed)
                sending.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
                sending.bind((str(local.address), 0))
                sending.sendto(query, (GROUP_4, MDNS_PORT))
            else:
                membership = socket.inet_pton(family, GROUP_6) + struct.pack("@I", local.index)
                hearing.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, membership)
                sending.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, local.index)
                sending.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
                sending.bind((str(local.address), 0, 0, local.index))
                sending.sendto(query, (GROUP_6, MDNS_PORT, 0, local.index))
            end = monotonic() + LISTEN_SECONDS
            while (left := end - monotonic()) > 0:
                for ready in select.select([hearing, sending], [], [], left)[0]:
                    data, source = ready.recvfrom(9000)
                    heard |= ready is hearing and data == query
                    if ready is sending:
                        others.add(str(source[0]).partition("%")[0])
    except OSError as error:
        return MulticastEcho(error=error)
    return MulticastEcho(heard, frozenset(others) - own)


def _query() -> bytes:
    """Asks for tables, and for anything that is announced (RFC 6763, section 9). Its number is random."""
    names = (SERVICE, "_services._dns-sd._udp.local.")
    asked = b"".join(
        b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + struct.pack("!2H", 12, 1)
        for name in names
    )
    return random_bytes(2) + struct.pack("!5H", 0, len(names), 0, 0, 0) + asked


def _shared_socket(family: socket.AddressFamily) -> socket.socket:
    """Returns a socket at the port of mDNS that other programs may use at the same time. Raises OSError."""
    shared = socket.socket(family, socket.SOCK_DGRAM)
    try:
        shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            shared.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        shared.bind(("", MDNS_PORT))
    except OSError:
        shared.close()
        raise
    return shared


# -- tables ------------------------------------------------------------------------------------------------------------


def _card(identity: Identity) -> TableCard:
    """Returns the card of a table without seats."""
    return TableCard(identity.public, "doctor", "none", 0, 0, 0, PeerVersion.own())


async def _check_tables() -> list[CheckResult]:
    """Returns which tables are announced, and whether they answer."""
    async with Browser() as browser:
        if browser.problem is None:
            await asyncio.sleep(LISTEN_SECONDS)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(DECIDE_SECONDS):
                    while browser.undecided:  # noqa: ASYNC110 - it tells nobody that a table does not answer
                        await asyncio.sleep(POLL_SECONDS)
        checks = [
            CheckResult(f"table of {one.card.nickname}", True, f"answers at {one.address}") for one in browser.found
        ]
        for name in sorted(browser.silent | browser.undecided):
            advice = (
                f"Allow the host’s TCP port, usually {DEFAULT_PORT}, in the firewall of the host’s computer, and use "
                "the same network, not guest Wi-Fi."
            )
            checks.append(CheckResult(f"table {name}", False, "is announced, but does not answer.", advice))
        return checks


async def _answers(address: str, port: int) -> bool:
    """Returns whether a table answers there."""
    try:
        probe = await CardProbe.connect(address, port, CONNECT_SECONDS)
    except Unreachable:
        return False
    await probe.close()
    return True


def _speaks(where: str, speaker: PeerVersion) -> CheckResult:
    if set(speaker.revisions) & set(REVISIONS):
        return CheckResult(f"version of {where}", True, str(speaker))
    own = PeerVersion.own()
    return CheckResult(f"version of {where}", False, f"{speaker}; you have {own}.", "Update the older one.")


async def _check_announced(where: str, card: TableCard) -> CheckResult:
    """Returns whether a table that answers at its address is also heard."""
    what, prefix = f"announcement of {where}", instance_prefix(card.identity)
    async with Browser() as browser:
        if await wait_for_table(browser, lambda table: table.name.startswith(prefix), ANNOUNCED_SECONDS) is not None:
            return CheckResult(what, True, "Received, so others will find it.")
    advice = f"Something between you blocks multicast. Join by address: kimberley join {where}"
    return CheckResult(what, False, "It answers, but its announcement does not get through.", advice)
