"""Caps Lock, full-width forms and keyboards of other scripts: what was meant is done, or the player is told once."""

from __future__ import annotations

import re
from functools import partial
from string import ascii_lowercase

import pytest

from kimberley.client.screens.app import App
from kimberley.client.screens.dialogs import Menu, Question, lettered, menu
from kimberley.client.screens.join import JoinScreen
from kimberley.client.screens.settings import NicknameDialog, SettingsScreen
from kimberley.client.ui.screen import MenuItem, Screen
from kimberley.p2p.base.keyboard import LAYOUTS, QWERTY, as_latin, is_foreign, readings, with_ctrl
from tests.support.angola import TrustTable
from tests.support.asyncs import until
from tests.support.land_table import LandTable
from tests.support.pretend import PretendServices, PretendTable, listed, press, running, set_up, shown

TOLD = "This keyboard types {}: use arrows, Enter and Tab, or switch to Latin."
LANGUAGES = ("LC_ALL", "LC_CTYPE", "LANG")


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in LANGUAGES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("key", ["s", "S", "ｓ", "Ｓ", "σ", "Σ", "ד", "ы", "ㄴ", "س"])
def test_a_letter_is_what_it_means_whatever_the_keyboard_makes_of_it(key: str) -> None:
    async def test(app: App) -> None:
        press(app, key)
        assert isinstance(app.stack[-1], SettingsScreen)
        assert (TOLD.format(key) in shown(app)) == (key not in "sSｓＳ")

    running(test)


def test_a_letter_without_a_meaning_is_told_once() -> None:
    async def test(app: App) -> None:
        before = shown(app)
        press(app, "к")
        assert TOLD.format("к") in shown(app)
        assert len(app.stack) == 1
        press(app, "н")
        assert shown(app) == before
        press(app, "к", "у", "é")
        assert shown(app) == before

    running(test)


@pytest.mark.parametrize("key", ["²", "€", "½", "#", "👍"])
def test_signs_are_no_letters(key: str) -> None:
    async def test(app: App) -> None:
        before = shown(app)
        press(app, key)
        assert shown(app) == before

    running(test)


def test_what_is_typed_into_a_field_stays_as_it_is() -> None:
    async def test(app: App) -> None:
        press(app, "N")
        box = app.stack[-1]
        assert isinstance(box, NicknameDialog)
        box.field.clear()
        press(app, *"Оля Ｑ２")
        assert box.field.text == "Оля Ｑ２"
        assert "keyboard" not in shown(app)

    running(test)


def test_the_menu_has_the_letters_of_a_screen_also_while_text_is_typed() -> None:
    async def test(app: App) -> None:
        join = JoinScreen(app)
        app.push(join)
        press(app, "/", "w")
        app.draw(80, 24)
        press(app, "f10")
        assert "Watch" in shown(app)
        box = app.stack[-1]
        assert isinstance(box, Menu)
        next(item for item in box.items if item.label == "Watch").run()
        assert join.field.text == "w"

    running(test)


def test_no_letter_is_offered_as_a_key_while_an_address_is_typed() -> None:
    async def test(app: App) -> None:
        join = JoinScreen(app)
        app.push(join)
        await until(lambda: bool(join.tables))
        offered = ("w watch", "/ type an address", "Watch w")
        assert all(each in shown(app) for each in offered)
        press(app, "/")
        assert not any(each in shown(app) for each in offered)
        assert "Esc stop typing" in shown(app)
        press(app, "/", *"10.0.0.7")
        assert join.field.text == "10.0.0.7"
        press(app, "esc")
        assert all(each in shown(app) for each in offered)

    running(test, PretendServices(tables=(listed("ben"),)))


def test_a_long_menu_scrolls() -> None:
    async def test(app: App) -> None:
        ran: list[int] = []
        items = [MenuItem(f"Line {number}", "", partial(ran.append, number)) for number in range(30)]
        app.push(Menu(app, items))
        press(app, *["down"] * 25)
        assert "▸ Line 25" in shown(app)
        assert "Line 0 " not in shown(app)
        press(app, "enter")
        assert ran == [25]

    running(test)


def test_the_menu_shows_which_letters_are_keys_outside_of_it() -> None:
    async def test(app: App) -> None:
        app.take_seat(TrustTable())
        press(app, "f10")
        text = shown(app)
        assert re.search(r"\bLog +l\b", text)
        for line in ("k Controls", "r Resign", "q Leave the table"):
            assert re.search(rf"{line} +│", text), line

    running(test)


