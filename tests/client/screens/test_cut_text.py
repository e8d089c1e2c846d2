"""All that the screens around a game show fits into usual terminals: no text is cut, and the last row has room for its
keys.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from kimberley.client.boards.registry import find_board
from kimberley.client.screens.app import App
from kimberley.client.screens.connecting import SLOW_SECONDS, ConnectingScreen, FailedScreen
from kimberley.client.screens.dialogs import CONTROLS, Confirm, show_people
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.far_servers import FarServersDialog
from kimberley.client.screens.fault import FaultScreen
from kimberley.client.screens.help_pager import HelpPager
from kimberley.client.screens.join import JoinScreen
from kimberley.client.screens.network_advice import ADVICE_SECONDS
from kimberley.client.screens.records import RecordsScreen
from kimberley.client.screens.resume import ResumeScreen
from kimberley.client.screens.review import ReviewScreen
from kimberley.client.screens.settings import NicknameDialog, SettingsScreen
from kimberley.client.screens.table_flow import TableFlow
from kimberley.client.session import reviewing
from kimberley.client.session.audio import NEEDS_PACKAGES
from kimberley.client.session.services import KeptGame, RecordFinding, UnfinishedGame
from kimberley.client.ui.screen import Screen
from kimberley.games import lookup
from kimberley.games.diamond_trust import GAME
from kimberley.p2p.table.events import ChatLine
from kimberley.p2p.table.table import TableChanged
from tests.client.screens.test_dossier import FAIR
from tests.support.angola import TrustTable
from tests.support.asyncs import settled, until
from tests.support.cut_text import SIZES, faults
from tests.support.effort import first_is_quick, one_is_quick
from tests.support.pretend import PretendServices, PretendTable, listed, open_table, press, running, set_up, shown
from tests.support.reviewed import finished, made_up_report

GAMES = tuple(lookup.ids())
REASONS = (
    "",
    NEEDS_PACKAGES,
    "No audio device found. Restart to try again.",
)
"""Why nothing is heard, the longest sentences of `Audio.silence`."""


TWO_NETWORKS = ("fd00:0123:4567:89ab:cdef:0123:4567:89ab", "192.168.100.200")


class Look:
    """What does not fit on the screens of an app, and where it was found first."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.found: dict[str, str] = {}

    def __call__(self, *keys: str) -> None:
        """Presses keys, and looks at what is shown then."""
        press(self.app, *keys)
        for size in SIZES:
            for fault in faults(self.app, size):
                self.found.setdefault(fault, "\n".join([str(size), *self.app.draw(*size).lines()]))

    def around(self, *keys: str) -> None:
        """Looks at a screen, at what some keys lead to one after another, at its help, and at its menu."""
        self()
        for key in keys:
            self(key)
        self("f1")
        self("tab")
        self("esc", "f10")
        self("esc")

    def through(self, screen: Screen, *keys: str) -> None:
        """Does the same with a screen that is opened for it."""
        self.app.push(screen)
        self.around(*keys)
        self.app.pop(screen)

    def check(self) -> None:
        assert not self.found, "\n\n".join(f"{fault}\n{shown}" for fault, shown in self.found.items())


def kept(game: str) -> KeptGame:
    """Returns a finished game in the list."""
    ending = "ana won against ben: 12 diamonds at home, and ben had 9"
    return KeptGame(
        Path(f"/home/ana/records/{game}.kdt"), 61_400, 1_790_000_000.0, game, game, lookup.find(game).title,
        ("ana", "ben"), 0, RecordFinding("fair", "every seat was run again", ending, (1, 2)),
    )  # fmt: skip


@pytest.mark.slow
def test_the_title_and_the_lists_fit() -> None:
    services = PretendServices(tables=tuple(listed("ben", game=game, title=lookup.find(game).title) for game in GAMES))
    services.kept = tuple(map(kept, GAMES))
    unfinished = tuple(
        UnfinishedGame(game, lookup.find(game).title, ("ben", "cleo"), 7, 1_790_000_000.0, game=game) for game in GAMES
    )
    services.waiting = unfinished[:1]

    async def test(app: App) -> None:
        look = Look(app)
        await settled()
        look.around(*["down"] * len(GAMES))
        app.push(JoinScreen(app))
        await settled()
        look.around(*["down"] * len(GAMES))
        press(app, "esc")
        records = RecordsScreen(app)
        app.push(records)
        await until(lambda: records.games is not None)
        look.around(*["down"] * len(GAMES))
        press(app, "esc")
        look.through(ResumeScreen(app, unfinished), *["down"] * len(GAMES))
        look.check()

    running(test, services)


@pytest.mark.parametrize("silent", [0, 1, 12])
def test_what_may_keep_computers_apart_fits_once_it_is_told(silent: int) -> None:
    services = PretendServices()
    services.silent = silent

    async def test(app: App) -> None:
        look, now = Look(app), app.now
        join = JoinScreen(app)
        app.push(join)
        app.now = lambda: now() + 2 * ADVICE_SECONDS  # type: ignore[method-assign]
        await settled()
        look.around()
        assert "Firewall" in shown(app)
        look.check()

    running(test, services)


