"""The dossier of a player's own game: where Esc leads, and what is asked before a table with others is left."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kimberley.client.boards.diamond_trust.dossier import NO_BRIBES
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.report import Dossier
from kimberley.client.plain.table_news import dossier_lines
from kimberley.client.screens.app import App
from kimberley.client.screens.dialogs import Question
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.lobby import LobbyScreen
from kimberley.client.screens.table_flow import SETTLE_SECONDS, TableFlow
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.rematches import rematch_sentence
from kimberley.games import lookup
from tests.support.asyncs import run, settled, until
from tests.support.board_snapshots import Scenario, finished_game
from tests.support.cards import CARDS
from tests.support.diamond import at, placing
from tests.support.diamond_table import DiamondTable
from tests.support.pretend import PretendServices, PretendTable, press, pretend_app, shown, touch

FAIR = SimpleNamespace(code="fair", seats=(), envelopes=9)


SCENARIOS = {
    "diamond-trust": Scenario("diamond-trust", 2, 4, {}),
    "diamond": Scenario("diamond", 2, 10, {}, bots=True),
}


@cache
def dossier(game: str) -> Dossier:
    """Returns the dossier of a whole game: that of Diamond Trust has a graph, that of Diamond the board."""
    return find_board(game).dossier(finished_game(SCENARIOS[game]), ("ana", "ben"), 0)


def at_the_end(game: str = "diamond-trust", **values: Any) -> tuple[App, PretendTable]:
    """Returns the dossier of a game that is over, at its table."""
    given: dict[str, Any] = {"game": lookup.find(game), "phase": "done", "verdict": FAIR}
    table = PretendTable(**(given | values))
    app = pretend_app(PretendServices(table))
    app.push(TitleScreen(app))
    flow = TableFlow(app, table)
    app.table_flow = flow
    app.push(DossierScreen(app, table, flow, dossier(game)))
    return app, table


@pytest.mark.parametrize("game", SCENARIOS)
def test_a_message_covers_no_button(game: str) -> None:
    async def test() -> None:
        app, _ = at_the_end(game)
        for _ in range(2):
            assert re.search(r"Rematch p", shown(app))
            before = app.draw(80, 24).lines()[20:]
            app.toast("Saved: ~/records/1.svg")
            assert app.draw(80, 24).lines()[20:] == before
            press(app, "d")

    run(test())


def test_the_help_names_no_key_that_does_nothing() -> None:
    async def test() -> None:
        app, table = at_the_end()
        press(app, "f1")
        assert "r reviews the game" not in shown(app)
        press(app, "esc")
        table.change(record=Path("game.kdt"), audited=finished_game(SCENARIOS["diamond-trust"]))
        press(app, "f1")
        assert "r reviews the game" in " ".join(shown(app).replace("│", "").split())

    run(test())


def test_a_record_that_could_not_be_saved_is_told_beside_the_verdict() -> None:
    async def test() -> None:
        app, table = at_the_end(problem="The record was not saved: the disk is full.")
        press(app, "d")
        assert "FAIR" in shown(app)
        assert "The record was not saved: the disk is full." in shown(app)
        assert dossier_lines(table)[-1] == "The record was not saved: the disk is full."

    run(test())


@pytest.mark.parametrize(("game", "said"), [("diamond", "before anyone had played."), ("diamond-trust", NO_BRIBES)])
def test_a_list_without_rows_says_why(game: str, said: str) -> None:
    async def test() -> None:
        app, table = at_the_end(game)
        found = dossier(game)
        empty = replace(found, build=lambda width: (found.build(width)[0], ()))
        app.push(DossierScreen(app, table, TableFlow(app, table), empty))
        press(app, "d")
        assert said in shown(app)
        keys = shown(app).splitlines()[-1]
        assert "scroll" not in keys, "there is nothing to scroll"
        assert "Enter" not in keys, "no line is selected"
        press(app, "f1")
        assert "Enter shows" not in shown(app)

    run(test())


@pytest.mark.parametrize("game", SCENARIOS)
@pytest.mark.parametrize("keyboard", [True, False], ids=["keys", "mouse"])
def test_esc_leads_from_the_list_back_to_the_picture(keyboard: bool, game: str) -> None:
    async def test() -> None:
        app, table = at_the_end(game)
        picture = shown(app)
        assert "Leave Esc" in picture
        press(app, "d")
        rows = shown(app)
        assert rows != picture
        assert "Leave Esc" not in rows
        press(app, "esc") if keyboard else touch(app, "Back Esc")
        assert shown(app) == picture
        assert table.done == []

    run(test())


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 40)])
def test_diamond_ends_with_the_square_that_won_and_counts_no_pieces(size: tuple[int, int]) -> None:
    async def test() -> None:
        app, _ = at_the_end("diamond")
        said = " ".join(shown(app, *size).split())
        assert "ben wins" in said
        assert "White completed the" in said
        assert "THE LEAD" not in said
        canvas = app.paint(*size, app.now())
        cells = [canvas.cell(x, y) for x in range(canvas.width) for y in range(canvas.height)]
        assert [cell.char for cell in cells if cell.style.bg == "ice"].count("○") == 4

    run(test())


def test_enter_at_the_end_of_diamond_replays_the_game() -> None:
    async def test() -> None:
        app, table = at_the_end("diamond")
        table.put(audited=finished_game(SCENARIOS["diamond"]))
        assert "Enter replay" in shown(app)
        press(app, "enter")
        await until(lambda: "· replay" in shown(app))
        press(app, "esc", "d")
        assert "g board" in shown(app)
        press(app, "g")
        assert "ben wins" in shown(app)

    run(test())


def test_a_table_where_the_other_player_still_is_is_left_once_that_is_confirmed() -> None:
    async def test() -> None:
        app, table = at_the_end()
        press(app, "esc")
        assert "ben is still here. If you leave, the table" in shown(app)
        press(app, "esc", "f10", "q")
        assert "ben is still here." in shown(app)
        assert table.done == []
        press(app, "y")
        await until(lambda: table.done == [("leave",), ("close",)])
        assert isinstance(app.stack[-1], TitleScreen)

    run(test())


@pytest.mark.parametrize("gone", [{"phase": "failed", "problem": "ben left the table."}, {"away": {1: 0.0}}])
def test_who_is_asked_whether_to_leave_is_asked_no_longer_once_nobody_else_is_there(gone: dict[str, Any]) -> None:
    async def test() -> None:
        app, table = at_the_end()
        app.table_flow.start()  # type: ignore[union-attr]
        await settled()
        press(app, "esc")
        assert "ben is still here." in shown(app)
        table.change(**gone)
        assert "still here" not in shown(app)
        assert table.done == []

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


def test_the_host_opens_the_table_again_and_chooses_another_game() -> None:
    async def test() -> None:
        app, table = at_the_end("diamond")
        touch(app, "Other game o")
        assert table.done == [("open again",)]
        assert "▸ Game" in shown(app)
        press(app, "right", "enter")
        assert table.game.id == "land"
        table.put(begins=True)
        assert "Start this game, or choose another." in shown(app)
        touch(app, "Start r")
        assert table.done[-1] == ("ready", True)

    run(test())


def test_a_guest_reads_on_while_the_host_chooses_and_goes_to_the_table_when_ready() -> None:
    async def test() -> None:
        app, table = at_the_end("diamond", host=False, seat=1)
        assert app.table_flow is not None
        app.table_flow.start()
        before = shown(app).splitlines()[:16]
        table.change(phase="open", names=("ben", "ana"), host_seat=1, seat=0, begins=True)
        assert shown(app).splitlines()[:16] == before, "who has won is who won"
        assert "ana is setting up another game." in shown(app)
        found = app.stack[-1].help()
        assert found is not None
        assert "Another game" not in [section.heading for section in found.sections]
        table.change(names=("ana",), host_seat=0)
        table.change(names=("ben", "ana"), host_seat=1)
        touch(app, "To the table p")
        assert "The host starts this game, or chooses another." in shown(app)
        table.put(game=lookup.find("land"))
        assert "The host starts this game, or chooses another." in shown(app), (
            "this is true whatever the host has chosen"
        )
        assert "Start" not in shown(app)
        assert table.done == []

    run(test())


@pytest.mark.slow
def test_a_guest_who_still_sees_the_end_on_the_board_reads_the_dossier_when_the_host_goes_on() -> None:
    async def test() -> None:
        table = DiamondTable(1, state=at(placing("c4 c5 d4", "a1 a2 a3")))
        app = pretend_app(PretendServices(table))
        app.push(TitleScreen(app))
        app.take_seat(table)
        table.apply("d5")
        table.change(phase="done", host=False, verdict=FAIR)
        board = app.stack[-1]
        assert isinstance(board, GameScreen)
        await asyncio.sleep(2 * SETTLE_SECONDS)
        assert app.stack[-1] is board, "the end is still shown"
        table.change(phase="open", names=("ben", "ana"), host_seat=1, seat=0, begins=True)
        assert isinstance(app.stack[-1], DossierScreen)
        text = shown(app)
        assert "ana is setting up another game." in text
        assert "ana has won" in text
        assert "To the table p" in text
        await asyncio.sleep(2 * SETTLE_SECONDS)
        assert isinstance(app.stack[-1], DossierScreen)

    run(test())


@pytest.mark.parametrize("key", ["f5", "p"])
def test_a_guest_reads_on_when_the_next_game_begins_and_joins_it_by_a_key(key: str) -> None:
    async def test() -> None:
        app, table = at_the_end("diamond", host=False, seat=1)
        app.table_flow.start()  # type: ignore[union-attr]
        end, before = app.stack[-1], shown(app).splitlines()[1:16]
        table.change(phase="open", names=("ben", "ana"), host_seat=1, seat=0, begins=True)
        table.change(phase="words", game=lookup.find("diamond-trust"), audited=None)
        assert app.stack[-1] is end
        assert shown(app).splitlines()[1:16] == before, "who has won is who won"
        assert shown(app).count("ana started Diamond Trust of London.") == 2
        press(app, key)
        assert isinstance(app.stack[-1], LobbyScreen)

    run(test())


def test_whoever_asked_for_a_rematch_is_taken_along_and_a_later_end_replaces_an_earlier_one() -> None:
    async def test() -> None:
        app, table = at_the_end("diamond", host=False, seat=1, host_seat=0)
        placeholder = app.stack[-1]
        app.table_flow.start()  # type: ignore[union-attr]
        await until(lambda: app.stack[-1] is not placeholder)
        end = app.stack[-1]
        table.change(phase="words")
        assert app.stack[-1] is end
        table.change(phase="done", peer=SimpleNamespace(result=None, story=()))
        await until(lambda: app.stack[-1] is not end)
        assert isinstance(app.stack[-1], DossierScreen)
        table.change(again_from=frozenset({1}))
        table.change(phase="open", again_from=frozenset())
        table.change(phase="words")
        assert isinstance(app.stack[-1], LobbyScreen)

    run(test())


FOUR: dict[str, Any] = {
    "names": ("ana", "ben", "carla", "dan"),
    "seats": 4,
    "game": CARDS,
    "acquaintance": ("met",) * 4,
}


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "Choose a rematch or another game."),
        ({"again_from": {0}}, "Waiting for ben to accept a rematch."),
        ({"again_from": {0, 1}, "away": {1: 0.0}}, "Waiting for ben to come back."),
        ({"again_from": {1}, "host": False, "seat": 1}, "Waiting for ana to decide."),
        ({"again_from": {0, 1}, "host": False, "seat": 1, "away": {0: 0.0}}, "Waiting for ana to come back."),
        (FOUR | {"again_from": {0, 2}}, "Waiting for ben and dan to accept a rematch."),
        (FOUR | {"again_from": {0, 2}, "partners": {1, 2}}, "Waiting for ben to accept a rematch."),
        (FOUR | {"again_from": {0, 2}, "host": False, "seat": 2}, "Waiting for ben and dan to accept a rematch."),
        (FOUR | {"again_from": {0}, "host": False, "seat": 2}, "ana wants a rematch."),
        (FOUR | {"again_from": {3}, "called_bots": (False,) * 3 + (True,)}, "Choose a rematch or another game."),
        (FOUR | {"again_from": {1, 3}, "called_bots": (False,) * 3 + (True,)}, "ben wants a rematch."),
        (FOUR | {"again_from": {1, 3}}, "2 of the 3 others want a rematch."),
        (FOUR | {"again_from": {1, 2, 3}}, "The others want a rematch."),
        (FOUR | {"partners": {1}, "numbers": (3, 4)}, "Too few players are left for a rematch."),
        ({"acquaintance": ("you", "bot")}, "Do you want a rematch?"),
    ],
)
def test_whom_a_rematch_waits_for_is_told(values: dict[str, Any], sentence: str) -> None:
    async def test() -> None:
        sets = {name: frozenset(value) if isinstance(value, set) else value for name, value in values.items()}
        table = PretendTable(**({"phase": "done", "acquaintance": ("you", "met")} | sets))
        assert rematch_sentence(table).startswith(sentence)
        app = pretend_app(PretendServices(table))
        app.push(TitleScreen(app))
        flow = TableFlow(app, table)
        app.table_flow = flow
        app.push(DossierScreen(app, table, flow, None))
        for size in ((80, 24), (40, 40)):
            assert sentence in " ".join(re.sub(r" {2,}.*", "", line.strip()) for line in shown(app, *size).splitlines())
        asks = table.occupants.seat in table.rematch.again_from or sentence.startswith("Too few")
        assert ("Rematch p" in shown(app)) != asks
        press(app, "f10")
        assert ("Rematch" in shown(app)) != asks

    run(test())


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"host": True}, "ben and carla are still here. If you leave, the table closes."),
        (
            {"host": False, "seat": 2},
            "ana and ben are still here. If you leave, a rematch is only possible without you.",
        ),
        ({"host": False, "seat": 2, "partners": {0}}, "ana is still here. If you leave, the table closes."),
        ({"host": False, "seat": 2, "away": {1: 0.0}}, "ana is still here. If you leave, a rematch is only possible"),
        (
            {"host": False, "seat": 2, "numbers": (3,), "partners": {0, 1}},
            "ana and ben are still here. If you leave, too few players are left for a rematch.",
        ),
    ],
)
def test_who_leaves_after_a_game_reads_who_is_there_and_what_that_means(values: dict[str, Any], sentence: str) -> None:
    async def test() -> None:
        sets = {name: frozenset(value) if isinstance(value, set) else value for name, value in values.items()}
        bots: dict[str, Any] = {"called_bots": (False, False, False, True)}
        app, _ = at_the_end(**(FOUR | bots | {"game": "diamond-trust", "numbers": (2, 3, 4)} | sets))
        press(app, "esc")
        question = app.stack[-1]
        assert isinstance(question, Question)
        assert question.text.startswith(sentence)

    run(test())
