"""The page where a copy is shared, in Chromium: on a phone and a laptop, with and without JavaScript."""

from __future__ import annotations

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import BrowserContext, expect

from kimberley.client.boards.opening_picture import opening_picture
from kimberley.client.session.copy_offer import SharedTable
from kimberley.client.session.sharing import Sharing
from kimberley.games.lookup import find
from kimberley.p2p.sharing.one_line import CommandShell
from tests.support.chromium import Chromium

pytestmark = pytest.mark.e2e

LOOPBACK = "127.0.0.1"
OPTIONS = {option.name: option.values[0][0] for option in find("diamond").options}
TABLE = SharedTable(7411, "Diamond", (2,), opening_picture("diamond", ["ana", "?"], OPTIONS))


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
@pytest.mark.parametrize(
    "size", [(360, 740), pytest.param((1280, 800), marks=pytest.mark.nightly)], ids=["phone", "laptop"]
)
def test_the_page_fits_and_shows_the_line_of_each_system(
    chromium: Chromium, size: tuple[int, int], javascript: bool
) -> None:
    async def visit(context: BrowserContext) -> None:
        sharing = Sharing("ana", TABLE)
        await sharing.open(0, LOOPBACK)
        try:
            offer = sharing.offer()
            page = await context.new_page()
            said: list[str] = []
            page.on("console", lambda message: said.append(message.text))
            page.on("pageerror", lambda error: said.append(str(error)))
            await page.set_viewport_size({"width": size[0], "height": size[1]})
            await page.goto(f"{offer.site}/")
            await expect(page.get_by_text(offer.lines[CommandShell.SH], exact=True)).to_be_visible()
            windows = page.get_by_text(offer.lines[CommandShell.CMD], exact=True)
            await expect(windows).to_be_hidden()
            await page.get_by_text("Windows", exact=True).click()
            await expect(windows).to_be_visible()
            assert await page.evaluate("document.documentElement.scrollWidth") <= size[0]
            picture, card = [await page.locator(each).first.bounding_box() for each in ("figure svg", ".card")]
            assert picture is not None
            assert card is not None
            assert (picture["x"], picture["width"]) == (card["x"], card["width"])
            if javascript:
                await page.get_by_role("button", name="Copy").click()
                await expect(page.get_by_role("button", name="Copied")).to_be_visible()
                assert await page.evaluate("getSelection().toString().trim()") == offer.lines[CommandShell.CMD]
                found = await Axe().run(page)
                assert found.response["violations"] == []
            assert [text for text in said if "favicon" not in text] == []
        finally:
            await sharing.close()

    chromium.run(visit, javascript=javascript)
