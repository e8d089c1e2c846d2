"""The port that serves the program to strangers."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress

import pytest

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.sharing.server import MOST_REQUEST_BYTES, FileServer, ServedFile, ServerLimits
from kimberley.p2p.transport import servers
from tests.support.asyncs import run, until
from tests.support.hall import LOOPBACK, ends, raw

PAGE = ServedFile(b"<p>hello</p>", (("Content-Type", "text/html"),))
LARGE = ServedFile(bytes(range(256)) * 20_000, ())
HUGE = ServedFile(bytes(50_000_000), ())
"""More than the system keeps for somebody who does not read."""
FILES = {"/": PAGE, "/k": LARGE, "/huge": HUGE}


@asynccontextmanager
async def serving(
    limits: ServerLimits | None = None, expected: Callable[[], Collection[str]] = tuple
) -> AsyncIterator[FileServer]:
    server = FileServer(lambda address: FILES | {"/where": ServedFile(address.encode(), ())}, limits, None, expected)
    await server.open(0, LOOPBACK)
    try:
        yield server
    finally:
        await server.close()


async def answer(server: FileServer, request: bytes) -> tuple[bytes, bytes]:
    """Returns the head and the body of the answer to a request."""
    async with raw(server.port, tls=False) as (reader, writer):
        writer.write(request)
        head, _, body = (await reader.read(-1)).partition(b"\r\n\r\n")
    return head, body


def asked(request: bytes) -> tuple[bytes, bytes]:
    async def ask() -> tuple[bytes, bytes]:
        async with serving() as server:
            return await answer(server, request)

    return run(ask())


def test_a_file_comes_whole_and_with_its_headers() -> None:
    head, body = asked(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    assert head.split(b"\r\n")[0] == b"HTTP/1.1 200 OK"
    assert b"Content-Type: text/html" in head
    assert b"Content-Length: 12" in head
    assert body == PAGE.data
    assert asked(b"GET /k HTTP/1.0\r\n\r\n")[1] == LARGE.data
    assert asked(b"GET /where?ever HTTP/1.1\r\n\r\n")[1] == LOOPBACK.encode()


def test_head_tells_the_length_and_sends_nothing() -> None:
    head, body = asked(b"HEAD /k HTTP/1.1\r\n\r\n")
    assert f"Content-Length: {len(LARGE.data)}".encode() in head
    assert body == b""
    head, body = asked(b"HEAD /nothing HTTP/1.1\r\n\r\n")
    assert (head.split(b"\r\n")[0], body) == (b"HTTP/1.1 404 Not Found", b"")


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET /etc/passwd HTTP/1.1", b"404 Not Found"),
        (b"GET /../k HTTP/1.1", b"404 Not Found"),
        (b"GET //k HTTP/1.1", b"404 Not Found"),
        (b"GET http://elsewhere/ HTTP/1.1", b"404 Not Found"),
        (b"POST / HTTP/1.1", b"405 Method Not Allowed"),
        (b"CONNECT elsewhere:25 HTTP/1.1", b"405 Method Not Allowed"),
        (b"GET /", b"400 Bad Request"),
        (b"get / HTTP/1.1", b"400 Bad Request"),
        (b"GET /\x00\xff HTTP/1.1", b"404 Not Found"),
        (b"\x16\x03\x01\x00\x05hello", b"400 Bad Request"),
        (b"GET / HTTP/1.1\nHost: smuggled", b"400 Bad Request"),
    ],
)
def test_anything_else_gets_nothing(request_line: bytes, status: bytes) -> None:
    head, body = asked(request_line + b"\r\n\r\n")
    assert head.split(b"\r\n")[0] == b"HTTP/1.1 " + status
    assert PAGE.data not in body


def test_a_request_without_end_is_refused_at_its_limit() -> None:
    head, _ = asked(b"GET / HTTP/1.1\r\nX: " + b"x" * MOST_REQUEST_BYTES)
    assert head.startswith(b"HTTP/1.1 400 ")


def test_nothing_that_a_stranger_says_is_logged_and_many_cost_one_line(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        async with serving() as server:
            for number in range(20):
                await answer(server, b"GET /\x1b[2J%d HTTP/1.1\r\n\r\n" % number)

    caplog.set_level(logging.INFO)
    run(play())
    assert [record.getMessage() for record in caplog.records] == [
        f"{LOOPBACK} asked for nothing that is served here: Not Found"
    ]


KEPT = b"GET %b HTTP/1.1\r\nHost: here\r\nConnection: keep-alive\r\n\r\n"


async def one_answer(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """Returns the head and the body of an answer on a connection that may be kept."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in head.split(b"\r\n") if line.startswith(b"Content-Length: "))
    return head, await reader.readexactly(int(length.split()[1]))


@pytest.mark.slow
def test_a_browser_may_keep_its_connection_for_some_requests() -> None:
    async def play() -> None:
        async with serving(ServerLimits(requests=4)) as server, raw(server.port, tls=False) as (reader, writer):
            for path, body in ((b"/huge", HUGE.data), (b"/nothing", b"Not Found\n"), (b"/", PAGE.data)):
                writer.write(KEPT % path)
                head, found = await one_answer(reader)
                assert found == body
                assert b"Connection: keep-alive\r\n" in head
            writer.write(KEPT % b"/")
            head, found = await one_answer(reader)
            assert b"Connection: close\r\n" in head
            assert await ends(reader)

    run(play())


@pytest.mark.parametrize("more", [b"GET /k HTTP/1.1\r\n", b"name=smuggled"])
def test_who_sends_more_than_a_request_gets_one_answer(more: bytes) -> None:
    async def play() -> bytes:
        async with serving() as server:
            return (await answer(server, KEPT % b"/" + more))[1]

    assert run(play()) == PAGE.data


