"""The page of a seat in Chromium, on phones held upright and across: what it paints, what fingers and keys do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import BrowserContext, expect

from kimberley.client.screens.settings import NicknameDialog, SettingsScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.screen import Screen
from kimberley.games import lookup
from tests.support import board_screens
from tests.support.asyncs import until
from tests.support.board_snapshots import Clock, Scenario
from tests.support.chromium import Chromium
from tests.support.drawn import Drawn
from tests.support.effort import spread
from tests.support.seat_page import ACROSS, REFUSAL, SITE, UPRIGHT, SeatPage, open_seat_page, phone, serve_page

pytestmark = pytest.mark.e2e

SMALLEST_LETTERS: Final = 11
GRIDS: Final = """async (sizes) => {
  const { gridFor } = await import("/play/grid.js");
  return sizes.map(([width, height, touch]) => gridFor(width, height, touch));
}"""
PIXELS: Final = """([x, y, width, height]) => {
  const canvas = document.getElementById("cells");
  const data = canvas.getContext("2d").getImageData(x, y, width || canvas.width, height || canvas.height).data;
  return Array.from({ length: data.length / 4 }, (_, at) => data.slice(4 * at, 4 * at + 3).join(" "));
}"""


class Painted(Screen):
    """Shapes that have to join: blocks, half blocks, a frame, and a column of lines."""

    def draw(self, canvas: Canvas, now: float) -> None:
        canvas.fill(0, 0, canvas.width, 2, "ink", "█", "ice")
        for x in range(canvas.width):
            canvas.put(x, 2, "▀", "ice", "money")
        canvas.put(0, 3, "▌▐" * (canvas.width // 2), "ice", "ice")
        canvas.put(0, 5, "─" * canvas.width, "ice")
        for y in range(6, 20):
            canvas.put(1, y, "│", "ice")
        canvas.box(4, 7, 12, 6, line="ice")


def visiting(
    chromium: Chromium,
    test: Callable[[SeatPage], Awaitable[None]],
    first: Callable[[Any], Screen] = TitleScreen,
    size: tuple[int, int] = UPRIGHT,
    **options: Any,
) -> None:
    """Runs a test on the page of a seat, which shows that screen. The browser must not complain about anything."""

    async def visit(context: BrowserContext) -> None:
        async with open_seat_page(context, lambda app: app.push(first(app))) as seat:
            await seat.settle()
            await test(seat)
            assert seat.problems == []

    chromium.run(visit, **{**phone(size), **options})


def drawn_of(seat: SeatPage) -> Drawn:
    assert seat.app is not None
    screen = seat.app.stack[0]
    assert isinstance(screen, Drawn)
    return screen


@pytest.mark.parametrize(("size", "grid"), [(UPRIGHT, "40x40"), (ACROSS, "80x27")], ids=["upright", "across"])
def test_a_phone_shows_letters_that_can_be_read_and_axe_finds_nothing(
    chromium: Chromium, size: tuple[int, int], grid: str
) -> None:
    async def test(seat: SeatPage) -> None:
        cells = seat.page.locator("#cells")
        assert await cells.get_attribute("data-grid") == grid
        assert float(await cells.get_attribute("data-letters") or 0) >= SMALLEST_LETTERS
        await expect(seat.page.locator("#shown")).to_contain_text("Play alone")
        assert await seat.page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [size[0], size[0]]
        found = await Axe().run(seat.page)
        assert [(one["id"], one["nodes"][0]["html"]) for one in found.response["violations"]] == []

    visiting(chromium, test, size=size)


def test_the_grid_is_what_fits_and_letters_are_never_small(chromium: Chromium) -> None:
    phones = [(320, 568), (360, 560), (360, 800), (375, 667), (390, 664), (430, 932)]
    across = [(568, 320), (667, 300), (740, 320), (844, 330), (844, 390), (915, 412), (932, 360)]
    computers = [(768, 1024), (1024, 768), (1280, 800), (1920, 1080), (3840, 2160)]

    async def test(seat: SeatPage) -> None:
        fingers = [(*size, size not in computers) for size in (*phones, *across, *computers)]
        for (*size, touch), grid in zip(fingers, await seat.page.evaluate(GRIDS, fingers), strict=True):
            upright = tuple(size) in phones
            assert grid["columns"] == 40 if upright else grid["columns"] >= 80
            assert grid["rows"] >= (40 if upright else 24)
            # Letters are 0.6 of their size wide, and need 1.17 of it in height.
            assert min(grid["width"] / 0.602, grid["height"] / 1.17) >= SMALLEST_LETTERS
            assert grid["columns"] * grid["width"] <= size[0] + 0.01
            assert grid["rows"] * grid["height"] <= size[1] + 0.01 or grid["height"] == 13
            assert 1.3 <= grid["height"] / grid["width"] <= 2.3, (size, grid)
            if touch and not upright and size[0] >= 640:
                # Buttons for a finger are three rows high, and below the board, or beside it.
                assert 39 <= 3 * grid["height"] <= 50, (size, grid)
                assert grid["rows"] >= 27 or grid["columns"] >= 94

    visiting(chromium, test)


@pytest.mark.parametrize("density", spread(2, [1, 2, 2.625, 3]))
def test_cells_join_without_a_seam(chromium: Chromium, density: float) -> None:
    async def test(seat: SeatPage) -> None:
        assert seat.app is not None
        ice, money, ink = (" ".join(map(str, seat.app.palette.rgb(role))) for role in ("ice", "money", "ink"))
        width, height = 390 * density, 844 / 40 * density
        pixels = await seat.page.evaluate(PIXELS, [0, 0, 0, int(2 * height)])
        assert set(pixels) == {ice}
        halves = await seat.page.evaluate(PIXELS, [0, round(2 * height), 0, round(3 * height) - round(2 * height)])
        assert set(halves) == {ice, money}
        row = len(halves) // (round(3 * height) - round(2 * height))
        assert all(len(set(halves[at : at + row])) == 1 for at in range(0, len(halves), row))
        assert set(await seat.page.evaluate(PIXELS, [0, round(3 * height), 0, int(height)])) == {ice}
        line = await seat.page.evaluate(PIXELS, [0, round(5 * height), 0, int(height)])
        assert all(len(set(line[at : at + row])) == 1 for at in range(0, len(line), row))
        assert set(line) == {ice, ink}
        column = await seat.page.evaluate(PIXELS, [int(1.5 * width / 40), round(6 * height), 1, int(13 * height)])
        assert set(column) == {ice}
        # The frame is one line: from its corner on, its colors lead around it.
        top = await seat.page.evaluate(PIXELS, [int(5.6 * width / 40), int(7.5 * height), int(8.8 * width / 40), 1])
        assert set(top) == {ice}
        side = await seat.page.evaluate(PIXELS, [int(4.5 * width / 40), int(8.1 * height), 1, int(3.8 * height)])
        assert set(side) == {ice}

    visiting(chromium, test, Painted, device_scale_factor=density)


def test_fingers_touch_hold_roll_and_look_closer(chromium: Chromium) -> None:
    async def test(seat: SeatPage) -> None:
        screen = drawn_of(seat)
        await seat.page.touchscreen.tap(*await seat.place(2, 0))
        await until(lambda: screen.heard)
        assert screen.heard == [("first", 2, 0, "left")]
        screen.heard.clear()
        held = await seat.place(2, 0)
        await seat.fingers("touchStart", held)
        await until(lambda: screen.heard)
        await seat.fingers("touchEnd")
        assert screen.heard == [("key", "esc")]
        screen.heard.clear()
        x, y = await seat.place(20, 30)
        await seat.fingers("touchStart", (x, y))
        for moved in range(10, 111, 10):
            await seat.fingers("touchMove", (x, y - moved))
        await seat.fingers("touchEnd")
        await until(lambda: len(screen.heard) == 5)
        assert set(screen.heard) == {("wheel", None, 20, 30, 1)}
        screen.heard.clear()
        # On a picture that is twice as near, cells are twice as far from the corner.
        await seat.fingers("touchStart", (0, 0), (100, 100))
        for apart in range(120, 201, 20):
            await seat.fingers("touchMove", (0, 0), (apart, apart))
        await seat.fingers("touchEnd")
        x, y = await seat.place(1, 0)
        await seat.page.touchscreen.tap(2 * x, 2 * y)
        await until(lambda: screen.heard)
        assert screen.heard == [("first", 1, 0, "left")]

    visiting(chromium, test, lambda app: Drawn(app, "here", "there"))


@pytest.mark.parametrize("size", [UPRIGHT, ACROSS], ids=["upright", "across"])
def test_on_every_board_a_long_touch_goes_back_two_fingers_look_closer_and_axe_finds_nothing(
    chromium: Chromium, size: tuple[int, int]
) -> None:
    async def test(seat: SeatPage) -> None:
        app = seat.app
        assert app is not None
        for game in lookup.ids():
            clock = Clock(app.now())
            table = Scenario(game, lookup.find(game).seats[0], 1, {}).table(clock)
            table.offer()
            app.push(board_screens.live_screen(table, app))
            await seat.settle()
            held = await seat.place(20, 12)
            await seat.fingers("touchStart", held)
            await until(lambda: seat.of("touch"))
            await seat.fingers("touchEnd")
            assert [(touch["x"], touch["y"], touch["button"]) for touch in seat.of("touch")] == [(20, 12, "right")]
            for near in (2, 1):
                # On a picture that is twice as near, cells are twice as far from the corner.
                apart = 100 if near == 2 else 200
                await seat.fingers("touchStart", (0, 0), (apart, apart))
                await seat.fingers("touchMove", (0, 0), (150, 150))
                await seat.fingers("touchMove", (0, 0), (100 * near, 100 * near))
                await seat.fingers("touchEnd")
                seat.heard[:] = [message for message in seat.heard if message["kind"] != "touch"]
                # The title is no button.
                x, y = await seat.place(4, 0)
                await seat.page.touchscreen.tap(near * x, near * y)
                await until(lambda: seat.of("touch"))
                assert [(touch["x"], touch["y"]) for touch in seat.of("touch")] == [(4, 0)]
            found = await Axe().run(seat.page)
            assert [(one["id"], one["nodes"][0]["html"]) for one in found.response["violations"]] == [], game
            seat.heard[:] = [message for message in seat.heard if message["kind"] != "touch"]
            app.home()

    visiting(chromium, test, size=size)


def test_keys_have_the_names_of_a_terminal(chromium: Chromium) -> None:
    async def test(seat: SeatPage) -> None:
        screen = drawn_of(seat)
        names = {
            "a": "a", "A": "A", "?": "?", "Space": " ", "ArrowUp": "up", "Enter": "enter", "Escape": "esc",
            "Tab": "tab", "Shift+Tab": "s-tab", "F1": "f1", "F10": "f10", "PageDown": "pagedown", "Control+c": "c-c",
        }  # fmt: skip
        for each in names:
            await seat.page.keyboard.press(each)
        await until(lambda: len(screen.heard) == len(names))
        assert screen.heard == [("key", name) for name in names.values()]
        await seat.page.mouse.wheel(0, 200)
        await until(lambda: len(screen.heard) > len(names))
        assert screen.heard[-1][0] == "wheel"

    visiting(chromium, test, lambda app: Drawn(app, "here"), has_touch=False, is_mobile=False)


def test_keys_of_any_keyboard_are_told_with_their_place(chromium: Chromium) -> None:
    """What browsers report with Caps Lock, on other layouts, with AltGr, on the keypad: names, and places on QWERTY."""
    reported: list[tuple[dict[str, Any], str, str]] = [
        ({"key": "s", "code": "KeyS"}, "s", "s"),
        ({"key": "S", "code": "KeyS"}, "S", "s"),
        ({"key": "к", "code": "KeyR"}, "к", "r"),
        ({"key": "é", "code": "Digit2"}, "é", "2"),
        ({"key": "ж", "code": "Semicolon"}, "ж", ";"),
        ({"key": "к"}, "к", ""),
        ({"key": "C", "code": "KeyC", "ctrlKey": True}, "c-c", "c"),
        ({"key": "с", "code": "KeyC", "ctrlKey": True}, "c-c", "c"),
        ({"key": "C", "code": "KeyC", "ctrlKey": True, "shiftKey": True}, "", "c"),
        ({"key": "a", "code": "KeyA", "altKey": True}, "", "a"),
        ({"key": "a", "code": "KeyA", "metaKey": True}, "", "a"),
        ({"key": "[", "code": "Digit8", "ctrlKey": True, "altKey": True, "modifierAltGraph": True}, "[", "8"),
        ({"key": "Enter", "code": "NumpadEnter"}, "enter", ""),
        ({"key": "Clear", "code": "Numpad5"}, "", ""),
        ({"key": "Process", "code": "KeyA"}, "", "a"),
        ({"key": "Dead", "code": "BracketLeft"}, "", "["),
        ({"key": "Enter", "shiftKey": True}, "enter", ""),
        ({"key": "Tab", "shiftKey": True}, "s-tab", ""),
        ({"key": "F5", "code": "F5"}, "f5", ""),
        ({"key": "F12", "code": "F12"}, "", ""),
    ]

    async def test(seat: SeatPage) -> None:
        named = await seat.page.evaluate(
            """async (all) => {
              const { latinOf, nameOf } = await import("/play/keys.js");
              return all.map((each) => new KeyboardEvent("keydown", each)).map((each) => [nameOf(each), latinOf(each)]);
            }""",
            [event for event, _, _ in reported],
        )
        assert named == [[name, place] for _, name, place in reported]
        await seat.page.evaluate(
            """() => document.getElementById("cells").dispatchEvent(
                new KeyboardEvent("keydown", { key: "ы", code: "KeyS", cancelable: true }))"""
        )
        app = seat.app
        assert app is not None
        await until(lambda: isinstance(app.stack[-1], SettingsScreen))

    visiting(chromium, test, size=(1280, 800))


def test_a_touch_on_a_field_opens_the_keyboard_and_what_it_types_arrives(chromium: Chromium) -> None:
    async def test(seat: SeatPage) -> None:
        assert seat.app is not None
        dialog = NicknameDialog(seat.app)
        seat.app.push(dialog)
        field = seat.page.locator("#text")
        await until(lambda: "ana" in "\n".join(seat.lines()))
        await seat.settle()
        await expect(field).not_to_be_focused()
        await seat.touch("ana")
        await expect(field).to_be_focused()
        await seat.page.keyboard.press("Backspace")
        await seat.page.keyboard.insert_text("tolé")
        await until(lambda: dialog.field.text == "tolé")
        await seat.page.keyboard.press("Backspace")
        await until(lambda: dialog.field.text == "tol")
        await seat.page.keyboard.press("Enter")
        await until(lambda: dialog not in seat.app.stack if seat.app else False)
        await expect(seat.page.locator("#cells")).to_be_focused()
        assert seat.app.settings.nickname == "tol"

    visiting(chromium, test)


def test_what_happens_is_said_the_player_is_called_and_the_end_is_told(chromium: Chromium) -> None:
    async def visit(context: BrowserContext) -> None:
        async with open_seat_page(context, lambda app: app.push(TitleScreen(app))) as seat:
            assert seat.app is not None
            seat.post({"kind": "say", "text": "Ben is choosing."})
            await expect(seat.page.get_by_role("log")).to_have_text("Ben is choosing.")
            seat.post({"kind": "alert", "on": True, "text": "Your move."})
            await expect(seat.page).to_have_title("◆ your move · Kimberley")
            seat.post({"kind": "alert", "on": False, "text": ""})
            await expect(seat.page).to_have_title("Kimberley")
            await seat.page.locator("#typed").focus()
            await seat.page.keyboard.type("state")
            await seat.page.keyboard.press("Enter")
            await until(lambda: seat.of("line"))
            assert seat.of("line")[0]["text"] == "state"
            async with seat.page.expect_download() as download:
                seat.post({"kind": "download", "name": "record.kdt", "bytes": b"signed"})
            path = await (await download.value).path()
            assert path.read_bytes() == b"signed"
        await expect(seat.page.get_by_text("You left the table.")).to_be_visible()
        await expect(seat.page.get_by_text("You can open them while the host shares this page.")).to_be_visible()
        again = seat.page.get_by_role("button", name="Reload")
        await context.route("**/*", lambda route: route.abort())
        await again.click()
        await expect(seat.page.get_by_role("alert")).to_contain_text("The host does not answer.")
        await expect(again).to_be_visible()
        assert [problem for problem in seat.problems if "ERR_FAILED" not in problem] == []

    chromium.run(visit, **phone(UPRIGHT))


def test_a_program_that_is_not_the_one_of_the_link_is_told_and_not_started(chromium: Chromium) -> None:
    async def visit(context: BrowserContext) -> None:
        page = await serve_page(context)
        await page.goto(f"{SITE}/play#another")
        await expect(page.get_by_role("alert")).to_have_text(REFUSAL)
        await expect(page.get_by_role("button", name="Reload")).to_be_visible()
        found = await Axe().run(page)
        assert found.response["violations"] == []

    chromium.run(visit, **phone(UPRIGHT))


def test_a_page_that_is_loaded_says_that_it_waits_for_the_name(chromium: Chromium) -> None:
    async def visit(context: BrowserContext) -> None:
        page = await serve_page(context)
        await page.expose_binding("toProgram", lambda _source, _text: None)
        await page.goto(f"{SITE}/play")
        await expect(page.locator("#state")).to_have_text("Type your name to join.")
        await page.get_by_label("Your name at the table").fill("ana")
        await page.get_by_role("button", name="Join").click()
        await expect(page.locator("#state")).to_have_text("Starting the program. This takes a few seconds.")

    chromium.run(visit, **phone(UPRIGHT))


def test_the_name_is_asked_for_once_and_what_asks_is_accessible(chromium: Chromium) -> None:
    async def visit(context: BrowserContext) -> None:
        async with open_seat_page(context, lambda app: app.push(TitleScreen(app))) as seat:
            assert seat.of("start")[0]["name"] == "ana"
        page = await context.new_page()
        heard: list[str] = []
        await page.expose_binding("toProgram", lambda _source, text: heard.append(text))
        await page.goto(f"{SITE}/play")
        await until(lambda: heard)
        assert '"name":"ana"' in heard[0]
        await expect(page.get_by_label("Your name at the table")).to_be_hidden()
        await page.evaluate("localStorage.clear()")
        await page.reload()
        await expect(page.get_by_label("Your name at the table")).to_be_visible()
        found = await Axe().run(page)
        assert found.response["violations"] == []

    chromium.run(visit, **phone(UPRIGHT))


def test_the_program_that_was_loaded_is_shown_in_digits(chromium: Chromium) -> None:
    async def test(seat: SeatPage) -> None:
        assert await seat.page.locator("#digits").text_content() == ("5f3a" * 6)[:22]
        assert seat.page.url == f"{SITE}/play"

    visiting(chromium, test)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_moves_where_less_motion_is_preferred(chromium: Chromium, motion: str) -> None:
    async def test(seat: SeatPage) -> None:
        assert seat.app is not None
        assert seat.app.calm == (motion == "reduce")

    visiting(chromium, test, reduced_motion=motion)


def test_a_phone_that_is_turned_gets_the_other_form(chromium: Chromium) -> None:
    async def test(seat: SeatPage) -> None:
        await seat.page.set_viewport_size({"width": 844, "height": 390})
        await until(lambda: seat.of("size"))
        assert (seat.of("size")[-1]["columns"], seat.of("size")[-1]["rows"]) == (80, 27)

    visiting(chromium, test)


def test_a_draft_stays_in_the_tab(chromium: Chromium) -> None:
    async def test(seat: SeatPage) -> None:
        assert seat.app is not None
        assert seat.app.draft == ""
        seat.app.draft = "what was pressed"
        await seat.settle()
        await seat.page.reload()
        await until(lambda: len(seat.of("start")) > 1)
        assert seat.of("start")[-1]["draft"] == "what was pressed"

    visiting(chromium, test)
