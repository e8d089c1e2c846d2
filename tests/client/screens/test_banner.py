"""The banners on every board, by keys alone and by the mouse alone, and what a board still shows then."""

from __future__ import annotations

from typing import Any

import pytest

from kimberley.client.boards.diamond.board import DiamondUI
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.registry import find_board
from kimberley.client.screens.app import App
from kimberley.client.screens.dialogs import Confirm, put_aside
from kimberley.client.screens.help_pager import HelpPager
from kimberley.client.screens.table_flow import TableFlow
from kimberley.client.session.banners import Banner, BannerButton
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth, Palette
from kimberley.p2p.table.table import TableChanged
from tests.support.asyncs import settled
from tests.support.at_a_board import SIZES, TABLES, at
from tests.support.diamond_table import DiamondTable
from tests.support.effort import first_is_quick, one_is_quick
from tests.support.piecepack_table import PiecepackTable
from tests.support.pretend import PretendTable, press, shown, touch

SMALL, LARGE = (80, 24), (120, 40)


def request(table: PretendTable) -> None:
    """Has the other player ask to put the game aside."""
    table.change(TableChanged("aside"), adjourn_from=frozenset({1 - table.occupants.seat}), can_adjourn=True)


def lose(app: App, table: PretendTable, *, ago: float = 0.0) -> None:
    """Loses the connection to the other player, some seconds ago."""
    table.change(TableChanged("away"), away={1 - table.occupants.seat: app.now() - ago}, can_adjourn=True)


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("land", TABLES))
def test_every_board_shows_a_request_at_every_size_and_keeps_its_strip_and_keys(game: str) -> None:
    table = TABLES[game]()

    def everywhere(app: App) -> dict[tuple[Any, ...], Canvas]:
        found: dict[tuple[Any, ...], Canvas] = {}
        for app.ascii_only in (False, True):
            for depth in Depth:
                app.palette = Palette(depth)
                # Colors move nothing: the larger sizes are tried in one depth.
                sizes = SIZES if depth is Depth.TRUE else SIZES[:1]
                found |= {(app.ascii_only, depth, size): app.paint(*size, app.now()) for size in sizes}
        return found

    async def test(app: App) -> None:
        before = everywhere(app)
        request(table)
        for how, after in everywhere(app).items():
            text = "\n".join(after.lines())
            for told in ("wants to save the game for later.", "Save F8", "Keep playing F7", "F10 Menu"):
                assert told in text, f"{told!r} in {game}, {how}:\n{text}"
            if (strip := before[how].strip) is not None:
                assert before[how].lines()[strip.row].split()[0] in text
            assert before[how].lines()[-1] == after.lines()[-1]
            assert text.isascii() or not how[0]

    at(table, test)


@pytest.mark.parametrize("game", TABLES)
def test_on_the_smallest_terminal_a_banner_covers_no_row_below_the_strip(game: str) -> None:
    table = TABLES[game]()

    async def test(app: App) -> None:
        before = app.paint(*SMALL, app.now())
        assert before.strip is not None
        request(table)
        after = app.paint(*SMALL, app.now())
        assert before.lines()[before.strip.row :] == after.lines()[before.strip.row :]

    at(table, test)


SAID = (
    "ben left.",
    "The organizer says: the pizza is in the kitchen, and there is enough of it for everyone who plays. Round 3 "
    "begins at nine. If you have to leave before that, say so, or the others will wait for you until the end.",
)
"""What a message may say, in one row and in three."""


def buttons_of(canvas: Canvas) -> list[list[str]]:
    """Returns what is drawn where the visible buttons are."""
    return [
        [canvas.row(y)[0][x] or " " for y in range(hit.y, hit.y + hit.height) for x in range(hit.x, hit.x + hit.width)]
        for hit in canvas.hits
        if hit.button
    ]


def keeps_its_buttons(app: App, size: tuple[int, int]) -> None:
    """Asserts that no message hides a part of a button."""
    before = app.paint(*size, app.now())
    for said in SAID:
        for bad in (False, True):
            app.toast(said, bad)
            after = app.paint(*size, app.now())
            assert said[:9] in "\n".join(after.lines())
            assert buttons_of(before) == buttons_of(after), "\n".join(after.lines())
    app.toast("")


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("size", first_is_quick(SMALL, LARGE, (40, 40)))
def test_no_message_and_no_banner_covers_a_button_of_a_board(game: str, size: tuple[int, int]) -> None:
    table = TABLES[game]()

    async def test(app: App) -> None:
        before = app.paint(*size, app.now())
        keeps_its_buttons(app, size)
        request(table)
        keeps_its_buttons(app, size)
        if size == SMALL:
            after = buttons_of(app.paint(*size, app.now()))
            assert all(each in after for each in buttons_of(before)), "\n".join(app.paint(*size, app.now()).lines())

    at(table, test)


