"""Several hosts on this machine: network namespaces on a bridge, as on one Ethernet switch.

Everything lives in namespaces of a process of our own, so nothing of the machine's network is touched, and all of it is
gone when that process ends. Root needs nothing else; other users need user namespaces (`unshare -Urnm`).
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


class NoNamespaces(RuntimeError):
    """These tests cannot be run here."""


class Lan:
    """A switch and the hosts on it; `hosts` get the addresses 10.77.0.1, 10.77.0.2, ..."""

    def __init__(self, hosts: int) -> None:
        self.count = hosts
        self._holder: subprocess.Popen[bytes] | None = None
        self._programs: list[Program] = []

    def __enter__(self) -> Lan:
        flags = "-nm" if os.geteuid() == 0 else "-Urnm"
        script = "mount -t tmpfs tmpfs /run && echo ready && exec sleep 3600"
        self._holder = subprocess.Popen(
            ["unshare", flags, "sh", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert self._holder.stdout is not None
        said = self._holder.stdout.readline().decode().strip()
        if said != "ready":
            raise NoNamespaces(
                f"`unshare {flags}` does not work here ({said or 'no answer'}). Tests in tests/lan need network "
                "namespaces: run them as root, or where users may make namespaces; or leave the folder out."
            )
        self.run("ip link add br0 type bridge", "ip link set br0 up", "ip link set lo up")
        for host in range(1, self.count + 1):
            self.run(
                f"ip netns add h{host}",
                # Addresses of IPv6 are usable at once, not after a second or two.
                f"ip netns exec h{host} sysctl -qw net.ipv6.conf.default.accept_dad=0",
                f"ip link add v{host} type veth peer name eth0 netns h{host}",
                f"ip link set v{host} master br0 up",
                f"ip -n h{host} addr add 10.77.0.{host}/24 dev eth0",
                f"ip -n h{host} link set lo up",
                f"ip -n h{host} link set eth0 up",
            )
        return self

    def __exit__(self, *error: object) -> None:
        assert self._holder is not None
        self._holder.kill()
        self._holder.wait()
        assert self._holder.stdout is not None
        self._holder.stdout.close()

    def inside(self, *command: str, host: int | None = None) -> list[str]:
        """The command line that runs a command on a host, or beside the switch."""
        assert self._holder is not None
        user = [] if os.geteuid() == 0 else ["-U", "--preserve-credentials"]
        enter = ["nsenter", "-t", str(self._holder.pid), *user, "-n", "-m", f"--wd={ROOT}"]
        return [*enter, *(["ip", "netns", "exec", f"h{host}"] if host else []), *command]

    def run(self, *lines: str) -> None:
        """Runs commands beside the switch, where the ports are called v1, v2, ..."""
        for line in lines:
            done = subprocess.run(self.inside(*line.split()), capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{line}: {done.stderr.strip()}"

    @asynccontextmanager
    async def program(self, host: int, *arguments: str) -> AsyncIterator[Program]:
        """A program of tests.support.lan_seat that runs on a host."""
        command = self.inside(sys.executable, "-m", "tests.support.lan_seat", *arguments, host=host)
        process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, cwd=ROOT, limit=1 << 20)
        program = Program(process)
        try:
            yield program
        finally:
            await program.end()


class Program:
    """A running program that says what happens, one JSON object a line."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.started = time.monotonic()
        self.said: list[dict[str, Any]] = []
        self._process = process
        self._reading = asyncio.create_task(self._read())
        self._news = asyncio.Event()

    async def says(self, seconds: float = 30, **what: Any) -> dict[str, Any]:
        """The first thing said with these entries, now or later; fails after so many seconds, or when it has ended."""
        async with asyncio.timeout(seconds):
            while True:
                for line in self.said:
                    if all(line.get(name) == value for name, value in what.items()):
                        return line
                self._news.clear()
                assert not self._reading.done(), f"it ended and never said {what}: {self.said}"
                await self._news.wait()

    def forget(self) -> None:
        """What it said so far does not count any more."""
        self.said.clear()

    async def gone(self) -> None:
        """Waits until it has ended by itself."""
        await self._process.wait()

    def kill(self) -> None:
        """No goodbye."""
        self._process.send_signal(signal.SIGKILL)

    def sleep(self) -> None:
        """It stands still, as on a machine that is suspended."""
        self._process.send_signal(signal.SIGSTOP)

    def wake(self) -> None:
        """It goes on."""
        self._process.send_signal(signal.SIGCONT)

    def interrupt(self) -> None:
        """As with the keyboard: it says goodbye."""
        self._process.send_signal(signal.SIGINT)

    async def end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._reading

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.said.append(json.loads(line))
            self._news.set()
        self._news.set()
