"""The screens of the app: each at every size, what they say, and that nothing happens unseen."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Literal
from unittest.mock import patch

import pytest

from kimberley.client.boards.rules_page import rules_of
from kimberley.client.screens import dialogs
from kimberley.client.screens.app import App
from kimberley.client.screens.chat import ChatBox
from kimberley.client.screens.connecting import FailedScreen
from kimberley.client.screens.dialogs import Confirm
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.far_servers import FarServersDialog
from kimberley.client.screens.help_pager import HelpPager
from kimberley.client.screens.join import JoinScreen
from kimberley.client.screens.people import PeopleDialog
from kimberley.client.screens.settings import NicknameDialog, SettingsScreen, ask_name
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.participants import WaitTracker
from kimberley.client.ui.palette import Depth
from kimberley.client.ui.screen import Screen
from kimberley.games import lookup
from kimberley.p2p.sentences.options import adjust_label
from kimberley.p2p.table.chat import MOST_TEXT
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT, AdjustTimes
from kimberley.p2p.table.events import ChatLine
from kimberley.protocol.log import Deviation
from tests.support.angola import TrustTable
from tests.support.asyncs import until
from tests.support.at_the_title import check
from tests.support.board_snapshots import PORTRAIT_SIZE
from tests.support.cards import CARDS
from tests.support.pretend import PretendTable, open_table, press, pretend_app, running, set_up, shown, touch


def settings_in_pure_python(app: App) -> SettingsScreen:
    with patch("kimberley.client.screens.settings.runs_pure_python", return_value=True):
        return SettingsScreen(app)


def everywhere(app: App) -> None:
    """Checks all screens, each with a text that it must show."""
    table = PretendTable(names=("ana with a long name", "日本の友達 4f2a"), lines=[ChatLine(1, "hello")])
    lobby = PretendTable(acquaintance=("you", "changed"))
    opened = PretendTable(phase="open", names=("ana",))
    for screen, text in (
        (None, "Play alone"),
        (JoinScreen(app), "Address"),
        (set_up(app, app.games()[0], "alone"), "Level"),
        (set_up(app, app.games()[0], "host"), "Adjust time"),
        (SettingsScreen(app), "On your move"),
        (settings_in_pure_python(app), "Cryptography: Pure Python is slower"),
        (NicknameDialog(app), "Your nickname"),
        (FarServersDialog(app), "Friends far away"),
        (Confirm(app, "Sure?", "It cannot be undone. " * 6, "Yes", "No", lambda: None), "Yes y"),
        (
            FailedScreen(app, "Diamond Trust", "The network is gone. " * 9, Path("/a/record.kdt"), app.home),
            "What happened",
        ),
    ):
        if screen is not None:
            app.push(screen)
        check(app, text)
        if screen is not None:
            app.pop(screen)
    for sat, text in ((table, "four words"), (lobby, "Key changed"), (opened, "kimberley join 192.168.1.7")):
        app.take_seat(sat)
        check(app, text)
        press(app, "f10")
        check(app, "Menu")
        press(app, "esc", "f1")
        check(app, "back")
        press(app, "esc")
        app.home()


@pytest.mark.slow
def test_every_screen_on_every_terminal() -> None:
    async def test(app: App) -> None:
        everywhere(app)

    running(test)


def test_nothing_acts_unseen_while_the_terminal_is_too_small() -> None:
    async def test(app: App) -> None:
        before = list(app.stack)
        assert "Keys and clicks do nothing here." in "\n".join(app.draw(60, 20).lines())
        press(app, "j", "q", "f10")
        app.touch(30, 10, "right")
        assert app.stack == before
        touch(app, "Join j")
        assert app.stack != before
        app.draw(60, 20)
        app.paste("10.0.0.1")
        assert "10.0.0.1" not in shown(app)

    running(test)


def test_what_happens_beside_the_window_is_no_click_in_it() -> None:
    async def test(app: App) -> None:
        before = shown(app)
        for x, y in ((-1, -1), (-1, 5), (5, -1), (999, 5), (5, 999)):
            for button in ("left", "middle", "right"):
                app.touch(x, y, button)
            app.wheel(x, y, 1)
        assert shown(app) == before
        assert len(app.stack) == 1

    running(test)


def overlays(app: App) -> list[Screen]:
    """Returns boxes that lie over a screen, and lose nothing when they are closed."""
    game = next(game for game in app.games() if game.id == "land")
    return [
        HelpPager(app, dialogs.CONTROLS, rules_of(game.id)),
        dialogs.menu(app, app.stack[0]),
        Confirm(app, "Leave the table", "Really?", "Leave", "Stay", pytest.fail, danger=True),
        PeopleDialog(app, PretendTable(), WaitTracker(PretendTable(), app.now)),
    ]


@pytest.mark.parametrize("number", range(4))
def test_a_click_beside_a_box_closes_it_and_one_in_it_does_not(number: int) -> None:
    async def test(app: App) -> None:
        box = overlays(app)[number]
        app.push(box)
        canvas = app.draw(100, 40)
        frame = next(hit for hit in canvas.hits if hit.action == "nothing")
        for x, y in ((frame.x, frame.y), (frame.x + 3, frame.y + frame.height - 1), (99, 39)):
            app.touch(x, y, "left")
            assert app.stack[-1] is box
        app.touch(max(0, frame.x - 1), max(0, frame.y - 1), "left")
        assert len(app.stack) == 1

    running(test)


def test_help_opens_over_every_box_without_its_own_and_closes_to_it() -> None:
    async def test(app: App) -> None:
        for box in (*overlays(app)[2:], SettingsScreen(app), NicknameDialog(app), FarServersDialog(app)):
            app.push(box)
            before = shown(app)
            press(app, "f1")
            assert isinstance(app.stack[-1], HelpPager)
            press(app, "f1")
            assert app.stack[-1] is box
            assert shown(app) == before
            app.pop(box)

    running(test)


def test_a_click_beside_a_box_loses_nothing_that_was_typed_and_leaves_what_does_not_dim() -> None:
    async def test(app: App) -> None:
        table = PretendTable()
        for box in (NicknameDialog(app), FarServersDialog(app), ChatBox(app, table)):
            app.push(box)
            app.paste("ana")
            app.draw(100, 40)
            app.touch(1, 1, "left")
            assert app.stack[-1] is box
            app.pop()

    running(test)


def test_the_longest_line_of_the_chat_can_be_typed_and_is_sent_whole() -> None:
    async def test(app: App) -> None:
        table = PretendTable()
        app.push(ChatBox(app, table))
        app.paste("x" * (MOST_TEXT + 1))
        press(app, "enter")
        assert [line.text for line in table.chat.lines] == ["x" * MOST_TEXT]

    running(test)


def test_keys_pressed_while_a_payment_is_out_of_sight_seal_nothing() -> None:
    table = TrustTable()

    async def test(app: App) -> None:
        app.take_seat(table)
        assert " PAY " in shown(app)
        app.draw(60, 20)
        press(app, "d", "y", "enter")
        assert " PAY " in shown(app)
        assert "Leave Kimberley" not in shown(app)
        assert table.done == []
        press(app, "d", "y")
        assert [done[0] for done in table.done] == ["choose"]

    running(test)


def test_settings_count_at_once() -> None:
    async def test(app: App) -> None:
        press(app, "s", "down", "right", "right")
        assert (app.settings.colours, app.palette.depth) == ("4-bit", Depth.BASIC)
        press(app, "down", "right")
        assert (app.settings.theme, app.palette.theme.name) == ("light", "light")
        before = app.settings.glyphs
        press(app, "down", "right")
        assert app.settings.glyphs != before
        press(app, "esc")
        assert "Play alone" in shown(app)

    running(test)


def test_the_terminal_must_be_large_enough() -> None:
    async def test(app: App) -> None:
        for columns, rows in ((79, 24), (80, 23), (10, 3), (1, 1)):
            text = shown(app, columns, rows)
            assert "Play alone" not in text
        assert "It needs 80 x 24 or 40 x 40." in shown(app, 60, 20)
        assert "It is 60 x 20." in shown(app, 60, 20)
        for columns, rows in ((39, 40), (40, 39), (79, 39)):
            assert "Play alone" not in shown(app, columns, rows)
        assert "Play alone" in shown(app, 40, 40)

    running(test)


def test_the_verdict_names_whom_it_blames() -> None:

    verdicts = {
        "fair": ("FAIR", "all 412 signed messages match"),
        "unfair": ("UNFAIR", "In move 4, ben cheated (it signed two envelopes)."),
        "incomplete": ("INCOMPLETE", "What it signed"),
        "unknown": ("CAN’T CHECK", "What it signed"),
    }

    async def test(app: App) -> None:
        for code, (sign, said) in verdicts.items():
            verdict = SimpleNamespace(
                code=code,
                seats=(1,),
                reason="what it signed is not what its seed gives",
                deviations=(Deviation(4, 0, 1, "it signed two envelopes"),) if code == "unfair" else (),
                envelopes=412,
                names=("ana", "ben"),
                left=(),
            )
            table = PretendTable(phase="done", verdict=verdict, record=Path.home() / "a" / "record.kdt")
            screen = DossierScreen(app, table, SimpleNamespace(counts=False, leave=lambda: None), None)
            app.push(screen)
            text = shown(app)
            assert sign in text
            assert said in text
            assert "~/a/record.kdt" in text
            press(app, "p")
            assert table.done == [("again",)]
            assert "Waiting for ben to accept" in shown(app)
            app.pop(screen)

    running(test)


def test_a_long_verdict_is_told_whole_on_a_small_screen() -> None:
    reason = "the agent at home revealed another number than the one its side had planned"

    async def test(app: App) -> None:
        verdict = SimpleNamespace(
            code="unfair",
            seats=(1,),
            reason="",
            deviations=(Deviation(4, 0, 1, reason),),
            envelopes=412,
            names=("ana", "ben"),
            left=(),
        )
        table = PretendTable(phase="done", verdict=verdict, record=Path.home() / "a" / "record.kdt")
        screen = DossierScreen(app, table, SimpleNamespace(counts=False, leave=lambda: None), None)
        app.push(screen)
        text = " ".join(shown(app, 80, 24).split())
        assert f"UNFAIR × In move 4, ben cheated ({reason})." in text
        assert "~/a/record.kdt" in text
        app.pop(screen)

    running(test)


def test_a_nickname_that_others_see_otherwise_is_told_once_it_is_saved() -> None:
    async def test(app: App) -> None:
        for typed, told in (("I \u2665\ufe0f NY", True), ("I \u2665 NY", False)):
            app.settings.nickname = ""
            app.push(dialog := NicknameDialog(app))
            dialog.field.clear()
            dialog.paste(typed)
            press(app, "enter")
            assert app.settings.nickname == "I \u2665 NY"
            assert ("Everybody sees the name as I" in shown(app)) == told

    running(test)


def test_who_keeps_a_login_name_that_many_have_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "root")

    async def test(app: App) -> None:
        begun: list[str] = []
        app.settings.nickname = ""
        ask_name(app, lambda: begun.append("first"))
        assert "Leave blank to use your login name, root." in shown(app)
        press(app, "esc")
        ask_name(app, lambda: begun.append("second"))
        press(app, "enter")
        ask_name(app, lambda: begun.append("third"))
        assert (begun, app.settings.name) == (["second", "third"], "root")

    running(test)


@pytest.mark.slow
def test_the_title_says_in_two_lines_what_the_focused_game_is() -> None:
    async def test(app: App) -> None:
        title = app.stack[0]
        assert isinstance(title, TitleScreen)
        await until(lambda: title.summaries)
        told = set()
        for game in app.games():
            lines = title.summaries[game.id]
            assert len(lines) == 2, f"{game.title}: {lines}"
            told.add(tuple(lines))
            rows = [row[36:].strip() for row in shown(app).splitlines()]
            at = rows.index(lines[0])
            assert rows[at + 1] == lines[1]
            press(app, "down")
        assert len(told) == len(app.games())

    running(test)


def test_more_games_than_the_title_screen_has_room_for_are_reached_with_the_mouse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def test(app: App) -> None:
        games = [replace(CARDS, id=f"cards{number}", title=f"Cards {number}") for number in range(9)]
        monkeypatch.setattr(app, "games", lambda: games)
        app.push(title := TitleScreen(app))
        assert "▴ more" not in shown(app)
        for last in (5, 6, 7, 8):
            assert f"Cards {last}" not in shown(app)
            touch(app, "▾ more")
            assert f"▸ Cards {last}" in shown(app)
        assert "▾ more" not in shown(app)
        touch(app, "▴ more")
        assert title.scroll.focus == 3
        assert "▸ Cards 3" in shown(app)

    running(test)


@pytest.mark.parametrize(("kind", "ends"), [("alone", "reported to you."), ("host", "the wait may give you away.")])
def test_a_last_look_without_a_clock_is_not_called_off_and_is_explained_to_the_end(
    kind: Literal["alone", "host"], ends: str
) -> None:
    app = pretend_app()
    app.settings.adjust_alone = "0"
    table = "alone" if kind == "alone" else open_table(options={"last_look": 0})
    screen = set_up(app, lookup.find("diamond-trust"), table)
    app.push(screen)
    screen.focus = screen.names().index(FINAL_ADJUSTMENT)
    text = " ".join(shown(app).replace("│", " ").split())
    assert "Adjust time ◂ no limit ▸" in text
    assert ends in text


@pytest.mark.parametrize("size", [(80, 24), PORTRAIT_SIZE])
@pytest.mark.parametrize("kind", ["alone", "host"])
def test_a_click_on_a_row_of_the_options_selects_it_and_changes_nothing(
    kind: Literal["alone", "host"], size: tuple[int, int]
) -> None:
    app = pretend_app()
    screen = set_up(app, lookup.find("diamond-trust"), kind)
    app.push(screen)
    before = dict(screen.at)
    for label, name in (("Adjust time", FINAL_ADJUSTMENT), (screen.rows[0].label, screen.names()[0])):
        touch(app, label, *size)
        assert screen.names()[screen.focus] == name
        assert screen.at == before
        touch(app, screen.rows[screen.focus].values[before[name]][1], *size)
        assert (screen.names()[screen.focus], screen.at) == (name, before)


def test_a_time_to_adjust_has_one_name_in_the_options_and_in_the_lobby() -> None:
    app = pretend_app()
    screen = set_up(app, lookup.find("diamond-trust"), "host")
    app.push(screen)
    row = next(row for row in screen.rows if row.name == FINAL_ADJUSTMENT)
    for text, label in row.values:
        assert isinstance(text, str)
        assert adjust_label(AdjustTimes.read(text)).startswith(label)
        if "to" in label:
            assert f"{label}: until both are done" in row.about


def test_the_settings_name_the_keys_of_the_row_in_focus() -> None:
    async def main() -> None:
        app = pretend_app()
        app.push(SettingsScreen(app))
        for _ in range(len(SettingsScreen(app).names())):
            keys, row = shown(app).splitlines()[-1], next(line for line in shown(app).splitlines() if "│ ▸ " in line)
            steps = "◂" in row
            assert ("← previous  → next" in keys) is steps
            assert ("Enter change" in keys) is not steps
            press(app, "down")

    asyncio.run(main())