@pytest.mark.parametrize("values", [{}, {"unannounced": True}, {"addresses": ()}, {"addresses": TWO_NETWORKS}])
def test_an_open_table_to_which_nobody_comes_fits(values: dict[str, Any]) -> None:
    async def test(app: App) -> None:
        look, now = Look(app), app.now
        app.take_seat(open_table(GAME, **values))
        app.now = lambda: now() + 2 * ADVICE_SECONDS  # type: ignore[method-assign]
        await settled()
        look.around()
        assert "Firewall" in shown(app) or not values.get("addresses", True)
        look.check()

    running(test, PretendServices())


@pytest.mark.slow
def test_what_is_asked_and_told_before_a_game_fits() -> None:
    async def never() -> PretendTable:
        await asyncio.Event().wait()
        raise AssertionError("it waits for ever")

    async def test(app: App) -> None:
        look = Look(app)
        for game in app.games():
            look.through(set_up(app, game, "alone"), *["down"] * 8)
            look.through(set_up(app, game, "host"), *["down"] * 8)
        look.through(HelpPager(app, CONTROLS))
        look.through(JoinScreen(app))
        look.through(NicknameDialog(app))
        look.through(FarServersDialog(app))
        look.through(Confirm(app, "Sure?", "It cannot be undone. " * 6, "Leave", "Keep playing", print, danger=True))
        look.through(FailedScreen(app, "Diamond", "The network is gone. " * 9, Path("/a/record.kdt"), app.home))
        look.through(FaultScreen(app, TrustTable(), "It was 7.", print, print, counts=False))
        connecting = ConnectingScreen(app, "Diamond", "Joining the table of somebody.", never, print)
        app.push(connecting)
        began = app.now()
        app.now = lambda: began + 2 * SLOW_SECONDS  # type: ignore[method-assign]
        look.around()
        look.check()

    running(test)


@pytest.mark.parametrize("silence", first_is_quick(*REASONS))
def test_the_settings_fit_whatever_keeps_them_silent(silence: str) -> None:
    async def test(app: App) -> None:
        look = Look(app)
        with patch.object(type(app.audio), "silence", silence):
            look.through(SettingsScreen(app), *["down"] * 10)
        look.check()

    running(test)


def tables() -> Iterator[PretendTable]:
    """Yields tables before and across a game."""
    yield PretendTable()
    yield PretendTable(acquaintance=("you", "changed"))
    yield PretendTable(warning="Two of you come from one address, and nobody can tell why. " * 2)
    yield PretendTable(phase="open", names=("ben",), host=False, host_seat=0, seat=0)
    yield PretendTable(phase="open", names=("ana",))
    yield PretendTable(phase="open", names=("ana", "ben"), asks_ready=True)


@pytest.mark.slow
def test_tables_before_a_game_fit() -> None:
    for table in tables():

        async def test(app: App, table: PretendTable = table) -> None:
            look = Look(app)
            app.take_seat(table)
            look.around()
            show_people(app)
            look()
            look.check()

        running(test, PretendServices(table))


@pytest.mark.slow
def test_what_a_table_says_across_a_game_fits() -> None:
    table = TrustTable()

    async def test(app: App) -> None:
        look = Look(app)
        app.take_seat(table)
        look()
        table.put(
            lines=(
                *table.chat.lines,
                ChatLine(1, "Shall we put it aside until tomorrow, when there is more time for it?"),
            )
        )
        table.change(table.chat.lines[-1])
        look()
        look("c")
        look("esc")
        table.change(TableChanged("aside"), adjourn_from=frozenset({1}), can_adjourn=True)
        look()
        for away in (30.0, 200.0):
            table.change(TableChanged("away"), away={1: app.now() - away}, adjourn_from=frozenset(), can_adjourn=True)
            look()
        table.change(TableChanged("away"), away={})
        for key in ("p", "r", "q"):
            press(app, "f10")
            look(key)
            table.put(lines=(*table.chat.lines, ChatLine(1, f"before you press {key}")))
            table.change(table.chat.lines[-1])
            look()
            assert f"before you press {key}" in app.draw(80, 24).lines()[0]
            press(app, "esc")
        look.check()

    running(test, PretendServices(table))


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("diamond-trust", GAMES))
def test_the_end_and_the_review_of_every_game_fit(game: str, tmp_path: Path) -> None:
    record = tmp_path / "game.kdt"
    record.write_bytes(b"a record")
    names = made_up_report(game).names

    async def test(app: App) -> None:
        look = Look(app)
        table = PretendTable(game=lookup.find(game), phase="done", verdict=FAIR, names=tuple(names), seats=len(names))
        table.put(acquaintance=("you", *["known"] * (len(names) - 1)))
        app.table_flow = TableFlow(app, table)
        dossier = find_board(game).dossier(finished(game), names, 0)
        look.through(DossierScreen(app, table, app.table_flow, dossier), "down", "g", "d", "down")
        table.put(again_from=frozenset({1}))
        look.through(DossierScreen(app, table, app.table_flow, dossier))
        app.table_flow = None
        review = ReviewScreen(app, finished(game), record, 0)
        app.push(review)
        await until(lambda: review.report is not None)
        look.around(*["down"] * 4, "tab", "o", *["down"] * 4, "right")
        look.check()

    with patch.object(reviewing, "kept_review", lambda *_: made_up_report(game).review):
        running(test)
