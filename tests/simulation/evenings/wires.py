"""Connections in virtual time: everything above TLS is the program's own, from the frames and heartbeats up.

A `Wires` stands for the networks of an evening. While it is `plugged_in`, every dial and every listener of the program
goes through it. What a hostile player sends is up to its `Meddler`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from typing import Any, Final, Protocol
from unittest.mock import patch

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.discovery import endpoint
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table import spectator_client
from kimberley.p2p.tournament import enrollment
from kimberley.p2p.transport import mesh
from kimberley.p2p.transport.address import format_address
from kimberley.p2p.transport.channel import Channel, ChannelTiming, FrameProtocol, TLSChannel
from kimberley.p2p.transport.dial import CONNECT_SECONDS, Unreachable
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import ConnectionRejected

DELAY_SECONDS: Final = (0.002, 0.15)
"""The shortest and the longest time that bytes are on their way."""
TICK: Final = 1e-6
"""Time between two arrivals on one connection: nothing overtakes on it."""
FIRST_PORT: Final = 7412


class Meddler(Protocol):
    """What a hostile player does to its own connections."""

    def sends(self, channel: Wire, frame: Frame, send: Callable[[Frame], int]) -> int:
        """Called when the program wants to send a frame; `send` sends one."""


class Cable(asyncio.Transport):
    """One end of a connection. What is written arrives at the other end a little later, in order."""

    def __init__(self, wires: Wires, host: str) -> None:
        super().__init__()
        self.host = host
        self.protocol: FrameProtocol
        self.other: Cable
        self._wires = wires
        self._loop = asyncio.get_running_loop()
        self._arrives = 0.0
        self._held: list[bytes] = []
        """What has come while the protocol does not read."""
        self._reading = True
        self._closing = False
        self._gone = False

    def write(self, data: Any) -> None:
        if not self._closing:
            self._later(partial(self.other.arrive, bytes(data)))

    def arrive(self, data: bytes) -> None:
        if self._gone:
            return
        if self._reading:
            self.protocol.data_received(data)
        else:
            self._held.append(data)

    def get_write_buffer_size(self) -> int:
        return sum(map(len, self.other._held))

    def pause_reading(self) -> None:
        self._reading = False

    def resume_reading(self) -> None:
        self._reading = True
        held, self._held = self._held, []
        for data in held:
            self.arrive(data)

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            self._later(self.other.end)
            self._loop.call_soon(self.end)

    def abort(self) -> None:
        self.close()

    def end(self) -> None:
        if not self._gone:
            self._gone = self._closing = True
            self._wires.cables.pop(self, None)
            self.protocol.connection_lost(None)

    def _later(self, call: Callable[[], None]) -> None:
        self._arrives = max(self._loop.time() + self._wires.delay(), self._arrives + TICK)
        self._loop.call_at(self._arrives, call)


class Wire(TLSChannel):
    """A channel of the program. What is sent is counted, and a hostile player sends something else."""

    def __init__(self, wires: Wires, protocol: FrameProtocol, own: bytes, peer: bytes, address: str, what: Frame):
        super().__init__(protocol, peer, address, what)
        self.own = own
        self._wires = wires

    def send(self, frame: Frame) -> int:
        meddler = self._wires.meddlers.get(self.own)
        return self.send_as_is(frame) if meddler is None else meddler.sends(self, frame, self.send_as_is)

    def send_as_is(self, frame: Frame) -> int:
        self._wires.frames[self.own, self.peer, str(frame[0])] += 1
        return super().send(frame)


class Door:
    """Stands for a `Listener`: everybody who completes the handshake comes in."""

    def __init__(
        self,
        wires: Wires,
        identity: Identity,
        welcome: Callable[[Channel], None],
        card: Callable[[], object],
        expected: Callable[[], Collection[str]] = tuple,
        **more: object,
    ) -> None:
        del card, expected, more
        self.port = 0
        self.identity = identity
        self.welcome = welcome
        self._wires = wires
        self._host = wires.hosts[identity.public]

    async def open(self, port: int | None = None, bind: str | None = None) -> None:
        del bind
        if (self._host, port or 0) in self._wires.doors:
            raise UserError(f"Port {port} is already in use. Choose another port with --port, or leave --port out.")
        self.port = port or self._wires.free_port()
        self._wires.doors[self._host, self.port] = self

    def update_card(self) -> None:
        pass

    async def close(self) -> None:
        if self._wires.doors.get((self._host, self.port)) is self:
            del self._wires.doors[self._host, self.port]


class Wires:
    """The networks of an evening. Every identity has its own host."""

    def __init__(self, rng: Random) -> None:
        self.hosts: dict[bytes, str] = {}
        self.doors: dict[tuple[str, int], Door] = {}
        self.cables: dict[Cable, None] = {}
        self.meddlers: dict[bytes, Meddler] = {}
        self.frames: Counter[tuple[bytes, bytes, str]] = Counter()
        """By sender, receiver and kind; no heartbeats."""
        self.down: set[str] = set()
        """Hosts that nothing reaches."""
        self._rng = rng
        self._port = FIRST_PORT

    def add_host(self, identity: bytes) -> str:
        return self.hosts.setdefault(identity, f"10.0.{len(self.hosts) // 200}.{len(self.hosts) % 200 + 1}")

    def delay(self) -> float:
        return self._rng.uniform(*DELAY_SECONDS)

    def free_port(self) -> int:
        self._port += 1
        return self._port

    def cut(self, host: str) -> None:
        """Cuts all connections of a host."""
        for cable in [one for one in self.cables if host in (one.host, one.other.host)]:
            cable.end()

    async def dial(
        self,
        host: str,
        port: int,
        identity: Identity,
        purpose: Frame,
        *,
        expected: bytes | None = None,
        times: ChannelTiming | None = None,
        **more: object,
    ) -> Channel:
        """Does what `transport.dial.dial` does. Raises Unreachable, ConnectionRejected."""
        del more
        own, where = self.hosts[identity.public], format_address(host, port)
        if {own, host} & self.down:
            await asyncio.sleep(CONNECT_SECONDS)
            raise Unreachable(f"{where} does not answer.")
        await asyncio.sleep(4 * self.delay())
        door = self.doors.get((host, port))
        if door is None or {own, host} & self.down:
            raise Unreachable(f"Nobody is hosting a table at {where}.")
        if expected is not None and door.identity.public != expected:
            raise ConnectionRejected(f"Someone else is at {where} now. Look for the table again.")
        here, there = (FrameProtocol(times or ChannelTiming()) for _ in range(2))
        ends = Cable(self, own), Cable(self, host)
        for cable, other, protocol in zip(ends, ends[::-1], (here, there), strict=True):
            cable.other, cable.protocol = other, protocol
            self.cables[cable] = None
            protocol.connection_made(cable)
        them = door.identity.public
        asyncio.get_running_loop().call_soon(door.welcome, Wire(self, there, them, identity.public, own, purpose))
        return Wire(self, here, identity.public, them, where, purpose)

    @contextmanager
    def plugged_in(self) -> Iterator[None]:
        """Makes the program use these wires while the block lasts."""
        with (
            patch.object(enrollment, "dial", self.dial),
            patch.object(mesh, "dial", self.dial),
            patch.object(spectator_client, "dial", self.dial),
            patch.object(endpoint, "Listener", partial(Door, self)),
        ):
            yield
