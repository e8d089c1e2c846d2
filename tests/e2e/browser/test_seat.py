"""A seat in a real page of Chromium, over plain HTTP: its program, its cryptography, and a whole game with a host."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext

from kimberley.client.session.bots import drive
from kimberley.games.bots.levels import make_bot
from kimberley.games.lookup import find
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import Journal
from kimberley.p2p.transport.channel import ChannelTiming
from kimberley.p2p.transport.web_channel import WebChannel
from kimberley.protocol.audit import verify
from tests.support.browser_seat import BotPage, bot_program, served_table
from tests.support.chromium import Chromium

pytestmark = pytest.mark.e2e

GAME = find("diamond-trust")
COMPUTING = ChannelTiming().idle + 2
"""Seconds of computing that would end a connection if nothing was heard meanwhile."""
DATABASE = """async () => {
  const { openDatabase, Taken } = await import("/play/database.js");
  const [first, second] = [await openDatabase(), await openDatabase()];
  const bytes = (text) => new TextEncoder().encode(text);
  await first.read();
  await first.write([["a", 0, bytes("one")], ["b", 0, bytes("two")]]);
  await first.write([["a", 3, bytes("more")], ["b", 0, undefined], ["c", 0, bytes("three")]]);
  const found = await second.read();
  let refused = null;
  await first.write([["a", 0, bytes("late")]]).catch((error) => { refused = error.message; });
  const again = await second.read();
  await second.write([["a", 0, undefined], ["c", 0, undefined]]);
  const own = (parts) => parts.filter(([path]) => path.length === 1);
  const said = ([path, offset, data]) => `${path} ${offset} ${new TextDecoder().decode(data)}`;
  const text = (parts) => own(parts).map(said);
  return [text(found), refused, text(again)];
}"""


async def killed_and_opened(page: BotPage, context: BrowserContext, link: str) -> BotPage:
    await page.page.close()
    return await BotPage.open(context, link)


def test_a_page_plays_a_whole_game_and_comes_back_after_it_was_killed(
    chromium: Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    received: list[bytes] = []
    on_message = WebChannel.on_message

    def heard_by_host(channel: WebChannel, message: bytes) -> None:
        received.append(message)
        on_message(channel, message)

    monkeypatch.setattr(WebChannel, "on_message", heard_by_host)

    async def visit(context: BrowserContext) -> None:
        async with served_table(GAME, tmp_path / "host", bot_program()) as served:
            served.table.seating.ready(True)
            playing = asyncio.ensure_future(drive(served.table, make_bot(GAME, 1, 3)))
            page = await BotPage.open(context, served.link)
            assert not (await page.heard("seated"))["resumed"]
            await page.heard("phase", lambda told: told["step"] >= 8)
            await page.keep_files(tmp_path / "phone")
            known = list(received)
            earlier, page = page, await BotPage.open(context, served.link)
            assert (await page.heard("seated"))["resumed"]
            assert await earlier.stopped() == "This seat is already open in another tab."
            await earlier.page.close()
            await page.heard("phase", lambda told: told["step"] >= 56)
            page = await killed_and_opened(page, context, served.link)
            assert (await page.heard("seated"))["resumed"]
            over = await page.heard("over")
            await playing
            assert served.table.ending.record is not None
            record = served.table.ending.record.read_bytes()
            assert bytes(over["record"]) == record
            assert verify(record, lambda _: GAME).code == "fair"
            assert page.errors == []
        # What the phone had stored in the midst of the game: its identity, and the seed of all its secrets there.
        identity = Identity.load_or_create(tmp_path / "phone/data")
        journal, contents = Journal.resume(next((tmp_path / "phone/data/journals").iterdir()))
        journal.close()
        assert len(known) > 10
        assert identity.public in b"".join(known)
        for secret in (identity.secret, identity.secret.hex().encode()):
            assert secret not in b"".join(received)
        assert contents.seed not in b"".join(known)
        assert contents.seed in b"".join(received), "it is published when the game is over"

    chromium.run(visit)


@pytest.mark.nightly
def test_its_cryptography_is_the_same_and_computing_does_not_lose_the_connection(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def visit(context: BrowserContext) -> None:
        async with served_table(GAME, tmp_path, bot_program()) as served:
            page = await BotPage.open(context, served.link.replace("#", f"?compares={COMPUTING}#"))
            compared = await page.heard("compared")
            assert compared["faults"] == []
            assert len(served.table.occupants.names) == 2
            assert await page.page.evaluate(DATABASE) == [
                ["a 0 one", "a 3 more", "c 0 three"],
                "This seat is already open in another tab.",
                ["a 0 one", "a 3 more", "c 0 three"],
            ]

    chromium.run(visit)
