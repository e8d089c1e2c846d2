"""What a page says of a table, and what is typed there: the line mode beside the screens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from kimberley.client.browser.page_window import PageWindow
from kimberley.client.browser.spoken_table import PageConsole, speak
from kimberley.client.screens.app import App
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.settings import Settings
from tests.support.angola import TrustTable
from tests.support.asyncs import run, until
from tests.support.pretend import PretendServices, PretendTable
from tests.support.pretend_page import START, PretendPage


def at(table: PretendTable, test: Callable[[App, PretendPage], Awaitable[None]]) -> None:
    """Runs a test at a table, with all that a page is told of it."""

    async def main() -> None:
        page = PretendPage()
        console = PageConsole(page)
        app = App(
            Settings(nickname="ana"),
            PretendServices(table),
            partial(PageWindow, port=page, start=START, on_line=console.type),
            beside=lambda flow: speak(app, console, flow),
        )

        def first() -> None:
            app.push(TitleScreen(app))
            app.take_seat(table)

        runs = asyncio.ensure_future(app.run(first))
        await until(lambda: page.of("frame") or runs.done())
        await test(app, page)
        app.quit()
        await runs

    run(main())


def said(page: PretendPage) -> str:
    return "\n".join(message["text"] for message in page.of("say"))


def test_the_page_says_what_the_line_mode_says() -> None:
    async def test(app: App, page: PretendPage) -> None:
        await until(lambda: "The game begins: Diamond Trust of London" in said(page))
        assert " PAY " in page.text

    at(TrustTable(), test)


def test_a_typed_command_is_answered() -> None:
    table = TrustTable()

    async def test(app: App, page: PretendPage) -> None:
        await until(lambda: page.of("say"))
        page.send("line", text=" help ")
        await until(lambda: "resign: lose the game" in said(page))

    at(table, test)


def test_leaving_by_a_typed_command_leads_to_the_title() -> None:
    table = TrustTable()

    async def test(app: App, page: PretendPage) -> None:
        await until(lambda: page.of("say"))
        page.send("line", text="leave")
        page.send("line", text="leave")
        await until(lambda: app.table_flow is None)
        await until(lambda: "Play alone" in page.text)

    at(table, test)


def test_a_typed_quit_ends_the_program_and_keeps_the_seat() -> None:
    table = TrustTable()

    async def test(app: App, page: PretendPage) -> None:
        await until(lambda: page.of("say"))
        page.send("line", text="quit")
        await until(lambda: page.of("closed"))
        assert (table.phase, ("leave",) in table.done) == ("playing", False)

    at(table, test)
