"""A reload starts the program from what its tab has kept, and from nothing that another tab could have put there."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import BrowserContext, Page

from kimberley.games.lookup import find
from tests.support.browser_seat import KEPT, BotPage, bot_program, served_table
from tests.support.chromium import Chromium

pytestmark = pytest.mark.e2e

RUNTIME: Final = "pyodide.asm.wasm"


def fetched(page: Page) -> list[str]:
    """Returns the names of the files that the page asks for from now on."""
    names: list[str] = []
    page.on("request", lambda request: names.append(request.url.partition("?")[0].rpartition("/")[2]))
    return names


@pytest.mark.nightly
def test_a_reload_of_the_tab_checks_no_file_again_and_another_tab_checks_all(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def visit(context: BrowserContext) -> None:
        async with served_table(find("diamond"), tmp_path, bot_program()) as served:
            first = await BotPage.open(context, served.link)
            await first.heard("seated")
            mark = await first.page.evaluate(KEPT)
            names = fetched(first.page)
            for _ in range(2):
                first.forget()
                names.clear()
                await first.page.reload()
                assert (await first.heard("seated"))["resumed"] in (True, False)
                assert "files.json" in names
                assert RUNTIME not in names
            assert await first.page.evaluate(KEPT) == mark
            await first.page.close()
            other = await context.new_page()
            async with other.expect_request(lambda request: RUNTIME in request.url):
                await other.goto(served.link)
            assert first.errors == []

    chromium.run(visit)


@pytest.mark.nightly
def test_what_cannot_be_started_from_is_started_anew(chromium: Chromium, tmp_path: Path) -> None:
    async def visit(context: BrowserContext) -> None:
        async with served_table(find("diamond"), tmp_path, bot_program()) as served:
            page = await BotPage.open(context, served.link)
            await page.heard("seated")
            await page.page.evaluate(KEPT)
            await page.page.evaluate(
                """() => new Promise((done) => {
                  const opening = indexedDB.open("kimberley.started", 1);
                  opening.onsuccess = () => {
                    const store = opening.result.transaction("started", "readwrite").objectStore("started");
                    const asking = store.get("started");
                    asking.onsuccess = () => {
                      store.put({ ...asking.result, memory: new Uint8Array(4096) }, "started").onsuccess = done;
                    };
                  };
                })"""
            )
            page.forget()
            await page.page.reload()
            await page.heard("seated")

    chromium.run(visit)
