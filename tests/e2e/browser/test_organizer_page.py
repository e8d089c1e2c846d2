"""The organizer's page keeps itself up to date, and nothing that is typed in it is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import BrowserContext, Locator, Page, expect

from kimberley.p2p.tournament.events import ORGANIZER, PlayerEnrolled
from kimberley.referee.pages.organizer import OrderLine
from tests.support.chromium import LOOPBACK, Chromium
from tests.support.pages import open_page
from tests.support.pretend_source import LATER, PretendSource

pytestmark = pytest.mark.e2e

NAMES = ("ana", "ben", "carla", "dan")


class Orders:
    """The referee at the other end of the line: does what the test says, and notes each line."""

    def __init__(self, reply: Callable[[str], tuple[bool, str]]) -> None:
        self.said: list[str] = []
        self._reply = reply
        self.line = OrderLine(self._on_order)
        self.line.take(("organizer", "secret", ()))

    def _on_order(self, number: int, line: str) -> None:
        self.said.append(line)
        done, sentence = self._reply(line)
        asyncio.get_running_loop().call_soon(lambda: self.line.take(("told", number, done, sentence)))


@asynccontextmanager
async def organizer(context: BrowserContext, source: PretendSource, orders: Orders) -> AsyncIterator[Page]:
    async with open_page(source, LOOPBACK, 0, orders.line) as (where, *_):
        page = await context.new_page()
        await page.goto(f"{where}/organizer/secret")
        yield page


def reason(table: Locator) -> Locator:
    """Returns the field for the reason of a decision at a table."""
    return table.locator("input[id^=decide]")


def begun() -> PretendSource:
    source = PretendSource.open(names=NAMES)
    source.pair()
    return source


def test_what_happens_appears_and_what_is_typed_and_open_stays(chromium: Chromium) -> None:
    source = begun()
    orders = Orders(lambda line: (True, "Done."))

    async def visit(context: BrowserContext) -> None:
        async with organizer(context, source, orders) as page:
            first, second = page.locator("article").nth(0), page.locator("article").nth(1)
            for table in (first, second):
                await table.get_by_text("Decide", exact=True).click()
            await reason(first).fill("The lights went out")
            await second.get_by_label("Result").select_option("draw")
            await page.get_by_label("Command").fill("say hel")
            source.seconds += 60
            source.add(PlayerEnrolled(LATER, bytes([77]) * 32, "eve"))
            await expect(page.get_by_text("eve", exact=True)).to_be_visible()
            assert await reason(first).input_value() == "The lights went out"
            await reason(second).press_sequentially("He ", delay=5)
            source.decide(1, 0, (1, 2), sentence="It is over.")
            await expect(first.get_by_text("It is over.")).to_be_visible()
            await expect(page.get_by_label("Command")).to_have_value("say hel")
            # Where somebody types, nothing moves.
            assert await second.get_by_label("Result").input_value() == "draw"
            assert await reason(second).input_value() == "He "
            assert await reason(second).evaluate("field => field === document.activeElement")

    chromium.run(visit)


def test_an_order_sent_from_one_form_leaves_the_others_as_they_are(chromium: Chromium) -> None:
    source = begun()

    def reply(line: str) -> tuple[bool, str]:
        if "nobody" in line:
            return False, "No."
        source.decide(1, 0, (1, 0), ORGANIZER, "A decision.")
        return True, "Table 1: a decision."

    orders = Orders(reply)

    async def visit(context: BrowserContext) -> None:
        async with organizer(context, source, orders) as page:
            told, first = page.locator("#told"), page.locator("article").first
            await page.get_by_label("Message to everyone").fill("Tea is re")
            await first.get_by_text("Decide", exact=True).click()
            await first.get_by_label("Result").select_option("nobody")
            await reason(first).fill("A quarrel")
            await first.get_by_role("button", name="End game").click()
            await expect(told).to_have_text("No.")
            await expect(reason(first)).to_have_value("A quarrel")
            await first.get_by_label("Result").select_option("draw")
            await reason(first).press("Enter")
            await expect(told).to_have_text("Table 1: a decision.")
            assert orders.said == ["decide 1 nobody: A quarrel", "decide 1 draw: A quarrel"]
            await expect(page.get_by_label("Message to everyone")).to_have_value("Tea is re")
            await expect(first.get_by_text("Undo", exact=True)).to_be_visible()
            await expect(reason(first)).to_have_count(0)

    chromium.run(visit)


def test_it_says_when_its_link_leads_nowhere(chromium: Chromium) -> None:
    orders = Orders(lambda line: (True, "Done."))

    async def visit(context: BrowserContext) -> None:
        async with organizer(context, begun(), orders) as page:
            await expect(page.locator("#stale")).to_be_hidden()
            orders.line.take(("organizer", "another", ()))
            await expect(page.locator("#stale")).to_be_visible()

    chromium.run(visit)


def test_without_javascript_there_is_a_link_to_update_it(chromium: Chromium) -> None:
    orders = Orders(lambda line: (True, "Done."))

    async def visit(context: BrowserContext) -> None:
        async with organizer(context, begun(), orders) as page:
            await page.get_by_label("Message to everyone").fill("Tea")
            await page.get_by_role("button", name="Send").first.click()
            await expect(page.locator("#told")).to_have_text("Done.")
            assert orders.said == ["say Tea"]
            await page.get_by_role("link", name="Update this page").click()

    chromium.run(visit, javascript=False)
