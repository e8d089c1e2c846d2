"""The review of a finished game in Chromium: while it is made, when it is made, on a phone, without JavaScript."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import Final

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import BrowserContext, Page, expect

from kimberley.client.web import drawn_games
from kimberley.referee.pages import review_work
from kimberley.referee.pages.review_work import run_job
from tests.support.chromium import Chromium
from tests.support.pretend_source import over

pytestmark = pytest.mark.e2e

TABLE: Final = "/tables/1/1"
DESK, PHONE = (1280, 900), (390, 844)


@pytest.fixture
def may_go_on(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Stops the review after its first steps, until this is set."""
    goes_on = asyncio.Event()

    async def held(command: Sequence[str], report: Callable[[int, int], None]) -> bytes:
        report(12, 52)
        await goes_on.wait()
        return await run_job(command, report)

    monkeypatch.setattr(review_work, "run_job", held)
    monkeypatch.setattr(drawn_games, "LEVEL", 1)
    monkeypatch.setattr(review_work, "NICE", 0)
    return goes_on


async def faults(page: Page) -> list[object]:
    """Returns what axe-core finds, and what is wider than the screen."""
    found: list[object] = [
        (one["id"], one["nodes"][0]["html"]) for one in (await Axe().run(page)).response["violations"]
    ]
    if await page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("wider than the screen")
    return found


@pytest.mark.nightly
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_link_leads_to_the_review_which_appears_once_it_is_made(
    chromium: Chromium, size: tuple[int, int], may_go_on: asyncio.Event
) -> None:
    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        await page.set_viewport_size({"width": size[0], "height": size[1]})
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        await page.goto(where + TABLE)
        link = page.get_by_role("link", name="Review", exact=True)
        await link.focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("23% judged.")).to_be_visible()
        await expect(page.get_by_role("progressbar", name="Decisions judged")).to_be_visible()
        assert await faults(page) == []
        await page.evaluate("window.before = true")
        may_go_on.set()
        await expect(page.get_by_role("heading", name="Accuracy")).to_be_visible()
        await expect(page.get_by_role("heading", name=re.compile("decisions"))).to_have_count(2)
        assert await page.evaluate("window.before"), "it was not loaded anew"
        await page.get_by_text("The chances in numbers").click()
        assert await faults(page) == []
        await page.get_by_role("link", name="The game, moment by moment").click()
        await expect(link).to_be_visible()
        assert said == []

    chromium.browse(over("diamond-trust"), visit)


@pytest.mark.nightly
def test_without_javascript_the_page_is_loaded_again_until_the_review_is_there(
    chromium: Chromium, may_go_on: asyncio.Event
) -> None:
    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        await page.goto(f"{where}{TABLE}/review")
        await expect(page.get_by_role("heading", name="Reviewing this game")).to_be_visible()
        may_go_on.set()
        await expect(page.get_by_role("heading", name="Accuracy")).to_be_visible()

    chromium.browse(over("diamond-trust"), visit, javascript=False)
