"""The banners and the chat on every board, by keys alone and by the mouse alone, and what a board still shows then."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from kimberley.client.boards.diamond.board import DiamondUI
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.registry import find_board
from kimberley.client.screens.app import App
from kimberley.client.screens.chat import ChatBox
from kimberley.client.screens.dialogs import Confirm
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.help_pager import HelpPager
from kimberley.client.screens.lobby import LobbyScreen
from kimberley.client.screens.table_flow import TableFlow
from kimberley.client.screens.title import TitleScreen
from kimberley.client.screens.waiting import WaitingScreen
from kimberley.client.session.banners import Banner, BannerButton
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth, Palette
from kimberley.p2p.table.events import ChatLine
from kimberley.p2p.table.table import TableChanged
from tests.support.angola import TrustTable
from tests.support.asyncs import settled, until
from tests.support.diamond_table import DiamondTable
from tests.support.effort import first_is_quick
from tests.support.land_table import LandTable
from tests.support.mine_table import MineTable
from tests.support.piecepack_table import PiecepackTable
from tests.support.pretend import PretendServices, PretendTable, press, pretend_app, shown, touch

TABLES: dict[str, Callable[[], PretendTable]] = {
    "diamond-trust": TrustTable, "diamond": DiamondTable, "land": LandTable, "mine": MineTable,
    "piecepack": PiecepackTable,
}  # fmt: skip
SIZES = ((80, 24), (100, 34), (120, 28), (120, 40), (200, 60))
SMALL, LARGE = (80, 24), (120, 40)

Test = Callable[[App], Awaitable[None]]


def at(table: PretendTable, test: Test) -> None:
    """Runs a test at a table whose game is played."""

    async def main() -> None:
        app = pretend_app(PretendServices(table))
        app.push(TitleScreen(app))
        app.take_seat(table)
        # The clock of the pretended tables stands, so what moves is over at once.
        await test(app)
        app.home()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(main())


def request(table: PretendTable) -> None:
    """The other player asks to put the game aside."""
    table.change(TableChanged("aside"), adjourn_from=frozenset({1 - table.seat}), can_adjourn=True)


def lose(app: App, table: PretendTable, *, ago: float = 0.0) -> None:
    """The connection to the other player was lost some seconds ago."""
    table.change(TableChanged("away"), away={1 - table.seat: app.now() - ago}, can_adjourn=True)


@pytest.mark.parametrize("game", first_is_quick(*TABLES))
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
            for told in ("asks to save the game for later.", "Save F8", "Keep playing F7", "F10 Menu"):
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


def test_the_asker_may_take_it_back_and_reads_a_refusal() -> None:
    table = DiamondTable()

    async def test(app: App) -> None:
        table.change(TableChanged("aside"), adjourn_from=frozenset({0}))
        assert "You asked to save for later." in shown(app)
        assert "Waiting for ben." in shown(app)
        touch(app, "Keep playing F7")
        assert table.done == [("aside", False)]
        table.change(TableChanged("aside"), adjourn_from=frozenset())
        assert "ben would rather keep playing." in shown(app)

    at(table, test)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_a_lost_player_is_counted_down_and_given_up(size: tuple[int, int]) -> None:
    table = DiamondTable(first=1)

    async def test(app: App) -> None:
        lose(app, table, ago=20.0)
        text = shown(app, *size)
        assert "ben lost the connection." in text
        assert "1:40" in text
        assert "Stop waiting" not in text
        press(app, "f9")
        assert table.done == []
        lose(app, table, ago=121.0)
        table.change(TableChanged("absent"), absent=(1,))
        touch(app, "Stop waiting F9", *size)
        assert "ben did not come back" in shown(app, *size)
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
            assert f"is away {20 + later} s" in text
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
        assert "Nobody else is here. The table" in shown(app)
        press(app, "y")
        await settled()
        assert table.done == [("suspend",)]
        table.change(TableChanged("phase"), phase="failed", problem="Saved.", resumable=True)
        text = shown(app)
        assert " SAVED " in text
        assert "STOP" not in text
        assert "connection" not in text

    at(table, test)


def test_who_comes_back_while_the_question_is_open_is_asked_too() -> None:
    table = DiamondTable(first=1)

    async def test(app: App) -> None:
        lose(app, table)
        touch(app, "Save for later F8")
        assert "Nobody else is here. The table" in shown(app)
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
        assert "Game saved for later. Nothing is lost." in text
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


@pytest.mark.parametrize("game", TABLES)
def test_the_chat_has_its_key_and_what_is_unread_on_every_board(game: str) -> None:
    table = TABLES[game]()
    table.acquaintance = ("you", *["new"] * (len(table.names) - 1))
    words = [f"word{number}" for number in range(18)]

    async def test(app: App) -> None:
        for size in SIZES:
            assert shown(app, *size).splitlines()[-1].endswith(" F2 chat")
        before = shown(app).splitlines()
        table.change(ChatLine(1, "hello"))
        table.change(ChatLine(1, " ".join(words)))
        for size in SIZES:
            lines = shown(app, *size).splitlines()
            assert lines[-1].endswith(" F2 chat 2")
            assert lines[0].startswith(" ben: word0")
            assert lines[0].endswith("F1 Help  F10 Menu")
        # The board and everything on it stays in sight.
        assert shown(app).splitlines()[1:-1] == before[1:-1]
        press(app, "up")
        assert "ben: word0" in shown(app)
        touch(app, "F2 chat 2")
        assert isinstance(app.stack[-1], ChatBox)
        table.change(ChatLine(1, "seen at once"))
        press(app, "f2")
        lines = shown(app).splitlines()
        assert lines[-1].endswith(" F2 chat")
        assert "ben:" not in lines[0]
        press(app, "f2")
        assert isinstance(app.stack[-1], ChatBox)

    at(table, test)


@pytest.mark.parametrize(("key", "says"), [("f10", "Settings"), ("f1", "rules of the game")])
def test_the_menu_and_help_of_the_board_open_with_the_chat_open(key: str, says: str) -> None:
    async def test(app: App) -> None:
        press(app, "f2", *"he", key)
        assert not any(isinstance(screen, ChatBox) for screen in app.stack)
        assert says in shown(app)

    at(DiamondTable(), test)


def test_long_lines_of_the_chat_wrap_and_nothing_is_cut() -> None:
    words = [f"word{number}" for number in range(40)]
    table = DiamondTable()
    table.talk = [ChatLine(0, "hello"), ChatLine(1, " ".join(words))]

    async def test(app: App) -> None:
        press(app, "f2")
        for size in SIZES:
            text = shown(app, *size)
            assert all(word in text for word in words)
        press(app, *"hi", "enter")
        assert table.talk[-1] == ChatLine(0, "hi")
        assert not isinstance(app.stack[-1], ChatBox)

    at(table, test)


def test_the_chat_scrolls_to_its_oldest_message_and_back() -> None:
    table = DiamondTable()
    table.talk = [ChatLine(number % 2, f"message {number}.") for number in range(40)]

    async def test(app: App) -> None:
        press(app, "f2")
        text = shown(app)
        assert "message 39." in text
        assert "▴ 28 older" in text
        press(app, *["pageup"] * 3)
        text = shown(app)
        assert "message 0." in text
        assert "message 39." not in text
        assert "▾ 28 newer" in text
        app.stack[-1].wheel(None, 0, 0, 1)
        assert "message 0." not in shown(app)
        press(app, *["pagedown"] * 3)
        assert "message 39." in shown(app)

    at(table, test)


@pytest.mark.parametrize("phase", ["open", "words", "done"])
def test_the_chat_is_there_before_and_after_a_game(phase: str) -> None:
    table = PretendTable(phase=phase)
    screen = {"open": WaitingScreen, "words": LobbyScreen, "done": DossierScreen}[phase]

    async def test(app: App) -> None:
        await until(lambda: isinstance(app.stack[-1], screen))
        for size in SIZES:
            assert shown(app, *size).splitlines()[-1].endswith(" F2 chat")
        table.change(ChatLine(1, "shall we begin?", checked=phase == "done"))
        for size in SIZES:
            text = shown(app, *size)
            assert text.splitlines()[-1].endswith(" F2 chat 1")
            assert ("ben: shall we" if phase == "done" else "ben ?: shall we") in text
        for number, opens in enumerate(("c", "f2", "click")):
            if opens == "click":
                touch(app, "F2 chat")
            else:
                press(app, opens)
            assert isinstance(app.stack[-1], ChatBox)
            press(app, *"hello", "enter")
            assert table.talk == [ChatLine(0, "hello")] * (number + 1)
            assert isinstance(app.stack[-1], screen)
            press(app, "f2")
            assert "ana  hello" in shown(app)
            press(app, "enter")
            assert isinstance(app.stack[-1], screen)

    at(table, test)


@pytest.mark.parametrize(
    ("phase", "note"),
    [
        ("open", "? Unchecked: someone on the network could read and change this chat."),
        ("words", "? Do not compare the words here: they could be changed on the way."),
    ],
)
def test_lines_that_are_not_checked_yet_are_marked_and_a_note_says_so(phase: str, note: str) -> None:
    table = PretendTable(phase=phase)
    table.talk = [ChatLine(0, "my own"), ChatLine(1, "from ben", checked=False)]

    async def test(app: App) -> None:
        press(app, "f2")
        for size in SIZES:
            text = " ".join(shown(app, *size).replace("│", " ").split())
            assert "ana my own ben ? from ben" in text
            assert note in text
        table.change(acquaintance=("you", "met"), talk=[ChatLine(0, "my own"), ChatLine(1, "from ben")])
        assert "ben  from ben" in shown(app)
        assert note not in shown(app)

    at(table, test)


def test_the_chat_says_why_it_is_closed_while_nobody_else_is_there() -> None:
    table = PretendTable(phase="open", names=("ana",), acquaintance=("you",), readiness=(False,))

    async def test(app: App) -> None:
        assert "F2 chat" not in shown(app)
        for key in ("c", "f2"):
            press(app, key)
            assert "Nobody else is here yet." in shown(app)
            press(app, *"hello", "enter")
            assert table.talk == []
            assert not isinstance(app.stack[-1], ChatBox)
        table.change(names=("ana", "ben"), acquaintance=("you", "new"), readiness=(False, False))
        assert shown(app).splitlines()[-1].endswith(" F2 chat")

    at(table, test)


def test_squares_are_typed_where_c_is_one_of_them() -> None:
    table = DiamondTable(first=0)

    async def test(app: App) -> None:
        press(app, "c", "2")
        assert not isinstance(app.stack[-1], ChatBox)
        assert "c2" in shown(app)
        press(app, "f2")
        assert isinstance(app.stack[-1], ChatBox)

    at(table, test)


def test_squares_that_are_typed_too_early_open_no_chat() -> None:
    table = DiamondTable(first=1)

    async def test(app: App) -> None:
        press(app, *"abcdefgh", "5", "enter")
        assert not isinstance(app.stack[-1], ChatBox)
        press(app, "f2", *"hi", "enter", "c", "5", "enter")
        assert not isinstance(app.stack[-1], ChatBox)
        assert table.talk == [ChatLine(0, "hi")]

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
        assert "ben asks to save the game for later." in shown(app)
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
