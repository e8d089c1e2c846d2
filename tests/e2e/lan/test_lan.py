"""Tables on a network of several hosts. These tests need network namespaces."""

import asyncio
from collections.abc import Iterator

import pytest

from kimberley.p2p.discovery.mdns import ASK_AGAIN_SECONDS, FORGET_SECONDS
from tests.support.asyncs import run
from tests.support.lan import Lan

GUEST_NETWORK = "10.77.0.1 does not answer. Check the address. A firewall may block the table"

BROWSER_STARTS_SECONDS = 25
"""What zeroconf's browser asks at its start is asked by then (RFC 6762, section 5.2)."""


@pytest.fixture
def lan() -> Iterator[Lan]:
    with Lan(3) as network:
        yield network


def test_who_waits_and_who_comes_later_sees_a_host_until_it_says_goodbye(lan: Lan) -> None:
    async def story() -> None:
        async with lan.program(2, "browse") as waiting:
            await waiting.says(event="browsing", problem=None)
            async with lan.program(1, "host", "ana") as host:
                opened = await host.says(event="open", port=7411)
                assert opened["addresses"][0] == "10.77.0.1"
                assert (await waiting.says(event="came", host="ana"))["address"] == "10.77.0.1"
                async with lan.program(3, "browse") as new:
                    await new.says(event="came", host="ana", address="10.77.0.1", open=1)
                host.interrupt()
                await waiting.says(event="went", host="ana")
                await host.says(event="closed")

    run(story())


def test_a_host_goes_from_every_list_while_its_cable_is_out_and_when_it_is_killed(lan: Lan) -> None:
    async def story() -> None:
        async with (
            lan.program(1, "host", "ana") as host,
            lan.program(2, "browse") as one,
            lan.program(3, "browse") as other,
        ):
            browsers = (one, other)
            for browser in browsers:
                await browser.says(event="came", host="ana")
            lan.run("ip link set v1 nomaster")
            for browser in browsers:
                await browser.says(event="went", host="ana")
                browser.forget()
            lan.run("ip link set v1 master br0")
            for browser in browsers:
                await browser.says(event="came", host="ana")
                browser.forget()
            host.kill()
            for browser in browsers:
                await browser.says(event="went", host="ana")
                await browser.says(event="silent", count=1)
                browser.forget()
            for browser in browsers:
                # It announced itself last before it was killed.
                await browser.says(FORGET_SECONDS + 5, event="silent", count=0)

    run(story(), 400)


def test_a_game_is_found_joined_and_played(lan: Lan) -> None:
    async def story() -> None:
        async with lan.program(1, "host", "ana") as host:
            await host.says(event="open")
            async with lan.program(2, "join", "ben", "ana") as guest:
                for seat in (host, guest):
                    assert (await seat.says(event="playing"))["names"] == ["ana", "ben"]
                    assert (await seat.says(event="done"))["verdict"] == "fair"

    run(story())


def test_without_multicast_joining_by_address_works(lan: Lan) -> None:
    async def story() -> None:
        lan.run(*(f"bridge link set dev v{port} mcast_flood off" for port in (1, 2, 3)))
        async with lan.program(1, "host", "ana") as host, lan.program(3, "look", "2") as looker:
            await host.says(event="open")
            assert (await looker.says(event="listed"))["hosts"] == []
            async with lan.program(2, "join", "ben", "10.77.0.1") as guest:
                assert (await guest.says(event="done"))["verdict"] == "fair"

    run(story())


def test_where_clients_are_kept_apart_the_joiner_is_told_what_may_be_wrong(lan: Lan) -> None:
    async def story() -> None:
        lan.run(*(f"bridge link set dev v{port} isolated on" for port in (1, 2, 3)))
        async with lan.program(1, "host", "ana") as host, lan.program(3, "look", "2") as looker:
            await host.says(event="open")
            assert await looker.says(event="listed") == {**looker.said[0], "hosts": [], "problem": None}
            async with lan.program(2, "join", "ben", "10.77.0.1") as guest:
                assert (await guest.says(event="trouble"))["sentence"].startswith(GUEST_NETWORK)

    run(story())


