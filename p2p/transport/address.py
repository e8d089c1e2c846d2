"""Addresses of peers: as people type them, and those of this machine."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate
from typing import Final

from kimberley.games.phrases import join_names
from kimberley.p2p.base.errors import NotRetryable
from kimberley.p2p.base.platform import bridged, is_bridge, scope_id
from kimberley.p2p.base.text import narrow
from kimberley.p2p.transport.ports import DEFAULT_PORT, MDNS_PORT

_PRIVATE: Final = re.compile(r"utun|tun|tap|wg|tailscale|zt|ham|ppp|awdl|llw|anpi|.*(wireguard|npcap)")
"""Interfaces of private networks. They lead to computers far away, and rarely to players nearby."""
_INNER: Final = re.compile(
    r"docker|br-|virbr|veth|vb-|fwpr|vbox|vmnet|vmenet|vnet|bridge|lxcbr|lxdbr|incusbr|podman|cni|flannel|cali|kube|weave|"
    r".*(virtualbox|vmware|hyper-v|vethernet)"
)
"""Interfaces to the containers and virtual machines of a computer. They do not lead to other computers."""

_HOST_NAME: Final = re.compile(r"(?=.{1,254}\Z)(?=[A-Za-z0-9])([A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{0,62}[A-Za-z0-9]")
"""Labels of 1 to 63 characters: names with other labels cannot even be looked up."""

_POINTS: Final = str.maketrans("。٫", "..")
"""What East Asian and Arabic keyboards type for a point."""

MOST_SCOPE: Final = 15
"""Characters in the name of an interface (Linux and macOS). On Windows the scope is a number."""
MOST_EXAMPLES: Final = 3
ANNOUNCED_BYTES: Final = 1280
"""What the addresses and the text of an announcement may take together, to fit into one packet with its names. If it
took several packets, others might know only one of them when they look.
"""
RECORD_BYTES: Final = {4: 16, 6: 28}
"""The bytes that an address takes in a packet, by its version."""


def parse_address(text: str) -> tuple[str, int]:
    """Returns host and port of "192.168.1.7", "192.168.1.7:7412", "ana.local", "[fe80::1%eth0]:7412" or "fe80::1%eth0",
    typed on any keyboard.

    Raises UserError if it is none of these.
    """
    typed, text = text.strip(), as_address(text)
    bracketed = re.fullmatch(r"\[([^]]+)\](?::(\d{1,5}))?", text)
    plain = re.fullmatch(r"([^:\[\]]+)(?::(\d{1,5}))?", text)
    match = bracketed or plain
    if match is None and is_ip(text):
        return text, DEFAULT_PORT
    if match is not None:
        host, port = match[1], int(match[2] or DEFAULT_PORT)
        if 0 < port < 1 << 16 and (is_ip(host) or (plain is not None and _HOST_NAME.fullmatch(host))):
            return host, port
    raise NotRetryable(
        f'"{typed}" is not an address. Type it as on the host’s screen, such as 192.168.1.7 or 192.168.1.7:7412.'
    )


def as_address(text: str) -> str:
    """Returns what people type as an address with the digits, points and colons that addresses have."""
    usual = narrow(text).translate(_POINTS).strip()
    return "".join(c if (digit := unicodedata.decimal(c, None)) is None else str(digit) for c in usual)


def is_ip(text: str) -> bool:
    """Returns whether the text is an IPv4 or IPv6 address, with or without a scope that an interface can have."""
    scope = text.partition("%")[2]
    if len(scope) > MOST_SCOPE or not scope.isprintable() or any(sign in scope for sign in (" ", "[", "]", "..")):
        return False
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def remote_address(transport: asyncio.BaseTransport) -> str:
    """Returns where a connection comes from. An IPv4 address that is mapped into IPv6 is that IPv4 address."""
    name: tuple[str, ...] = transport.get_extra_info("peername", ("nowhere",))
    return name[0].removeprefix("::ffff:")


def origin(address: str) -> str:
    """Returns the key by which connections from an address are counted: an IPv4 address itself, even inside IPv6; the
    /64 of an IPv6 address, since one machine can own all of it.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    return str(parsed.ipv4_mapped or ipaddress.IPv6Network((int(parsed) >> 64 << 64, 64)))


def is_loopback(text: str) -> bool:
    """Returns whether the text is an address that leads every machine to itself."""
    return is_ip(text) and ipaddress.ip_address(text).is_loopback


def is_own_host(host: str) -> bool:
    """Returns whether a host's name or address in a link leads every machine to itself."""
    return host == "localhost" or is_loopback(host)