def test_no_message_covers_a_button_of_the_title_and_of_an_open_table() -> None:
    async def test(app: App) -> None:
        for _ in range(2):
            assert buttons_of(app.paint(*SMALL, app.now()))
            keeps_its_buttons(app, SMALL)
            app.home()

    at(PretendTable(phase="open", names=("ana",)), test)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_a_request_is_answered_by_keys_and_by_the_mouse(size: tuple[int, int]) -> None:
    table = DiamondTable()

    async def test(app: App) -> None:
        request(table)
        app.draw(*size)
        press(app, "f8")
        assert table.done == [("aside", True)]
        app.draw(*size)
        press(app, "f7")
        assert table.done.pop() == ("aside", False)
        touch(app, "Save F8", *size)
        touch(app, "Keep playing F7", *size)
        assert table.done == [("aside", True), ("aside", True), ("aside", False)]

    at(table, test)


def test_the_asker_may_take_it_back() -> None:
    table = DiamondTable()

    async def test(app: App) -> None:
        table.change(TableChanged("aside"), adjourn_from=frozenset({0}))
        assert "You want to save the game." in shown(app)
        assert "Waiting for ben." in shown(app)
        touch(app, "Keep playing F7")
        assert table.done == [("aside", False)]
        table.change(TableChanged("aside"), adjourn_from=frozenset())
        assert "ben would rather keep playing." not in shown(app)

    at(table, test)


def test_the_asker_reads_a_refusal() -> None:
    table = DiamondTable()

    async def test(app: App) -> None:
        table.change(TableChanged("aside"), adjourn_from=frozenset({0}))
        assert "You want to save the game." in shown(app)
        table.change(TableChanged("aside"), adjourn_from=frozenset())
        assert "ben would rather keep playing." in shown(app)

    at(table, test)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_a_lost_player_is_counted_down_and_given_up(size: tuple[int, int]) -> None:
    table = DiamondTable(first=1)

    async def test(app: App) -> None:
        lose(app, table, ago=20.0)
        text = shown(app, *size)
        small = "ben is away. You can stop waiting in 1:40."
        assert (small if size == SMALL else "ben lost the connection.") in text
        assert "1:40" in text
        assert "Stop waiting" not in text
        press(app, "f9")
        assert table.done == []
        lose(app, table, ago=121.0)
        table.change(TableChanged("absent"), absent=(1,))
        touch(app, "Stop waiting F9", *size)
        assert "ben did not come back" in shown(app, *size)
        assert "once everyone" not in shown(app, *size), "nobody else is here"
        press(app, "enter")
        assert table.done == []
        app.draw(*size)
        press(app, "f9")
        app.draw(*size)
        press(app, "y")
        assert table.done == []
        press(app, "x")
        assert table.done == [("abandon",)]
        table.change(TableChanged("away"), away={}, absent=())
        assert "ben is back." in shown(app, *size)

    at(table, test)


def test_the_time_of_an_absence_goes_on_with_the_clock() -> None:
    table = DiamondTable(first=1)

    async def test(app: App) -> None:
        lose(app, table, ago=20.0)
        flow, now = app.table_flow, app.now()
        assert isinstance(flow, TableFlow)
        for later in range(3):
            text = "\n".join(app.paint(*LARGE, now + later).lines())
            assert f"away for {20 + later} s" in text
            assert f"1:{40 - later}" in text
            due = flow.next_frame(now + later)
            assert due is not None
            assert due <= now + later + 1

    at(table, test)


def test_who_is_alone_at_the_table_puts_the_game_aside_at_once_and_is_told_so() -> None:
    table = DiamondTable(first=1)

    async def test(app: App) -> None:
        lose(app, table)
        touch(app, "Save for later F8")
        assert "The table closes" in shown(app)
        press(app, "y")
        await settled()
        assert table.done == [("suspend",)]
        table.change(TableChanged("phase"), phase="failed", problem="Saved.", resumable=True)
        text = shown(app)
        assert " SAVED " in text
        assert "STOP" not in text
        assert "connection" not in text

    at(table, test)


def test_who_plays_on_with_a_bot_alone_needs_nobody_to_agree() -> None:
    table = PiecepackTable()
    table.put(acquaintance=("you", "met", "bot"), can_adjourn=True)

    async def test(app: App) -> None:
        put_aside(app, table)
        assert "If everyone agrees, the table closes" in shown(app)
        press(app, "esc")
        table.leaves(1)
        put_aside(app, table)
        assert "If everyone agrees" not in shown(app)
        assert "The table closes and you can resume" in shown(app)

    at(table, test)


