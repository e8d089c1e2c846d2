"""The screens around a game on a portrait terminal: all can be read, and all can be touched."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal

import pytest

from kimberley.client.screens.app import App
from kimberley.client.screens.connecting import SLOW_SECONDS, ConnectingScreen, FailedScreen
from kimberley.client.screens.dialogs import Confirm, show_people
from kimberley.client.screens.far_servers import FarServersDialog
from kimberley.client.screens.fault import FaultScreen
from kimberley.client.screens.join import JoinScreen
from kimberley.client.screens.lobby import LobbyScreen
from kimberley.client.screens.records import RecordsScreen
from kimberley.client.screens.resume import ResumeScreen
from kimberley.client.screens.settings import NicknameDialog, SettingsScreen
from kimberley.client.screens.table_flow import TableFlow
from kimberley.client.screens.title import TitleScreen
from kimberley.client.screens.waiting import WaitingScreen
from kimberley.client.session.services import KeptGame, RecordFinding, UnfinishedGame
from kimberley.p2p.table.events import ChatLine
from kimberley.p2p.table.table import TableChanged
from tests.support.angola import TrustTable
from tests.support.asyncs import run, settled, until
from tests.support.board_snapshots import PORTRAIT_SIZE, Clock
from tests.support.pretend import PretendServices, PretendTable, listed, press, running, set_up, shown, touch
from tests.support.touching import ACROSS, drawn, faults, phone_app

Test = Callable[[App], Awaitable[None]]

UNFINISHED = UnfinishedGame("one", "Blood Diamonds: Land", ("ben", "cleo", "dan"), 7, 1_700_000_000.0)
KEPT = KeptGame(
    Path("/home/ana/records/1.kdt"), 61_400, 1_790_000_000.0, "1", "diamond", "Diamond", ("ana", "ben"), 0,
    RecordFinding("fair", "every seat was run again", "ana won against ben: Black holds a square", (1, 2)),
)  # fmt: skip


def fits(app: App, text: str) -> None:
    """Asserts that a text is shown, nothing is cut off, and everything to touch is large enough."""
    assert faults(app) == []
    shown = app.draw(*PORTRAIT_SIZE).lines()
    assert text in " ".join(" ".join(shown).split()), "\n".join(shown)


async def _never() -> PretendTable:
    await asyncio.Event().wait()
    raise AssertionError("it waits for ever")


def test_every_screen_before_and_after_a_game_fits() -> None:
    async def test(app: App) -> None:
        fits(app, "Play alone")
        began = app.now()
        connecting = ConnectingScreen(app, "Diamond", "Joining the table of somebody with a long name.", _never, print)
        for screen, text in (
            (connecting, "Joining the table"),
            (JoinScreen(app), "Tables on this network appear here."),
            (ResumeScreen(app, (UNFINISHED,)), "Resume"),
            (RecordsScreen(app), "Finished games"),
            (set_up(app, app.games()[0], "alone"), "Level"),
            (SettingsScreen(app), "On your move"),
            (NicknameDialog(app), "Your nickname"),
            (FarServersDialog(app), "Friends far away"),
            (
                Confirm(
                    app, "Sure?", "It cannot be undone. " * 6, "Leave the game", "Keep playing", print, danger=True
                ),
                "undone",
            ),
            (
                FailedScreen(app, "Diamond", "The network is gone. " * 9, Path("/a/record.kdt"), app.home),
                "What happened",
            ),
            (FaultScreen(app, TrustTable(), "It was 7.", print, print, counts=False), "Show again"),
        ):
            app.push(screen)
            app.now = lambda: began + 2 * SLOW_SECONDS  # type: ignore[method-assign]
            fits(app, text)
            app.pop(screen)

    running(test)


@pytest.mark.slow
def test_no_screen_of_a_phone_names_a_key_or_a_command() -> None:
    async def test() -> None:
        table = PretendTable(phase="open", names=("ben", "ana"), host=False, host_seat=0, seat=1, asks_ready=True)
        for make in (
            TitleScreen,
            lambda app: ResumeScreen(app, (UNFINISHED,)),
            RecordsScreen,
            lambda app: set_up(app, app.games()[0], "alone"),
            SettingsScreen,
            NicknameDialog,
            lambda app: FailedScreen(app, "Diamond", "The network is gone.", None, app.home, again=print),
            lambda app: FaultScreen(app, TrustTable(), "It was 7.", print, print, counts=False),
            lambda app: WaitingScreen(app, table, TableFlow(app, table)),
            lambda app: LobbyScreen(app, PretendTable(), TableFlow(app, PretendTable())),
        ):
            app = phone_app(Clock())
            app.push(TitleScreen(app))
            app.push(make(app))
            for size in (PORTRAIT_SIZE, ACROSS):
                for key in ("", "f1", "f10"):
                    app.key(key)
                    before = None
                    while (shown := drawn(app, size))[0].lines() != before:
                        before = shown[0].lines()
                        assert [fault for fault in shown[1] if "names a key" in fault] == []
                        assert [line for line in before if re.search(r"kimberley [a-z]", line)] == []
                        if key:
                            app.key("pagedown")
                    if key:
                        app.key("esc")

    run(test())


def test_a_table_before_its_game_fits() -> None:
    warned = PretendTable(warning="Two of you come from one address, and nobody can tell why. " * 2)
    for table, text in (
        (PretendTable(), "Same words on every screen?"),
        (PretendTable(acquaintance=("you", "changed")), "Key changed"),
        (warned, "Be careful"),
        (PretendTable(phase="open", names=("ben",), host=False, host_seat=0, seat=0), "When every seat is taken"),
        (PretendTable(phase="open", names=("ana",)), "kimberley join"),
    ):

        async def test(app: App, table: PretendTable = table, text: str = text) -> None:
            app.take_seat(table)
            fits(app, text)
            press(app, "f10")
            fits(app, "Back")
            press(app, "esc", "f1")
            fits(app, "Back")

        running(test, PretendServices(table))


def test_what_a_table_says_across_a_game_fits_and_is_answered_by_touch() -> None:
    table = TrustTable()

    async def test(app: App) -> None:
        app.take_seat(table)
        table.put(
            lines=(
                *table.chat.lines,
                ChatLine(1, "Shall we put it aside until tomorrow, when there is more time for it?"),
            )
        )
        table.change(table.chat.lines[-1])
        fits(app, "Shall we put it")
        table.change(TableChanged("aside"), adjourn_from=frozenset({1}), can_adjourn=True)
        fits(app, "save the game for later")
        touch(app, "Keep playing", *PORTRAIT_SIZE)
        assert ("aside", False) in table.done
        table.change(TableChanged("away"), away={1: app.now() - 30.0}, adjourn_from=frozenset(), can_adjourn=True)
        fits(app, "lost the connection")
        touch(app, "Menu", *PORTRAIT_SIZE)
        touch(app, "Chat", *PORTRAIT_SIZE)
        fits(app, "Send")
        press(app, "esc")
        show_people(app)
        fits(app, "choosing for")
        press(app, "esc", "f10")
        fits(app, "Log")
        press(app, "end")
        fits(app, "Leave the table")

    running(test, PretendServices(table))


@pytest.mark.parametrize(("other", "talks"), [("new", True), ("bot", False)])
def test_the_menu_has_a_chat_where_somebody_else_could_answer(other: str, talks: bool) -> None:
    table = TrustTable()
    table.put(acquaintance=("you", other))

    async def test(app: App) -> None:
        app.take_seat(table)
        touch(app, "Menu", *PORTRAIT_SIZE)
        assert ("Chat" in shown(app, *PORTRAIT_SIZE)) == talks
        fits(app, "Leave the table")

    running(test, PretendServices(table))


def test_the_menu_has_what_the_buttons_have_no_room_for() -> None:
    async def test(app: App) -> None:
        app.draw(*PORTRAIT_SIZE)
        touch(app, "Menu", *PORTRAIT_SIZE)
        fits(app, "Finished games")
        touch(app, "Settings", *PORTRAIT_SIZE)
        fits(app, "Changes are saved.")

    running(test)


def test_lists_of_tables_and_of_records_fit() -> None:
    services = PretendServices(
        tables=(listed("ben"), listed("carla", title="Diamond Mine", game="mine", total=4, taken=3))
    )
    services.kept = (KEPT,)

    async def test(app: App) -> None:
        touch(app, "Join", *PORTRAIT_SIZE)
        await settled()
        fits(app, "ben’s table")
        press(app, "esc")
        app.push(RecordsScreen(app))
        await until(lambda: "Replay" in "".join(app.draw(*PORTRAIT_SIZE).lines()))
        fits(app, "Diamond")

    running(test, services)


@pytest.mark.parametrize("kind", ["alone", "host"])
def test_the_options_and_the_rules_of_every_game_fit(kind: Literal["alone", "host"]) -> None:
    async def test(app: App) -> None:
        for game in app.games():
            screen = set_up(app, game, kind)
            app.push(screen)
            for _ in screen.rows:
                fits(app, "Play" if kind == "alone" else "Done")
                press(app, "down")
            press(app, "f1", "tab")
            fits(app, "Rules of the game")
            press(app, "pagedown")
            fits(app, "Page up")
            press(app, "esc", "esc")

    running(test)
