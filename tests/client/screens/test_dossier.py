"""The dossier of a player's own game: where Esc leads, and what is asked before a table with others is left."""

from __future__ import annotations

import asyncio
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from kimberley.client.boards.registry import find_board
from kimberley.client.boards.report import Dossier
from kimberley.client.screens.app import App
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.table_flow import TableFlow
from kimberley.client.screens.title import TitleScreen
from kimberley.games import lookup
from tests.support.asyncs import run, until
from tests.support.board_snapshots import Scenario, finished_game
from tests.support.pretend import PretendServices, PretendTable, press, pretend_app, shown, touch

FAIR = SimpleNamespace(code="fair", seats=(), envelopes=9)


@cache
def dossier() -> Dossier:
    """The dossier of a whole game, which has a graph."""
    found = find_board("diamond").dossier(finished_game(Scenario("diamond", 2, 10, {}, bots=True)), ("ana", "ben"), 0)
    assert found.curve is not None
    return found


def at_the_end(**values: Any) -> tuple[App, PretendTable]:
    """The dossier of a game that is over, at its table."""
    given: dict[str, Any] = {"game": lookup.find("diamond"), "phase": "done", "verdict": FAIR}
    table = PretendTable(**(given | values))
    app = pretend_app(PretendServices(table))
    app.push(TitleScreen(app))
    flow = TableFlow(app, table)
    app.table_flow = flow
    app.push(DossierScreen(app, table, flow, dossier()))
    return app, table


@pytest.mark.parametrize("keyboard", [True, False], ids=["keys", "mouse"])
def test_esc_leads_from_the_list_back_to_the_graph(keyboard: bool) -> None:
    async def test() -> None:
        app, table = at_the_end()
        graph = shown(app)
        assert "Leave Esc" in graph
        press(app, "d")
        rows = shown(app)
        assert rows != graph
        assert "Leave Esc" not in rows
        press(app, "esc") if keyboard else touch(app, "Back Esc")
        assert shown(app) == graph
        assert table.done == []

    run(test())


def test_a_table_where_the_other_player_still_is_is_left_once_that_is_confirmed() -> None:
    async def test() -> None:
        app, table = at_the_end()
        press(app, "esc")
        assert "ben is still here. If you leave, you cannot" in shown(app)
        press(app, "esc", "f10", "q")
        assert "ben is still here." in shown(app)
        assert table.done == []
        press(app, "y")
        await until(lambda: table.done == [("leave",), ("close",)])
        assert isinstance(app.stack[-1], TitleScreen)

    run(test())


@pytest.mark.parametrize(
    "values", [{"phase": "failed", "problem": "ben left the table."}, {"acquaintance": ("you", "bot")}]
)
def test_where_nobody_else_is_nothing_is_asked(values: dict[str, Any]) -> None:
    async def test() -> None:
        app, table = at_the_end(**values)
        press(app, "esc")
        await until(lambda: table.done == [("leave",), ("close",)])
        assert isinstance(app.stack[-1], TitleScreen)

    run(test())


def test_whoever_has_finished_a_game_is_offered_no_guide_for_it() -> None:
    async def test() -> None:
        table = PretendTable(game=lookup.find("diamond"), verdict=FAIR)
        app = pretend_app(PretendServices(table), guided=[])
        app.push(TitleScreen(app))
        app.take_seat(table)
        await asyncio.sleep(0)
        assert app.settings.guided == []
        table.change(phase="done")
        assert app.settings.guided == ["diamond"]

    run(test())
