"""A headless Chromium that visits the page of a tournament."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from playwright.async_api import Browser, BrowserContext, async_playwright, expect

from tests.support.pages import open_watched
from tests.support.pretend_source import PretendSource

T = TypeVar("T")
LOOPBACK = "127.0.0.1"
PATIENCE: Final = 120_000
"""Milliseconds to wait for anything on a page, unless a test says otherwise: other tests keep the cores busy."""


def installed_chromium() -> str:
    # The shell without windows draws the same pages in less time.
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    raise FileNotFoundError(
        "These tests need Chromium: install it (on Debian: apt-get install chromium-headless-shell)."
    )


class Chromium:
    """A browser and its event loop."""

    def __init__(self, runner: asyncio.Runner, browser: Browser) -> None:
        self._runner = runner
        self._browser = browser

    def run(
        self, visit: Callable[[BrowserContext], Awaitable[None]], *, javascript: bool = True, **options: Any
    ) -> None:
        """Runs a visit in a new browser context, with these options of playwright."""

        async def go() -> None:
            context = await self.open_context(java_script_enabled=javascript, **options)
            try:
                await visit(context)
            finally:
                await context.close()

        self._runner.run(go())

    def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        """Returns the result of what a test does step by step, between steps of something else."""
        return self._runner.run(work)

    async def open_context(self, **options: Any) -> BrowserContext:
        """Returns a new browser context with these options of playwright, to be closed by the test."""
        context = await self._browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        return context

    def browse(
        self,
        source: PretendSource,
        visit: Callable[[BrowserContext, str], Awaitable[None]],
        *,
        javascript: bool = True,
    ) -> None:
        """Runs a visit to the page of a tournament."""

        async def go(context: BrowserContext) -> None:
            async with open_watched(source) as (where,):
                await visit(context, where)

        self.run(go, javascript=javascript)

    def picture(self, source: PretendSource, path: str, size: tuple[int, int], scrolled_to: str = "") -> bytes:
        """Returns what a window of that size shows of a page, as PNG; scrolled to what a selector finds, if given."""
        picture = b""

        async def look(context: BrowserContext, where: str) -> None:
            nonlocal picture
            page = await context.new_page()
            await page.set_viewport_size({"width": size[0], "height": size[1]})
            await page.goto(where + path)
            if scrolled_to:
                await page.locator(scrolled_to).first.evaluate("node => node.scrollIntoView()")
            picture = await page.screenshot()

        self.browse(source, look)
        return picture

    def picture_of(self, text: str, size: tuple[int, int]) -> bytes:
        """Returns what a window of that size shows of this HTML, as PNG."""
        picture = b""

        async def look(context: BrowserContext) -> None:
            nonlocal picture
            page = await context.new_page()
            await page.set_viewport_size({"width": size[0], "height": size[1]})
            await page.set_content(text)
            picture = await page.screenshot()

        self.run(look)
        return picture


@contextmanager
def open_chromium(executable: str | None = None) -> Iterator[Chromium]:
    """Starts a browser, the installed one by default. It requests nothing but the pages that it visits."""
    with asyncio.Runner() as runner:
        player = runner.run(async_playwright().start())
        browser = runner.run(
            player.chromium.launch(
                executable_path=executable or installed_chromium(),
                args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
            )
        )
        expect.set_options(timeout=PATIENCE)
        yield Chromium(runner, browser)
        runner.run(browser.close())
        runner.run(player.stop())
