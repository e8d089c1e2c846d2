"""Ctrl-C and leaving: what would be lost is said beforehand, and what can be kept is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from kimberley.client.screens.app import App
from kimberley.client.screens.dialogs import Question, leave_table
from kimberley.client.screens.title import TitleScreen
from kimberley.client.session.participants import BOT_NEEDS_YOU, BOTS_NEED_YOU, STILL_NEEDED
from kimberley.client.session.seat_session import LocalBot, session_of
from kimberley.client.session.settings import Settings
from kimberley.client.ui.terminal_window import TerminalWindow
from kimberley.games import lookup
from kimberley.games.table import Leave
from tests.support.angola import TrustTable
from tests.support.asyncs import until
from tests.support.pretend import PretendPeer, PretendServices, PretendTable, press, shown, touch


def ends_at(table: PretendTable, test: Callable[[App], Awaitable[None]]) -> None:
    """Runs the program at a table, and a test that ends it."""

    async def main() -> None:
        with create_pipe_input() as keys:
            window = partial(TerminalWindow, input=keys, output=DummyOutput())
            settings = Settings(nickname="ana", glyphs="full", calm=True, guided=list(lookup.ids()))
            app = App(settings, PretendServices(table), window)

            def first() -> None:
                app.push(TitleScreen(app))
                app.take_seat(table)

            runs = asyncio.ensure_future(app.run(first))
            await until(lambda: app.table_flow is not None)
            await test(app)
            await runs

    asyncio.run(main())


def said(app: App) -> str:
    """Returns what the open question says."""
    question = app.stack[-1]
    assert isinstance(question, Question)
    assert question.text.split()[-1] in shown(app)
    return question.text


def test_a_second_ctrl_c_keeps_the_game() -> None:
    table = TrustTable()

    async def test(app: App) -> None:
        press(app, "c-c")
        text = said(app)
        assert "Your game is saved. Resume it from the title screen, or with kimberley resume." in text
        assert f"{table.occupants.names[1]} can stop waiting after 2 min" in text
        assert "If you leave for good, the game ends without a result." in text
        press(app, "c-c")

    ends_at(table, test)
    assert table.done == [("suspend",)]


@pytest.mark.parametrize("keyboard", [True, False], ids=["keys", "mouse"])
@pytest.mark.parametrize(("label", "key", "done"), [
    ("Quit y", "y", [("suspend",)]), ("Leave for good x", "x", [("leave",), ("close",)]),
])  # fmt: skip
def test_the_answers_to_ctrl_c(label: str, key: str, done: list[tuple[Any, ...]], keyboard: bool) -> None:
    table = TrustTable()

    async def test(app: App) -> None:
        for back in ("esc", "n"):
            press(app, "c-c", back)
            assert "Quit Kimberley" not in shown(app)
        press(app, "c-c", "left")
        assert "▸ Stay" in shown(app)
        press(app, "enter", "c-c")
        press(app, key) if keyboard else touch(app, label)

    ends_at(table, test)
    assert table.done == done


def test_the_three_answers_have_room_on_every_terminal() -> None:
    async def test(app: App) -> None:
        press(app, "c-c")
        for columns, rows in ((80, 24), (40, 40), (200, 60)):
            text, keys = shown(app, columns, rows), ("", "", "") if columns < 80 else (" y", " x", " Esc")
            answers = (f"{label}{key}" for label, key in zip(("Quit", "Leave for good", "Stay"), keys, strict=True))
            assert [answer for answer in answers if answer not in text] == []
        press(app, "y")

    ends_at(TrustTable(), test)


def test_a_table_of_bots_of_this_program_alone_neither_plays_on_nor_needs_it() -> None:
    game = lookup.find("land")
    table = PretendTable(
        game=game,
        names=("ana", "Orlov", "Sancy"),
        seats=3,
        options={},
        phase="playing",
        acquaintance=("you", "bot", "bot"),
    )
    table.put(peer=PretendPeer(0, game.start(3, {})))

    async def test(app: App) -> None:
        press(app, "c-c")
        assert "If you leave for good, the game ends without a result." in said(app)
        press(app, "esc")
        assert app.table_flow is not None
        app.table_flow.leave()
        assert not app.still_needed
        press(app, "q")

    ends_at(table, test)


def test_a_game_that_has_its_result_is_neither_saved_together_nor_played_on_by_the_others() -> None:
    game = lookup.find("land")
    table = PretendTable(game=game, names=("ana", "ben", "cleo"), seats=3, options={}, phase="playing",
                         acquaintance=("you", "met", "met"))  # fmt: skip
    table.put(peer=PretendPeer(0, game.start(3, {})))

    async def test(app: App) -> None:
        table.put(phase="closing")
        press(app, "c-c")
        text = said(app)
        assert "Save for later" not in text
        assert text.endswith("If you leave for good, the game cannot be proven fair.")
        press(app, "esc")
        leave_table(app, table)
        assert said(app) == "If you leave, the game cannot be proven fair."
        press(app, "esc", "c-c", "y")

    ends_at(table, test)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"phase": "open", "names": ("ana",)}, "Your table closes. Leave the table and quit?"),
        ({"phase": "open", "seat": 1, "host": False}, "You lose your seat at ana’s table."),
        ({"phase": "done", "acquaintance": ("you", "new")}, "The game is over."),
    ],
)
def test_where_no_game_runs_the_table_is_left(values: dict[str, Any], text: str) -> None:
    table = PretendTable(**values)

    async def test(app: App) -> None:
        press(app, "c-c")
        assert text in said(app)
        press(app, "x")

    ends_at(table, test)
    assert table.done == [("leave",), ("close",)]


def test_a_player_who_has_left_the_game_leaves_the_table() -> None:
    table = TrustTable()

    async def test(app: App) -> None:
        known = table.arena_peer
        seen = {"state": known.state, "first_state": known.first_state, "asked": None, "waiting": (), "result": None}
        table.put(peer=SimpleNamespace(**seen, story=((Leave(0), None),)))
        press(app, "c-c")
        assert "You left the game. Leave the table and quit?" in said(app)
        press(app, "x")

    ends_at(table, test)
    assert table.done == [("leave",), ("close",)]


@pytest.mark.parametrize(("bots", "told"), [(1, BOT_NEEDS_YOU), (2, BOTS_NEED_YOU)])
@pytest.mark.parametrize("resigned", [False, True])
def test_who_left_bots_to_play_with_people_is_asked_before_the_program_ends(
    bots: int, told: str, *, resigned: bool
) -> None:
    game = lookup.find("land")
    given = {"game": game, "names": ("ana", "ben", "carla"), "seats": 3, "options": {}, "phase": "playing"}
    seats = []
    for seat in range(1 + bots):
        table = PretendTable(**given, seat=seat, acquaintance=("new", "new", "new"))
        peer = PretendPeer(seat, game.start(3, {}))
        peer.story = ((Leave(0), None),) if resigned else ()
        table.put(peer=peer)
        seats.append(table)
    own, *others = seats

    async def test(app: App) -> None:
        assert app.table_flow is not None
        session_of(own).bots.extend(LocalBot(seat, 1, 1) for seat in others)
        app.table_flow.leave()
        own.change(phase="failed")
        await until(lambda: ("close",) in own.done)
        for key in ("c-c", "q", "esc"):
            press(app, key)
            assert said(app) == told
            press(app, "esc")
        for seat in others:
            seat.put(phase="done")
        press(app, "q")

    ends_at(own, test)


def test_who_left_a_game_against_bots_alone_is_not_asked_before_the_program_ends() -> None:
    game = lookup.find("land")
    given = {"game": game, "names": ("ana", "Sancy"), "seats": 2, "options": {}, "phase": "playing"}
    own = PretendTable(**given, acquaintance=("you", "bot"))
    bot = PretendTable(**given, seat=1, acquaintance=("new", "you"))
    for seat, table in enumerate((own, bot)):
        table.put(peer=PretendPeer(seat, game.start(2, {})))

    async def test(app: App) -> None:
        assert app.table_flow is not None
        session_of(own).bots.append(LocalBot(bot, 1, 1))
        app.table_flow.leave()
        press(app, "q")

    ends_at(own, test)


def test_who_quits_before_the_others_can_play_on_is_asked_first() -> None:
    game = lookup.find("land")
    table = PretendTable(game=game, names=("ana", "ben", "carla"), seats=3, options={}, phase="playing")
    table.put(peer=PretendPeer(0, game.start(3, {})))

    async def test(app: App) -> None:
        assert app.table_flow is not None
        app.table_flow.leave()
        for key in ("c-c", "q", "esc"):
            press(app, key)
            assert said(app) == f"{STILL_NEEDED} If you quit now, they have to wait for you."
            press(app, "esc")
        assert ("close",) not in table.done
        table.change(phase="failed")
        await until(lambda: not app.still_needed)
        press(app, "q")

    ends_at(table, test)
    assert table.done == [("leave",), ("close",)]
