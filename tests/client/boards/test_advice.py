"""Hints in games alone: what they say in every game, what the bot is told, and where there are none."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from types import SimpleNamespace
from typing import Any, Final

import pytest

from kimberley.client.boards.advice import FRAME, LATE, NO_CHOICE, SPINNER, THINKING, Adviser
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.registry import find_board
from kimberley.client.plain.table import PlainTable
from kimberley.client.screens.app import App
from kimberley.client.session.bots import ADVISER_SEED, play_alone
from kimberley.client.session.settings import Settings
from kimberley.games import lookup
from kimberley.games.bots.base import Bot
from kimberley.games.bots.levels import levels_of, make_bot
from kimberley.games.table import Observation, Plain, Result
from tests.support.asyncs import run, until
from tests.support.board_snapshots import Clock
from tests.support.pretend import PretendServices, press, pretend_app, shown, touch
from tests.support.typed import Typed
from tests.support.whole_game_table import WholeGameTable

SEATS: Final = {"diamond-trust": 2, "diamond": 2, "land": 2, "mine": 2, "piecepack": 3}
QUESTIONS: Final = 5
"""Choices of the player for which each game is asked."""


@cache
def bot(game: str, seed: int, level: int = 1) -> Bot:
    return make_bot(lookup.find(game), level, seed)


def table_of(game: str, *, alone: bool = True, aided: bool = True) -> WholeGameTable:
    """A table at which bots of level 1 choose; the test's seat is asked."""

    def choose(observation: Observation) -> Plain:
        return bot(game, observation.seat).choose(observation)

    table = WholeGameTable(game, SEATS[game], 1, choose, Clock().now, {}, last_look=0)
    table.acquaintance = ("you", *["bot"] * (SEATS[game] - 1))
    if alone:
        play_alone(table, 1, aided=aided)
    to_own_choice(table)
    return table


def to_own_choice(table: WholeGameTable) -> None:
    """Plays on until the test's seat is asked."""
    while not isinstance(table.ask, Result):
        table.offer()
        if table.arena_peer.asked is not None:
            return
        table.answer()


def adviser(table: WholeGameTable) -> Adviser:
    return Adviser(find_board(table.game.id).game, table, table.names)


def play(table: WholeGameTable, **settings: Any) -> App:
    app = pretend_app(**settings)
    app.push(GameScreen(find_board(table.game.id).game, table, app))
    return app


@asynccontextmanager
async def typed(table: WholeGameTable, *words: str) -> AsyncIterator[Typed]:
    """What the line mode says after these words are typed."""
    lines = Typed()
    for word in words:
        lines.type(word)
    playing = asyncio.create_task(PlainTable(table, PretendServices(table), lines, Settings()).play())
    yield lines
    lines.type("leave")
    lines.type("leave")
    await playing


class Waits:
    """A bot that thinks until it is told to choose, and keeps what it was shown."""

    def __init__(self, table: WholeGameTable) -> None:
        self.seen: list[Observation] = []
        self.may_choose = threading.Event()
        self._table, self._bot = table, bot(table.game.id, ADVISER_SEED)
        self.asked_for: list[tuple[int, int]] = []
        game = {name: getattr(table.game, name) for name in ("id", "title", "seats", "last_looks")}
        table.game = SimpleNamespace(**game, levels=levels_of(table.game), bot=self._made)

    def _made(self, level: int, seed: int) -> Bot:
        self.asked_for.append((level, seed))
        return self

    def choose(self, observation: Observation) -> Plain:
        self.seen.append(observation)
        self.may_choose.wait(60)
        return self._bot.choose(observation)


@pytest.mark.slow
@pytest.mark.parametrize("game", SEATS)
def test_a_hint_is_a_sentence_that_says_what_and_why(game: str) -> None:
    async def main() -> None:
        table = table_of(game)
        for _ in range(QUESTIONS):
            said = await adviser(table).advise()
            what, colon, why = said.partition(": ")
            assert (bool(colon), said[0].isupper(), said[-1]) == (True, True, "."), said
            assert len(what) > 2, said
            assert len(why) > 10, said
            table.answer()
            to_own_choice(table)

    run(main())


def test_a_hint_names_the_choice_of_the_strongest_bot_whatever_the_opponents_level() -> None:
    async def main() -> None:
        table = table_of("diamond")
        for _ in range(2):
            table.answer()
            to_own_choice(table)
        known = table.all_seats.observation(0)
        weakest, strongest = (bot("diamond", ADVISER_SEED, level).choose(known) for level in (1, 20))
        assert weakest != strongest
        said = await adviser(table).advise()
        assert said.startswith(f"Place on {strongest!s}: ")
        named = re.search(r" The next best choice is to place on (\w\d): ", said)
        assert named is not None
        assert named[1] != strongest

    run(main())


