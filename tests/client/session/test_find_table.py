"""A name means a host only if exactly one host has it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

from kimberley.client.session import find_table as module
from kimberley.client.session.find_table import find_table, is_no_name
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.discovery.mdns import Browser, DiscoveredTable
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.table_card import TableCard
from tests.support.asyncs import run


def host(key: bytes, nickname: str) -> DiscoveredTable:
    """Returns an open table."""
    card = TableCard(key * 32, nickname, "stones", 1, 2, 1, PeerVersion.own())
    return DiscoveredTable(f"table {key!r}", card, f"192.168.1.{key[0]}", 7411, 0.0, 0.001)


class PretendListing:
    """A network on which hosts answer one after the other."""

    def __init__(self) -> None:
        self.found: tuple[DiscoveredTable, ...] = ()
        self.problem: str | None = None
        self.listeners: list[Callable[[object], None]] = []

    def subscribe(self, listener: Callable[[object], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: None

    def answer(self, *hosts: DiscoveredTable) -> None:
        self.found += hosts
        for listener in self.listeners:
            listener(None)


@asynccontextmanager
async def listening(network: PretendListing) -> AsyncIterator[Browser]:
    yield cast(Any, network)


def test_a_name_is_typed_as_its_host_typed_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others see it without what is invisible in it."""
    monkeypatch.setattr(module, "NAMESAKE_SECONDS", 0)
    there = host(b"a", "I \u2665 NY")

    async def story() -> None:
        network = PretendListing()
        network.answer(there)
        assert await find_table(" I \u2665\ufe0f NY", listening(network)) is there

    run(story())


@pytest.mark.parametrize("second", [None, "ben", "ana"])
def test_of_two_hosts_with_one_name_none_is_joined_silently(
    second: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = host(b"a", "ana")

    async def story() -> None:
        network, paused = PretendListing(), asyncio.Event()
        sleep = asyncio.sleep

        async def pause(seconds: float) -> None:
            assert seconds == module.NAMESAKE_SECONDS
            paused.set()
            await sleep(0.05)

        monkeypatch.setattr(asyncio, "sleep", pause)
        looking = asyncio.create_task(find_table("ANA", listening(network)))
        await sleep(0)
        network.answer(first)
        await paused.wait()
        if second is not None:
            network.answer(host(b"b", second))
        if second == "ana":
            with pytest.raises(UserError, match="Several hosts are called"):
                await looking
        else:
            assert await looking is first

    run(story())


@pytest.mark.parametrize("name", ["Dr. No", "Dr.No", "Cup: Final", "Cup:Final", "a:b*?", ".", "1. FC Köln"])
def test_names_may_have_the_marks_of_addresses(name: str) -> None:
    assert not is_no_name(name)


@pytest.mark.parametrize(
    "where",
    [
        "192.168.1.7",
        "ana.local",
        "ana.local:7412",
        "ana:7412",
        "fe80::1",
        "[::1]:7411",
        "192.168.1.999",
        "1.2.3:x",
        "１９２．１６８．１．７：７４１２",
        "192。168。1。7:7412",
        "١٩٢.١٦٨.١.٧:٧٤١٢",
        "١٩٢٫١٦٨٫١٫٧:7412",
        "१९२.१६८.१.७:7412",
    ],
)
def test_an_address_is_no_name_even_if_it_is_wrong(where: str) -> None:
    assert is_no_name(where)