def test_who_comes_back_while_the_question_is_open_is_asked_too() -> None:
    table = DiamondTable(first=1)

    async def test(app: App) -> None:
        lose(app, table)
        touch(app, "Save for later F8")
        assert "The table closes" in shown(app)
        table.change(TableChanged("away"), away={})
        press(app, "y")
        await settled()
        assert table.done == [("aside", True)]

    at(table, test)


def test_an_agreed_end_is_friendly_and_leaves_no_row_behind() -> None:
    table = DiamondTable()

    async def test(app: App) -> None:
        request(table)
        app.toast("Something.")
        table.change(TableChanged("away"), away={1: app.now()})
        table.change(TableChanged("phase"), phase="failed", problem="Game saved for later.", adjourned=True)
        canvas = app.paint(*SMALL, app.now())
        text = "\n".join(canvas.lines())
        assert text.count("Game saved for later.") == 1
        assert "SAVED  The table is closed." in text
        assert "connection" not in text
        assert canvas.cell(40, 22).style.bg == "ink"

    at(table, test)


def test_clicks_reach_the_board_that_has_made_room() -> None:
    table = DiamondTable(seat=0, first=0)

    async def test(app: App) -> None:
        request(table)
        plain = app.paint(120, 38, app.now())
        assert plain.strip is not None
        app.draw(*LARGE)
        lines = app.paint(*LARGE, app.now()).lines()
        row = next(number for number, line in enumerate(lines) if "Move" in line and number > 20)
        seen: list[int] = []
        screen = next(each for each in app.stack if isinstance(each, GameScreen))
        screen.click = lambda action, x, y, button: not seen.append(y)  # type: ignore[method-assign, func-returns-value]
        app.touch(lines[row].rindex("Move") + 8, row, "left")
        assert seen == [row - 2]
        column = next(index for index, sign in enumerate(lines[4]) if sign == "•")
        app.touch(column, 4, "left")
        assert seen[-1] == 2

    at(table, test)


class Asking(GameScreen):
    """A board that offers a draw, which `=` takes."""

    def __init__(self, table: PretendTable, app: App) -> None:
        super().__init__(DiamondUI(), table, app)
        self.pressed: list[str] = []

    def requests(self) -> tuple[Banner, ...]:
        return (Banner("draw", "ask", "ben offers a draw.", buttons=(BannerButton("Accept draw", key="="),)),)

    def draw(self, canvas: Canvas, now: float) -> None:
        canvas.put(0, 5, "the board")

    def key(self, name: str) -> bool:
        self.pressed.append(name)
        return name == "="


def test_a_board_may_ask_something_itself_by_a_key_of_its_own() -> None:
    table = DiamondTable()

    async def test(app: App) -> None:
        screen = Asking(table, app)
        app.replace(screen)
        request(table)
        text = shown(app)
        assert "ben offers a draw." in text
        assert "1 of 2" in text
        touch(app, "Accept draw =")
        press(app, "f8")
        assert screen.pressed == ["=", "f8"]
        assert table.done == []

    at(table, test)


def test_a_question_whose_loss_is_final_stays_by_default_and_takes_another_letter() -> None:
    done: list[str] = []

    async def test(app: App) -> None:
        for keys in (("enter",), ("y", "enter"), ("esc",), ("n",)):
            app.confirm(
                "Resign", "The others win.", "Resign", "Keep playing", lambda: done.append("resigned"), danger=True
            )
            assert "▸ Keep playing Esc" in shown(app)
            press(app, *keys)
            assert done == []
            assert not isinstance(app.stack[-1], Confirm)
        app.confirm("Resign", "The others win.", "Resign", "Keep playing", lambda: done.append("resigned"), danger=True)
        press(app, "tab", "enter")
        app.confirm("Resign", "The others win.", "Resign", "Keep playing", lambda: done.append("resigned"), danger=True)
        press(app, "x")
        assert done == ["resigned", "resigned"]

    at(PretendTable(), test)


def test_a_screen_that_has_failed_shows_banners_too() -> None:
    table = DiamondTable()

    async def test(app: App) -> None:
        assert isinstance(app.table_flow, TableFlow)
        app.table_flow.fault(RuntimeError("a screen"))
        request(table)
        assert "ben wants to save the game for later." in shown(app)
        press(app, "f7")
        assert table.done == [("aside", False)]

    at(table, test)


def test_boards_ask_nothing_unless_they_say_so() -> None:
    async def test(app: App) -> None:
        screen: Any = find_board("diamond").view(DiamondTable(), app)
        assert screen.requests() == ()

    at(DiamondTable(), test)


def test_a_lost_connection_leaves_room_for_help_in_the_top_line() -> None:
    table = TABLES["diamond"]()

    async def test(app: App) -> None:
        lose(app, table)
        top = shown(app).splitlines()[0]
        assert "lost the connection." in top
        assert "F1 Help" in top
        touch(app, "F1 Help")
        assert isinstance(app.stack[-1], HelpPager)

    at(table, test)
