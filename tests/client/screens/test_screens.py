"""The screens on every kind of terminal, and what their keys and clicks do. Here nothing is played."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from prompt_toolkit.application import Application
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from kimberley.client.screens.app import App
from kimberley.client.screens.connecting import FailedScreen
from kimberley.client.screens.dialogs import Confirm
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.join import JoinScreen
from kimberley.client.screens.settings import NicknameDialog, SettingsScreen
from kimberley.client.screens.setup import SetupScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.settings import load
from kimberley.client.ui.attention import desktop_notice
from kimberley.client.ui.palette import Depth, Palette
from kimberley.client.ui.terminal_keys import bindings
from kimberley.p2p.table.events import ChatLine
from kimberley.protocol.events import Asked
from tests.support.angola import TrustTable
from tests.support.asyncs import settled, until
from tests.support.cards import CARDS
from tests.support.pretend import PretendServices, PretendTable, listed, press, running, shown, touch

SIZES = ((80, 24), (100, 34), (120, 28), (120, 40), (140, 45), (200, 60))
TABLES = (
    listed("ben", key="met"),
    listed("carla", title="Diamond Mine", game="mine", total=4, taken=3),
    listed("ben · 4f2a", key="changed", versions="They speak protocol 9, you 1: update the older one."),
    listed("日本の友達", title="Blood Diamonds, the land game of a very long name"),
)


def settings_in_pure_python(app: App) -> SettingsScreen:
    with patch("kimberley.client.screens.settings.runs_pure_python", return_value=True):
        return SettingsScreen(app)


def everywhere(app: App) -> None:
    """Checks all screens, each with a text that it must show."""
    table = PretendTable(names=("ana with a long name", "日本の友達 4f2a"), talk=[ChatLine(1, "hello")])
    lobby = PretendTable(acquaintance=("you", "changed"))
    opened = PretendTable(phase="open", names=("ana",))
    for screen, text in (
        (None, "Play alone"),
        (JoinScreen(app), "Address"),
        (SetupScreen(app, app.games()[0], "alone"), "Level"),
        (SetupScreen(app, app.games()[0], "host"), "Last look"),
        (SettingsScreen(app), "Your move"),
        (settings_in_pure_python(app), "Cryptography: Pure Python is slower"),
        (NicknameDialog(app), "Your nickname"),
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
    for sat, text in ((table, "four words"), (lobby, "Not the key you know"), (opened, "kimberley join 192.168.1.7")):
        app.take_seat(sat)
        check(app, text)
        press(app, "f10")
        check(app, "Menu")
        press(app, "esc", "f1")
        check(app, "back")
        press(app, "esc")
        app.home()


def check(app: App, text: str) -> None:
    """The text is shown at every size, depth and set of glyphs."""
    for ascii_only in (False, True):
        for depth in Depth:
            app.palette, app.ascii_only = Palette(depth), ascii_only
            for columns, rows in SIZES:
                painted = shown(app, columns, rows)
                assert text in painted, f"{columns} x {rows}:\n{painted}"
                assert painted.isascii() or not ascii_only


@pytest.mark.slow
def test_every_screen_on_every_terminal() -> None:
    async def test(app: App) -> None:
        everywhere(app)

    running(test)


def test_nothing_acts_unseen_while_the_terminal_is_too_small() -> None:
    async def test(app: App) -> None:
        before = list(app.stack)
        assert "Keys and clicks do nothing now." in "\n".join(app.draw(60, 20).lines())
        press(app, "j", "q", "f10")
        app.touch(30, 10, "right")
        assert app.stack == before
        touch(app, "Join j")
        assert app.stack != before
        app.draw(60, 20)
        app.paste("10.0.0.1")
        assert "10.0.0.1" not in shown(app)

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


def test_two_tables_of_one_nickname_are_both_listed_and_each_can_be_joined() -> None:
    twins = (listed("ben", address="192.168.1.23"), listed("ben", name="ben 2", address="192.168.1.24"))
    services = PretendServices(tables=twins)

    async def test(app: App) -> None:
        press(app, "j")
        await until(lambda: services.watchers)
        text = shown(app)
        assert "2 found" in text
        assert text.count("ben  ") == 2
        assert "192.168.1.23" in text
        press(app, "down")
        assert "192.168.1.24" in shown(app)
        press(app, "enter")
        await until(lambda: services.asked)
        assert services.asked == [("join", "ben 2")]

    running(test, services)


def test_a_table_that_appears_moves_no_button() -> None:
    """Otherwise a click that was meant for Back would join it."""
    services = PretendServices()

    async def test(app: App) -> None:
        press(app, "j")
        await until(lambda: services.watchers)
        row = next(line for line in shown(app).split("\n") if "Back" in line)
        services.tables = (listed("ben"),)
        for watcher in services.watchers:
            watcher()
        assert "1 found" in shown(app)
        assert row in shown(app)

    running(test, services)


@pytest.mark.parametrize("host", [True, False])
@pytest.mark.parametrize("early", [True, False])
def test_a_table_that_somebody_left_before_the_game_is_open_again_and_says_so(host: bool, early: bool) -> None:
    """The name is gone before the table is open, or after that."""
    table = PretendTable(host=host)

    async def test(app: App) -> None:
        app.take_seat(table)
        assert "four words" in shown(app)
        if early:
            table.change(names=("ana",), acquaintance=("you",), agreed=(False,))
        else:
            table.change(phase="open")
        assert "left the table" not in shown(app)
        table.change(phase="open", names=("ana",), acquaintance=("you",), agreed=(False,))
        text = shown(app)
        assert "ben left the table. The table is open again." in text
        assert "1 of 2 seats taken" in text
        assert ("waiting for someone to join" in text) is host

    running(test)


@pytest.mark.parametrize("host", [True, False])
@pytest.mark.parametrize(("three", "left"), [(("ana", "ben", "carla"), "ben"), (("ana", "ben", "ana"), "ben")])
def test_at_an_open_table_of_three_it_is_said_who_left_and_nobody_else(
    host: bool, three: tuple[str, str, str], left: str
) -> None:
    table = PretendTable(
        host=host, seats=3, phase="open", names=("ana",), acquaintance=("you",), agreed=(False,), phrase=None
    )

    async def test(app: App) -> None:
        app.take_seat(table)
        assert "1 of 3 seats taken" in shown(app)
        table.change(names=three, acquaintance=("you", "new", "new"), agreed=(False,) * 3)
        assert "left the table" not in shown(app)
        rest = tuple(name for name in three if name != left)
        table.change(names=rest, acquaintance=("you", "new"), agreed=(False,) * 2)
        text = shown(app)
        assert f"{left} left the table." in text
        assert "2 of 3 seats taken" in text

    running(test)


def test_the_list_follows_what_comes_and_goes_and_keeps_the_focus() -> None:
    services = PretendServices(tables=TABLES)

    async def test(app: App) -> None:
        press(app, "j")
        await settled()
        text = shown(app)
        for part in ("met before", "not ben’s key", "3 of 4", "first meeting", "a name you know, with a different key"):
            assert part in text
        press(app, "down")
        services.tables = TABLES[1:]
        services.watchers[0]()
        assert "carla’s table" in shown(app)
        services.tables = ()
        services.silent = 2
        services.watchers[0]()
        assert "2 tables are announced but not answering" in shown(app)

    running(test, services)


@pytest.mark.parametrize("silent", [0, 1])
def test_where_no_table_can_be_joined_the_doctor_is_offered(silent: int) -> None:
    async def test(app: App) -> None:
        screen = JoinScreen(app)
        app.push(screen)
        screen.on_tables_changed()
        check(app, "A table is announced but not answering." if silent else "Still looking")
        check(app, "kimberley doctor 192.168.1.7   finds out what is wrong.")

    services = PretendServices()
    services.silent = silent
    running(test, services)


def test_what_cannot_be_joined_says_why() -> None:
    services = PretendServices(tables=(listed("zoe", taken=2), TABLES[2], listed("me", key="you")))

    async def test(app: App) -> None:
        press(app, "j")
        await settled()
        press(app, "enter")
        assert "Every seat at zoe’s table is taken" in shown(app)
        press(app, "down")
        assert "They speak protocol 9, you 1" in shown(app)
        press(app, "enter")
        assert "You know ben · 4f2a by a different key." in shown(app)
        press(app, "esc", "down", "enter")
        assert "--data" in shown(app)
        assert not services.asked

    running(test, services)


def test_a_table_of_another_version_says_where_to_get_that() -> None:
    services = PretendServices(tables=(listed("dan", versions="They speak protocol 9, you 1: update the older one."),))
    services.trouble = (
        "The host has Kimberley 9.0.0 (protocol revision 9), the joiner Kimberley 0.1.0 (protocol revision 1): update "
        "the older one. Or get it from dan: http://192.168.1.23:7480 says how. Type only the line that you see on "
        "dan’s screen."
    )

    async def test(app: App) -> None:
        press(app, "j")
        await settled()
        press(app, "enter")
        await until(lambda: "Could not join." in shown(app))
        assert services.asked == [("join", "dan")]
        for columns, rows in SIZES:
            said = " ".join(shown(app, columns, rows).replace("│", " ").split())
            assert services.trouble in said

    running(test, services)


def test_a_known_name_with_another_key_asks_back_before_it_is_joined() -> None:
    services = PretendServices(tables=(listed("ben", key="changed"),))

    async def test(app: App) -> None:
        press(app, "j")
        await settled()
        press(app, "enter")
        assert "Ask before" in shown(app)
        press(app, "esc")
        assert not services.asked
        press(app, "enter", "enter")
        assert not services.asked
        press(app, "enter", "x")
        await settled()
        assert services.asked == [("join", "ben")]

    running(test, services)


def test_an_address_is_typed_pasted_and_joined() -> None:
    services = PretendServices(trouble="Nobody answers at 10.0.0.1.")

    async def test(app: App) -> None:
        press(app, "j", *"10.0.0.1", "enter")
        await settled()
        assert services.asked == [("join", "10.0.0.1")]
        assert "Nobody answers at 10.0.0.1." in shown(app)
        assert "Could not join." in shown(app)
        press(app, "enter")
        await until(lambda: len(services.asked) == 2 and "Could not join." in shown(app))
        assert services.asked.pop() == ("join", "10.0.0.1")
        press(app, "esc", "j")
        app.paste("kimberley join 192.168.1.7\n")
        press(app, "enter")
        await settled()
        assert services.asked[1:] == [("join", "192.168.1.7")]

    running(test, services)


def test_a_table_is_set_up_as_chosen_and_remembered(tmp_path: Path) -> None:
    services = PretendServices(PretendTable(phase="open", names=("ana",)))

    async def test(app: App) -> None:
        app.settings.path = tmp_path / "settings.json"
        press(app, "a", "right", "right", "down", "right", "enter")
        await settled()
        assert services.asked == [("alone", "diamond-trust", {"last_look": 6}, 2, 3)]
        app.home()
        press(app, "h")
        touch(app, "▸")
        press(app, "enter")
        await settled()
        assert services.asked[1:] == [("host", "diamond-trust", {"last_look": 30, "grace": 120}, 2)]
        assert load(tmp_path).level == 3
        assert (load(tmp_path).last_look_alone, load(tmp_path).last_look) == (6, 30), "people and bots have their own"

    running(test, services)


def test_the_lobby_says_who_is_waited_for() -> None:
    table = PretendTable()

    async def test(app: App) -> None:
        app.take_seat(table)
        assert "Waiting for you and ben." in shown(app)
        touch(app, "The same y")
        assert table.done == [("same", True)]
        assert "Waiting for ben." in shown(app)
        assert "The same y" not in shown(app)
        table.change(agreed=(True, True))
        assert "The game begins." in shown(app)

    running(test)


def test_another_key_must_be_accepted_twice() -> None:
    table = PretendTable(acquaintance=("you", "changed"))

    async def test(app: App) -> None:
        app.take_seat(table)
        assert "! a different key" in shown(app)
        assert "y the same" in shown(app)
        press(app, "y")
        assert not table.done
        press(app, "y", "enter")
        assert not table.done
        press(app, "y", "x")
        assert table.done == [("same", True)]
        assert "y the same" not in shown(app)

    running(test)


def test_leaving_tells_the_table_and_goes_home() -> None:
    table = PretendTable()

    async def test(app: App) -> None:
        app.take_seat(table)
        press(app, "esc")
        assert "Leave the table" in shown(app)
        press(app, "y")
        assert table.done == []
        press(app, "x")
        await settled()
        assert table.done == [("leave",), ("close",)]
        assert "Play alone" in shown(app)
        table.change(phase="failed", problem="late")
        assert "late" not in shown(app)

    running(test)


def test_what_others_say_and_do_is_told() -> None:
    table = PretendTable(phase="open")

    async def test(app: App) -> None:
        app.take_seat(table)
        table.change(ChatLine(1, "well\x1b met"))
        assert "ben: well met" in shown(app)
        table.change(phase="failed", problem="ben left the table.")
        text = shown(app)
        assert "What happened" in text
        assert "The table is closed." in text
        assert "ben left the table." in text

    running(test)


@pytest.mark.parametrize("key", ["enter", "esc"])
def test_a_table_that_failed_is_closed_once_one_has_read_why(key: str) -> None:
    """Until then its door answers who comes back, and its announcement stays."""
    table = PretendTable(phase="open")

    async def test(app: App) -> None:
        app.take_seat(table)
        table.change(phase="failed", problem="ben left the table.")
        await settled()
        assert table.done == []
        press(app, key)
        await settled()
        assert table.done == [("leave",), ("close",)]
        assert "Play alone" in shown(app)
        assert app.table_flow is None

    running(test)


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Everything that the program does to be noticed."""
    found: list[str] = []
    monkeypatch.setattr(DummyOutput, "bell", lambda self: found.append("bell"))
    monkeypatch.setattr(DummyOutput, "set_title", lambda self, title: found.append(title))
    monkeypatch.setattr(DummyOutput, "write_raw", lambda self, data: found.append(data))
    return found


