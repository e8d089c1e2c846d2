"""Whether a host shares a copy, as a joiner of another version asks it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from kimberley.p2p.sharing.finding import MOST_HEAD_BYTES, find_shared_copy
from kimberley.p2p.sharing.server import FileServer, ServedFile
from tests.support.asyncs import run
from tests.support.hall import LOOPBACK

COPY = ServedFile(b"the program", (("Content-Disposition", 'attachment; filename="kimberley.pyz"'),))
PAGE = ServedFile(b"<p>hello</p>", (("Content-Type", "text/html"),))


@asynccontextmanager
async def answering(answer: bytes) -> AsyncIterator[int]:
    """Runs a server that answers anything with these bytes, and then says nothing more. Yields its port."""
    asked: list[asyncio.StreamWriter] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(writer)
        writer.write(answer)

    server = await asyncio.start_server(handle, LOOPBACK, 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in asked:
            writer.transport.abort()


def found(answer: bytes, seconds: float = 60.0) -> str | None:
    """Returns what is found where a server answers these bytes."""

    async def find() -> str | None:
        async with answering(answer) as port:
            return await find_shared_copy(LOOPBACK, port, seconds)

    return run(find())


def shared(files: dict[str, ServedFile]) -> tuple[str | None, int]:
    """Returns what is found where these files are served, and the port."""

    async def find() -> tuple[str | None, int]:
        server = FileServer(lambda address: files)
        await server.open(0, LOOPBACK)
        try:
            return await find_shared_copy(LOOPBACK, server.port), server.port
        finally:
            await server.close()

    return run(find())


def test_a_host_that_shares_is_found_with_the_address_of_its_page() -> None:
    site, port = shared({"/": PAGE, "/k": COPY})
    assert site == f"http://127.0.0.1:{port}"


@pytest.mark.parametrize("files", [{}, {"/": PAGE}, {"/": COPY, "/k": PAGE}])
def test_another_server_is_not_taken_for_one(files: dict[str, ServedFile]) -> None:
    assert shared(files)[0] is None


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 404 Not Found\r\nX: filename=\"kimberley.pyz\"\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\nfilename=\"kimberley.pyz\"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"x" * MOST_HEAD_BYTES,
        b"HTTP/1.1 200 OK\r\n" + b"x" * MOST_HEAD_BYTES + b"\r\nX: filename=\"kimberley.pyz\"\r\n\r\n",
    ],
)  # fmt: skip
def test_an_answer_of_another_kind_or_without_end_is_none(answer: bytes) -> None:
    assert found(answer) is None


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\nContent-"])
def test_nobody_waits_for_one_that_keeps_silent(answer: bytes) -> None:
    assert found(answer, seconds=0.1) is None


def test_nobody_there_and_an_address_that_no_browser_takes() -> None:
    find: Callable[[str], str | None] = lambda host: run(find_shared_copy(host, 1))  # noqa: E731
    assert find(LOOPBACK) is None
    assert find("fe80::1%lo") is None