def test_a_host_is_found_by_who_looked_before_the_network_carried_anything(lan: Lan) -> None:
    async def story() -> None:
        lan.run("ip link set v2 nomaster")
        async with lan.program(1, "host", "ana") as host, lan.program(2, "browse") as browser:
            await host.says(event="open")
            await browser.says(event="browsing")
            await asyncio.sleep(BROWSER_STARTS_SECONDS)
            lan.run("ip link set v2 master br0")
            await browser.says(max(ASK_AGAIN_SECONDS) + 5, event="came", host="ana")

    run(story())


def test_a_host_behind_a_firewall_is_counted_and_not_listed(lan: Lan) -> None:
    async def story() -> None:
        lan.run("ip -n h1 rule add ipproto tcp blackhole", "ip -n h1 -6 rule add ipproto tcp blackhole")
        async with lan.program(1, "host", "ana") as host, lan.program(2, "browse") as browser:
            await host.says(event="open")
            await browser.says(event="silent", count=1)
            assert not [line for line in browser.said if line["event"] == "came"]

    run(story())


def test_addresses_that_lead_nowhere_do_not_keep_a_host_from_being_reached(lan: Lan) -> None:
    async def story() -> None:
        lan.run(
            "ip netns exec h1 sysctl -qw net.ipv4.conf.all.arp_ignore=1",
            "ip -n h1 link add tun0 type veth peer name far",
            "ip -n h1 link set far up",
            "ip -n h1 link set tun0 up",
            "ip -n h1 addr add 10.99.0.1/24 dev tun0",
            "ip -n h1 route add default dev tun0",
            "ip -n h2 route add 10.99.0.0/24 dev eth0",
        )
        async with lan.program(1, "host", "ana") as host:
            assert (await host.says(event="open"))["addresses"][:2] == ["10.77.0.1", "10.99.0.1"]
            async with lan.program(2, "join", "ben", "ana") as guest:
                assert (await guest.says(event="found"))["address"] == "10.77.0.1"
                assert (await guest.says(event="done"))["verdict"] == "fair"

    run(story())


def test_addresses_that_every_machine_gives_itself_are_enough(lan: Lan) -> None:
    """IPv6 with link-local addresses only: no router, no address server."""

    async def story() -> None:
        lan.run(*(f"ip -n h{host} -4 addr flush dev eth0" for host in (1, 2, 3)))
        async with lan.program(1, "host", "ana") as host:
            (address,) = (await host.says(event="open"))["addresses"]
            assert address.startswith("fe80::")
            async with lan.program(2, "join", "ben", "ana") as guest:
                found = (await guest.says(event="found"))["address"]
                assert found.partition("%")[0] == address.partition("%")[0]
                assert (await guest.says(event="done"))["verdict"] == "fair"

    run(story())


def test_no_network_is_a_sentence_for_host_and_joiner(lan: Lan) -> None:
    async def story() -> None:
        lan.run("ip -n h1 link set eth0 down", "ip -n h1 link set lo down", "ip -n h1 addr flush dev eth0")
        async with lan.program(1, "host", "ana") as host, lan.program(1, "look", "1") as looker:
            assert (await host.says(event="open"))["addresses"] == []
            assert "cannot be found automatically" in (await host.says(event="announced"))["problem"]
            assert "cannot be found automatically" in (await looker.says(event="listed"))["problem"]
        async with lan.program(1, "join", "ben", "10.77.0.2") as guest:
            assert (await guest.says(event="trouble"))["sentence"] == (
                "This computer cannot reach 10.77.0.2. Is it connected to the network?"
            )

    run(story())


def test_a_game_outlives_its_network(lan: Lan) -> None:
    async def story() -> None:
        async with lan.program(1, "host", "ana", "40") as host:
            await host.says(event="open")
            async with lan.program(2, "join", "ben", "10.77.0.1") as guest:
                await guest.says(event="playing")
                lan.run("ip link set v1 nomaster")
                for seat, other in ((host, 1), (guest, 0)):
                    await seat.says(event="away", seats=[other])
                lan.run("ip link set v1 master br0")
                for seat in (host, guest):
                    assert (await seat.says(event="done"))["verdict"] == "fair"

    run(story(), 400)
