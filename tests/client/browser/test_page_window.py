"""The window in a page, without a browser: frames go out as cells, and what the page reports reaches the app."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from kimberley.client.boards.report import Dossier
from kimberley.client.browser.page_window import BOLD, UNDERLINE, PageWindow
from kimberley.client.screens.app import App
from kimberley.client.screens.connecting import FailedScreen
from kimberley.client.screens.dialogs import Confirm
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.fault import FaultScreen
from kimberley.client.screens.settings import NicknameDialog
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.settings import Settings
from kimberley.client.ui.bars import key_bar, title_bar
from kimberley.client.ui.buttons import button
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.columns import TableColumns
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.screen import Screen
from kimberley.games import lookup
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.table.admission import REMOVED
from tests.support.angola import TrustTable
from tests.support.asyncs import run, until
from tests.support.drawn import Drawn
from tests.support.pretend import PretendServices, PretendTable, open_table
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
        app.push(NicknameDialog(app, lambda: None))
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


PHONE: Final[dict[str, Any]] = {"columns": 80, "rows": 27, "touch": True}


def test_across_a_phone_the_keys_are_buttons_below_the_screen() -> None:
    class Asking(Drawn):
        def draw(self, canvas: Canvas, now: float) -> None:
            assert (canvas.width, canvas.height) == (80, 24)
            title_bar(canvas, "A game")
            key_bar(canvas, [Hint("d", "done", primary=True), Hint("Esc", "back"), Hint("← →", "way")])

    async def test(app: App, page: PretendPage) -> None:
        screen = app.stack[0]
        assert isinstance(screen, Asking)
        rows = page.text.splitlines()
        assert [row.split() for row in rows if row] == [["◆", "A", "game"], ["Menu", "Back", "Done"]]
        for y in (24, 25, 26):
            page.send("touch", x=70, y=y, button="left")
            page.send("touch", x=rows[25].index("Back"), y=y, button="left")
        await until(lambda: len(screen.heard) == 6)
        assert screen.heard == [("key", "d"), ("key", "esc")] * 3

    running(test, Asking, **PHONE)


def test_beside_a_low_phone_the_keys_are_a_column_of_buttons() -> None:
    class Asking(Drawn):
        def draw(self, canvas: Canvas, now: float) -> None:
            assert (canvas.width, canvas.height) == (80, 24)
            title_bar(canvas, "A game")
            key_bar(canvas, [Hint("d", "done", primary=True), Hint("Esc", "back")])

    async def test(app: App, page: PretendPage) -> None:
        screen = app.stack[0]
        assert isinstance(screen, Asking)
        rows = page.text.splitlines()
        assert [row[80:].strip() for row in rows if row[80:].strip()] == ["Menu", "Back", "Done"]
        for y in (21, 22, 23):
            page.send("touch", x=90, y=y, button="left")
            page.send("touch", x=90, y=y - 4, button="left")
        await until(lambda: len(screen.heard) == 6)
        assert screen.heard == [("key", "d"), ("key", "esc")] * 3

    running(test, Asking, columns=102, rows=24, touch=True)


def test_who_is_turned_away_before_the_game_joins_again_by_touch() -> None:
    services = PretendServices(trouble="Nobody answers at 10.0.0.1.")
    services.only_host = "10.0.0.1:7481"

    async def test(app: App, page: PretendPage) -> None:
        app.services = services
        table = PretendTable(phase="open", names=("ben", "ana"), host=False, host_seat=0, seat=1)
        app.take_seat(table)
        await until(lambda: "SEATED" in page.text)
        table.change(phase="failed", problem="You took too long to join. Join again.")
        await until(lambda: "You are no longer at the table." in page.text)
        row = next(y for y, line in enumerate(page.text.splitlines()) if "Join again" in line and "took" not in line)
        page.send("touch", x=page.text.splitlines()[row].index("Join again"), y=row, button="left")
        await until(lambda: services.asked == [("join", "10.0.0.1:7481")])

    running(test, **PHONE)


def test_who_was_removed_can_only_go_back() -> None:
    async def test(app: App, page: PretendPage) -> None:
        table = PretendTable(phase="open", names=("ben", "ana"), host=False, host_seat=0, seat=1)
        app.take_seat(table)
        await until(lambda: "SEATED" in page.text)
        table.change(phase="failed", problem=REMOVED, barred=True)
        await until(lambda: "REMOVED" in page.text)
        assert "The host has removed you" in page.text
        assert "Join again" not in page.text

    running(test, **PHONE)


def test_a_finger_that_misses_by_a_row_touches_what_it_means() -> None:
    class Line(Drawn):
        def draw(self, canvas: Canvas, now: float) -> None:
            canvas.hit(0, 0, 80, 9, "nothing")
            canvas.hit(10, 5, 6, 1, "key:a")
            canvas.hit(10, 7, 6, 1, "key:b")

    async def test(app: App, page: PretendPage) -> None:
        screen = app.stack[0]
        assert isinstance(screen, Line)
        for x, y in ((12, 4), (17, 5), (12, 8), (12, 3), (19, 5)):
            page.send("touch", x=x, y=y, button="left")
        page.press("z")
        await until(lambda: ("key", "z") in screen.heard)

    def heard(**start: Any) -> list[Any]:
        kept: list[Any] = []

        def first(app: App) -> Screen:
            screen = Line(app, "one")
            kept.append(screen)
            return screen

        running(test, first, **start)
        return [what[1] for what in kept[0].heard if what in (("key", "a"), ("key", "b"))]

    assert heard(**PHONE) == ["a", "a", "b"]
    assert heard(columns=80, rows=24) == []


@pytest.mark.parametrize(
    ("start", "said"),
    [(PHONE, "Try turning your phone"), ({"columns": 80, "rows": 24, "touch": False}, "Ctrl-C leaves")],
    ids=["phone", "computer"],
)
def test_what_is_too_small_is_the_page(start: dict[str, Any], said: str) -> None:
    async def test(app: App, page: PretendPage) -> None:
        page.send("size", columns=36, rows=20)
        await until(lambda: "The page is too small." in page.text)
        assert said in page.text

    running(test, **start)


def test_sentences_are_about_a_page() -> None:
    async def test(app: App, page: PretendPage) -> None:
        app.push(FaultScreen(app, TrustTable(), "It was 7.", print, print, counts=False))
        await until(lambda: "It was 7." in page.text)
        said = " ".join(page.text.replace("│", " ").split())
        assert "you can resume by reloading this page" in said
        assert "kimberley" not in said
        assert "F10" not in said
        app.toast(app.window.copied("The dossier is copied"))
        await until(lambda: "The dossier is copied, if your browser allows it." in page.text)

    running(test, **PHONE)


@pytest.mark.parametrize("size", [(40, 40), (80, 27)], ids=["upright", "across"])
def test_others_come_to_the_table_of_a_page_by_its_link(size: tuple[int, int]) -> None:
    services = PretendServices()
    services.only_host = "10.0.0.1:7481"

    async def test(app: App, page: PretendPage) -> None:
        app.services = services
        app.take_seat(PretendTable(phase="open", names=("ana",)))
        await until(lambda: "The others open your link" in page.text)
        assert "kimberley" not in page.text
        page.press("f1")
        await until(lambda: "An open table" in page.text)
        assert "UDP" not in page.text
        assert "The others open your link" in page.text

    running(test, columns=size[0], rows=size[1], touch=True)


def test_joining_leads_to_the_only_host_and_is_tried_again_by_touch() -> None:
    services = PretendServices(trouble="Nobody answers at 10.0.0.1.")
    services.only_host = "10.0.0.1:7481"

    async def test(app: App, page: PretendPage) -> None:
        app.services = services
        page.press("j")
        await until(lambda: "Try again" in page.text)
        row = next(y for y, line in enumerate(page.text.splitlines()) if "Try again" in line)
        page.send("touch", x=70, y=row, button="left")
        await until(lambda: services.asked == [("join", "10.0.0.1:7481")] * 2)

    running(test, **PHONE)


def test_the_page_of_a_referee_joins_its_tournament() -> None:
    services = PretendServices(trouble="Nobody answers at 10.0.0.1.")
    services.only_host, services.in_tournament, services.may_host = "10.0.0.1:7481", True, False

    async def test(app: App, page: PretendPage) -> None:
        app.services = services
        page.press("f1")
        await until(lambda: "You join the tournament" in page.text)
        page.press("esc")
        page.press("j")
        await until(lambda: "Join the tournament" in page.text)
        assert "Join a table" not in page.text

    running(test, **PHONE)


@pytest.mark.parametrize("may_host", [True, False], ids=["room", "table"])
@pytest.mark.parametrize(("columns", "rows", "touch"), [(40, 40, True), (80, 27, True), (80, 24, False)])
def test_only_the_page_of_a_room_offers_to_host(columns: int, rows: int, touch: bool, may_host: bool) -> None:
    services = PretendServices(open_table())
    services.only_host, services.may_host = "10.0.0.1:7481", may_host

    def first(app: App) -> Screen:
        app.services = services
        return TitleScreen(app)

    async def test(app: App, page: PretendPage) -> None:
        page.press("f1")
        await until(lambda: "Play alone" in page.text and "Fairness" in page.text)
        said = " ".join(page.text.replace("│", " ").split())
        assert ("One of you hosts" in said) == may_host
        assert "on the same network" not in said
        page.press("esc")
        await until(lambda: "You are ana" in page.text)
        assert ("host" in page.text.lower()) == may_host
        # Forward from the last button is the first.
        page.press("s-tab", "tab", "enter")
        await until(lambda: "ALONE" in page.text)
        page.press("esc", "h")
        await until(lambda: "Your table is open" in page.text if may_host else "Play alone" in page.text)
        assert [asked[0] for asked in services.asked] == ["host"] * may_host

    running(test, first, columns=columns, rows=rows, touch=touch)


@pytest.mark.parametrize("start", [{"columns": 40, "rows": 40, "touch": True}, PHONE, {}], ids=["up", "across", "keys"])
def test_a_page_names_no_sound_no_login_and_no_path(start: dict[str, Any]) -> None:
    async def test(app: App, page: PretendPage) -> None:
        page.press("s")
        await until(lambda: "On your move" in page.text)
        assert [word for word in ("Audio", "Music", "Sounds", "Silent") if word in page.text] == []
        page.press("enter")
        await until(lambda: "Your nickname" in page.text)
        assert "login" not in page.text
        app.home()
        app.push(FailedScreen(app, "Diamond", "The network is gone.", Path("/seat/a.kdt"), app.home))
        await until(lambda: "Finished" in page.text)
        assert "/seat" not in page.text

    running(test, **start)


@pytest.mark.parametrize("size", [(40, 40), (80, 27)], ids=["upright", "across"])
def test_a_record_is_handed_over_as_a_file(size: tuple[int, int], tmp_path: Path) -> None:
    record = tmp_path / "game.kdt"
    record.write_bytes(b"signed")
    table = PretendTable(phase="done", verdict=SimpleNamespace(code="fair", seats=(), envelopes=9), record=record)

    async def test(app: App, page: PretendPage) -> None:
        app.push(DossierScreen(app, table, SimpleNamespace(counts=False, leave=lambda: None), None))
        await until(lambda: "Export record" in page.text)
        assert "in this browser" in page.text
        page.press("r")
        await until(lambda: page.of("download"))
        assert page.of("download") == [{"kind": "download", "name": "game.kdt", "bytes": b"signed"}]
        paper = int.from_bytes(app.palette.rgb("paper"))
        await until(lambda: "Saved: the file" in page.text)
        said = next(row for row in page.cells if "Saved:" in "".join(char for char, _, _ in row))
        assert {ground for _, _, ground in said} == {paper}
        record.unlink()
        page.press("r")
        await until(lambda: "could not be read" in page.text)

    running(test, columns=size[0], rows=size[1], touch=True)


@pytest.mark.parametrize("sentences", [2, 40])
def test_the_end_has_buttons_for_pages_only_where_there_are_pages(sentences: int) -> None:
    told = tuple(f"Month {number}: nothing." for number in range(1, sentences + 1))
    dossier = Dossier("", lambda _: None, lambda width: (TableColumns((), width), ()), told)
    table = PretendTable(phase="done", verdict=SimpleNamespace(code="fair", seats=(), envelopes=9))

    async def test(app: App, page: PretendPage) -> None:
        app.push(DossierScreen(app, table, SimpleNamespace(counts=False, leave=lambda: None), dossier))
        await until(lambda: told[0] in page.text)
        assert ("Page down" in page.text) == ("Page up" in page.text) == (told[-1] not in page.text) == (sentences > 2)

    running(test, columns=40, rows=40, touch=True)


def test_across_a_phone_each_answer_after_a_game_is_one_button() -> None:
    table = PretendTable(phase="done", verdict=SimpleNamespace(code="fair", seats=(), envelopes=9))

    async def test(app: App, page: PretendPage) -> None:
        app.push(DossierScreen(app, table, SimpleNamespace(counts=False, leave=lambda: None), None))
        await until(lambda: "Rematch" in page.text)
        assert page.text.count("Rematch") == page.text.count("Leave") == 1
        assert "Title" not in page.text

    running(test, **PHONE)
