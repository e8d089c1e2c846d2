"""A bot that thinks: how far it has come is shown, the table goes on meanwhile, and the player can leave any time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from kimberley.client.cli import main
from kimberley.client.session import bots
from kimberley.client.session.bots import drive, progress
from kimberley.client.session.participants import THINK_SECONDS, WaitTracker, choosing_seats
from kimberley.games.bots.base import Bot
from kimberley.games.bots.levels import make_bot
from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import AGENTS, HOME
from kimberley.games.diamond_trust.bots import TrustBots
from kimberley.games.diamond_trust.bots.bot import practice
from kimberley.games.diamond_trust.bots.history import History
from kimberley.games.diamond_trust.bots.search import MixedStrategy, Report, Rows, halving
from kimberley.games.diamond_trust.bots.simulator import Index, Real
from kimberley.games.diamond_trust.bots.strategist import DiamondTrustBot
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Game, Observation, Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Table
from tests.support.angola import LUNDA
from tests.support.stones import STONES
from tests.support.trust import Trust

PATIENCE = 60.0


async def until(table: Table, reached: Callable[[], object]) -> None:
    """Waits for something that happens at a table."""
    stirred = asyncio.Event()
    stop = table.subscribe(lambda _: stirred.set())
    async with asyncio.timeout(PATIENCE):
        while not reached():
            stirred.clear()
            await stirred.wait()
    stop()


class Ponderer:
    """Thinks about each choice until it may go on, and says that two fifths are done."""

    progress = 0.0

    def __init__(self, bot: Bot | None = None) -> None:
        self._bot = bot or make_bot(GAME, 1, 1)
        self.thinks = threading.Event()
        self.may_go_on = threading.Event()

    def choose(self, observation: Observation) -> Plain:
        self.progress = 0.4
        self.thinks.set()
        assert self.may_go_on.wait(PATIENCE)
        return self._bot.choose(observation)


async def alone(data: Path, bot: Bot, game: Game = GAME, last_look: int = 0) -> tuple[Table, Table, asyncio.Task[None]]:
    """Returns a person's table, the bot's side of it, and the bot at work."""
    identity = Identity.load_or_create(data)
    own = await Table.open(
        game, nickname="ana", identity=identity, data=data, options={"last_look": last_look}, listen=False
    )
    side = await own.seat_bot("Sancy")
    assert progress(own, side.occupants.seat) is None
    return own, side, asyncio.create_task(drive(side, bot, again=True, beside=own))


def test_how_far_a_bot_has_come_is_shown_while_the_table_goes_on(tmp_path: Path) -> None:
    async def main() -> None:
        bot = Ponderer()
        own, side, work = await alone(tmp_path, bot)
        try:
            await until(own, lambda: own.phase == "words")
            own.words.answer(True)
            assert await asyncio.to_thread(bot.thinks.wait, PATIENCE)
            # The bot may have heard the last part of the dice before its owner's table has.
            await until(own, lambda: choosing_seats(own, [side.occupants.seat]))
            now = asyncio.get_running_loop().time()
            waits = WaitTracker(own, lambda: now)
            assert progress(own, side.occupants.seat) == 0.4
            assert progress(own, own.occupants.seat) is None
            assert waits.strip_text(now, 28) == ("Sancy is choosing…", "soft")
            frame = waits.next_frame(now)
            assert frame == now + THINK_SECONDS
            assert waits.strip_text(frame, 28) == ("Sancy is thinking… 40%", "soft")
            following = waits.next_frame(frame)
            assert following is not None
            assert frame < following < frame + 1
            # The bot's side of the table answers while it thinks.
            own.chat.say("take your time")
            await until(side, lambda: side.chat.lines)
            # A player who leaves need not wait for its choice.
            own.departures.leave()
            await asyncio.wait_for(own.close(), PATIENCE)
        finally:
            bot.may_go_on.set()
        await asyncio.wait_for(work, PATIENCE)
        assert side.phase == "failed"
        assert progress(own, side.occupants.seat) is None
        await side.close()

    asyncio.run(main())


@pytest.mark.parametrize("seconds", [0, 600])
def test_nothing_of_how_far_a_bot_has_come_is_shown_in_a_last_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    monkeypatch.setattr(bots, "LOOK_SECONDS", 0.0)

    async def main() -> None:
        bot = Ponderer(make_bot(STONES, 1, 1))
        own, side, work = await alone(tmp_path, bot, STONES, seconds)
        try:
            await until(own, lambda: own.phase == "words")
            own.words.answer(True)
            assert await asyncio.to_thread(bot.thinks.wait, PATIENCE)
            await until(own, lambda: own.peer is not None and own.peer.asked)
            assert (own.play.final_adjustment_until is not None) == (seconds > 0)
            now = asyncio.get_running_loop().time()
            waits = WaitTracker(own, lambda: now)
            assert progress(own, side.occupants.seat) is None
            assert waits.strip_text(now + THINK_SECONDS, 28) == ("Sancy is choosing…", "soft")
            own.departures.leave()
            await asyncio.wait_for(own.close(), PATIENCE)
        finally:
            bot.may_go_on.set()
        await asyncio.wait_for(work, PATIENCE)
        await side.close()

    asyncio.run(main())


def test_a_bot_that_does_not_say_how_far_it_has_come_is_choosing(tmp_path: Path) -> None:
    class Silent:
        def choose(self, observation: Observation) -> Plain:
            return make_bot(GAME, 1, 1).choose(observation)

    async def main() -> None:
        own, side, work = await alone(tmp_path, Silent())
        assert progress(own, side.occupants.seat) is None
        own.departures.leave()
        await own.close()
        await asyncio.wait_for(work, PATIENCE)
        await side.close()

    asyncio.run(main())


def test_a_search_reports_its_stages() -> None:
    shares: list[float] = []

    def trial(picked: Index, take: Index, rows: Rows) -> Real:
        return (rows[:, 0] / 8).astype(np.float32) + picked[take] * np.float32(0)

    candidates = np.arange(8, dtype=np.int16)[:, None]
    ranked = halving(candidates, trial, 4, 96, shares.append)
    assert shares == [0, 1 / 3, 2 / 3]
    assert ranked.candidates[0, 0] == 7


@pytest.mark.parametrize("told", [False, True])
def test_a_last_look_is_thought_through_alike_whether_or_not_something_was_told(told: bool) -> None:
    thought = []

    def think(state: State, seat: int, history: History, rng: Random, report: Report) -> MixedStrategy:
        del seat, history, rng, report
        thought.append(state.step)
        return [([HOME, 0, 0] * AGENTS, 1.0)]

    table = Trust().move({0: (LUNDA, 0, 0)}, {0: (LUNDA, 0, 0)})
    while table.truth.step is not RoundStep.PAY:
        table.choose(0, 0)
    table.pay({0: 1} if told else {}).plan()
    assert table.view(0).right[0] is told
    choice = DiamondTrustBot(think, 1).choose(table.seats.observation(0))
    assert thought == [RoundStep.MOVE]
    assert choice == (((HOME, 0, 0),) * AGENTS if told else table.view(0).plan[0])


def test_where_nobody_can_have_been_told_anything_a_plan_needs_no_thought() -> None:
    def think(state: State, seat: int, history: History, rng: Random, report: Report) -> MixedStrategy:
        raise AssertionError

    table = Trust().plan({0: (LUNDA, 0, 0)})
    assert DiamondTrustBot(think, 1).choose(table.seats.observation(0)) == table.view(0).plan[0]


def test_a_player_says_how_much_of_its_choice_is_thought_through() -> None:
    seen: list[float] = []

    def think(state: State, seat: int, history: History, rng: Random, report: Report) -> MixedStrategy:
        del state, seat, history, rng
        for share in (0.25, 0.75):
            report(share)
            seen.append(player.progress)
        return [([0, 0, 0], 1.0)]

    player = DiamondTrustBot(think, 1)
    player.choose(Trust().seats.observation(0))
    assert seen == [0.25, 0.75]
    assert player.progress == 0
    bot = practice(11, 1)
    assert isinstance(bot, DiamondTrustBot)
    assert bot.progress == 0


class NoBot(UserError):
    """The error of a game whose bot cannot be made."""


def test_a_headless_bot_is_made_off_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it thinks with is loaded then, which takes a moment; the seat's heartbeats go on."""
    made = []

    def bot(bots: TrustBots, level: int, seed: int) -> Bot:
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        made.append((level, seed))
        raise NoBot("No bot today.")

    monkeypatch.setattr(TrustBots, "bot", bot)
    typed = ["bot", "host", "diamond-trust", "--bind", "127.0.0.1", "--level", "3", "--seed", "7"]
    assert main.main([*typed, "--data", str(tmp_path)]) == 1
    assert made == [(3, 7)]
    assert "No bot today." in capsys.readouterr().err
