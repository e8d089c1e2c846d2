"""Two homes behind routers of their own, and the servers between them: the test network of docs/far.md.

On the switch of `tests.support.lan` are two routers, hosts 1 and 2, and the servers, host 3. Behind each router, which
lets nobody in and gives its own address to whoever goes out, is one home: hosts 11 and 12, with the same address.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, Self

from tests.support.lan import MOST_BYTES, Lan, Program
from tests.support.paths import ROOT

SERVERS: Final = 3
HOMES: Final = (11, 12)
MAILBOX: Final = "ws://10.77.0.3:4000/v1"
RELAY: Final = "tcp:10.77.0.3:4001"
KIMBERLEY: Final = (sys.executable, "-m", "kimberley.client.cli.main")
BOT: Final = (*KIMBERLEY, "bot")
TWIST: Final = str(Path(sys.executable).with_name("twist"))


SQUAT: Final = """
import asyncio, json, sys, websockets
async def main(server, number):
    async with websockets.connect(server) as channel:
        await channel.send(json.dumps({"type": "bind", "appid": "kimberley/far/1", "side": "feedfeed01"}))
        await channel.send(json.dumps({"type": "claim", "nameplate": number}))
        async for message in channel:
            if (said := json.loads(message))["type"] == "claimed":
                await channel.send(json.dumps({"type": "open", "mailbox": said["mailbox"]}))
                print("here", flush=True)
asyncio.run(main(*sys.argv[1:]))
"""

UNTIL_IT_LISTENS: Final = """
import socket, sys, time
while True:
    try:
        socket.create_connection((sys.argv[1], int(sys.argv[2])), 5).close()
        break
    except OSError:
        time.sleep(0.1)
"""


class Typist:
    """Somebody who plays in text mode."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    def type(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    async def reads(self, wanted: str) -> str:
        """Waits for a line with this text, and returns what follows it there."""
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            _, separator, rest = line.decode().strip().partition(wanted)
            if separator:
                return rest
        raise AssertionError(f"it ended and never said {wanted}")


class FarLan(Lan):
    """The network. `mailbox` and `relay` run the real servers."""

    def __init__(self) -> None:
        super().__init__(3)

    def __enter__(self) -> Self:
        super().__enter__()
        try:
            for router, home in enumerate(HOMES, 1):
                self._add_home(router, home)
        except BaseException:
            self.__exit__()
            raise
        return self

    def _add_home(self, router: int, home: int) -> None:
        inside = f"ip netns exec h{router}"
        self.run(
            f"ip netns add h{home}",
            f"ip -n h{home} link add eth0 type veth peer name home netns h{router}",
            f"ip -n h{home} addr add 192.168.1.2/24 dev eth0",
            f"ip -n h{home} link set lo up",
            f"ip -n h{home} link set eth0 up",
            f"ip -n h{router} addr add 192.168.1.1/24 dev home",
            f"ip -n h{router} link set home up",
            f"ip -n h{home} route add default via 192.168.1.1",
            f"{inside} sysctl -qw net.ipv4.ip_forward=1",
            f"{inside} nft add table ip nat",
            f"{inside} nft add chain ip nat out {{ type nat hook postrouting priority 100 ; }}",
            f"{inside} nft add rule ip nat out oifname eth0 masquerade",
            f"{inside} nft add chain ip nat in {{ type filter hook forward priority 0 ; policy drop ; }}",
            f"{inside} nft add rule ip nat in iifname home accept",
            f"{inside} nft add rule ip nat in ct state established,related accept",
        )

    def unplug(self, home: int) -> None:
        """Cuts a home off its router, as when a laptop's lid is closed."""
        self.run(f"ip -n h{home} link set eth0 down")

    def plug(self, home: int) -> None:
        self.run(f"ip -n h{home} link set eth0 up", f"ip -n h{home} route replace default via 192.168.1.1")

    @asynccontextmanager
    async def server(self, *arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
        """Runs one of the servers until the block ends."""
        command = self.inside(TWIST, *arguments, host=SERVERS)
        process = await asyncio.create_subprocess_exec(*command, stdout=DEVNULL, stderr=DEVNULL)
        try:
            yield process
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    @asynccontextmanager
    async def mailbox(self, folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
        async with self.server(
            "wormhole-mailbox", "--port=tcp:4000:interface=10.77.0.3", f"--channel-db={folder / 'mailbox.db'}"
        ) as process:
            await self._listens(4000)
            yield process

    @asynccontextmanager
    async def relay(self) -> AsyncIterator[asyncio.subprocess.Process]:
        async with self.server("transitrelay", "--port=tcp:4001:interface=10.77.0.3") as process:
            await self._listens(4001)
            yield process

    @asynccontextmanager
    async def squatter(self, code: str) -> AsyncIterator[None]:
        """Holds the number of a code at the mailbox server, and says nothing there, until the block ends."""
        command = self.inside(sys.executable, "-c", SQUAT, MAILBOX, code.partition("-")[0], host=SERVERS)
        process = await asyncio.create_subprocess_exec(*command, stdout=PIPE)
        try:
            assert process.stdout is not None
            assert await process.stdout.readline() == b"here\n"
            yield
        finally:
            process.kill()
            await process.communicate()

    async def _listens(self, port: int) -> None:
        """Waits until a server listens."""
        command = self.inside(sys.executable, "-I", "-S", "-c", UNTIL_IT_LISTENS, "10.77.0.3", str(port), host=SERVERS)
        process = await asyncio.create_subprocess_exec(*command)
        try:
            assert await process.wait() == 0
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    @asynccontextmanager
    async def bot(self, home: int, data: Path, *arguments: str) -> AsyncIterator[Program]:
        """Runs `kimberley bot` in a home, with a data folder that outlives it."""
        command = self.inside(*BOT, *arguments, "--level", "1", "--json", "--data", str(data), host=home)
        process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, cwd=ROOT, limit=MOST_BYTES)
        running = Program(process)
        try:
            yield running
        finally:
            await running.end()

    @asynccontextmanager
    async def person(self, home: int, data: Path, *arguments: str) -> AsyncIterator[Typist]:
        """Runs `kimberley` in text mode in a home."""
        command = self.inside(*KIMBERLEY, *arguments, "--plain", "--data", str(data), host=home)
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=ROOT)
        try:
            yield Typist(process)
        finally:
            if process.returncode is None:
                process.kill()
            await process.communicate()

    async def refused(self, home: int, data: Path, *arguments: str) -> str:
        """Runs `kimberley bot` in a home until it ends. Returns why it did not play."""
        command = self.inside(*BOT, *arguments, "--data", str(data), host=home)
        process = await asyncio.create_subprocess_exec(*command, stderr=PIPE, stdout=DEVNULL, cwd=ROOT)
        _, why = await process.communicate()
        assert process.returncode != 0
        return why.decode()
