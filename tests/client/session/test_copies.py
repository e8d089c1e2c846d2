"""A host gives its program to friends, and a joiner of another version learns where to get it: over real sockets."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from kimberley.client.session.network import Network
from kimberley.client.session.settings import Settings
from kimberley.client.session.sharing import Sharing
from kimberley.games import lookup
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.sharing import finding
from kimberley.p2p.sharing.one_line import CommandShell
from kimberley.p2p.sharing.page_program import PageProgram
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Table
from kimberley.p2p.transport.handshake import PeerVersion
from tests.support.asyncs import run, until
from tests.support.hall import LOOPBACK, Hall, hall
from tests.support.pretend import PretendTable
from tests.support.seated import play
from tests.support.web_seat import pages, served_from

pytestmark = pytest.mark.slow


@asynccontextmanager
async def network(data: Path) -> AsyncIterator[Network]:
    client = Network(Settings(nickname="ben", path=data / "settings.json"))
    try:
        yield client
    finally:
        await client.close()


def fetched(address: str) -> bytes:
    with urllib.request.urlopen(address) as answer:
        return bytes(answer.read())


def test_a_host_shares_what_its_line_says_where_its_table_listens_until_it_ends(tmp_path: Path) -> None:
    async def story() -> None:
        async with network(tmp_path) as client:
            table = await client.host("diamond", {}, 2, port=0, bind=LOOPBACK)
            try:
                sharing = await client.share(table, "<svg>the board</svg>")
                try:
                    offer = sharing.offer()
                    line = offer.lines[CommandShell.SH]
                    assert offer.site.startswith(f"http://{LOOPBACK}:")
                    assert line.endswith(f" join {LOOPBACK}:{table.port}")
                    assert b"<svg>the board</svg>" in await in_background(fetched, offer.site)
                    data = await in_background(fetched, f"{offer.site}/k")
                    assert sha256(data).hexdigest().startswith(offer.digits)
                    assert offer.digits in line
                finally:
                    await sharing.close()
                with pytest.raises(urllib.error.URLError, match="refused"):
                    await in_background(fetched, f"{offer.site}/k")
            finally:
                await table.close()

    run(story())


def test_a_seat_in_the_page_goes_on_with_a_host_whose_program_has_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kimberley.client.session.sharing.build_page_program", lambda: PageProgram({}, bytes(32)))
    monkeypatch.setattr("kimberley.client.session.sharing.require", lambda *_: None)

    async def story() -> None:
        async with network(tmp_path / "ana") as ana:
            host = await ana.host("diamond", {}, 2, port=0, bind=LOOPBACK)
            sharing = await ana.share(host, "")
            page = int(sharing.offer().site.rpartition(":")[2])
            assert host.page_seats.port == 0
            with served_from(page):
                ben = await Table.join(
                    f"{LOOPBACK}:{page}", lookup.find, nickname="ben", identity=Identity.fresh(), data=tmp_path / "ben",
                    listen=False, seek=False, headless=True,
                )  # fmt: skip
            try:
                await until(lambda: host.phase == "words")
                host.words.answer(True)
                playing = asyncio.create_task(play(ben, Random(1)))
                await until(lambda: host.peer is not None and host.peer.asked is not None)
                await host.suspend()
                await sharing.close()
                await until(lambda: ben.reconnection.away)
                host = await ana.resume(None)
                assert host.page_seats.port == page
                sharing = await ana.share(host, "")
                assert sharing.offer().site.endswith(f":{page}")
                await until(lambda: not ben.reconnection.away)
                assert isinstance(host, Table)
                await play(host, Random(2))
                await playing
                assert ben.ending.verdict is not None
                assert ben.ending.verdict.code == "fair"
            finally:
                await sharing.close()
                await ben.close()
                await host.close()

    with pages():
        run(story())


@pytest.mark.parametrize("addresses", [(), ("fe80::1%eth0",)])
def test_a_machine_that_nobody_can_reach_says_what_to_do(addresses: tuple[str, ...], tmp_path: Path) -> None:
    async def story() -> None:
        async with network(tmp_path) as client:
            with pytest.raises(UserError, match="Connect it to their network and try again"):
                await client.share(PretendTable(addresses=addresses), "")

    run(story())


@asynccontextmanager
async def shared(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """Shares a copy at a port that joiners take for the usual one. Yields the address of its page."""
    sharing = Sharing("ana")
    await sharing.open(0, LOOPBACK)
    monkeypatch.setattr(finding, "SHARE_PORT", sharing.port)
    try:
        yield f"http://{LOOPBACK}:{sharing.port}"
    finally:
        await sharing.close()


async def refusal(client: Network, host: Hall) -> str:
    """Returns why a table cannot be joined."""
    with pytest.raises(UserError) as caught:
        await client.join(f"{LOOPBACK}:{host.door.port}")
    return str(caught.value)


def test_a_joiner_of_another_revision_learns_where_the_host_shares_a_copy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def story() -> None:
        async with network(tmp_path) as client, hall(speaker=PeerVersion((99,), "9.0")) as host:
            async with shared(monkeypatch) as site:
                said = await refusal(client, host)
                assert "(protocol revision 99)" in said
                assert f"Or get it from ana: open {site}, and" in said
                assert said.endswith("type only the line you see on ana’s screen.")
            said = await refusal(client, host)
            assert said.endswith("update the older one.")

    run(story())


def test_so_does_one_with_other_rules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def story() -> None:
        async with network(tmp_path / "ana") as ana, network(tmp_path / "ben") as ben:
            table = await ana.host("diamond", {}, 2, port=0, bind=LOOPBACK)
            monkeypatch.setattr(type(table.game), "revision", 99)
            try:
                async with shared(monkeypatch) as site:
                    with pytest.raises(UserError) as caught:
                        await ben.join(f"{LOOPBACK}:{table.port}")
                    assert "you have 99: update the older one." in str(caught.value)
                    assert f"Or get it from ben: open {site}, and" in str(caught.value)
            finally:
                await table.close()

    run(story())
