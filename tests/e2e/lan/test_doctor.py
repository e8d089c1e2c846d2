"""`kimberley doctor` where the network is in order, and where something is wrong. These tests need network
namespaces.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.asyncs import run
from tests.support.lan import Lan
from tests.support.paths import ROOT

HOST = "10.77.0.1"


@pytest.fixture
def lan() -> Iterator[Lan]:
    with Lan(2) as network:
        yield network


class Diagnosis:
    """What the doctor printed as JSON, and its exit status."""

    def __init__(self, status: int, printed: dict[str, Any]) -> None:
        assert status == (0 if printed["well"] else 1)
        self.well = printed["well"]
        self.bad = {one["what"]: f"{one['found']} {one['advice']}" for one in printed["findings"] if one["ok"] is False}
        self.found = {one["what"]: one["found"] for one in printed["findings"]}
        assert all(one["advice"] for one in printed["findings"] if one["ok"] is False), "each says what to do"


async def doctor(lan: Lan, host: int, folder: Path, *where: str) -> Diagnosis:
    arguments = ("-m", "kimberley.client.cli.main", "doctor", *where, "--json", "--data", str(folder))
    process = await asyncio.create_subprocess_exec(
        *lan.inside(sys.executable, *arguments, host=host), stdout=PIPE, cwd=ROOT
    )
    printed, _ = await process.communicate()
    assert process.returncode is not None
    return Diagnosis(process.returncode, json.loads(printed))


def test_all_is_well_between_two_hosts(lan: Lan, tmp_path: Path) -> None:
    async def story() -> None:
        async with lan.program(1, "host", "ana") as host:
            await host.says(event="open")
            found = await doctor(lan, 2, tmp_path, HOST)
            while found.found["multicast eth0, IPv4"] == "sent and received; no other computer answered":
                # It listens for a second. On a busy machine, a host may need longer.
                found = await doctor(lan, 2, tmp_path, HOST)
            assert (found.well, found.bad) == (True, {})
            assert found.found["interface eth0"].startswith("IPv4 and IPv6: 10.77.0.2, fe80::")
            assert found.found["interface eth0"].endswith("%eth0")
            assert found.found["multicast eth0, IPv4"] == "sent and received; 1 other answered"
            assert found.found["table of ana"] == "answers at 10.77.0.1"
            assert "10.77.0.2" in found.found["port for hosting"]
            assert found.found[HOST].startswith("ana hosts a table there. It answered in ")
            assert found.found[f"version of {HOST}"].startswith("Kimberley ")
            assert f"announcement of {HOST}" in found.found
            named = await doctor(lan, 2, tmp_path, "ana")
            assert (named.well, f"version of {HOST}" in named.found) == (True, True)

    run(story())


def test_blocked_multicast_is_told_where_the_host_answers(lan: Lan, tmp_path: Path) -> None:
    async def story() -> None:
        lan.run(*(f"bridge link set dev v{port} mcast_flood off" for port in (1, 2)))
        async with lan.program(1, "host", "ana") as host:
            await host.says(event="open")
            found = await doctor(lan, 2, tmp_path, HOST)
            assert list(found.bad) == [f"announcement of {HOST}"]
            assert f"Join by address: kimberley join {HOST}" in found.bad[f"announcement of {HOST}"]

    run(story())


def test_a_host_that_cannot_be_reached_and_one_where_nobody_hosts(lan: Lan, tmp_path: Path) -> None:
    async def story() -> None:
        found = await doctor(lan, 2, tmp_path, f"{HOST}:7500")
        assert list(found.bad) == [f"{HOST}:7500"]
        assert "Nobody is hosting a table at 10.77.0.1:7500." in found.bad[f"{HOST}:7500"]
        lan.run("ip -n h1 rule add ipproto tcp blackhole")
        found = await doctor(lan, 2, tmp_path, HOST)
        assert "10.77.0.1 does not answer. Check the address. A firewall may block the table" in found.bad[HOST]

    run(story())


def test_a_table_that_is_announced_behind_a_firewall(lan: Lan, tmp_path: Path) -> None:
    async def story() -> None:
        lan.run("ip -n h1 rule add ipproto tcp blackhole", "ip -6 -n h1 rule add ipproto tcp blackhole")
        async with lan.program(1, "host", "ana") as host:
            await host.says(event="open")
            (said,) = (await doctor(lan, 2, tmp_path)).bad.values()
            assert said.startswith("is announced, but does not answer. Allow the host’s TCP port, usually 7411,")

    run(story())


def test_a_host_of_another_revision(lan: Lan, tmp_path: Path) -> None:
    async def story() -> None:
        async with lan.program(1, "newer", "ana") as host:
            await host.says(event="open")
            found = await doctor(lan, 2, tmp_path, HOST)
            assert list(found.bad) == [f"version of {HOST}"]
            said = found.bad[f"version of {HOST}"]
            assert said.startswith("Kimberley 99.0 (protocol revision 99); you have Kimberley ")
            assert said.endswith("Update the older one.")

    run(story())


def test_a_machine_in_no_network(lan: Lan, tmp_path: Path) -> None:
    async def story() -> None:
        lan.run("ip -n h2 link set eth0 down", "ip -n h2 addr flush dev eth0")
        found = await doctor(lan, 2, tmp_path, HOST)
        assert (
            found.bad["network"]
            == "This computer is not on any network. Connect it to Wi-Fi, or plug in a network cable."
        )
        assert "This computer cannot reach 10.77.0.1" in found.bad[HOST]

    run(story())


def test_a_machine_that_lets_neither_multicast_nor_its_port_through(lan: Lan, tmp_path: Path) -> None:
    async def story() -> None:
        # The last rule comes before the one by which a machine reaches itself.
        lan.run(
            "ip -n h2 rule add pref 100 lookup local",
            "ip -n h2 rule del pref 0",
            "ip netns exec h2 sysctl -qw net.ipv4.igmp_max_memberships=0",
            "ip -n h2 rule add pref 51 to 10.77.0.2 ipproto tcp prohibit",
        )
        found = await doctor(lan, 2, tmp_path)
        assert "does not work (No buffer space available)" in found.bad["multicast eth0, IPv4"]
        assert "Allow UDP 5353 in and out in this computer" in found.bad["multicast eth0, IPv4"]
        assert "no answer on port 7411 at 10.77.0.2. Allow TCP 7411" in found.bad["port for hosting"]

    run(story())


def test_a_program_that_keeps_the_port_of_mdns_for_itself(lan: Lan, tmp_path: Path) -> None:
    async def story() -> None:
        async with lan.program(2, "hog") as hog:
            await hog.says(event="open")
            found = await doctor(lan, 2, tmp_path)
            assert "Another program blocks it" in found.bad["port 5353"]

    run(story())
