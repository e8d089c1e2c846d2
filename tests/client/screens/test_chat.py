"""The chat on every board and before and after a game, by keys alone and by the mouse alone."""

from __future__ import annotations

import pytest

from kimberley.client.screens.app import App
from kimberley.client.screens.chat import ChatBox
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.lobby import LobbyScreen
from kimberley.client.screens.waiting import WaitingScreen
from kimberley.p2p.table.events import ChatLine
from tests.support.asyncs import until
from tests.support.at_a_board import SIZES, TABLES, at
from tests.support.diamond_table import DiamondTable
from tests.support.effort import first_is_quick
from tests.support.pretend import PretendTable, press, shown, touch

SMALL, LARGE = (80, 24), (120, 40)


@pytest.mark.slow
@pytest.mark.parametrize("game", first_is_quick(*TABLES))
def test_the_chat_has_its_key_and_what_is_unread_on_every_board(game: str) -> None:
    table = TABLES[game]()
    table.put(acquaintance=("you", *["new"] * (len(table.occupants.names) - 1)))
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


@pytest.mark.parametrize(("label", "says"), [("F10 Menu", "Settings"), ("F1 Help", "rules of the game")])
def test_a_click_on_the_menu_or_help_works_with_the_chat_open(label: str, says: str) -> None:
    async def test(app: App) -> None:
        press(app, "f2", *"he")
        touch(app, label)
        assert not any(isinstance(screen, ChatBox) for screen in app.stack)
        assert says in shown(app)

    at(DiamondTable(), test)


@pytest.mark.slow
def test_long_lines_of_the_chat_wrap_and_nothing_is_cut() -> None:
    words = [f"word{number}" for number in range(40)]
    table = DiamondTable()
    table.put(lines=[ChatLine(0, "hello"), ChatLine(1, " ".join(words))])

    async def test(app: App) -> None:
        press(app, "f2")
        for size in SIZES:
            text = shown(app, *size)
            assert all(word in text for word in words)
        press(app, *"hi", "enter")
        assert table.chat.lines[-1] == ChatLine(0, "hi")
        assert not isinstance(app.stack[-1], ChatBox)

    at(table, test)


def test_the_chat_scrolls_to_its_oldest_message_and_back() -> None:
    table = DiamondTable()
    table.put(lines=[ChatLine(number % 2, f"message {number}.") for number in range(40)])

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
            assert table.chat.lines == (ChatLine(0, "hello"),) * (number + 1)
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
        ("words", "! Do not compare the words here: they could be changed on the way."),
    ],
)
def test_lines_that_are_not_checked_yet_are_marked_and_a_note_says_so(phase: str, note: str) -> None:
    table = PretendTable(phase=phase)
    table.put(lines=[ChatLine(0, "my own"), ChatLine(1, "from ben", checked=False)])

    async def test(app: App) -> None:
        press(app, "f2")
        for size in SIZES:
            text = " ".join(shown(app, *size).replace("│", " ").split())
            assert "ana my own ben ? from ben" in text
            assert note in text
        table.change(acquaintance=("you", "met"), lines=[ChatLine(0, "my own"), ChatLine(1, "from ben")])
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
            assert table.chat.lines == ()
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
        assert table.chat.lines == (ChatLine(0, "hi"),)

    at(table, test)