def test_a_kept_connection_waits_for_no_longer_than_a_new_one() -> None:
    async def play() -> None:
        async with serving(ServerLimits(request=0.2)) as server, raw(server.port, tls=False) as (reader, writer):
            writer.write(KEPT % b"/")
            await one_answer(reader)
            assert await ends(reader)

    run(play())


@pytest.mark.slow
def test_a_kept_connection_can_be_handed_over_and_is_let_alone_then() -> None:
    handed: list[asyncio.Transport] = []

    def take_over(transport: asyncio.Transport, request: bytes, leave: Callable[[], None]) -> None:
        handed.append(transport)

    async def play() -> None:
        async with serving(ServerLimits(request=0.2)) as server:
            server.handed_over = {"/seat": take_over}
            async with raw(server.port, tls=False) as (reader, writer):
                writer.write(KEPT % b"/huge")
                await one_answer(reader)
                writer.write(KEPT % b"/seat")
                await until(lambda: handed)
                async with raw(server.port, tls=False) as (silent, _):
                    assert await ends(silent)
                assert not handed[0].is_closing()

    run(play())


@pytest.mark.slow
def test_who_asks_nothing_or_reads_nothing_is_dropped_in_time() -> None:
    async def play() -> None:
        async with serving(ServerLimits(request=0.2, answer=0.4)) as server:
            async with raw(server.port, tls=False) as (silent, _):
                assert await ends(silent)
            async with raw(server.port, tls=False) as (reader, writer):
                writer.write(b"GET /huge HTTP/1.1\r\n\r\n")
                await until(lambda: server.connections == 1)
                await until(lambda: server.connections == 0)
                assert len(await reader.read(-1)) < len(HUGE.data)

    run(play())


def test_a_newcomer_gets_in_however_many_hold_connections() -> None:
    async def play() -> None:
        async with serving(ServerLimits(connections_each=2, burst=1000)) as server:
            held = [await asyncio.open_connection(LOOPBACK, server.port) for _ in range(10)]
            assert (await answer(server, b"GET / HTTP/1.1\r\n\r\n"))[1] == PAGE.data
            for _, writer in held:
                writer.transport.abort()

    run(play())


def test_who_may_come_back_to_a_game_goes_last() -> None:
    async def play() -> None:
        expected = [LOOPBACK]
        async with (
            serving(ServerLimits(connections_each=2, burst=1000), lambda: expected) as server,
            raw(server.port, tls=False) as (reader, writer),
        ):
            await until(lambda: server.connections == 1)
            expected.clear()
            held = [await asyncio.open_connection(LOOPBACK, server.port) for _ in range(10)]
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            assert (await reader.read(-1)).endswith(PAGE.data)
            for _, other in held:
                other.transport.abort()

    run(play())


def test_a_flood_is_turned_away_and_costs_a_line(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> int:
        through = 0
        async with serving(ServerLimits(rate=0.001, burst=5)) as server:
            for _ in range(50):
                try:
                    through += (await answer(server, b"GET / HTTP/1.1\r\n\r\n"))[1] == PAGE.data
                except ConnectionError:
                    continue
        return through

    caplog.set_level(logging.INFO)
    assert run(play()) == 5
    assert len(caplog.records) == 1


def test_nothing_is_served_after_it_was_closed() -> None:
    async def play() -> None:
        async with serving() as server:
            async with raw(server.port, tls=False) as (reader, _):
                await server.close()
                assert await ends(reader)
            with pytest.raises(OSError):  # noqa: PT011 - each system has another word for it
                await asyncio.open_connection(LOOPBACK, server.port)

    run(play())


def test_a_port_that_is_taken_is_said() -> None:
    async def play() -> None:
        async with serving() as server:
            with pytest.raises(UserError, match=f"Port {server.port} of {LOOPBACK} is already in use"):
                await FileServer(lambda _: {}).open(server.port, LOOPBACK)

    run(play())


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("192.168.1.7", r"No port can be used at 192\.168\.1\.7 \(Gone\)\. Is that this computer’s address\?"),
        (None, r"No port can be used at this computer \(Gone\)\. Try again\."),
    ],
)
def test_where_no_port_can_be_used_it_is_said_why(
    address: str | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object) -> asyncio.Server:
        raise OSError(errno.EADDRNOTAVAIL, "Gone (while attempting to bind on address ('192.0.2.1', 0))")

    async def play() -> None:
        with pytest.raises(UserError, match=said):
            await FileServer(lambda _: {}).open(None, address)

    monkeypatch.setattr(servers, "listen", refuse)
    run(play())


@pytest.mark.slow
def test_a_large_answer_ends_its_connection_once() -> None:
    async def story() -> list[str]:
        wrong: list[str] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: wrong.append(str(context)))
        async with serving() as server:
            for _ in range(3):
                assert len((await answer(server, b"GET /huge HTTP/1.1\r\n\r\n"))[1]) == len(HUGE.data)
        return wrong

    assert run(story()) == []


@pytest.mark.parametrize("steps", range(6))
def test_a_connection_that_comes_as_the_server_closes_is_closed(steps: int) -> None:
    """The loop accepts it in some steps, and the server closes before, between and after these."""

    async def story() -> None:
        server = FileServer(lambda _: {})
        await server.open(0, LOOPBACK)
        with socket.create_connection((LOOPBACK, server.port)) as visitor:
            for _ in range(steps):
                await asyncio.sleep(0)
            await server.close()
            visitor.setblocking(False)
            with suppress(ConnectionResetError):
                assert await asyncio.get_running_loop().sock_recv(visitor, 1) == b""

    run(story(), 5)
