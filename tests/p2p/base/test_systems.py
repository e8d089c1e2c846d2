"""What differs between operating systems is asked of the platform: Windows and macOS, as `tests.support` fakes them."""

from __future__ import annotations

import asyncio
import errno
import multiprocessing
import os
import signal
import socket
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import ifaddr
import pytest

from kimberley.p2p.base import platform
from kimberley.p2p.base.platform import run_loop, unread_output_dropped
from kimberley.p2p.storage.files import create, replace
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import Journal
from kimberley.p2p.transport.address import own_addresses, parse_address
from kimberley.p2p.transport.dial import Unreachable, dial
from tests.p2p.storage.test_journal import SEEDS, table
from tests.support.ended import Guest, disposed
from tests.support.macos import durable, on_macos
from tests.support.willing_socket import WillingSocket
from tests.support.windows import CONSOLE, on_windows


class Datagrams(asyncio.DatagramProtocol):
    def __init__(self) -> None:
        self.heard = asyncio.get_running_loop().create_future()

    def datagram_received(self, data: bytes, addr: object) -> None:
        self.heard.set_result(data)


async def heard_datagram() -> bytes:
    """Sends a datagram to itself."""
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.create_datagram_endpoint(Datagrams, ("127.0.0.1", 0))
    transport.sendto(b"hello", transport.get_extra_info("sockname"))
    try:
        async with asyncio.timeout(10):
            return bytes(await protocol.heard)
    finally:
        transport.close()


async def status_of_program() -> int:
    process = await asyncio.create_subprocess_exec(sys.executable, "-I", "-S", "-c", "raise SystemExit(7)")
    return await process.wait()


def test_on_windows_a_program_hears_datagrams_unless_it_starts_others() -> None:
    with on_windows():
        assert run_loop(heard_datagram()) == b"hello"
        with pytest.raises(NotImplementedError):
            run_loop(status_of_program())
        assert run_loop(status_of_program(), subprocesses=True) == 7
    assert run_loop(status_of_program()) == 7


def test_on_windows_a_program_says_goodbye_at_ctrl_break() -> None:
    with on_windows(), disposed(signal.SIGBREAK, signal.SIG_DFL):  # type: ignore[attr-defined]
        guest = Guest(signal.SIGBREAK)  # type: ignore[attr-defined]
        with pytest.raises(SystemExit) as ended:
            run_loop(guest.stay())
    assert (guest.said, ended.value.code) == (["goodbye"], 128 + guest.number)


def test_on_windows_a_program_says_goodbye_when_its_window_is_closed() -> None:
    said: list[str] = []

    async def main() -> None:
        (handler,) = CONSOLE.handlers
        assert not handler(0), "Ctrl-C is somebody else's"
        threading.Thread(target=handler, args=(2,)).start()
        try:
            await asyncio.sleep(10)
        finally:
            said.append("goodbye")

    with on_windows(), disposed(signal.SIGBREAK, signal.SIG_DFL), pytest.raises(SystemExit):  # type: ignore[attr-defined]
        run_loop(main())
    assert (said, CONSOLE.handlers) == (["goodbye"], [])


def test_on_windows_a_pool_has_the_processes_that_windows_can_wait_for() -> None:
    with on_windows():
        with pytest.raises(ValueError, match="max_workers must be <= 61"):
            ProcessPoolExecutor(100)
        ProcessPoolExecutor(min(100, platform.most_processes()), multiprocessing.get_context("spawn")).shutdown()
    assert min(100, platform.most_processes()) == 100


def test_on_windows_a_scope_is_a_number_since_names_have_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    adapters = [
        ifaddr.Adapter(name, name, [ifaddr.IP((address, 0, index), 64, name)], index)
        for index, (name, address) in enumerate(
            [("VMware Virtual Ethernet Adapter", "fe80::7"), ("Intel(R) Wi-Fi 6 AX201", "fe80::8")], start=4
        )
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    monkeypatch.setattr(socket, "socket", WillingSocket)
    with on_windows():
        assert own_addresses() == ["fe80::8%5", "fe80::7%4"], "the virtual one comes last"
        assert [parse_address(one)[0] for one in own_addresses()] == own_addresses()
    assert own_addresses()[0] == "fe80::8%Intel(R) Wi-Fi 6 AX201"


@pytest.mark.parametrize(
    "virtual",
    [
        "VirtualBox Host-Only Ethernet Adapter",
        "Hyper-V Virtual Ethernet Adapter",
        "vEthernet (WSL)",
        "WireGuard Tunnel",
        "Npcap Loopback Adapter",
        "awdl0",
        "llw0",
        "anpi1",
    ],
)
def test_virtual_adapters_come_after_real_ones(virtual: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [virtual, "Realtek PCIe GbE Family Controller"]
    adapters = [ifaddr.Adapter(name, name, [ifaddr.IP(f"192.0.2.{i}", 24, name)], i) for i, name in enumerate(names, 1)]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    monkeypatch.setattr(socket, "socket", WillingSocket)
    assert own_addresses() == ["192.0.2.2", "192.0.2.1"]


def test_on_windows_a_closed_pipe_is_an_invalid_argument() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        with on_windows():
            with pytest.raises(OSError, match="Invalid argument"):
                os.write(writer, b"unread")
            with unread_output_dropped():
                os.write(writer, b"unread")
        with unread_output_dropped():
            os.write(writer, b"unread")
        with pytest.raises(OSError, match="Invalid argument"), unread_output_dropped():
            raise OSError(errno.EINVAL, "Invalid argument")
    finally:
        os.close(writer)


def test_on_macos_what_must_survive_a_power_loss_is_asked_of_the_disk(tmp_path: Path) -> None:
    with on_macos():
        replace(tmp_path / "replaced", b"content")
        assert [Path(one).parent for one in durable] == [tmp_path, tmp_path.parent]
        assert create(tmp_path / "made", b"content")
        journal = Journal.create(tmp_path, table(), 0, SEEDS[0])
        durable.clear()
        journal.write([("resigned",)], sync=True)
        assert durable == [str(journal.path)]
        journal.close()


def test_on_macos_a_neighbor_without_a_route_may_be_a_matter_of_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_route(*_: object) -> None:
        raise OSError(errno.EHOSTUNREACH, "No route to host")

    async def story() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", no_route)
        await dial("192.0.2.1", 7411, Identity.fresh(), ("play",))

    with on_macos(), pytest.raises(Unreachable, match="System Settings, Privacy & Security, Local Network"):
        asyncio.run(story())
    with pytest.raises(Unreachable) as elsewhere:
        asyncio.run(story())
    assert "Mac" not in str(elsewhere.value)
