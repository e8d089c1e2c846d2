"""The window in a page, without a browser: frames go out as cells, and what the page reports reaches the app."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kimberley.client.browser.page_window import BOLD, UNDERLINE, PageWindow
from kimberley.client.screens.app import App
from kimberley.client.screens.dialogs import Confirm
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.settings import NicknameDialog
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.settings import Settings
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.screen import Screen
from kimberley.client.ui.widgets import button
from kimberley.games import lookup
from kimberley.p2p.base.errors import UserError
from tests.support.asyncs import run, until
from tests.support.drawn import Drawn
from tests.support.pretend import PretendServices, PretendTable
from tests.support.pretend_page import START, PretendPage


def running(
    test: Callable[[App, PretendPage], Awaitable[None]],
    first: Callable[[App], Screen] = TitleScreen,
    page: PretendPage | None = None,
    **start: Any,
) -> PretendPage:
    """Runs a test while an app shows its screens in a page. Returns the page."""
    page = page or PretendPage()

    async def main() -> None:
        settings = Settings(nickname="ana", guided=list(lookup.ids()))
        app = App(settings, PretendServices(), partial(PageWindow, port=page, start={**START, **start}))
        runs = asyncio.ensure_future(app.run(lambda: app.push(first(app))))
        await until(lambda: page.of("frame") or runs.done())
        await test(app, page)
        app.quit()
        await runs

    run(main())
    return page


def test_a_frame_has_the_characters_and_colors_of_its_cells() -> None:
    async def test(app: App, page: PretendPage) -> None:
        assert page.text.splitlines()[:3] == ["bold", "日本e\u0301", "plain"]
        money, panel, ink = (int.from_bytes(app.palette.rgb(role)) for role in ("money", "panel", "ink"))
        assert page.cells[0][0] == ("b", money | BOLD, panel)
        assert page.cells[1][:5] == [("日", money | UNDERLINE, panel), ("", money | UNDERLINE, panel),
                                     ("本", money | UNDERLINE, panel), ("", money | UNDERLINE, panel),
                                     ("e\u0301", money | UNDERLINE, panel)]  # fmt: skip
        assert page.cells[2][5][2] == ink

    running(test, lambda app: Drawn(app, "bold", "日本e\u0301", "plain"))


def test_only_rows_that_have_changed_are_sent() -> None:
    async def test(app: App, page: PretendPage) -> None:
        screen = app.stack[0]
        assert isinstance(screen, Drawn)
        assert page.of("frame")[0]["changed"] == list(range(24))
        screen.texts[1] = "other"
        app.redraw()
        await until(lambda: "other" in page.text)
        assert page.of("frame")[1]["changed"] == [1]
        app.redraw()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert len(page.of("frame")) == 2
        page.send("size", columns=40, rows=40)
        await until(lambda: len(page.of("frame")) == 3)
        assert page.of("frame")[2]["changed"] == list(range(40))
        app.apply_settings()
        await until(lambda: len(page.of("frame")) == 4)
        assert page.of("frame")[3]["changed"] == list(range(40))

    running(test, lambda app: Drawn(app, "one", "two"))


def test_no_frame_is_sent_before_the_last_one_is_shown() -> None:
    async def test(app: App, page: PretendPage) -> None:
        screen = app.stack[0]
        assert isinstance(screen, Drawn)
        for text in ("two", "three", "four"):
            screen.texts[0] = text
            app.redraw()
            await asyncio.sleep(0)
        assert len(page.of("frame")) == 1
        page.show()
        await until(lambda: page.text.startswith("four"))
        assert len(page.of("frame")) == 2

    running(test, lambda app: Drawn(app, "one"), PretendPage(shows=False))


def test_what_the_page_reports_reaches_the_screen() -> None:
    async def test(app: App, page: PretendPage) -> None:
        screen = app.stack[0]
        assert isinstance(screen, Drawn)
        page.press("a", "enter")
        page.send("touch", x=1, y=0, button="left")
        page.send("touch", x=9, y=3, button="right")
        page.send("wheel", x=2, y=0, steps=-1)
        page.send("paste", text="pasted")
        page.send("of another version", strange=True)
        await until(lambda: len(screen.heard) == 6)
        assert screen.heard == [
            ("key", "a"), ("key", "enter"), ("first", 1, 0, "left"), ("key", "esc"), ("wheel", "first", 2, 0, -1),
            ("paste", "pasted"),
        ]  # fmt: skip

    running(test, lambda app: Drawn(app, "one"))


def test_the_page_learns_where_typed_text_goes() -> None:
    async def test(app: App, page: PretendPage) -> None:
        assert page.of("typing") == []
        app.push(NicknameDialog(app))
        await until(lambda: page.of("typing"))
        told = page.of("typing")[-1]
        assert told["on"]
        before = told["x"]
        page.press("x")
        await until(lambda: page.of("typing")[-1]["x"] == before + 1)
        assert page.cells[told["y"]][before][0] == "x"
        app.push(Confirm(app, "Sure?", "Really?", "Yes", "No", lambda: None))
        await until(lambda: not page.of("typing")[-1]["on"])

    running(test)


@pytest.mark.parametrize("still", [True, False])
def test_the_page_says_whether_anything_may_move_and_is_dark_until_the_player_chooses(still: bool) -> None:
    async def test(app: App, page: PretendPage) -> None:
        assert app.calm is still
        assert app.palette.theme.name == "dark"
        app.settings.theme = "light"
        app.apply_settings()
        assert app.palette.theme.name == "light"

    running(test, still=still)


def test_a_player_who_looks_at_another_page_is_called() -> None:
    async def test(app: App, page: PretendPage) -> None:
        app.take_seat(PretendTable())
        app.alert(True)
        assert page.of("alert") == []
        page.send("visible", on=False)
        await asyncio.sleep(0)
        app.alert(True)
        assert page.of("alert") == [{"kind": "alert", "on": True, "text": "Your move in Diamond Trust of London."}]
        page.send("visible", on=True)
        await until(lambda: len(page.of("alert")) == 2)
        assert not page.of("alert")[1]["on"]
        app.copy("a line")
        assert page.of("copy") == [{"kind": "copy", "text": "a line"}]

    running(test)


def test_the_page_is_told_that_the_program_has_ended() -> None:
    async def test(app: App, page: PretendPage) -> None:
        page.press("q")

    page = running(test)
    assert page.posted[-1] == {"kind": "closed"}


def test_an_error_of_a_screen_ends_the_program_with_that_error() -> None:
    class Failing(Drawn):
        def key(self, name: str) -> bool:
            raise UserError("This screen has failed.")

    async def test(app: App, page: PretendPage) -> None:
        page.press("a")

    with pytest.raises(UserError, match="has failed"):
        running(test, lambda app: Failing(app, "one"))


def test_a_button_is_touched_on_a_portrait_page() -> None:
    class Buttoned(Drawn):
        def draw(self, canvas: Canvas, now: float) -> None:
            button(canvas, 2, canvas.height - 3, "Done", "enter", primary=True)

    async def test(app: App, page: PretendPage) -> None:
        screen = app.stack[0]
        assert isinstance(screen, Buttoned)
        assert len(page.cells) == len(page.cells[0]) == 40
        page.send("touch", x=5, y=37, button="left")
        await until(lambda: screen.heard)
        assert screen.heard == [("key", "enter")]

    running(test, Buttoned, columns=40, rows=40)


def test_a_record_is_handed_over_as_a_file(tmp_path: Path) -> None:
    record = tmp_path / "game.kdt"
    record.write_bytes(b"signed")
    table = PretendTable(phase="done", verdict=SimpleNamespace(code="fair", seats=(), envelopes=9), record=record)

    async def test(app: App, page: PretendPage) -> None:
        app.push(DossierScreen(app, table, SimpleNamespace(counts=False, leave=lambda: None), None))
        await until(lambda: "Save record" in page.text)
        page.press("r")
        await until(lambda: page.of("download"))
        assert page.of("download") == [{"kind": "download", "name": "game.kdt", "bytes": b"signed"}]
        record.unlink()
        page.press("r")
        await until(lambda: "could not be read" in page.text)

    running(test, columns=40, rows=40)
