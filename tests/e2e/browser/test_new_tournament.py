"""The form for a new tournament on a phone: by touch, without JavaScript, and for everybody."""

from __future__ import annotations

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import BrowserContext, Page, ViewportSize, expect

from kimberley.client.cli.parser import build_parser
from kimberley.p2p.base.tasks import task_scope
from kimberley.referee.page_process import page_process
from kimberley.referee.questions import Interview
from tests.support.chromium import LOOPBACK, Chromium
from tests.support.pages import PAGE_GAMES

pytestmark = pytest.mark.e2e

PHONE: ViewportSize = {"width": 390, "height": 844}


async def violations(page: Page) -> list[tuple[str, str]]:
    results = await Axe().run(page)
    return [(one["id"], one["nodes"][0]["html"]) for one in results.response["violations"]]


@pytest.mark.parametrize("javascript", [False, True])
def test_what_only_some_games_need_shows_with_them_and_faults_stand_at_their_fields(
    chromium: Chromium, javascript: bool
) -> None:
    interview = Interview(build_parser().parse_args(["referee"]), lambda name: name == "Club")
    told = []

    def fill(form: dict[str, str]) -> dict[str, str]:
        found, faults = interview.fill(form)
        told.append(found)
        return faults

    async def visit(context: BrowserContext) -> None:
        async with page_process(PAGE_GAMES, None, LOOPBACK, 0) as process, task_scope() as tasks:
            asking = tasks.start(process.interview(interview.fields, fill))
            page = await context.new_page()
            await expect(page).to_have_url("about:blank")
            await page.goto(process.addresses[0] + process.organizer_path)
            seats, rounds, minutes = (
                page.get_by_label(name, exact=True) for name in ("Players at a table", "Rounds", "Minutes")
            )
            for field, shown in ((seats, False), (rounds, True), (minutes, False)):
                await expect(field).to_be_visible(visible=shown)
            await page.get_by_label("Blood Diamonds: Land, 2 to 6 players").tap()
            await page.get_by_label("Arena: quick games").tap()
            for field, shown in ((seats, True), (rounds, False), (minutes, True)):
                await expect(field).to_be_visible(visible=shown)
            await page.get_by_label("Name of the tournament").fill("Club")
            await seats.fill("9")
            if javascript:
                assert await violations(page) == []
            await page.get_by_role("button", name="Create tournament").tap()
            await expect(seats).to_have_accessible_description(
                "Leave this empty for as few as the game allows. Type a number: 2 to 6."
            )
            await expect(seats).to_have_value("9")
            await expect(page.get_by_role("button", name="Continue Club")).to_be_visible()
            await expect(page.get_by_label("Blood Diamonds: Land, 2 to 6 players")).to_be_checked()
            if javascript:
                assert await violations(page) == []
                assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
            await page.get_by_label("Name of the tournament").fill("New Club")
            await seats.fill("2")
            await page.get_by_role("button", name="Create tournament").tap(no_wait_after=True)
            assert await asking
        assert told[0] is None
        assert told[-1] is not None
        assert (told[-1].name, told[-1].game, told[-1].seats, told[-1].format) == ("New Club", "land", 2, "arena")

    chromium.run(visit, javascript=javascript, viewport=PHONE, has_touch=True)
