"""Nothing leaves a page before everything that was written earlier is durable."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from kimberley.client.browser.bridge import Part
from kimberley.client.browser.mirror import Mirror
from kimberley.client.browser.page_socket import PageSocket
from kimberley.client.browser.platform import BrowserPlatform
from tests.support.asyncs import run, until
from tests.support.pretend_browser import PretendBrowser, PretendDatabase


async def connected(page: PretendBrowser, folder: Path, closed: list[str]) -> PageSocket:
    mirror = Mirror(folder, page.database, lambda why: None)
    await mirror.load()
    socket = PageSocket(mirror, closed.append)
    await socket.connect(page, "ws://there/seat", lambda message: None)
    return socket


def test_what_is_written_is_stored_before_what_rests_on_it_leaves(tmp_path: Path) -> None:
    page, folder = PretendBrowser(), tmp_path

    async def story() -> None:
        socket = await connected(page, folder, [])
        raw = page.sockets[0]
        socket.send(b"beat")
        assert raw.sent == [b"beat"]
        (folder / "journal").write_bytes(b"chose")
        socket.send(b"envelope")
        socket.send(b"after it")
        assert (raw.sent, socket.unsent) == ([b"beat"], len(b"envelope") + len(b"after it"))
        socket.close()
        assert not raw.closed
        await until(lambda: raw.closed)
        assert raw.sent == [b"beat", b"envelope", b"after it"]
        assert page.database.kept.parts == {("journal", 0): b"chose"}
        socket.send(b"too late")
        assert len(raw.sent) == 3

    run(story())


def test_what_cannot_be_stored_never_leaves(tmp_path: Path) -> None:
    kept, closed, told = PretendDatabase(), list[str](), list[str]()
    page, folder = PretendBrowser(kept), tmp_path

    async def story() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(str(context["exception"])))
        socket = await connected(page, folder, closed)
        kept.refuses = True
        (folder / "journal").write_bytes(b"chose")
        socket.send(b"envelope")
        await until(lambda: bool(closed))
        assert page.sockets[0].sent == []
        assert socket.unsent == 0

    run(story())
    assert told == ["This seat is already open in another tab."]


def test_a_connection_that_ends_while_something_is_stored_just_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, folder, closed, told = PretendBrowser(), tmp_path, list[str](), list[str]()

    async def story() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(repr(context["exception"])))
        socket = await connected(page, folder, closed)
        store = page.database.write

        async def write(parts: Sequence[Part]) -> None:
            page.sockets[0].close()
            await store(parts)

        monkeypatch.setattr(page.database, "write", write)
        (folder / "journal").write_bytes(b"chose")
        socket.send(b"envelope")
        await until(lambda: bool(page.database.kept.parts))
        await asyncio.sleep(0)
        assert (page.sockets[0].sent, socket.unsent, closed) == ([], 0, ["closed"])

    run(story())
    assert told == []


@pytest.mark.parametrize("where", [("192.168.1.8", 7480), ("192.168.1.7", 7411)])
def test_a_page_reaches_its_host_alone(tmp_path: Path, where: tuple[str, int]) -> None:
    page = PretendBrowser()

    async def story() -> None:
        mirror = Mirror(tmp_path, page.database, lambda why: None)
        await mirror.load()
        platform = BrowserPlatform(page, mirror, tmp_path)
        with pytest.raises(OSError, match="only connect to the host"):
            await platform.open_web_socket(*where, "/seat", lambda _: None, lambda _: None)
        await platform.open_web_socket(*page.site, "/seat", lambda _: None, lambda _: None)
        assert page.opened == ["ws://192.168.1.7:7480/seat"]

    run(story())


def test_only_the_last_tab_of_a_seat_connects(tmp_path: Path) -> None:
    kept = PretendDatabase()

    async def connect(page: PretendBrowser, mirror: Mirror) -> None:
        await BrowserPlatform(page, mirror, tmp_path).open_web_socket(
            *page.site, "/seat", lambda _: None, lambda _: None
        )

    async def story() -> None:
        first, second = PretendBrowser(kept), PretendBrowser(kept)
        mirrors = [Mirror(tmp_path, page.database, lambda why: None) for page in (first, second)]
        await mirrors[0].load()
        await connect(first, mirrors[0])
        await mirrors[1].load()
        with pytest.raises(OSError, match="another tab"):
            await connect(first, mirrors[0])
        await connect(second, mirrors[1])
        assert (len(first.opened), len(second.opened)) == (1, 1)

    run(story())
