"""Two real pages of Chromium play with each other in a room, whose program only serves them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext

from kimberley.games.lookup import find
from kimberley.p2p.sharing.room import Room
from kimberley.p2p.sharing.server import FileServer, site_of
from kimberley.p2p.transport.room_door import NO_HOST
from kimberley.protocol.audit import verify
from tests.support.browser_seat import BotPage, bot_program
from tests.support.chromium import Chromium
from tests.support.hall import LOOPBACK

pytestmark = pytest.mark.e2e


@pytest.mark.nightly
def test_two_pages_play_with_each_other_and_one_of_them_is_closed_in_between(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def visit(context: BrowserContext) -> None:
        program = bot_program()
        files = program.served_by(NO_HOST)
        server = FileServer(lambda _: files, handed_over=Room().handed_over)
        await server.open(0, LOOPBACK)
        assert context.browser is not None
        other = await context.browser.new_context()
        try:
            link = program.link(site_of(LOOPBACK, server.port), NO_HOST)
            first = await BotPage.open(context, link)
            await first.heard("seated")
            second = await BotPage.open(other, link)
            await second.heard("phase", lambda told: told["step"] >= 4)
            # The page that opened the table is closed, and opened again.
            await first.page.close()
            first = await BotPage.open(context, link)
            assert (await first.heard("seated"))["resumed"]
            over = await asyncio.gather(first.heard("over"), second.heard("over"))
            records = [bytes(one["record"]) for one in over]
            assert records[0] == records[1]
            assert verify(records[0], find).code == "fair"
            assert first.errors == second.errors == []
        finally:
            await other.close()
            await server.close()

    chromium.run(visit)
