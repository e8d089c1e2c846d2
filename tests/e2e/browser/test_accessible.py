"""The page for everybody: axe-core finds nothing on any kind of page, and the keyboard alone reaches everything."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from itertools import product
from typing import Final

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import BrowserContext, Page, Route, ViewportSize, expect

from kimberley.p2p.tournament.events import TournamentEnded
from tests.support.chromium import Chromium
from tests.support.effort import spread, tries
from tests.support.pretend_source import LATER, PretendSource, friday, over

pytestmark = pytest.mark.e2e

MOMENT: Final = "/tables/1/1/moments/20"
WATCH_MOMENTS: Final = """() => {
  window.shown = [];
  const parent = document.querySelector("main").parentNode;
  const note = () => shown.push(document.querySelector("main").textContent.match(/move \\d+ of \\d+/)[0]);
  new MutationObserver(note).observe(parent, { childList: true });
}"""
"""Notes each moment that the page shows from now on."""


def beginning() -> PretendSource:
    """Returns a tournament whose first round has been paired."""
    source = PretendSource.open()
    source.pair()
    return source


def between() -> PretendSource:
    """Returns a tournament between two rounds."""
    source = over("diamond")
    source.next_round_at = source.seconds + 100
    return source


def ended() -> PretendSource:
    """Returns a tournament that is over."""
    source = PretendSource.open(names=("Ana", "Ben", "Eva", "Finn"), rounds=1)
    source.pair()
    source.decide(1, 0, (1, 2))
    source.decide(1, 1, (1, 2))
    source.add(TournamentEnded(LATER + 100))
    return source


ALL: Final = ("/", "/wall", "/crosstable", "/plots", "/rounds/1", "/tables/2/1", "/tables/1/2", "/players/1", "/check")
PAGES: Final[Mapping[str, tuple[Callable[[], PretendSource], tuple[str, ...]]]] = {
    "running": (friday, (*ALL, "/nowhere")),
    "beginning": (beginning, ("/", "/wall", "/plots")),
    "between": (between, ("/wall", "/tables/1/1", MOMENT)),
    "ended": (ended, ("/", "/wall")),
    "empty": (lambda: PretendSource.open(names=()), ("/", "/wall", "/crosstable")),
}
SIZES: Final[Mapping[str, ViewportSize]] = {
    "wall": {"width": 1920, "height": 1080},
    "phone": {"width": 390, "height": 844},
}


@pytest.mark.parametrize(
    ("kind", "size"),
    spread(1, tries([*product(PAGES, ["phone"]), ("beginning", "wall")], [*product(PAGES, SIZES)])),
)
def test_axe_finds_nothing(chromium: Chromium, kind: str, size: str) -> None:
    make, paths = PAGES[kind]

    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        await page.set_viewport_size(SIZES[size])
        found = []
        for path in paths:
            await page.goto(where + path)
            await expect(page.get_by_text("is being checked")).to_have_count(0)
            results = await Axe().run(page)
            found += [(path, one["id"], one["nodes"][0]["html"]) for one in results.response["violations"]]
        assert found == []

    chromium.browse(make(), visit)


def test_pairings_and_standings_fit_on_paper_whatever_the_screen(chromium: Chromium) -> None:
    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        await page.emulate_media(media="print")
        # A sheet of A4 upright, and what a phone prints.
        for width in (794, 390):
            await page.set_viewport_size({"width": width, "height": 1100})
            for path in ("/rounds/1", "/crosstable"):
                await page.goto(where + path)
                await expect(page.get_by_role("heading", level=2).first).to_be_visible()
                await expect(page.locator("nav, footer")).to_have_count(2)
                assert await page.locator("nav:visible, footer:visible").count() == 0
                if width > 500:
                    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert await page.locator("table").first.locator("thead th:visible").count() == 8
        await page.goto(where + "/rounds/1")
        assert await page.locator(".card").first.locator(".name:visible").count() == 2

    chromium.browse(friday(), visit)


def test_the_keyboard_alone_reaches_every_link_and_steps_through_a_game(chromium: Chromium) -> None:
    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        for path in ("/", "/crosstable", "/tables/1/1", "/wall"):
            await page.goto(where + path)
            wanted = await page.locator("a:visible:not([tabindex='-1']), button:visible, summary:visible").count()
            assert await reached(page) >= wanted, path
        await page.goto(where + MOMENT)
        await page.keyboard.press("ArrowRight")
        await expect(page.get_by_text("move 21 of")).to_be_visible()
        assert page.url.endswith("/moments/21")
        await page.keyboard.press("Home")
        await expect(page.get_by_text("move 0 of")).to_be_visible()
        await page.get_by_role("link", name="Next").focus()
        for at in (1, 2):
            await page.keyboard.press("Enter")
            await expect(page.get_by_text(f"move {at} of")).to_be_visible()
        await page.go_back()
        await expect(page.get_by_text("move 1 of")).to_be_visible()
        await page.keyboard.press("End")
        await expect(page.get_by_role("link", name="Next")).to_have_count(0)

    chromium.browse(between(), visit)


def test_a_link_keeps_its_focus_while_the_page_is_kept_up_to_date(chromium: Chromium) -> None:
    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        await page.goto(where + "/")
        link = page.get_by_role("link", name="Ratings and time")
        await link.focus()
        await page.locator("header .state").evaluate("(state) => state.append('old')")
        await expect(page.locator("header .state")).not_to_contain_text("old")
        await expect(link).to_be_focused()

    chromium.browse(between(), visit)


async def held_back(page: Page, path: str) -> asyncio.Event:
    """Makes requests for a path wait from now on, until this event is set."""
    released = asyncio.Event()

    async def late(route: Route) -> None:
        await released.wait()
        await route.continue_()

    await page.route("**" + path, late)
    return released


def test_a_late_answer_for_a_moment_that_was_left_changes_nothing(chromium: Chromium) -> None:
    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        await page.goto(where + MOMENT)
        await page.evaluate(WATCH_MOMENTS)
        stepped = await held_back(page, MOMENT)
        async with page.expect_request("**" + MOMENT):
            pass
        await page.keyboard.press("ArrowRight")
        await expect(page.get_by_text("move 21 of")).to_be_visible()
        async with page.expect_response("**/moments/21"):
            stepped.set()
        assert await page.evaluate("shown") == ["move 21 of 52"]

    chromium.browse(between(), visit)


def test_of_two_steps_the_last_is_shown_whichever_answer_comes_last(chromium: Chromium) -> None:
    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        await page.goto(where + MOMENT)
        await page.evaluate(WATCH_MOMENTS)
        stepped = await held_back(page, "/moments/21")
        async with page.expect_request("**/moments/21"):
            await page.keyboard.press("ArrowRight")
        await page.keyboard.press("Home")
        await expect(page.get_by_text("move 0 of")).to_be_visible()
        async with page.expect_response("**/moments/21"):
            stepped.set()
        async with page.expect_response("**/moments/0"):
            pass
        assert await page.evaluate("shown") == ["move 0 of 52"]

    chromium.browse(between(), visit)


def test_without_javascript_a_game_is_stepped_through_by_its_links(chromium: Chromium) -> None:
    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        await page.goto(where + MOMENT)
        await expect(page.get_by_role("button", name="Play")).to_have_count(0)
        await page.get_by_role("link", name="Next").click()
        await expect(page.get_by_text("move 21 of")).to_be_visible()
        await page.get_by_role("link", name="5", exact=True).first.click()
        await expect(page.get_by_text("move 5 of")).to_be_visible()

    chromium.browse(between(), visit, javascript=False)


def test_a_game_plays_by_itself_until_it_is_paused(chromium: Chromium) -> None:
    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        await page.goto(where + MOMENT)
        await page.get_by_role("button", name="Play").click()
        await expect(page.get_by_text(re.compile(r"move (2[2-9]|[3-9]\d) of"))).to_be_visible()
        await page.get_by_role("button", name="Pause").click()
        await expect(page.get_by_role("button", name="Play")).to_be_visible()

    chromium.browse(between(), visit)


def test_the_wall_fills_its_screen_without_scrolling(chromium: Chromium) -> None:
    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        await page.set_viewport_size({"width": 1920, "height": 1080})
        await page.goto(where + "/wall")
        assert await page.evaluate("document.documentElement.scrollHeight") == 1080
        shown = page.locator(".featured pre.board:visible")
        board = await shown.bounding_box()
        assert board is not None
        assert board["width"] > 1200
        assert board["height"] > 650
        size = await shown.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
        assert size >= 22
        for part in (".others", ".best tbody", ".codes"):
            box = await page.locator(part).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 1080, part

    chromium.browse(friday(), visit)


def test_letters_of_boards_and_plots_can_be_read_on_a_phone(chromium: Chromium) -> None:
    async def visit(context: BrowserContext, where: str) -> None:
        page = await context.new_page()
        await page.set_viewport_size({"width": 390, "height": 844})
        for path in ("/wall", "/tables/2/1", "/plots"):
            await page.goto(where + path)
            boards = page.locator("pre.board:visible")
            for board in await boards.all():
                size = await board.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
                assert size >= 11, path
            for letters in await page.locator("svg.plot:visible text").all():
                box = await letters.bounding_box()
                assert box is not None
                assert box["height"] >= 11, path
            assert path == "/plots" or await boards.count() == 1
        await page.goto(where)
        await expect(page.locator("pre.board:visible")).to_have_count(0)

    chromium.browse(friday(), visit)


async def reached(page: Page) -> int:
    """Returns how many elements the Tab key focuses before it comes back to the first one."""
    script = """() => {
      const now = document.activeElement, seen = now.dataset.seen;
      now.dataset.seen = 1;
      return now === document.body || seen === "1";
    }"""
    count = 0
    while True:
        await page.keyboard.press("Tab")
        if await page.evaluate(script):
            return count
        count += 1