def lacks_scope(text: str) -> bool:
    """Returns whether the text is a link-local address of IPv6 that does not name its interface."""
    if not is_ip(text) or "%" in text:
        return False
    address = ipaddress.ip_address(text)
    return address.version == 6 and address.is_link_local


def with_scope_of(address: str, host: str) -> str:
    """Returns `address` as used by a machine that reaches its neighbor at `host`: link-local IPv6 needs a scope."""
    _, _, scope = host.partition("%")
    return f"{address}%{scope}" if scope and lacks_scope(address) else address


def format_address(host: str, port: int) -> str:
    """Returns the shortest text that `parse_address` reads back."""
    if port == DEFAULT_PORT:
        return host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class Place(IntEnum):
    """Where an address is, as seen from this machine; the likeliest to answer first."""

    NEARBY = 0
    """On a network of this machine."""
    PRIVATE = 1
    """On a private network, such as a VPN."""
    ELSEWHERE = 2
    INSIDE = 3
    """On the network of this machine's containers. Other machines have such networks with the same addresses."""
    HERE = 4
    """An address that this machine has. If another one announces it, both have it for their containers."""


@dataclass(frozen=True, slots=True)
class LocalAddress:
    """An address of this machine, and its interface."""

    address: ipaddress.IPv4Address | ipaddress.IPv6Address
    interface: str
    index: int
    prefix: int
    """The length of the network's part, in bits."""

    @property
    def needs_scope(self) -> bool:
        """Whether the address means something only together with its interface: link-local IPv6."""
        return self.address.version == 6 and self.address.is_link_local

    @property
    def network(self) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
        """The network of the address."""
        return ipaddress.ip_network((self.address.packed, self.prefix), strict=False)

    def __str__(self) -> str:
        """Returns the address as it is typed on this machine, with its scope if it needs one."""
        scope = f"%{scope_id(self.interface, self.index)}" if self.needs_scope else ""
        return f"{self.address}{scope}"


def assigned_addresses() -> list[LocalAddress]:
    """Returns all addresses of this machine, usable or not, including loopback."""
    import ifaddr

    return [
        LocalAddress(
            ipaddress.ip_address(entry.ip if isinstance(entry.ip, str) else entry.ip[0]),
            adapter.nice_name,
            adapter.index or 0,
            entry.network_prefix,
        )
        for adapter in ifaddr.get_adapters()
        for entry in adapter.ips
    ]


def local_addresses() -> list[LocalAddress]:
    """Returns the usable addresses of this machine, including loopback: not tentative, and on an interface that is
    up.
    """
    return [one for one in assigned_addresses() if _multicasts(one)]


def _multicasts(local: LocalAddress) -> bool:
    """Returns whether mDNS could be sent from this address. Sends nothing."""
    try:
        if local.address.version == 4:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, local.address.packed)
                probe.bind((str(local.address), 0))
                probe.connect(("224.0.0.251", MDNS_PORT))
        else:
            with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as probe:
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, local.index)
                probe.bind((str(local.address), 0, 0, local.index))
                probe.connect(("ff02::fb", MDNS_PORT, 0, local.index))
    except OSError:
        return False
    return True


def interface_problem(host: str, port: int = DEFAULT_PORT) -> str | None:
    """Returns a sentence if an address lacks the network interface that it needs, or names one that this machine does
    not have; None if all is well, or the host is not an address.
    """
    address, _, scope = host.partition("%")
    if not is_ip(host) or not (scope or lacks_scope(host)):
        return None
    own = assigned_addresses()
    if any(scope in (one.interface, str(one.index)) for one in own):
        return None
    places = _places(own)
    linked = sorted((one for one in own if one.needs_scope), key=lambda one: places[one.interface])
    names = list(dict.fromkeys(scope_id(one.interface, one.index) for one in linked)) or ["eth0"]
    examples = join_names([format_address(f"{address}%{name}", port) for name in names[:MOST_EXAMPLES]], "or")
    if scope:
        return f"This computer has no network interface called {scope}. Type {examples}."
    return f"{address} also needs the network interface of this computer that leads there. Type {examples}."


def is_virtual(interface: str) -> bool:
    """Returns whether an interface belongs to a container, a virtual machine or a private network, by its name."""
    return any(names.match(interface.lower()) for names in (_INNER, _PRIVATE))


