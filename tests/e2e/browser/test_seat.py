"""A seat in a real page of Chromium, over plain HTTP: its program, its cryptography, and a whole game with a host."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext

from kimberley.client.session.bots import drive
from kimberley.games.lookup import find
from kimberley.protocol.audit import verify
from tests.support.browser_seat import BotPage, bot_program, served_table
from tests.support.chromium import Chromium

pytestmark = pytest.mark.e2e

GAME = find("diamond-trust")


def test_a_page_plays_a_whole_game_and_comes_back_after_it_was_killed(chromium: Chromium, tmp_path: Path) -> None:
    async def visit(context: BrowserContext) -> None:
        async with served_table(GAME, tmp_path, bot_program()) as served:
            served.table.ready(True)
            playing = asyncio.ensure_future(drive(served.table, GAME.bot(1, 3)))
            page = await BotPage.open(context, served.link)
            assert not (await page.heard("seated"))["resumed"]
            await page.heard("phase", lambda told: told["step"] >= 8)
            await page.page.close()
            page = await BotPage.open(context, served.link)
            assert (await page.heard("seated"))["resumed"]
            over = await page.heard("over")
            await playing
            record = served.table.record
            assert record is not None
            assert bytes(over["record"]) == record.read_bytes()
            assert verify(bytes(over["record"]), lambda _: GAME).code == "fair"
            assert page.errors == []

    chromium.run(visit)
