"""Screens that fail at a real table: the person reads a sentence, the log has the traceback, and the game goes on."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from kimberley.client.audio.port import NO_AUDIO, AudioLike
from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.line_mode import LineMode
from kimberley.client.plain import main as plain_main
from kimberley.client.plain import table_news
from kimberley.client.plain.console import Console
from kimberley.client.plain.table import PlainTable
from kimberley.client.screens import table_flow
from kimberley.client.screens.app import App
from kimberley.client.screens.fault import FaultScreen
from kimberley.client.screens.table_flow import TableFlow
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.network import Network
from kimberley.client.session.settings import Settings
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.screen import Ui
from kimberley.client.ui.terminal_window import TerminalWindow
from kimberley.p2p.base.tasks import BackgroundTasks
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import list_journals
from kimberley.p2p.table.table import Table
from tests.support.asyncs import run, until
from tests.support.cards import FEW_CARDS
from tests.support.cards_board import CardsUI
from tests.support.effort import first_is_quick
from tests.support.pretend import PretendServices, PretendTable, press, pretend_app, shown
from tests.support.seated import QUICK, play

SENTENCE = "Something went wrong in the program (ZeroDivisionError('boom'))"


class Broken:
    """What fails of the board, by name."""

    def __init__(self) -> None:
        self.what: set[str] = set()

    def __call__(self, what: str) -> None:
        if what in self.what:
            raise ZeroDivisionError("boom")


class FailingBoard(GameBoard):
    """A board that fails where it is told to."""

    def __init__(self, broken: Broken) -> None:
        super().__init__(CardsUI)
        self._broken = broken

    def view(self, table: Table, ui: Ui) -> GameScreen:
        self._broken("view")
        return FailingScreen(table, ui, self._broken)

    def plain(self, table: Table, audio: AudioLike = NO_AUDIO) -> LineMode:
        seat = super().plain(table)
        describe, broken = seat.describe, self._broken

        def described() -> list[str]:
            broken("describe")
            return describe()

        seat.describe = described  # type: ignore[method-assign]
        return seat


class FailingScreen(GameScreen):
    def __init__(self, table: Table, ui: Ui, broken: Broken) -> None:
        super().__init__(CardsUI(), table, ui)
        self._broken = broken

    def draw(self, canvas: Canvas, now: float) -> None:
        self._broken("draw")
        super().draw(canvas, now)

    def key(self, name: str) -> bool:
        self._broken("key")
        return super().key(name)

    def on_event(self, event: Any) -> None:
        self._broken("heard")
        super().on_event(event)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Broken:
    """Returns the board of the game, broken where the test says."""
    found = Broken()
    for module in (table_flow, table_news):
        monkeypatch.setattr(module, "find_board", lambda name: FailingBoard(found))
    return found


async def alone(network: Network, data: Path) -> Table:
    """Returns a table with a bot at the other seat."""
    identity = Identity.load_or_create(data)
    own = await Table.open(
        FEW_CARDS, nickname="ana", identity=identity, data=data, seats=2, options=QUICK, listen=False
    )
    await network.seat_bot(own, 1)
    own.seating.ready(True)
    return own


def at_the_screens(data: Path, story: Callable[[App, Table], Awaitable[None]]) -> App:
    """Runs a story beside the full-screen client at a table. Raises what ends the client."""

    async def main() -> App:
        with create_pipe_input() as keys:
            settings = Settings(nickname="ana", path=data / "settings.json", calm=True)
            network = Network(settings)
            app = App(settings, network, partial(TerminalWindow, input=keys, output=DummyOutput()))
            own = await alone(network, data)
            failed: list[BaseException] = []

            async def told() -> None:
                try:
                    async with asyncio.timeout(40):
                        await story(app, own)
                except BaseException as error:
                    failed.append(error)
                finally:
                    app.quit()

            def first() -> None:
                app.push(TitleScreen(app))
                app.take_seat(own)

            telling = asyncio.create_task(told())
            await app.run(first)
            await telling
            await own.close()
            if failed:
                raise failed[0]
            return app

    return run(main())


def traceback(caplog: pytest.LogCaptureFixture) -> bool:
    """Returns whether the log holds the traceback of the error."""
    return any(entry.exc_info is not None and "boom" in str(entry.exc_info[1]) for entry in caplog.records)


@pytest.mark.slow
@pytest.mark.parametrize("what", first_is_quick("draw", "key", "heard", "view"))
def test_a_board_that_fails_is_told_of_and_the_game_goes_on(
    tmp_path: Path, broken: Broken, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    async def story(app: App, own: Table) -> None:
        if what != "view":
            await until(lambda: isinstance(app.stack[-1], GameScreen))
        broken.what.add(what)
        if what == "key":
            asyncio.get_running_loop().call_soon(press, app, "x")
        app.redraw()
        if what == "heard":
            own.notify("Something has happened.")
        await until(lambda: isinstance(app.stack[-1], FaultScreen))
        assert SENTENCE in " ".join(shown(app).replace("│", " ").split())
        assert "The game goes on" in shown(app)
        press(app, "f10")
        assert "Save for later" in shown(app)
        press(app, "esc")
        assert own.phase == "playing"
        broken.what.clear()
        press(app, "enter")
        assert isinstance(app.stack[-1], GameScreen)
        await play(own, Random(1))
        assert own.ending.verdict is not None
        assert own.ending.verdict.code == "fair"

    at_the_screens(tmp_path, story)
    assert traceback(caplog)


def test_where_the_board_stays_broken_one_stops_and_the_game_waits(tmp_path: Path, broken: Broken) -> None:
    broken.what.add("draw")

    async def story(app: App, own: Table) -> None:
        for _ in range(2):
            await until(lambda: isinstance(app.stack[-1], FaultScreen))
            press(app, "enter")
        await until(lambda: isinstance(app.stack[-1], FaultScreen))
        press(app, "s")
        await until(lambda: own.phase == "failed")
        assert own.ending.resumable
        await until(lambda: "You can resume the game." in shown(app))

    at_the_screens(tmp_path, story)
    assert len(list_journals(tmp_path)) == 2


def test_at_a_table_of_a_tournament_one_shows_the_board_again() -> None:
    async def story() -> None:
        table = PretendTable(phase="playing", names=("ana", "ben"))
        app = pretend_app()
        again: list[str] = []
        app.push(FaultScreen(app, table, "It failed.", lambda: again.append("again"), app.quit, counts=True))
        assert "Show again" in shown(app)
        assert "Stop here" not in shown(app)
        press(app, "s", "esc", "enter")
        assert again == ["again"]
        assert table.done == []
        table.change(phase="done")
        assert "Leave" in shown(app)

    run(story())


def test_an_error_in_the_background_is_told_beside_the_board(tmp_path: Path, broken: Broken) -> None:
    async def story(app: App, own: Table) -> None:
        await until(lambda: isinstance(app.stack[-1], GameScreen))
        broken.what.add("background")
        own.closing.start(failing())
        await until(lambda: SENTENCE[:40] in shown(app, 120, 40))
        assert isinstance(app.stack[-1], GameScreen)
        assert own.phase == "playing"

    async def failing() -> None:
        broken("background")

    at_the_screens(tmp_path, story)


def test_away_from_a_table_an_error_in_the_background_is_told_and_the_program_goes_on(
    tmp_path: Path, broken: Broken, caplog: pytest.LogCaptureFixture
) -> None:
    async def failing() -> None:
        broken("background")

    async def story(app: App) -> None:
        tasks = BackgroundTasks()
        tasks.start(failing())
        await until(lambda: SENTENCE[:40] in shown(app, 120, 40))
        assert isinstance(app.stack[-1], TitleScreen)
        app.quit()

    async def main() -> None:
        with create_pipe_input() as keys:
            app = App(
                Settings(nickname="ana"), PretendServices(), partial(TerminalWindow, input=keys, output=DummyOutput())
            )
            telling = BackgroundTasks()

            def first() -> None:
                app.push(TitleScreen(app))
                telling.start(story(app))

            await app.run(first)
            await telling.wait()

    broken.what.add("background")
    run(main())
    assert traceback(caplog)


def test_the_line_mode_tells_an_error_in_the_background(broken: Broken, caplog: pytest.LogCaptureFixture) -> None:
    class FailingServices(PretendServices):
        async def warm(self) -> None:
            async def failing() -> None:
                broken("background")

            tasks = BackgroundTasks()
            tasks.start(failing())
            await tasks.wait()

    async def main() -> str:
        said = StringIO()
        await plain_main.run(Settings(nickname="ana"), FailingServices(), None, Console(StringIO("quit\n"), said))
        return said.getvalue()

    broken.what.add("background")
    assert SENTENCE in run(main())
    assert traceback(caplog)


def test_where_the_program_itself_must_end_the_game_waits(
    tmp_path: Path, broken: Broken, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables: list[Table] = []

    def fails(self: TableFlow, error: Exception) -> None:
        raise LookupError("nothing can be shown")

    async def story(app: App, own: Table) -> None:
        tables.append(own)
        await until(lambda: isinstance(app.stack[-1], GameScreen))
        monkeypatch.setattr(TableFlow, "fault", fails)
        broken.what.add("draw")
        app.redraw()
        await until(lambda: own.phase == "failed")

    # What was drawn last fails as well.
    with pytest.raises(ZeroDivisionError):
        at_the_screens(tmp_path, story)
    assert tables[0].ending.resumable
    assert len(list_journals(tmp_path)) == 2


def test_line_mode_goes_on_after_an_error(tmp_path: Path, broken: Broken, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        network = Network(Settings(nickname="ana", path=tmp_path / "settings.json"))
        own = await alone(network, tmp_path)
        said = StringIO()
        broken.what.add("describe")
        await until(lambda: own.phase == "playing")
        source, target = os.pipe()
        with os.fdopen(source) as typed, os.fdopen(target, "w", buffering=1) as keyboard:
            playing = asyncio.create_task(PlainTable(own, network, Console(typed, said), Settings()).play())
            await until(lambda: "The game goes on" in said.getvalue())
            assert SENTENCE in said.getvalue()
            broken.what.clear()
            before = len(said.getvalue())
            keyboard.write("state\n")
            await until(lambda: len(said.getvalue()) > before)
            assert SENTENCE not in said.getvalue()[before:]
            keyboard.write("leave\nleave\n")
            await playing
        await own.close()
        await network.close()

    run(main())
    assert traceback(caplog)
