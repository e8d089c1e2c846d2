"""Machines with more networks than others can reach: what they announce, and what others try first."""

from __future__ import annotations

import socket
import sys
from collections.abc import Mapping
from random import Random

import ifaddr
import pytest
from zeroconf._protocol.outgoing import DNSOutgoing
from zeroconf.asyncio import AsyncServiceInfo

from kimberley.p2p.discovery.mdns import Announcer
from kimberley.p2p.discovery.peer_rediscovery import PeerRediscovery
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport import mesh
from kimberley.p2p.transport.address import announced_addresses, likeliest_first
from kimberley.p2p.transport.dial import Unreachable
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.mesh import HostPort, Mesh
from kimberley.p2p.transport.table_card import TableCard
from tests.support.asyncs import run, until
from tests.support.willing_socket import WillingSocket

ANSWER = 0x8400
"""The flags of an answer of mDNS (RFC 6762, section 18)."""
LAPTOP = {
    "lo": ["127.0.0.1/8"],
    "br-5f3a": ["172.18.0.1/16"],
    "docker0": ["172.17.0.1/16", "fe80::42/64"],
    "tun0": ["10.8.0.2/24"],
    "wlan0": ["192.168.1.7/24", "2001:db8::7/64", "fe80::7/64"],
}


def machine(monkeypatch: pytest.MonkeyPatch, interfaces: Mapping[str, list[str]]) -> None:
    """Gives this machine the addresses of these interfaces."""

    def ip(address: str, name: str) -> ifaddr.IP:
        host, _, prefix = address.partition("/")
        return ifaddr.IP((host, 0, 0) if ":" in host else host, int(prefix), name)

    adapters = [
        ifaddr.Adapter(name, name, [ip(address, name) for address in addresses], index)
        for index, (name, addresses) in enumerate(interfaces.items(), 1)
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    monkeypatch.setattr(socket, "socket", WillingSocket)


def announced(nickname: str) -> AsyncServiceInfo:
    """Returns what the host of a table with this nickname announces."""
    card = TableCard(Identity.fresh().public, nickname, "diamond-trust", 12, 1, 6, PeerVersion.own())
    return Announcer(65535, card).service()


def test_a_machine_announces_no_network_of_its_own_containers(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, LAPTOP)
    assert announced_addresses() == ["192.168.1.7", "10.8.0.2", "2001:db8::7", "fe80::7"]


@pytest.mark.parametrize("network", ["10.{0}.0.1/24", "2001:db8:{0:x}::1/64"])
def test_all_addresses_of_forty_networks_are_announced(monkeypatch: pytest.MonkeyPatch, network: str) -> None:
    machine(monkeypatch, {f"room{n}": [network.format(n)] for n in range(40)})
    assert len(announced("ana").parsed_addresses()) == 40


@pytest.mark.parametrize("nickname", ["ana", "\N{GRINNING FACE}" * 40])
@pytest.mark.parametrize("networks", [["10.{0}.0.1/24"], ["2001:db8:{0:x}::1/64"], ["10.{0}.0.1/24", "fe80::{0:x}/64"]])
def test_what_a_machine_announces_fits_into_a_packet(
    monkeypatch: pytest.MonkeyPatch, networks: list[str], nickname: str
) -> None:
    machine(monkeypatch, {f"room{n}": [network.format(n) for network in networks] for n in range(90)})
    found = announced(nickname)
    assert len(found.parsed_addresses()) >= 32
    answer = DNSOutgoing(ANSWER)
    for record in (found.dns_pointer(), found.dns_service(), found.dns_text(), *found.get_address_and_nsec_records()):
        answer.add_answer_at_time(record, 0)
    assert len(answer.packets()) == 1


def test_a_machine_with_no_other_network_announces_those(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, {name: LAPTOP[name] for name in ("lo", "docker0", "br-5f3a")})
    assert announced_addresses() == ["172.17.0.1", "172.18.0.1", "fe80::42"]


def test_a_machine_with_only_a_vpn_beside_them_announces_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else tells a bridge that leads to players nearby, such as one of Hyper-V."""
    machine(monkeypatch, {"vEthernet (LAN)": ["192.168.1.7/24"], "tun0": ["10.8.0.2/24"]})
    assert announced_addresses() == ["10.8.0.2", "192.168.1.7"]


def test_a_network_that_leads_to_the_internet_is_announced_whatever_it_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Routed(WillingSocket):
        def connect(self, where: tuple[object, ...]) -> None: ...

        def getsockname(self) -> tuple[str, int]:
            return "192.168.1.7", 1

    machine(monkeypatch, {"vEthernet (LAN)": ["192.168.1.7/24"], "vEthernet (WSL)": ["172.20.0.1/20"], **{
        name: LAPTOP[name] for name in ("lo", "tun0")
    }})  # fmt: skip
    monkeypatch.setattr(socket, "socket", Routed)
    assert sorted(announced_addresses()) == ["10.8.0.2", "192.168.1.7"]


def test_the_likeliest_address_is_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, LAPTOP)
    expected = [
        *("192.168.1.9", "2001:db8::9", "fe80::9%wlan0"),
        "10.8.0.9",
        *("10.99.0.9", "2001:db8:1::9"),
        *("172.18.0.9", "fe80::9%docker0"),
        "172.17.0.1",
    ]
    for seed in range(5):
        mixed = Random(seed).sample(expected, len(expected))
        assert likeliest_first(mixed) == expected


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all loopback addresses")
def test_a_lost_seat_is_looked_for_at_all_addresses_that_it_announces() -> None:
    addresses = [f"127.0.0.{number}" for number in range(1, 21)]

    async def story() -> None:
        found: dict[bytes, set[HostPort]] = {}
        game, ana, ben = bytes(32), Identity.fresh().public, Identity.fresh().public
        seats = [
            PeerRediscovery(game, own, port, lambda who, where: found.update({who: set(where)}), addresses)
            for own, port in ((ana, 7001), (ben, 7002))
        ]
        for seat, other in zip(seats, (ben, ana), strict=True):
            seat.set_missing([other])
        await until(lambda: len(found) == 2)
        assert found == {who: {(one, port) for one in addresses} for who, port in ((ana, 7001), (ben, 7002))}
        for seat in seats:
            await seat.close()

    run(story())


def test_a_seat_that_moved_is_tried_at_all_addresses_where_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[HostPort] = []

    async def nobody(host: str, port: int, *more: object, **named: object) -> None:
        tried.append((host, port))
        raise Unreachable("nobody")

    monkeypatch.setattr(mesh, "dial", nobody)
    monkeypatch.setattr(mesh, "STAGGER_SECONDS", 0)
    places = [(f"10.0.0.{number}", 7411) for number in range(40)]

    async def story() -> None:
        seats = Mesh(Identity.fresh(), lambda *_: pytest.fail("no link"), lambda _: None)
        peer = Identity.fresh().public
        seats.add_candidates(peer, places)
        with pytest.raises(Unreachable):
            await seats.dialer(peer)()
        assert sorted(tried) == sorted(places)

    run(story())
