"""Goodbyes of tables: nothing that is sent before or with them keeps a table alive for those who hear it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import cast

import pytest
from zeroconf._dns import DNSPointer, DNSQuestion
from zeroconf._protocol.incoming import DNSIncoming
from zeroconf._protocol.outgoing import DNSOutgoing
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from kimberley.p2p.discovery import mdns
from kimberley.p2p.discovery.mdns import SERVICE, Announcer, Browser
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.table_card import TableCard
from tests.support.announced import Announcements
from tests.support.asyncs import run, settled, until
from tests.support.stones import STONES

HERE = ["127.0.0.1"]
GROUP = ("224.0.0.251", 5353)
QUERY, ANSWER = 0x0000, 0x8400
"""The flags of a query and an answer of mDNS (RFC 6762, section 18)."""
PTR, IN = 12, 1
CARD = TableCard(Identity.fresh().public, "ana", "stones", 3, 1, 2, PeerVersion.own())


class Network(asyncio.DatagramProtocol):
    """Somebody else on the network of this machine, with a socket at the port of mDNS."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bool]] = []
        """The name of each table that was announced, or said goodbye, and which of both."""
        self.answer: DNSOutgoing | None = None
        """What to answer, to one-shot queries alone."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, origin: tuple[str, int]) -> None:
        message = DNSIncoming(data)
        for record in message.answers() if message.is_response() else ():
            if isinstance(record, DNSPointer) and record.name == SERVICE:
                self.heard.append((record.alias.removesuffix(f".{SERVICE}"), record.ttl > 0))
        if message.is_query() and self.answer is not None and origin[1] != GROUP[1]:
            self.say(self.answer, origin)

    def say(self, message: DNSOutgoing, where: tuple[str, int] = GROUP) -> None:
        for packet in message.packets():
            self.transport.sendto(packet, where)

    def ask(self) -> None:
        """Asks everybody for tables."""
        query = DNSOutgoing(QUERY)
        query.add_question(DNSQuestion(SERVICE, PTR, IN))
        self.say(query)

    def of(self, name: str) -> list[bool]:
        """Returns what was heard of a table: True for each announcement, False for each goodbye."""
        return [announced for heard, announced in self.heard if heard == name]


@asynccontextmanager
async def network() -> AsyncIterator[Network]:
    shared = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "SO_REUSEPORT"):
        shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    shared.bind(("", GROUP[1]))
    here = socket.inet_aton(HERE[0])
    shared.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP[0]) + here)
    shared.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, here)
    _, heard = await asyncio.get_running_loop().create_datagram_endpoint(Network, sock=shared)
    try:
        yield heard
    finally:
        heard.transport.close()


def records(info: AsyncServiceInfo, ttl: int | None) -> DNSOutgoing:
    """Returns the announcement of a table; its goodbye if `ttl` is 0."""
    message = DNSOutgoing(ANSWER)
    for record in (info.dns_pointer(ttl), info.dns_service(ttl), info.dns_text(ttl), *info.dns_addresses(ttl)):
        message.add_answer_at_time(record, 0)
    return message


# -- hosts -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_answer_that_zeroconf_has_put_off_does_not_follow_the_goodbye() -> None:
    async def play() -> None:
        async with network() as others, Announcer(7, CARD, HERE) as announcer:
            await until(lambda: True in others.of(announcer.name))
            # What was sent within the last second is sent again after 1.02 to 1.12 seconds.
            others.ask()
            await asyncio.sleep(0.95)
            await announcer.close()
            await until(lambda: False in others.of(announcer.name))
            await asyncio.sleep(0.1)
            heard = others.of(announcer.name)
            assert True not in heard[heard.index(False) :]

    run(play())


@pytest.mark.slow
def test_a_change_at_the_end_is_not_announced_after_the_goodbye() -> None:
    async def play() -> None:
        async with network() as others, Announcer(7, CARD, HERE) as announcer:
            await until(lambda: True in others.of(announcer.name))
            for turns in range(4):
                changing = asyncio.create_task(announcer.update(replace(CARD, taken=2)))
                for _ in range(turns):
                    await asyncio.sleep(0)
            await announcer.close()
            await changing
            await until(lambda: False in others.of(announcer.name))
            await asyncio.sleep(0.3)
            heard = others.of(announcer.name)
            assert True not in heard[heard.index(False) :]

    run(play())


@pytest.mark.slow
@pytest.mark.parametrize("opened", [False, True])
def test_a_table_that_is_closed_at_once_is_not_announced_afterwards(opened: bool) -> None:
    async def play() -> None:
        async with network() as others:
            announcer = Announcer(7, CARD, HERE)
            starting = asyncio.create_task(announcer.start())
            if opened:
                await until(lambda: True in others.of(announcer.name))
            await asyncio.sleep(0)
            await announcer.close()
            await starting
            await asyncio.sleep(0.3)
            heard = others.of(announcer.name)
            assert True not in heard[heard.index(False) if opened else 0 :]

    run(play())


@pytest.mark.slow
def test_a_change_while_a_table_is_being_announced_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    opening = mdns.open_multicast

    async def play() -> None:
        announcer = Announcer(7, CARD, HERE)
        changing: list[asyncio.Task[None]] = []

        async def open_and_change(*arguments: object, **options: object) -> AsyncZeroconf:
            opened = await opening(HERE)
            change = announcer.update(replace(CARD, taken=2))
            asyncio.get_running_loop().call_soon(lambda: changing.append(asyncio.create_task(change)))
            return opened

        monkeypatch.setattr(mdns, "open_multicast", open_and_change)
        async with announcer:
            await settled()
            await asyncio.gather(*changing)
            assert announcer.problem is None
            assert announcer.service().properties[b"open"] == b"0"
            asked = AsyncZeroconf(interfaces=HERE)
            info = AsyncServiceInfo(SERVICE, f"{announcer.name}.{SERVICE}")
            assert await info.async_request(asked.zeroconf, 5000)
            assert info.properties[b"open"] == b"0"
            await asked.async_close()

    run(play())


@pytest.mark.slow
def test_a_table_says_goodbye_before_its_players_have_parted(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with network() as others:
            table = await Table.open(
                STONES, nickname="ana", identity=Identity.fresh(), data=None, port=0, bind=HERE[0], headless=True
            )
            (name,) = await announced_by(others, table)
            parted = asyncio.Event()
            monkeypatch.setattr(table.spectators, "close", parted.wait)
            closing = asyncio.create_task(table.close())
            await until(lambda: False in others.of(name), 20)
            parted.set()
            await closing

    async def announced_by(others: Network, table: Table) -> set[str]:
        prefix = mdns.instance_prefix(table.identity.public)
        await until(lambda: any(name.startswith(prefix) for name, _ in others.heard))
        return {name for name, _ in others.heard if name.startswith(prefix)}

    run(play())


# -- who looks for tables ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_announcement_that_comes_after_the_goodbye_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    hearing = Announcements(monkeypatch)
    monkeypatch.setattr(mdns, "LATE_SECONDS", 0.2)

    async def play() -> None:
        async with Browser(HERE) as browser:
            hearing.announce("table")
            assert browser.announced
            hearing.withdraw("table")
            assert not browser.announced
            hearing.announce("table")
            hearing.announce("another")
            assert [*browser.announced] == [f"another.{SERVICE}"]
            await asyncio.sleep(0.25)
            hearing.announce("table")
            assert f"table.{SERVICE}" in browser.announced

    run(play())


def test_a_table_that_answered_to_a_one_shot_query_alone_says_goodbye_to_everybody() -> None:
    async def play() -> None:
        name = mdns.instance_name(CARD.identity)
        info = AsyncServiceInfo(
            SERVICE, f"{name}.{SERVICE}", port=9, server=f"{name}.local.", parsed_addresses=HERE, properties={}
        )
        async with network() as others, Browser(HERE) as browser:
            others.answer = records(info, None)
            await until(lambda: info.name in browser.announced)
            others.answer = None
            await until(lambda: name in browser.silent)
            others.say(records(info, 0))
            await until(lambda: info.name not in browser.announced, 10)
            await until(lambda: name not in browser.silent, 10)

    run(play())
