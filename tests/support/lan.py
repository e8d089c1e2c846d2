"""Several hosts on this machine: network namespaces on a bridge, like an Ethernet switch.

Everything lives in the namespaces of our own process, so the machine's network is untouched, and all of it disappears
when that process ends. Root needs nothing else; other users need user namespaces (`unshare -Urnm`).
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
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Self

from tests.support.imported import ImportedProgram, can_fork, of_seats
from tests.support.lan_switch import Weather
from tests.support.paths import ROOT

LAN_SEAT: Final = "tests.support.lan_seat"
MOST_BYTES: Final = 1 << 20
"""The limit for a line of a program."""


class NoNamespaces(RuntimeError):
    """These tests cannot run here."""


class Lan:
    """A switch and the hosts on it. `hosts` get the addresses 10.77.0.1, 10.77.0.2, ..."""

    def __init__(self, hosts: int) -> None:
        self.count = hosts
        self._holder: subprocess.Popen[bytes] | None = None
        self._weather_maker: subprocess.Popen[str] | None = None
        self._programs: list[Program] = []

    def __enter__(self) -> Self:
        flags = "-nm" if os.geteuid() == 0 else "-Urnm"
        script = "mount -t tmpfs tmpfs /run && echo ready && exec sleep 3600"
        self._holder = subprocess.Popen(
            ["unshare", flags, "sh", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert self._holder.stdout is not None
        said = self._holder.stdout.readline().decode().strip()
        if said != "ready":
            raise NoNamespaces(
                f"`unshare {flags}` does not work here ({said or 'no answer'}). Tests in tests/e2e/lan need network "
                "namespaces: run them as root, or where users may make namespaces; or leave the folder out."
            )
        try:
            self._switch()
            for host in range(1, self.count + 1):
                self.run(
                    f"ip netns add h{host}",
                    # Makes IPv6 addresses usable at once, not after a second or two.
                    f"ip netns exec h{host} sysctl -qw net.ipv6.conf.default.accept_dad=0",
                )
                self._plug_in(host)
                self.run(
                    f"ip -n h{host} addr add 10.77.0.{host}/24 dev eth0",
                    f"ip -n h{host} link set lo up",
                    f"ip -n h{host} link set eth0 up",
                )
        except BaseException:
            self.__exit__()
            raise
        return self

    def _switch(self) -> None:
        """Creates the switch that connects all hosts."""
        self.run("ip link add br0 type bridge", "ip link set br0 up", "ip link set lo up")

    def _plug_in(self, host: int) -> None:
        """Gives a host its network interface, eth0."""
        self.run(f"ip link add v{host} type veth peer name eth0 netns h{host}", f"ip link set v{host} master br0 up")

    def plug_in_twice(self, *hosts: int) -> None:
        """Connects these hosts to a second switch too, by eth1, with the addresses 10.78.0.1, 10.78.0.2, ..."""
        self.run("ip link add br1 type bridge", "ip link set br1 up")
        for host in hosts:
            self.run(
                f"ip link add w{host} type veth peer name eth1 netns h{host}",
                f"ip link set w{host} master br1 up",
                f"ip -n h{host} addr add 10.78.0.{host}/24 dev eth1",
                f"ip -n h{host} link set eth1 up",
            )

    def add_networks(self, host: int, name: str, *, count: int = 40) -> None:
        """Gives a host networks of its own, with the addresses 10.17.0.1, 10.18.0.1, ...: bridges, as containers have
        them, or cables if they are called rooms.
        """
        for number in range(count):
            kind = f"type veth peer name far{number}" if name == "room" else "type bridge"
            self.run(
                f"ip -n h{host} link add {name}{number} {kind}",
                *([f"ip -n h{host} link set far{number} up"] if name == "room" else []),
                f"ip -n h{host} addr add 10.{17 + number}.0.1/16 dev {name}{number}",
                f"ip -n h{host} link set {name}{number} up",
            )

    def __exit__(self, *error: object) -> None:
        assert self._holder is not None
        self._holder.kill()
        self._holder.wait()
        assert self._holder.stdout is not None
        self._holder.stdout.close()

    def inside(self, *command: str, host: int | None = None) -> list[str]:
        """Returns the command line that runs a command on a host, or beside the switch."""
        assert self._holder is not None
        user = [] if os.geteuid() == 0 else ["-U", "--preserve-credentials"]
        enter = ["nsenter", "-t", str(self._holder.pid), *user, "-n", "-m", f"--wd={ROOT}"]
        return [*enter, *(["ip", "netns", "exec", f"h{host}"] if host else []), *command]

    def network(self, host: int) -> Path | None:
        """Returns the file of a host's network namespace, or None if this user cannot enter it."""
        assert self._holder is not None
        return Path(f"/proc/{self._holder.pid}/root/run/netns/h{host}") if os.geteuid() == 0 else None

    def run(self, *lines: str) -> None:
        """Runs commands beside the switch, where the ports are called v1, v2, ..."""
        for line in lines:
            done = subprocess.run(self.inside(*line.split()), capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{line}: {done.stderr.strip()}"

    @asynccontextmanager
    async def program(self, host: int, *arguments: str, under: Sequence[str] = ()) -> AsyncIterator[Program]:
        """Runs a program of tests.support.lan_seat on a host, with the command `under` if there is one."""
        process: asyncio.subprocess.Process | Seat
        if not under and can_fork() and (network := self.network(host)) is not None:
            process = await Seat.start(arguments, network)
        else:
            command = self.inside(*under, sys.executable, "-m", LAN_SEAT, *arguments, host=host)
            process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, cwd=ROOT, limit=MOST_BYTES)
        program = Program(process)
        try:
            yield program
        finally:
            await program.end()


