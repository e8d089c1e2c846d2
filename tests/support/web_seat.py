"""Seats as a page has them: they listen nowhere, and reach only the host that serves them, by a WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from pathlib import Path
from unittest.mock import patch

from websockets.client import ClientProtocol
from websockets.http11 import Response
from websockets.uri import parse_uri

from kimberley.games.table import Game
from kimberley.p2p.base.message_socket import MessageSocket
from kimberley.p2p.base.platform import SystemPlatform, set_platform
from kimberley.p2p.sharing.room import Room
from kimberley.p2p.sharing.server import FileServer, ServerLimits, site_of
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.frames import MOST_FRAME
from kimberley.p2p.transport.room_door import RoomDoor
from kimberley.p2p.transport.stream_socket import StreamSocket
from kimberley.p2p.transport.web_channel import SEAT_PATH
from kimberley.p2p.transport.web_listener import WebListener, accept_socket
from tests.support.comeback import back
from tests.support.inside import identity_of
from tests.support.seated import LOOPBACK, NAMES, QUICK, Circle, circle_of_tables

_page: ContextVar[int | None] = ContextVar("page", default=None)
"""The port of the page that the current task's program was served from; None for a program that was not."""


Alter = Callable[[bytes], Iterable[bytes]]
"""What becomes of a message on its way."""


def passes(message: bytes) -> Iterable[bytes]:
    """Passes the message on unaltered."""
    return (message,)


def nothing(message: bytes) -> Iterable[bytes]:
    """Loses the message."""
    return ()


class Between:
    """What a hostile host does with the messages of a page, in each direction."""

    def __init__(self) -> None:
        self.sent: Alter = passes
        self.received: Alter = passes
        self.seconds = 0.0
        """How long each message is held back."""
        self.opened = 0
        """How many sockets pages have tried to open."""


class _AlteredSocket:
    """A socket whose messages somebody can change."""

    def __init__(self, socket: MessageSocket, alter: Alter) -> None:
        self._socket, self._alter = socket, alter

    @property
    def unsent(self) -> int:
        return self._socket.unsent

    def send(self, message: bytes) -> None:
        for one in self._alter(message):
            self._socket.send(one)

    def close(self) -> None:
        self._socket.close()


class _AlteredStream(_AlteredSocket):
    """The host's side of a socket whose messages somebody can change."""

    def __init__(self, stream: StreamSocket, alter: Alter) -> None:
        super().__init__(stream, alter)
        self.limit = stream.limit


@contextmanager
def hostile_host(watch: Callable[[bytes], None]) -> Iterator[Between]:
    """Puts somebody between the host of this process and its pages. `watch` gets what pages send."""
    between = Between()

    def accept(
        transport: asyncio.Transport,
        request: bytes,
        on_message: Callable[[bytes], None],
        on_close: Callable[[str], None],
        bye: float,
    ) -> _AlteredStream:
        def arrived(message: bytes) -> None:
            watch(message)
            for one in between.sent(message):
                if between.seconds:
                    asyncio.get_running_loop().call_later(between.seconds, on_message, one)
                else:
                    on_message(one)

        between.opened += 1
        stream = accept_socket(transport, request, arrived, on_close, bye)
        return _AlteredStream(stream, lambda message: between.received(message))

    with patch("kimberley.p2p.transport.web_listener.accept_socket", accept):
        yield between


class WithPages(SystemPlatform):
    """This machine, where what runs under `served_from` has no sockets but those of a page."""

    def __init__(self, between: Between) -> None:
        self._between = between

    @property
    def has_only_web_sockets(self) -> bool:
        return _page.get() is not None

    async def open_web_socket(
        self, host: str, port: int, path: str, on_message: Callable[[bytes], None], on_close: Callable[[str], None]
    ) -> MessageSocket:
        def arrived(message: bytes) -> None:
            for one in self._between.received(message):
                asyncio.get_running_loop().call_later(self._between.seconds, on_message, one)

        self._between.opened += 1
        reached = port if port == _page.get() else 0
        socket = await open_web_socket(host, reached, path, arrived, on_close)
        return _AlteredSocket(socket, lambda message: self._between.sent(message))


@contextmanager
def pages() -> Iterator[Between]:
    """Lets pages have seats while the block lasts."""
    between = Between()
    former = set_platform(WithPages(between))
    try:
        yield between
    finally:
        set_platform(former)


@contextmanager
def served_from(page: int) -> Iterator[None]:
    """Runs what is started in the block in a page that was served at this port."""
    token = _page.set(page)
    try:
        yield
    finally:
        _page.reset(token)


class Refused(OSError):
    """The host did not open a WebSocket; the message is its status."""