NOTICED = ["bell", "\x1b]9;Your move in Diamond Trust of London.\x07", "◆ your move · Kimberley"]


def test_a_player_who_looks_elsewhere_is_told_once_that_it_is_their_move(
    rung: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("VTE_VERSION", "KONSOLE_VERSION", "TERM"):
        monkeypatch.delenv(name, raising=False)

    async def test(app: App) -> None:
        table = PretendTable()
        app.take_seat(table)
        table.change(Asked(1, None, None))  # type: ignore[arg-type]
        assert not rung
        app.focus(False)
        table.change(Asked(2, None, None))  # type: ignore[arg-type]
        assert rung == NOTICED
        table.change(Asked(3, None, None))  # type: ignore[arg-type]
        assert rung == NOTICED
        app.focus(True)
        assert rung == [*NOTICED, "Kimberley"]
        table.change(Asked(4, None, None))  # type: ignore[arg-type]
        assert rung == [*NOTICED, "Kimberley"]

    running(test)


@pytest.mark.parametrize(("notices", "focused", "told"), [("always", True, True), ("never", False, False)])
def test_the_settings_say_when_a_move_is_told(rung: list[str], notices: str, focused: bool, told: bool) -> None:
    async def test(app: App) -> None:
        app.settings.notices = notices
        app.focus(focused)
        table = PretendTable()
        app.take_seat(table)
        table.change(Asked(1, None, None))  # type: ignore[arg-type]
        assert bool(rung) == told
        assert ("bell" in rung) == told

    running(test)


@pytest.mark.parametrize("variable", [("VTE_VERSION", "7600"), ("KONSOLE_VERSION", "230800"), ("TERM", "foot")])
def test_a_desktop_notice_is_one_that_the_terminal_knows(
    variable: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("VTE_VERSION", "KONSOLE_VERSION", "TERM"):
        monkeypatch.delenv(name, raising=False)
    assert desktop_notice("Kimberley", "Your; move\x07.") == "\x1b]9;Your  move .\x07"
    monkeypatch.setenv(*variable)
    assert desktop_notice("Kimberley", "Your; move\x07.") == "\x1b]777;notify;Kimberley;Your  move .\x07"


def test_a_report_of_the_focus_is_no_key() -> None:
    got: list[object] = []
    with create_pipe_input() as pipe:
        keys_read = got.append
        application: Application[None] = Application(
            key_bindings=bindings(keys_read, keys_read, keys_read), input=pipe, output=DummyOutput()
        )

        async def main() -> None:
            work = asyncio.create_task(application.run_async())
            pipe.send_text("a\x1b[O\x1b[Ib")
            await until(lambda: len(got) == 4)
            application.exit()
            await work

        asyncio.run(main())
    assert got == ["a", False, True, "b"]


def test_a_toast_goes_by_itself_or_at_any_key() -> None:
    async def test(app: App) -> None:
        app.toast("Copied.")
        assert "Copied." in shown(app)
        press(app, "up")
        assert "Copied." not in shown(app)
        app.toast("Gone soon.", bad=True)
        assert "! Gone soon." in "\n".join(app.paint(80, 24, app.now()).lines())
        assert "Gone soon." not in "\n".join(app.paint(80, 24, app.now() + 3.1).lines())

    running(test)


def test_nothing_is_due_where_nothing_moves() -> None:
    async def test(app: App) -> None:
        loop, due = asyncio.get_running_loop(), list[float]()
        call_at = loop.call_at

        def noted(when: float, *others: Any, **more: Any) -> asyncio.TimerHandle:
            due.append(when)
            return call_at(when, *others, **more)

        loop.call_at = noted  # type: ignore[method-assign, assignment]
        assert all(screen.next_frame(app.now()) is None for screen in app.stack)
        app.draw(80, 24)
        assert due == []
        app.toast("three seconds")
        app.draw(80, 24)
        assert len(due) == 1

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
        assert "needed 80 x 24 or 40 x 40" in shown(app, 60, 20)
        assert "it is 60 x 20" in shown(app, 60, 20)
        for columns, rows in ((39, 40), (40, 39), (79, 39)):
            assert "Play alone" not in shown(app, columns, rows)
        assert "Play alone" in shown(app, 40, 40)

    running(test)


def test_the_verdict_names_whom_it_blames() -> None:
    from kimberley.client.screens.dossier import DossierScreen

    verdicts = {
        "fair": ("FAIR", "all 412 messages agree"),
        "unfair": ("UNFAIR", "ben: what it signed is not what its seed gives"),
        "incomplete": ("INCOMPLETE", "what it signed"),
        "unknown": ("NOT JUDGED", "what it signed"),
    }

    async def test(app: App) -> None:
        for code, (sign, said) in verdicts.items():
            verdict = SimpleNamespace(
                code=code, seats=(1,), reason="what it signed is not what its seed gives", envelopes=412
            )
            table = PretendTable(phase="done", verdict=verdict, record=Path.home() / "a" / "record.kdt")
            screen = DossierScreen(app, table, SimpleNamespace(counts=False, leave=lambda: None), None)
            app.push(screen)
            text = shown(app)
            assert sign in text
            assert said in text
            assert "~/a/record.kdt" in text
            press(app, "p")
            assert table.done == [("again", True)]
            assert "Waiting for the others" in shown(app)
            app.pop(screen)

    running(test)


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


@pytest.mark.parametrize(
    ("wanting", "said"),
    [
        ({1}, "ben wants to play again: you"),
        ({2}, "carla of a long name wants to play again: you"),
        ({1, 2, 3}, "3 of 3 want to play again: you"),
    ],
)
def test_who_would_like_another_game_is_told_to_the_host(wanting: set[int], said: str) -> None:
    names = ("ana", "ben", "carla of a long name", "dan of another one")
    table = PretendTable(game=CARDS, names=names, seats=4, phase="done", again_from=frozenset(wanting))

    async def test(app: App) -> None:
        app.push(DossierScreen(app, table, SimpleNamespace(counts=False, leave=lambda: None), None))
        told = " ".join(line[:39].strip() for line in shown(app).splitlines()[-3:-1])
        assert f"{said} decide." in told

    running(test)


def test_a_guest_who_has_asked_for_another_game_is_not_asked_again() -> None:
    table = PretendTable(game=CARDS, host=False, seat=1, phase="done")

    async def test(app: App) -> None:
        app.push(DossierScreen(app, table, SimpleNamespace(counts=False, leave=lambda: None), None))
        assert "ana decides. Would you play again?" in shown(app)
        assert "p play again" in shown(app).splitlines()[-1]
        table.change(again_from=frozenset({1}))
        assert "Waiting for ana, who decides." in shown(app)
        assert "play again" not in shown(app).splitlines()[-1]

    running(test)