def _places(own: Sequence[LocalAddress]) -> dict[str, Place]:
    """Returns where each interface leads. A bridge that has the default route, or a cable, leads to others."""
    routed = _routed()
    default = {local.interface for local in own if str(local.address) in routed}
    return {name: _place_of(name, routed=name in default) for name in {local.interface for local in own}}


def _place_of(interface: str, *, routed: bool) -> Place:
    inner = not routed and (_INNER.match(interface.lower()) or is_bridge(interface))
    if inner and all(map(is_virtual, bridged(interface))):
        return Place.INSIDE
    return Place.PRIVATE if _PRIVATE.match(interface.lower()) else Place.NEARBY


def own_addresses() -> list[str]:
    """Returns the usable addresses of this machine, as they are typed on it, those likeliest to be reached first.

    Loopback is left out. IPv4 comes before IPv6, and link-local IPv6, with its scope, comes last. Within each, real
    interfaces come before those of containers and private networks, and the default route's comes first.
    """
    return [str(local) for local, _ in _own_in_order()]


def _own_in_order() -> list[tuple[LocalAddress, Place]]:
    """Returns what `own_addresses` describes, each with its place."""
    own = [local for local in local_addresses() if not local.address.is_loopback]
    routed, places = _routed(), _places(own)

    def rank(local: LocalAddress) -> tuple[bool, bool, bool, bool, str]:
        # A private network may have the default route, so the kind of interface counts first.
        virtual = places[local.interface] is not Place.NEARBY
        return local.needs_scope, local.address.version == 6, virtual, str(local.address) not in routed, str(local)

    return [(local, places[local.interface]) for local in sorted(own, key=rank)]


def _reachable() -> list[LocalAddress]:
    """Returns the addresses of `own_addresses` without those that lead only to containers and virtual machines of this
    computer, unless no other leads to players nearby.
    """
    own = _own_in_order()
    nearby = any(place is Place.NEARBY for _, place in own)
    return [local for local, place in own if place is not Place.INSIDE or not nearby]


def announced_addresses(text_bytes: int = 0) -> list[str]:
    """Returns addresses at which others may reach this machine, the likeliest first, without scopes, which mean nothing
    to others. They fit into a packet with a text of `text_bytes`.
    """
    addresses = dict.fromkeys(local.address for local in _reachable())
    sizes = accumulate(RECORD_BYTES[address.version] for address in addresses)
    room = ANNOUNCED_BYTES - text_bytes
    return [str(address) for address, size in zip(addresses, sizes, strict=True) if size <= room]


def likeliest_first(addresses: Iterable[str]) -> list[str]:
    """Returns addresses of another machine in the order in which to try them: by their place, seen from this machine,
    then IPv4 before IPv6, and link-local IPv6 last.
    """
    own = assigned_addresses()
    kinds = _places(own)
    networks = [(local.network, {local.interface, str(local.index)}, kinds[local.interface]) for local in own]
    here = {local.address.packed for local in own}

    def rank(text: str) -> tuple[Place, bool, bool]:
        address = ipaddress.ip_address(text)
        _, _, scope = text.partition("%")
        places = [place for network, names, place in networks if address in network and (not scope or scope in names)]
        place = Place.HERE if address.packed in here else min(places, default=Place.ELSEWHERE)
        return place, address.version == 6, address.version == 6 and address.is_link_local

    return sorted(addresses, key=rank)


def reachable_at(bind: str | None) -> list[str]:
    """Returns addresses at which others may reach what listens at `bind`, the likeliest first. None stands for all of
    this machine.

    So do 0.0.0.0 and ::, for IPv4 and IPv6, which mean nothing to others.
    """
    if bind is None:
        return list(map(str, _reachable()))
    if not (is_ip(bind) and (address := ipaddress.ip_address(bind)).is_unspecified):
        return [bind]
    return [str(one) for one in _reachable() if one.address.version == address.version]


def multicast_interfaces() -> tuple[list[str], list[int]]:
    """Returns where to multicast: the IPv4 addresses, including loopback, and the indices of interfaces with IPv6."""
    local = local_addresses()
    four = [str(one.address) for one in local if one.address.version == 4]
    return four, sorted({one.index for one in local if one.address.version == 6})


def _routed() -> set[str]:
    """Returns the addresses from which this machine reaches the internet, if it does. Sends nothing."""
    addresses: set[str] = set()
    # Addresses for documentation (RFC 5737, RFC 3849): no machine has them, but the default route leads there.
    for family, target in ((socket.AF_INET, "198.51.100.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((target, 9))
                addresses.add(str(probe.getsockname()[0]))
        except OSError:
            continue
    return addresses
