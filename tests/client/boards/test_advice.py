"""Hints in games alone: what they say in every game, what the bot is told, and where there are none."""

from __future__ import annotations

import asyncio
import math
import re
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import pytest

from kimberley.client.boards import take_back
from kimberley.client.boards.advice import (
    CHANGED,
    COMPARING,
    FRAME,
    HELP,
    LATE,
    LOOKING_FURTHER,
    LOST_NEXT,
    LOST_WITHIN,
    NO_CHOICE,
    OFFER,
    SOON,
    SPINNER,
    THINKING,
    Adviser,
)
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.next_best import ALIKE, EQUALLY_GOOD
from kimberley.client.boards.registry import find_board
from kimberley.client.plain.table import PlainTable
from kimberley.client.plain.table_commands import NOT_NOW
from kimberley.client.screens.app import App
from kimberley.client.session.bots import Deepening, Progressing, Stoppable, play_alone
from kimberley.client.session.settings import Settings
from kimberley.games import lookup
from kimberley.games.bots import hints
from kimberley.games.bots.base import Bot, Stopped
from kimberley.games.bots.levels import levels_of, make_bot
from kimberley.games.diamond.board import NAMED
from kimberley.games.land.bots.bot import LandBot
from kimberley.games.table import Observation, Plain, Result
from tests.support import land
from tests.support.asyncs import run, until
from tests.support.board_snapshots import Clock
from tests.support.effort import first_is_quick, one_is_quick
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
    """Returns a table at which bots of level 1 choose; the test's seat is asked."""

    def choose(observation: Observation) -> Plain:
        return bot(game, observation.seat).choose(observation)

    table = WholeGameTable(game, SEATS[game], 1, choose, Clock().now, {}, last_look=0)
    table.put(acquaintance=("you", *["bot"] * (SEATS[game] - 1)))
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


def to_answer(table: WholeGameTable) -> Any:
    """Returns the state after the choices that are handed in."""
    table.answer()
    return table.all_seats.observation(0).state


def adviser(table: WholeGameTable) -> Adviser:
    return Adviser(find_board(table.game.id).game, table, table.occupants.names)


def play(table: WholeGameTable, **settings: Any) -> App:
    app = pretend_app(**settings)
    app.push(GameScreen(find_board(table.game.id).game, table, app))
    return app


@asynccontextmanager
async def typed(table: WholeGameTable, *words: str) -> AsyncIterator[Typed]:
    """Yields what the line mode says after these words are typed."""
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
        self.stopped = threading.Event()
        self._table, self._bot = table, bot(table.game.id, hints.SEED)
        self.asked_for: list[tuple[int, int]] = []
        game = {name: getattr(table.game, name) for name in ("id", "title", "seats", "last_looks", "starting_seat")}
        table.put(game=SimpleNamespace(**game, levels=levels_of(table.game), bot=self._made))

    def _made(self, level: int, seed: int) -> Bot:
        self.asked_for.append((level, seed))
        return self

    def choose(self, observation: Observation) -> Plain:
        self.seen.append(observation)
        self.may_choose.wait(60)
        return self._bot.choose(observation)

    def stop(self) -> None:
        self.stopped.set()


@pytest.mark.slow
@pytest.mark.parametrize("game", SEATS)
@pytest.mark.nightly
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


@pytest.mark.nightly
@pytest.mark.slow
def test_a_hint_names_the_choice_of_the_strongest_bot_whatever_the_opponents_level() -> None:
    async def main() -> None:
        table = table_of("diamond")
        for _ in range(2):
            table.answer()
            to_own_choice(table)
        known = table.all_seats.observation(0)
        weakest, strongest = (bot("diamond", hints.SEED, level).choose(known) for level in (1, 20))
        assert weakest != strongest
        said = await adviser(table).advise()
        assert said.startswith(f"Place on {strongest!s}: ")
        named = re.search(r" The next best choice is to place on (\w\d): ", said)
        assert named is not None
        assert named[1] != strongest

    run(main())


@pytest.mark.slow
@pytest.mark.parametrize("lost", first_is_quick(0.0, 0.2, math.inf))
@pytest.mark.parametrize("game", one_is_quick("piecepack", ["diamond", "piecepack"]))
def test_a_hint_says_where_a_judge_is_certain_that_what_came_next_is_as_good(
    game: str, lost: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Plain] = []

    def apart(observation: Observation, choice: Plain, other: Plain, rng: Random) -> float:
        del observation, choice, rng
        asked.append(other)
        return lost

    judge = SimpleNamespace(hidden=True, apart=apart)
    monkeypatch.setattr(hints, "bots_of", lambda _game: SimpleNamespace(judge=lambda _level: judge))

    async def main() -> None:
        table = table_of(game)
        said = ""
        while " The next best choice is to " not in said:
            table.answer()
            to_own_choice(table)
            said = await adviser(table).advise()
        assert len(asked) == 1
        assert said.endswith(f". {EQUALLY_GOOD}") == (not lost)
        assert lost or ALIKE not in said

    run(main())


