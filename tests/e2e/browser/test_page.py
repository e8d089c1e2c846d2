"""The tournament's page in Chromium: on a large display, on a phone, without JavaScript, and during a tournament."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, expect

from tests.support.chromium import Chromium
from tests.support.effort import first_is_quick
from tests.support.pages import open_page
from tests.support.pretend_source import friday

pytestmark = pytest.mark.e2e

LOOPBACK = "127.0.0.1"
PAGES = ("/", "/crosstable", "/plots", "/rounds/1", "/tables/2/1", "/tables/1/2", "/players/1")
WALL, PHONE = (1920, 1080), (360, 740)


@pytest.mark.parametrize("size", first_is_quick(PHONE, WALL), ids=["phone", "wall"])
def test_every_page_fits_the_width_of_the_screen(chromium: Chromium, size: tuple[int, int], tmp_path: Path) -> None:
    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        await page.set_viewport_size({"width": size[0], "height": size[1]})
        asked: list[str] = []
        said: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        for path in PAGES:
            await page.goto(where + path)
            assert await page.evaluate("document.documentElement.scrollWidth") <= size[0], path
            if await page.locator("section.stage pre.board:visible").count():
                board = await page.locator("section.stage pre.board:visible").bounding_box()
                assert board is not None
                assert board["x"] >= 0
                assert board["x"] + board["width"] <= size[0]
            picture = tmp_path / f"{path.strip('/').replace('/', '-') or 'home'}.png"
            await page.screenshot(path=picture, full_page=True)
            assert picture.read_bytes().startswith(b"\x89PNG")
        assert all(url.startswith(where) for url in asked)
        assert said == []

    chromium.browse(friday(), visit)


def test_a_board_on_the_page_is_as_wide_as_its_cells(chromium: Chromium) -> None:
    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        await page.set_viewport_size({"width": WALL[0], "height": WALL[1]})
        await page.goto(where + "/tables/2/1")
        rows = (await page.locator("section.stage pre.board:visible").inner_text()).split("\n")
        assert [len(row) for row in rows] == [100] * 34
        label = await page.get_by_role("img").first.get_attribute("aria-label")
        assert label is not None
        assert label.startswith("Diamond Trust of London. ")

    chromium.browse(friday(), visit)


def test_without_javascript_every_page_is_whole(chromium: Chromium) -> None:
    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        for path in PAGES:
            await page.goto(where + path)
            await expect(page.get_by_role("heading", level=1)).to_contain_text("Friday Cup")
            await expect(page.locator("main section")).not_to_have_count(0)
        await page.goto(where)
        await page.get_by_role("link", name="Standings", exact=True).click()
        await expect(page.get_by_role("heading", name="Crosstable")).to_be_visible()
        await page.get_by_role("link", name="Chloé").first.click()
        await expect(page.get_by_role("heading", level=2)).to_contain_text("Chloé")

    chromium.browse(friday(), visit, javascript=False)


def test_what_happens_shows_without_reloading_and_clocks_run(chromium: Chromium) -> None:
    source = friday()

    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        await page.goto(where)
        await page.evaluate("window.before = true")
        clock = page.locator(".clock.runs").first
        shown = await clock.inner_text()
        await expect(clock).not_to_have_text(shown)
        await expect(page.get_by_text("3 of 4 games in progress")).to_be_visible()
        source.decide(2, 0, (1, 2), sentence="Chloé gave up.")
        await expect(page.get_by_text("2 of 4 games in progress")).to_be_visible()
        await expect(page.get_by_text("Chloé gave up.")).to_be_visible()
        assert await page.evaluate("window.before")

    chromium.browse(source, visit)


def test_a_referee_that_is_gone_is_told_and_waited_for(chromium: Chromium) -> None:
    async def visit(context: BrowserContext) -> None:
        source = friday()
        page = await context.new_page()
        async with open_page(source, LOOPBACK, 0) as (where,):
            await page.goto(where)
            await expect(page.locator("#stale")).to_be_hidden()
        await expect(page.locator("#stale")).to_be_visible()
        async with open_page(source, LOOPBACK, int(where.rsplit(":", 1)[1])):
            await expect(page.locator("#stale")).to_be_hidden()
            # Leave the page, so that it sends no requests when its referee stops.
            await page.goto("about:blank")

    chromium.run(visit)