class _Opening(asyncio.Protocol):
    """Waits for the answer to the request for a WebSocket."""

    def __init__(self, client: ClientProtocol) -> None:
        self.answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._client = client

    def data_received(self, data: bytes) -> None:
        self._client.receive_data(data)
        if self.answered.done():
            return
        match self._client.events_received():
            case [Response(status_code=101), *messages]:
                # What came with the answer is for the socket.
                self._client.events.extend(messages)
                self.answered.set_result(None)
            case [Response(status_code=status), *_]:
                self.answered.set_exception(Refused(status))

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.answered.done():
            self.answered.set_exception(exc or ConnectionResetError())
            # Marks it as retrieved: nobody waits for the answer if the socket was given up while it opened.
            self.answered.exception()


async def open_web_socket(
    host: str,
    port: int,
    path: str,
    on_message: Callable[[bytes], None],
    on_close: Callable[[str], None],
    origin: str | None = None,
) -> StreamSocket:
    """Opens a WebSocket as a browser opens it from the page itself, or from another `origin`. Raises OSError."""
    site = site_of(host, port)
    client = ClientProtocol(parse_uri(f"ws{site.removeprefix('http')}{path}"), max_size=MOST_FRAME)
    request = client.connect()
    request.headers["Origin"] = origin or site
    transport, opening = await asyncio.get_running_loop().create_connection(lambda: _Opening(client), host, port)
    client.send_request(request)
    transport.writelines(client.data_to_send())
    try:
        await opening.answered
    except BaseException:
        transport.abort()
        raise
    return StreamSocket(transport, client, on_message, on_close, bye=1.0)


class Page:
    """The page of a host's table, as far as seats need it. `channels` are those that came by it."""

    def __init__(self, table: Table, limits: ServerLimits | None = None) -> None:
        self.table = table
        self.channels: list[Channel] = []
        self.door = WebListener(identity_of(table), self._welcome, table.page_seats.expected)
        handed_over = {SEAT_PATH: self.door.take_over}
        self.server = FileServer(lambda _: {}, limits, handed_over, self.door.expected)

    @property
    def port(self) -> int:
        return self.server.port

    def _welcome(self, channel: Channel) -> None:
        self.channels.append(channel)
        self.table.page_seats.welcome(channel, self.port)

    async def open(self, port: int = 0) -> None:
        await self.server.open(port, LOOPBACK)

    async def close(self) -> None:
        await self.server.close()
        await self.door.close()


@asynccontextmanager
async def page_of(table: Table, limits: ServerLimits | None = None) -> AsyncIterator[Page]:
    page = Page(table, limits)
    await page.open()
    try:
        yield page
    finally:
        await page.close()


@asynccontextmanager
async def served_circle(
    folder: Path, game: Game, seats: int, *, headless: bool = True
) -> AsyncIterator[tuple[Circle, Page]]:
    """Hosts a table with a page."""
    async with circle_of_tables(folder, game) as circle:
        host = await circle.open(seats, headless=headless)
        async with page_of(host) as page:
            yield circle, page


async def join_by_page(circle: Circle, folder: Path, page: Page | FileServer, *, headless: bool = True) -> Table:
    """Sits down at the host's table from its page."""
    name = NAMES[len(circle.tables)]
    data = folder / name
    with served_from(page.port):
        table = await Table.join(
            f"{LOOPBACK}:{page.port}",
            lambda _: circle.game,
            nickname=name,
            identity=Identity.load_or_create(data),
            data=data,
            listen=False,
            seek=False,
            headless=headless,
        )
    return circle.follow(table, name)


async def page_again(circle: Circle, folder: Path, page: Page | FileServer, gone: Table, name: str) -> Table:
    """Reopens the page of a seat that is gone, which resumes its game."""
    circle.tables.remove(gone)
    with served_from(page.port):
        return circle.follow(await back(folder / name, circle.game, listen=False), name)


@asynccontextmanager
async def room_of(port: int = 0) -> AsyncIterator[FileServer]:
    """Opens a room, and the server of its page."""
    room = Room()
    server = FileServer(lambda _: {}, handed_over=room.handed_over, expected=room.expected)
    await server.open(port, LOOPBACK)
    try:
        yield server
    finally:
        await server.close()


async def open_in_room(circle: Circle, folder: Path, room: FileServer, seats: int) -> tuple[Table, RoomDoor]:
    """Opens a table in a page of the room. Returns the door, too, which the test closes."""
    data = folder / NAMES[0]
    with served_from(room.port):
        table = await Table.open(
            circle.game, nickname=NAMES[0], identity=Identity.load_or_create(data), data=data, seats=seats,
            options=QUICK, listen=False, headless=True,
        )  # fmt: skip
        door = door_of(table, room)
        await door.open()
    return circle.follow(table, NAMES[0]), door


async def page_again_in_room(circle: Circle, folder: Path, room: FileServer, gone: Table) -> tuple[Table, RoomDoor]:
    """Reopens the page that opened the table, like `page_again`. Returns also the door, which the test closes."""
    table = await page_again(circle, folder, room, gone, NAMES[0])
    with served_from(room.port):
        door = door_of(table, room)
        await door.open()
    return table, door


def door_of(table: Table, room: FileServer) -> RoomDoor:
    return RoomDoor(identity_of(table), lambda one: table.page_seats.welcome(one, 0), (LOOPBACK, room.port))
