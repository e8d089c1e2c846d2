"""Signed channels of a page that reaches two seats through its host, while heartbeats fall due at any moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from kimberley.client.browser.mirror import Mirror
from kimberley.client.browser.platform import PULSE_SECONDS, BrowserPlatform
from kimberley.p2p.base.platform import set_platform
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.channel import Channel, ChannelTiming
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.mesh import SEAT
from kimberley.p2p.transport.relay import RelayManager
from kimberley.p2p.transport.web_channel import WebChannel
from kimberley.protocol.crypto import backend, libsodium
from kimberley.protocol.crypto.wasm_sodium import libsodium_of
from tests.support.asyncs import run, until
from tests.support.pretend_browser import PretendBrowser, PretendDatabase
from tests.support.wasm_sodium import PretendModule

PAGE, HOST, *GUESTS = (Identity.of(bytes([number]) * 32) for number in range(1, 5))
PURPOSE: Final = (SEAT, b"game")
ALWAYS_DUE: Final = ChannelTiming(beat=1e-6, idle=1800.0)
NEVER_DUE: Final = ChannelTiming(beat=600.0, idle=1800.0)
FIRST_SCALAR: Final = 3_000_000
"""No other test computes with these scalars: what was computed once is not computed again."""


class CallingBack(BrowserPlatform):
    """The platform of a page where whatever happens while it computes is due at every call of libsodium."""

    def __init__(self) -> None:
        self._clock = 0.0
        super().__init__(
            PretendBrowser(), Mirror(Path("nowhere"), PretendDatabase().opened(), pytest.fail), Path("nowhere")
        )
        self.skipped: int | None = None
        """How many calls pass before something is due; None if nothing ever is."""

    def monotonic(self) -> float:
        self._clock += 2 * PULSE_SECONDS
        return self._clock

    def pulse(self) -> None:
        if self.skipped == 0:
            super().pulse()
        elif self.skipped is not None:
            self.skipped -= 1


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[CallingBack]:
    platform = CallingBack()
    former = set_platform(platform)
    monkeypatch.setenv(backend.VARIABLE, backend.LIBSODIUM)
    backend.bring(libsodium_of(PretendModule(libsodium.from_rbcl().library), platform.pulse))
    yield platform
    backend.bring(None)
    set_platform(former)


class Wire:
    """One end of a WebSocket: it hands each message to the channel at the other end."""

    unsent = 0

    def __init__(self, other: WebChannel) -> None:
        self.sent = 0
        """How many messages."""
        self._other = other

    def send(self, message: bytes) -> None:
        self.sent += 1
        asyncio.get_running_loop().call_soon(self._other.on_message, message)

    def close(self) -> None:
        """Does nothing: there is nothing to close."""


class LinkToHost:
    """What a manager uses of a link."""

    nickname = "ana"
    direct = True
    unsent = 0
    identity = HOST.public

    def __init__(self, send: Callable[[Frame], object]) -> None:
        self.send = send


class PageAndGuests:
    """A page at a table of four: one WebSocket to its host, and two channels that the host relays."""

    def __init__(self) -> None:
        self.here = WebChannel(PAGE, "the host", ALWAYS_DUE)
        self.there = WebChannel(HOST, "the page", NEVER_DUE)
        self.wire = Wire(self.there)
        self.here.use(self.wire)
        self.there.use(Wire(self.here))
        self.heard: list[tuple[int, Frame]] = []
        """What came to the host (0) and to the guests."""
        self.ended: list[BaseException] = []
        """Why a channel has ended."""
        self._tasks = BackgroundTasks(self.ended.append, reports=False)
        self._link = LinkToHost(self.here.send)
        self._relays = self._manager(PAGE, self._link, ALWAYS_DUE)
        self._guests = {guest.public: self._guest(guest) for guest in GUESTS}
        self.welcomed: list[Channel] = []

    def _manager(self, own: Identity, link: LinkToHost, times: ChannelTiming) -> RelayManager:
        everybody = dict.fromkeys((each.public for each in (PAGE, *GUESTS)), link)
        return RelayManager(own, lambda: everybody, lambda channel: self.welcomed.append(channel), times)  # type: ignore[arg-type, return-value]

    def _guest(self, guest: Identity) -> tuple[LinkToHost, RelayManager]:
        link = LinkToHost(lambda frame: self.there.send(("passed", guest.public, frame[2])))
        return link, self._manager(guest, link, NEVER_DUE)

    async def open(self) -> tuple[Channel, ...]:
        """Returns the channels of the page: to the host, and to the guests."""
        await asyncio.gather(self.here.join(PURPOSE), self._welcome())
        self._tasks.start(self._host())
        self._tasks.start(self._read())
        relayed: list[Channel] = []
        for number, guest in enumerate(GUESTS, 1):
            relayed.append(await self._relays.open(self._link, guest.public, PURPOSE))  # type: ignore[arg-type]
            await until(lambda: self.welcomed or self.ended)
            self._tasks.start(self._listen(number, self.welcomed.pop()))
        return self.here, *relayed

    async def _welcome(self) -> None:
        await self.there.greet(await self.there.knock())

    async def _host(self) -> None:
        """Passes on what is for guests."""
        while True:
            frame = await self.there.receive()
            if frame[0] == "pass":
                assert isinstance(frame[1], bytes)
                link, manager = self._guests[frame[1]]
                manager.frames["passed"](link, ("passed", PAGE.public, frame[2]))  # type: ignore[arg-type]
            else:
                self.heard.append((0, frame))

    async def _read(self) -> None:
        while True:
            frame = await self.here.receive()
            assert self._relays.frames["passed"](self._link, frame)  # type: ignore[arg-type]

    async def _listen(self, number: int, channel: Channel) -> None:
        while True:
            self.heard.append((number, await channel.receive()))

    async def close(self) -> None:
        for manager in (self._relays, *(manager for _, manager in self._guests.values())):
            await manager.close()
        await self._tasks.close()
        self.here.mark_lost("the test is over")
        self.there.mark_lost("the test is over")


@pytest.mark.slow
@pytest.mark.parametrize("to", [0, 1], ids=["to-the-host", "relayed"])
def test_no_heartbeat_takes_the_number_of_a_frame_wherever_signing_calls_back(page: CallingBack, to: int) -> None:
    async def story() -> int:
        table = PageAndGuests()
        channels = await table.open()
        for point in count():
            page.skipped = point
            channels[to].send(("have", point))
            called_back = page.skipped == 0
            sent = table.wire.sent
            page.skipped = 0
            backend.group().base(FIRST_SCALAR + point)
            page.skipped = None
            # Afterwards the heartbeats of all channels go out, while the loop stands still.
            assert table.wire.sent == sent + len(channels)
            await until(lambda point=point: (to, ("have", point)) in table.heard or table.ended)  # type: ignore[misc]
            assert table.ended == []
            if not called_back:
                break
        await table.close()
        return point

    # Signing calls two functions, on each of the channels that the frame goes through.
    assert run(story()) >= 2 * (1 + to)