class RoughLan(Lan):
    """A switch with weather (`tests.support.lan_switch`) instead of a bridge."""

    def __exit__(self, *error: object) -> None:
        if self._weather_maker is not None:
            self._weather_maker.kill()
            self._weather_maker.wait()
            for pipe in (self._weather_maker.stdin, self._weather_maker.stdout):
                assert pipe is not None
                pipe.close()
        super().__exit__(*error)

    def weather(self, weather: Weather) -> float:
        """Changes the weather from now on. Returns the machine's monotonic time."""
        self._say(weather.line())
        return time.monotonic()

    def _switch(self) -> None:
        command = self.inside(sys.executable, "-m", "tests.support.lan_switch", str(self.count))
        self._weather_maker = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
        )
        self._expect_ready()

    def _plug_in(self, host: int) -> None:
        # The switch keeps its end of the device, wherever the other end goes.
        self.run(f"ip link set t{host} netns h{host} name eth0")

    def _say(self, line: str) -> None:
        assert self._weather_maker is not None
        assert self._weather_maker.stdin is not None
        self._weather_maker.stdin.write(line + "\n")
        self._weather_maker.stdin.flush()
        self._expect_ready()

    def _expect_ready(self) -> None:
        assert self._weather_maker is not None
        assert self._weather_maker.stdout is not None
        said = self._weather_maker.stdout.readline().strip()
        if said != "ready":
            rest = self._weather_maker.stdout.read().strip().splitlines()
            raise NoNamespaces(
                f"A switch that loses and delays frames cannot be made here ({rest[-1] if rest else said}). It needs "
                "/dev/net/tun, and namespaces whose root may make TAP devices: run these tests as root, with the tun "
                "module loaded; or leave tests/e2e/lan out."
            )


class Seat:
    """A program of tests.support.lan_seat as a fork, with those methods of asyncio's `Process` that Program needs."""

    def __init__(self, program: ImportedProgram, stdout: asyncio.StreamReader) -> None:
        self.stdout = stdout
        self._program = program

    @classmethod
    async def start(cls, arguments: Sequence[str], network: Path) -> Self:
        """Starts it in this network namespace."""
        reading, writing = os.pipe()
        nothing = os.open(os.devnull, os.O_RDONLY)
        program = of_seats(LAN_SEAT).start(arguments, os.environ, (nothing, writing, 2), ROOT, network)
        os.close(nothing)
        os.close(writing)
        stdout = asyncio.StreamReader(limit=MOST_BYTES)
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stdout), os.fdopen(reading, "rb"))
        return cls(program, stdout)

    @property
    def returncode(self) -> int | None:
        return self._program.poll()

    async def wait(self) -> int:
        return await asyncio.to_thread(self._program.wait)

    def send_signal(self, number: int) -> None:
        self._program.send_signal(number)

    def kill(self) -> None:
        self._program.kill()


class Program:
    """A running program that reports events, one JSON object a line."""

    def __init__(self, process: asyncio.subprocess.Process | Seat) -> None:
        self.started = time.monotonic()
        self.said: list[dict[str, Any]] = []
        self._process = process
        self._reading = asyncio.create_task(self._read())
        self._news = asyncio.Event()

    async def says(self, seconds: float = 90, **what: Any) -> dict[str, Any]:
        """Returns the first event with these entries, past or future. Fails after that time, or if the program ends."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    for line in self.said:
                        if all(line.get(name) == value for name, value in what.items()):
                            return line
                    self._news.clear()
                    assert not self._reading.done(), f"it ended and never said {what}: {self.said}"
                    await self._news.wait()
        except TimeoutError as error:
            raise TimeoutError(f"not said in {seconds} s: {what}; but: {self.said}") from error

    def forget(self) -> None:
        """Forgets all events so far."""
        self.said.clear()

    async def gone(self) -> None:
        """Waits until the program has ended by itself."""
        await self._process.wait()

    def kill(self) -> None:
        """Kills the program, without a goodbye."""
        self._process.send_signal(signal.SIGKILL)

    def kill_helper(self, module: str) -> None:
        """Kills the separate process in which the program runs a module."""
        assert isinstance(self._process, asyncio.subprocess.Process)
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        (helper,) = (one for one in children if module.encode() in Path(f"/proc/{one}/cmdline").read_bytes())
        os.kill(int(helper), signal.SIGKILL)

    def sleep(self) -> None:
        """Stops the program, as on a suspended machine."""
        self._process.send_signal(signal.SIGSTOP)

    def wake(self) -> None:
        """Continues a stopped program."""
        self._process.send_signal(signal.SIGCONT)

    def interrupt(self) -> None:
        """Interrupts the program as Ctrl-C does. It says goodbye."""
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
