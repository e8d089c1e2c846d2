"""A host gives its program to friends, and a joiner of another version learns where to get it: over real sockets."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from kimberley.client.session.network import Network
from kimberley.client.session.settings import Settings
from kimberley.client.session.sharing import Sharing
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.platform import in_background
from kimberley.p2p.sharing import finding
from kimberley.p2p.sharing.one_line import CommandShell
from kimberley.p2p.transport.handshake import PeerVersion
from tests.support.asyncs import run
from tests.support.hall import LOOPBACK, Hall, hall
from tests.support.pretend import PretendTable


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
                    assert line.endswith(f" join {LOOPBACK}:{table.port}") or f'"{LOOPBACK}:{table.port}"' in line
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


@pytest.mark.parametrize("addresses", [(), ("fe80::1%eth0",)])
def test_a_machine_that_nobody_can_reach_says_what_to_do(addresses: tuple[str, ...], tmp_path: Path) -> None:
    async def story() -> None:
        async with network(tmp_path) as client:
            with pytest.raises(UserError, match="connect it to your friend’s network, and try again"):
                await client.share(PretendTable(addresses=addresses), "")

    run(story())


@asynccontextmanager
async def shared(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """A copy at a port that joiners take for the usual one. The address of its page."""
    sharing = Sharing("ana")
    await sharing.open(0, LOOPBACK)
    monkeypatch.setattr(finding, "SHARE_PORT", sharing.port)
    try:
        yield f"http://{LOOPBACK}:{sharing.port}"
    finally:
        await sharing.close()


async def refusal(client: Network, host: Hall) -> str:
    """Why a table cannot be joined."""
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
                assert f"Or get it from ana: {site} says how." in said
                assert said.endswith("Type only the line that you see on ana’s screen.")
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
                    assert "you have 99: update the older program." in str(caught.value)
                    assert f"Or get it from ben: {site} says how." in str(caught.value)
            finally:
                await table.close()

    run(story())