@pytest.mark.parametrize("game", SEATS)
def test_the_bot_is_shown_what_the_seat_knows_and_nothing_else(game: str) -> None:
    async def main() -> None:
        table = table_of(game)
        waits = Waits(table)
        waits.may_choose.set()
        await adviser(table).advise()
        assert waits.asked_for == [(len(levels_of(table.game)), ADVISER_SEED)]
        assert waits.seen == [table.all_seats.observation(0)]

    run(main())


def test_while_the_bot_thinks_the_screen_lives_and_the_player_may_leave() -> None:
    async def main() -> None:
        table = table_of("diamond")
        waits = Waits(table)
        app = play(table)
        press(app, "?")
        await until(lambda: waits.seen)
        assert "Thinking" in shown(app)
        press(app, "esc")
        assert "Thinking" not in shown(app)
        assert "PLACE" in shown(app)
        waits.may_choose.set()

    run(main())


@pytest.mark.parametrize("calm", [False, True])
def test_something_moves_while_the_bot_thinks_unless_all_is_calm_and_the_key_cancels(calm: bool) -> None:
    async def main() -> None:
        table = table_of("diamond")
        waits = Waits(table)
        app = play(table, calm=calm)
        press(app, "?")
        await until(lambda: waits.seen)
        frames = [app.paint(80, 24, 1 + frame * FRAME).lines() for frame in range(2 * len(SPINNER))]
        seen = {next(line for line in lines if THINKING in line) for lines in frames}
        assert (len(seen) > 1) == (not calm)
        assert "Esc cancel" in shown(app)
        waits.may_choose.set()
        await until(lambda: "Place on" in shown(app))
        assert "Esc close" in shown(app)

    run(main())


@pytest.mark.parametrize("typed_in", [False, True])
def test_a_hint_goes_on_from_the_deals_already_made_in_a_turn(typed_in: bool) -> None:
    async def main() -> None:
        table = table_of("land")
        waits = Waits(table)
        waits.may_choose.set()
        before: Any = table.all_seats.observation(0).state
        if typed_in:
            parcel = next(p for p in before.map.parcels(*before.sector) if p in before.map.banks)
            async with typed(table, f"buy {before.map.name(parcel)}", "hint") as lines:
                await until(lambda: lines.has("Hint: "))
                assert lines.has("Thinking")
        else:
            app = play(table)
            press(app, "b")
            press(app, "?")
            await until(lambda: waits.seen)
        (seen,) = waits.seen
        then: Any = seen.state
        assert then.cash[0] < before.cash[0]
        assert len(then.land.of(0)) == 1 + len(before.land.of(0))

    run(main())


def test_the_hint_is_asked_by_key_and_by_touch_and_closes() -> None:
    async def main() -> None:
        app = play(table_of("diamond"))
        press(app, "?")
        await until(lambda: "Place on" in shown(app))
        assert "What Magnate (level 20) would do" in shown(app)
        press(app, "enter")
        touch(app, "Menu", 40, 40)
        touch(app, "Hint", 40, 40)
        await until(lambda: "Place on" in shown(app, 40, 40))
        touch(app, "Close", 40, 40)
        assert "Place on" not in shown(app, 40, 40)

    run(main())


def test_a_hint_for_a_choice_that_is_over_is_not_told() -> None:
    async def main() -> None:
        table = table_of("diamond")
        waits = Waits(table)
        async with asyncio.TaskGroup() as tasks:
            asked = tasks.create_task(adviser(table).advise())
            await until(lambda: waits.seen)
            table.answer()
            to_own_choice(table)
            waits.may_choose.set()
        assert asked.result() == LATE

    run(main())


def test_without_a_choice_there_is_nothing_to_advise() -> None:
    async def main() -> None:
        table = table_of("diamond")
        table.arena_peer.asked = None
        app = play(table)
        press(app, "?")
        assert NO_CHOICE in shown(app)

    run(main())


def test_who_goes_back_in_the_game_is_told_when_there_are_hints() -> None:
    async def main() -> None:
        table = table_of("diamond")
        table.answer()
        to_own_choice(table)
        app = play(table)
        screen = app.stack[-1]
        assert isinstance(screen, GameScreen)
        screen.head.go(1)
        press(app, "?")
        assert NO_CHOICE in shown(app)

    run(main())


@pytest.mark.parametrize("where", [{"alone": False}, {"aided": False}], ids=["with the people", "in a shared copy"])
def test_there_are_no_hints(where: dict[str, bool]) -> None:
    async def main() -> None:
        table = table_of("diamond", **where)
        waits = Waits(table)
        app = play(table)
        press(app, "?")
        assert "hint" not in shown(app, 120, 40)
        press(app, "f10")
        assert "Hint" not in shown(app)
        assert not waits.seen
        async with typed(table, "hint") as lines:
            await until(lambda: lines.has("cannot read"))
        assert not lines.has("Place on")
        assert not waits.seen

    run(main())


def test_a_hint_can_be_typed() -> None:
    async def main() -> None:
        async with typed(table_of("diamond"), "help", "hint") as lines:
            await until(lambda: lines.has("Hint: place on"))
        assert lines.has("hint: hear what the strongest computer player would do in your place")

    run(main())