@pytest.mark.parametrize("game", SEATS)
def test_the_bot_is_shown_what_the_seat_knows_and_nothing_else(game: str) -> None:
    async def main() -> None:
        table = table_of(game)
        waits = Waits(table)
        waits.may_choose.set()
        await adviser(table).advise()
        assert waits.asked_for == [(len(levels_of(table.game)), hints.SEED)]
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
        await until(waits.stopped.is_set)
        waits.may_choose.set()

    run(main())


class Deepens(Waits):
    """The same, and it says what it has found so far."""

    so_far: Plain | None = None


@pytest.mark.parametrize(("verb", "equally_good"), [("price", True), ("price", False), ("buy", True)])
def test_new_prices_that_are_no_better_than_none_are_no_hint(verb: str, equally_good: bool) -> None:
    rested = verb == "price" and equally_good
    parcels = {f"h{row}": (0, "40") for row in range(1, 5)}
    state = land.roll(land.table(parcels), (0, 1))
    assert state.map is not None
    deals = ((verb, state.map.parcel("h1" if verb == "price" else "g1"), 100),)
    assert hints.is_idle(LandBot(20, 0), deals, hints.Compared((), equally_good)) == rested


def test_a_hint_ends_the_turn_where_that_is_as_good(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        table = table_of("land")
        monkeypatch.setattr(hints, "compare", lambda *_: hints.Compared((), True))
        advising = adviser(table)
        assert not (await advising.advise()).startswith("End your turn: ")
        monkeypatch.setattr(LandBot, "is_idle", lambda *_: True)
        advising = adviser(table)
        assert (await advising.advise()).startswith("End your turn: ")
        assert advising.so_far().startswith("End your turn: ")
        assert not advising.fills_in

    run(main())


class Loses(Waits):
    """The same, and it sees that it loses."""

    loses_within: int | None = None


@pytest.mark.parametrize(
    ("turns", "said"),
    [(None, ""), (1, f" {LOST_NEXT}"), (3, f" {LOST_WITHIN.format(turns=3)}")],
)
def test_a_hint_says_when_every_choice_loses(turns: int | None, said: str) -> None:
    async def main() -> None:
        table = table_of("diamond")
        table.answer()
        to_own_choice(table)
        loses = Loses(table)
        loses.loses_within = turns
        loses.may_choose.set()
        advice = await adviser(table).advise()
        assert advice.endswith(said)
        assert ("every choice loses" in advice) == bool(said)

    run(main())


@pytest.mark.parametrize("found", [False, True])
def test_who_waits_reads_the_best_choice_so_far_and_then_the_final_one(found: bool) -> None:
    async def main() -> None:
        table = table_of("diamond")
        table.answer()
        to_own_choice(table)
        thinks, now = Deepens(table), Clock()
        app = play(table)
        app.now = now.now  # type: ignore[method-assign]
        press(app, "?")
        await until(lambda: thinks.seen)
        state: Any = table.all_seats.observation(0).state
        if found:
            thinks.so_far = "d4" if not state.position.what(NAMED["d4"]) else "e5"
        assert THINKING in shown(app)
        now.time += SOON
        assert ("Place on " in shown(app)) == (LOOKING_FURTHER[:20] in shown(app)) == found
        assert (THINKING in shown(app)) == (not found)
        thinks.may_choose.set()
        await until(lambda: "Esc close" in shown(app) and THINKING not in shown(app))
        await until(lambda: LOOKING_FURTHER[:20] not in shown(app) and COMPARING not in shown(app))
        assert "Place on " in shown(app)

    run(main())


def test_a_choice_can_be_made_by_a_key_while_it_is_still_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on = threading.Event()

    def compare(*_: object) -> None:
        goes_on.wait(60)

    monkeypatch.setattr(hints, "compare", compare)

    async def main() -> None:
        table, now = table_of("land"), Clock()
        app = play(table)
        app.now = now.now  # type: ignore[method-assign]
        press(app, "d")
        assert "You made no deals." in shown(app)
        press(app, "?")
        now.time += SOON
        await until(lambda: COMPARING in shown(app))
        assert "Enter make the deals" in shown(app)
        assert " Buy " in shown(app)
        press(app, "enter")
        assert "deals: " in shown(app)
        assert "You made no deals." not in shown(app)
        goes_on.set()

    run(main())


def hinted(lines: Typed, heading: str, begins: str) -> bool:
    """Returns whether a hint that begins like this is shown below its heading, as a sentence of its own."""
    return any(line == heading and after.startswith(begins) for line, after in pairwise(lines.said))


@pytest.mark.slow
def test_who_types_reads_the_best_choice_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on = threading.Event()

    def compare(*_: object) -> None:
        goes_on.wait(60)

    monkeypatch.setattr(hints, "compare", compare)

    async def main() -> None:
        async with typed(table_of("land"), "hint") as lines:
            await until(lambda: hinted(lines, "Hint so far:", "Buy "))
            assert lines.has(COMPARING)
            goes_on.set()
            await until(lambda: hinted(lines, "Hint:", "Buy "))

    run(main())


@pytest.mark.slow
def test_a_search_says_what_it_has_found_while_it_goes_on() -> None:
    table = table_of("diamond")
    table.answer()
    to_own_choice(table)
    thinks = hints.make_adviser(table.game)
    assert isinstance(thinks, Deepening)
    assert thinks.so_far is None
    chosen = thinks.choose(table.all_seats.observation(0))
    found = thinks.so_far
    assert found is not None
    assert table.arena_peer.asked is not None
    assert table.arena_peer.asked.space.violation(found) is None
    assert str(chosen).isalnum()


@pytest.mark.parametrize("game", ["mine", "piecepack"])
def test_a_question_that_is_taken_back_leaves_no_bot_at_work_beside_the_next(game: str) -> None:
    table = table_of(game)
    thinks = make_bot(table.game, len(levels_of(table.game)), hints.SEED)
    assert isinstance(thinks, Progressing)
    assert isinstance(thinks, Stoppable)
    thinks.stop()

    def ask() -> None:
        for _ in range(QUESTIONS + 5):
            peer = table.arena_peer
            thinks.choose(Observation(table.occupants.seat, peer.state, peer.story))
            table.answer()
            to_own_choice(table)

    with pytest.raises(Stopped):
        ask()
    assert not thinks.progress


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
                await until(lambda: lines.has("Hint:"))
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


@pytest.mark.slow
def test_the_deals_of_a_hint_are_made_by_a_key_undone_by_another_and_spelled_for_who_types() -> None:
    async def main() -> None:
        table = table_of("land")
        before: Any = table.all_seats.observation(0).state
        app = play(table)
        press(app, "?")
        await until(lambda: "Enter make the deals" in shown(app))
        assert " Buy " in shown(app)
        press(app, "enter")
        assert "deals: " in shown(app)
        press(app, "u")
        assert "Undone." in shown(app)
        press(app, "?")
        await until(lambda: "Enter make the deals" in shown(app))
        press(app, "enter")
        press(app, "d")
        assert len(before.land.of(0)) < len(to_answer(table).land.of(0))
        typed_table = table_of("land")
        async with typed(typed_table, "hint") as lines:
            await until(lambda: lines.has("Type: buy "))

    run(main())


def test_the_hint_is_asked_by_key_and_by_touch_and_closes() -> None:
    async def main() -> None:
        app = play(table_of("diamond"))
        press(app, "?")
        await until(lambda: "Place on" in shown(app))
        assert "Advice from level 20 (Magnate)" in shown(app)
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


def test_a_hint_asked_for_before_a_deal_is_not_told_after_it() -> None:
    async def main() -> None:
        table = table_of("land")
        waits = Waits(table)
        state: Any = table.all_seats.observation(0).state
        parcel = next(p for p in state.map.parcels(*state.sector) if p in state.map.banks)
        async with typed(table, "hint") as lines:
            await until(lambda: waits.seen)
            lines.type(f"buy {state.map.name(parcel)}")
            await until(lambda: lines.has("1 deal done"))
            waits.may_choose.set()
            await until(lambda: lines.has(CHANGED))
            assert not lines.has("Hint:")
            assert not lines.has("Type:")

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
            await until(lambda: lines.has(NOT_NOW))
        assert not lines.has("Place on")
        assert not waits.seen

    run(main())


def test_who_has_resigned_reads_nothing_of_hints() -> None:
    async def main() -> None:
        for resigning in (False, True):
            table = table_of("diamond")
            table.put(resigning=resigning)
            screen = play(table).stack[-1]
            assert isinstance(screen, GameScreen)
            headings = {section.heading for section in screen.help().sections}
            assert (HELP.heading in headings, take_back.TITLE in headings) == (not resigning, not resigning)
            async with typed(table, "help") as lines:
                await until(lambda: lines.has("state:"))
            assert lines.has(OFFER) == lines.has(take_back.OFFER) == (not resigning)

    run(main())


def test_a_hint_can_be_typed() -> None:
    async def main() -> None:
        async with typed(table_of("diamond"), "help", "hint") as lines:
            await until(lambda: hinted(lines, "Hint:", "Place on"))
        assert lines.has("hint: hear what the strongest computer player advises")

    run(main())
