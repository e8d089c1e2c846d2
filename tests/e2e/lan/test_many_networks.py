"""Hosts and guests with many networks of their own, as on a developer's computer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.asyncs import run
from tests.support.effort import one_is_quick, spread
from tests.support.lan import Lan


@pytest.fixture
def lan() -> Iterator[Lan]:
    with Lan(2) as network:
        yield network


@pytest.mark.parametrize("name", spread(1, ["br-", "net", "room"]))
@pytest.mark.parametrize("both", one_is_quick(True, [False, True]), ids=["host", "both"])
def test_a_host_with_many_networks_is_found_whatever_they_are_called(lan: Lan, name: str, both: bool) -> None:
    async def story() -> None:
        lan.add_networks(1, name)
        if both:
            lan.add_networks(2, name)
        async with lan.program(1, "host", "ana") as host:
            addresses = (await host.says(event="open"))["addresses"]
            assert "10.77.0.1" in addresses
            assert (len(addresses) > 40) == (name == "room")
            async with lan.program(2, "browse") as browser:
                assert (await browser.says(event="came"))["address"] == "10.77.0.1"

    run(story())


def test_a_bridge_with_a_cable_leads_to_others(lan: Lan) -> None:
    """Another network has the default route, such as that of a VPN."""

    async def story() -> None:
        lan.add_networks(1, "room", count=1)
        lan.run(
            "ip -n h1 addr del 10.77.0.1/24 dev eth0",
            "ip -n h1 link add lan0 type bridge",
            "ip -n h1 link set eth0 master lan0",
            "ip -n h1 addr add 10.77.0.1/24 dev lan0",
            "ip -n h1 link set lan0 up",
            "ip -n h1 route add default via 10.17.0.9 dev room0",
        )
        async with lan.program(1, "host", "ana") as host, lan.program(2, "browse") as browser:
            assert (await host.says(event="open"))["addresses"][:2] == ["10.17.0.1", "10.77.0.1"]
            assert (await browser.says(event="came"))["address"] == "10.77.0.1"

    run(story())


def test_two_hosts_that_share_an_address_are_both_found(lan: Lan) -> None:
    async def story() -> None:
        for number in (1, 2):
            lan.add_networks(number, "room", count=1)
        async with lan.program(1, "host", "ana") as ana, lan.program(2, "host", "ben") as ben:
            for host in (ana, ben):
                await host.says(event="open")
            async with lan.program(2, "browse") as browser:
                assert (await browser.says(event="came", host="ana"))["address"] == "10.77.0.1"
                await browser.says(event="came", host="ben")

    run(story())


def test_a_host_beyond_a_router_is_found_at_an_address_that_leads_there(lan: Lan) -> None:
    """The guest has another network, and multicast crosses what lies between."""

    async def story() -> None:
        lan.add_networks(1, "room")
        lan.run(
            "ip -n h2 addr del 10.77.0.2/24 dev eth0",
            "ip -n h2 addr add 10.99.0.2/32 dev eth0",
            "ip -n h2 route add 10.77.0.0/24 dev eth0",
            "ip -n h1 route add 10.99.0.2/32 dev eth0",
        )
        async with lan.program(1, "host", "ana") as host, lan.program(2, "browse") as browser:
            await host.says(event="open")
            assert (await browser.says(event="came"))["address"] == "10.77.0.1"

    run(story())