def test_no_menu_has_a_letter_twice() -> None:
    def line(label: str, key: str, *, inside: bool = True) -> MenuItem:
        return MenuItem(label, key, lambda: None, inside)

    items = [line("Settings", "s"), line("Save for later", "p"), line("Set price", "p", inside=False)]
    assert [item.key for item in lettered(items)] == ["s", "a", "p"]
    items = [line("aa", "a"), line("ab", "a"), line("ac", "a"), line("ca", "c")]
    assert [item.key for item in lettered(items)] == ["a", "b", "d", "c"]
    all_taken = [line(letter, letter, inside=False) for letter in ascii_lowercase]
    assert lettered([*all_taken, line("Controls", "k")])[-1].key == ""


def test_no_menu_of_the_screens_has_a_letter_twice() -> None:
    async def test(app: App) -> None:
        land = next(game for game in app.games() if game.id == "land")
        tables = [PretendTable(), PretendTable(phase="open", names=("ana",)), TrustTable(), LandTable()]
        for screen in (None, JoinScreen(app), set_up(app, land, "alone"), SettingsScreen(app), *tables):
            if isinstance(screen, Screen):
                app.push(screen)
            elif screen is not None:
                app.take_seat(screen)
            app.draw(80, 24)
            keys = [item.key for item in menu(app, app.stack[-1]).items]
            assert len(keys) == len(set(keys)), (app.stack[-1], keys)
            app.home()

    running(test)


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_language_of_the_computer_says_where_a_letter_is(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Russian н is on Y, a Serbian one on N: nobody's no becomes a yes."""
    answers: list[str] = []

    async def test(app: App) -> None:
        app.confirm("Quit", "Quit?", "Quit", "Stay", lambda: answers.append("yes"))
        press(app, "н")
        if isinstance(app.stack[-1], Question):
            answers.append("asks")
            press(app, "esc")

    for language in ("", "en_US.UTF-8", "ru_RU.UTF-8", "uk_UA.UTF-8", "sr_RS.UTF-8", "bg_BG", "el_GR"):
        monkeypatch.setenv(name, language)
        running(test)
        answers.append(language[:2])
    assert answers == ["asks", "", "asks", "en", "yes", "ru", "yes", "uk", "sr", "asks", "bg", "asks", "el"]


def test_a_window_that_knows_the_place_of_a_key_is_believed() -> None:
    async def test(app: App) -> None:
        app.key("к", "s")
        assert isinstance(app.stack[-1], SettingsScreen)

    running(test)


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("enter", ("enter",)),
        ("s", ("s",)),
        ("K", ("K", "k")),
        ("Ｋ", ("Ｋ", "K", "k")),
        ("３", ("３", "3")),
        ("٣", ("٣", "3")),
        ("۳", ("۳", "3")),
        ("？", ("？", "?")),
        ("\u3000", ("\u3000", " ")),
        ("²", ("²",)),
        ("İ", ("İ", "i")),
        ("ı", ("ı", "i")),
        ("é", ("é",)),
    ],
)
def test_what_a_key_can_mean(key: str, meant: tuple[str, ...]) -> None:
    assert readings(key) == meant


@pytest.mark.parametrize(
    ("key", "latin", "meant"),
    [
        ("c", "", "c-c"),
        ("C", "", "c-c"),
        ("с", "", "c-c"),  # on C in Russia, on S in Serbia, and Ctrl-S means nothing
        ("ψ", "", "c-c"),
        ("ф", "", "c-a"),
        ("д", "", None),  # on L in Russia, on D in Serbia
        ("д", "l", "c-l"),
        ("é", "", None),
        ("1", "", None),
        ("enter", "", None),
    ],
)
def test_ctrl_goes_with_letters_of_any_keyboard(key: str, latin: str, meant: str | None) -> None:
    assert with_ctrl(key, latin) == meant


def test_the_place_counts_only_for_letters_of_other_scripts() -> None:
    assert readings("a", "q") == ("a",)
    assert readings("é", "2") == ("é", "2")
    assert readings("Ж", ";") == ("Ж", ";")


@pytest.mark.parametrize("row", [row for _, row in LAYOUTS])
def test_layouts_have_a_character_for_each_key(row: str) -> None:
    assert len(row) == len(QWERTY)
    assert sum(map(is_foreign, row)) >= 6
    assert len(set(row) - {"\0"}) == len(row.replace("\0", ""))


def test_words_are_read_letter_by_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    assert as_latin("ALONE") == "ALONE"
    assert as_latin("ａｌｏｎｅ ３") == "alone 3"
    assert as_latin("αλονε") == "alone"
    assert as_latin("фдщту") != "alone"
    monkeypatch.setenv("LANG", "ru_RU.UTF-8")
    assert as_latin("фдщту") == "alone"
    assert as_latin("αλονε") == "alone"
    assert as_latin("фдщту Оля", ["Оля"]) == "alone Оля"
