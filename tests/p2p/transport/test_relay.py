"""The bytes of a relayed channel, between two seats and a third that only passes them on."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from random import Random

import pytest

from kimberley.p2p.base.platform import SystemPlatform, set_platform
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.channel import Channel, ChannelClosed, ChannelTiming
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import REVISIONS
from kimberley.p2p.transport.mesh import SEAT
from kimberley.p2p.transport.relay import RelayManager
from kimberley.protocol.encoding import pack
from tests.support.asyncs import run, until

BYTES = "894b2956ca8c4ae4d4dee4b79740398b7eba221da087efefce46b7f1575dfa1d"
"""SHA-256 of the packing of all that passes in the first test."""
UNHURRIED = ChannelTiming(beat=600.0, idle=1800.0)
"""No heartbeat comes in between."""


class SeededPlatform(SystemPlatform):
    """This machine, with randomness from a seed."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    def random_bytes(self, size: int) -> bytes:
        return self._chance.randbytes(size)


@pytest.fixture
def seeded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("kimberley.p2p.transport.handshake.software", lambda: "1.0")
    former = set_platform(SeededPlatform(1))
    yield
    set_platform(former)


class LinkToRelay:
    """What a manager uses of a link: here to a relay that passes every frame on at once, and notes its bytes."""

    nickname = "ana"
    direct = True
    unsent = 0

    def __init__(self, identity: bytes, send: Callable[[Frame], None]) -> None:
        self.identity = identity
        self.send = send


class Seats:
    """Two seats with a relay between them. `alter` may change what passes; None drops it."""

    def __init__(self, times: ChannelTiming = UNHURRIED) -> None:
        self.people = [Identity.of(bytes([number]) * 32) for number in (1, 2)]
        self.welcomed: list[Channel] = []
        self.passed: list[bytes] = []
        self.alter: Callable[[bytes], bytes | None] = lambda packed: packed
        relay = Identity.of(bytes([3]) * 32).public
        self.links = [LinkToRelay(relay, self._deliver(to)) for to in (1, 0)]
        self.managers = [
            RelayManager(person, self._links(seat), self.welcomed.append, times)  # type: ignore[arg-type]
            for seat, person in enumerate(self.people)
        ]

    def _links(self, seat: int) -> Callable[[], dict[bytes, LinkToRelay]]:
        return lambda: {self.people[1 - seat].public: self.links[seat]}

    def _deliver(self, to: int) -> Callable[[Frame], None]:
        def send(frame: Frame) -> None:
            kind, _, packed = frame
            assert kind == "pass"
            assert isinstance(packed, bytes)
            self.passed.append(packed)
            arriving = self.alter(packed)
            if arriving is not None:
                passed = ("passed", self.people[1 - to].public, arriving)
                asyncio.get_running_loop().call_soon(self._arrive, to, passed)

        return send

    def _arrive(self, to: int, frame: Frame) -> None:
        self.managers[to].frames["passed"](self.links[to], frame)  # type: ignore[arg-type]

    async def open(self) -> tuple[Channel, Channel]:
        there = await self.managers[0].open(self.links[0], self.people[1].public, (SEAT, b"game"))
        await until(lambda: self.welcomed)
        return there, self.welcomed.pop()

    async def close(self) -> None:
        for manager in self.managers:
            await manager.close()


@pytest.mark.usefixtures("seeded")
def test_the_bytes_of_a_relayed_channel_are_always_the_same() -> None:
    async def story() -> list[bytes]:
        seats = Seats()
        here, there = await seats.open()
        for number in range(3):
            here.send(("envelope", bytes([number]) * 10))
            assert await there.receive() == ("envelope", bytes([number]) * 10)
            there.send(("have", number))
            assert await here.receive() == ("have", number)
        await seats.close()
        return seats.passed

    assert REVISIONS == (3,)
    assert hashlib.sha256(pack(tuple(run(story())))).hexdigest() == BYTES


@pytest.mark.parametrize("change", ["changed", "twice", "dropped"])
def test_a_relay_that_changes_repeats_or_drops_a_frame_ends_the_channel(change: str) -> None:
    async def story() -> None:
        seats = Seats()
        here, there = await seats.open()
        if change == "changed":
            seats.alter = lambda packed: packed.replace(b"true", b"lies")
            here.send(("said", "true"))
        elif change == "twice":
            here.send(("said", "true"))
            assert await there.receive() == ("said", "true")
            repeated = ("passed", seats.people[0].public, seats.passed[-1])
            seats.managers[1].frames["passed"](seats.links[1], repeated)  # type: ignore[arg-type]
        else:
            seats.alter = lambda packed: None
            here.send(("said", "true"))
            seats.alter = lambda packed: packed
            here.send(("said", "more"))
        with pytest.raises(ChannelClosed, match="not the one that the other side signed"):
            await there.receive()
        await seats.close()

    run(story())
