"""Bots that fail at a table with a person: the person reads a sentence, and the game goes on or can be resumed."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from kimberley.client.session import bots
from kimberley.client.session.bots import AT_RANDOM, FAULTS, BotFault, drive
from kimberley.client.session.network import Network
from kimberley.client.session.settings import Settings
from kimberley.games.bots.base import Bot
from kimberley.games.bots.levels import make_bot
from kimberley.games.diamond_trust import GAME as DIAMOND_TRUST
from kimberley.games.table import Observation, Plain, Together
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import Entry, list_journals
from kimberley.p2p.table import runner
from kimberley.p2p.table.game import GamePart
from kimberley.p2p.table.match import Match
from kimberley.p2p.table.table import Notice, Table
from kimberley.protocol.events import Asked
from kimberley.protocol.peer import Peer
from tests.support.asyncs import run, until
from tests.support.inside import match_of
from tests.support.program import PATIENCE
from tests.support.seated import QUICK, play
from tests.support.stones import STONES, StonesGame


@pytest.fixture(autouse=True)
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps last looks short: how long a bot takes in one is tested in test_look_time.py."""
    monkeypatch.setattr(bots, "LOOK_SECONDS", 0.0)


@pytest.fixture(autouse=True)
def played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the game go on after a fault, as for a person: in all other tests it is raised."""
    monkeypatch.delenv(FAULTS)


class Illegal:
    """Chooses what no rule allows."""

    def choose(self, observation: Observation) -> Plain:
        return 10**9


class Broken:
    """Cannot choose."""

    def choose(self, observation: Observation) -> Plain:
        raise ZeroDivisionError("boom")


class Stones(StonesGame):
    """The game of stones with a bot of its own."""

    def __init__(self, bot: Callable[[], Bot]) -> None:
        super().__init__()
        self._bot = bot

    def bot(self, level: int, seed: int) -> Bot:
        return self._bot()


@asynccontextmanager
async def seated(data: Path, bot: Callable[[], Bot]) -> AsyncIterator[Table]:
    """Yields a person's table, with a bot at the other seat."""
    network = Network(Settings(nickname="ana", path=data / "settings.json"))
    identity = Identity.load_or_create(data)
    own = await Table.open(Stones(bot), nickname="ana", identity=identity, data=data, options=QUICK, listen=False)
    try:
        await network.seat_bot(own, 1)
        yield own
    finally:
        await own.close()
        await network.close()


@pytest.mark.parametrize("bot", [Illegal, Broken])
def test_for_a_bot_that_fails_to_choose_a_random_choice_is_made_and_the_person_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, bot: Callable[[], Bot]
) -> None:
    async def story() -> None:
        async with seated(tmp_path, bot) as own:
            told: list[str] = []
            own.subscribe(lambda event: told.append(event.text) if isinstance(event, Notice) else None)
            await play(own, Random(1))
            assert own.ending.verdict is not None
            assert own.ending.verdict.code == "fair"
            # What a bot failed at in a last look is told when its own side of the table is done, too.
            await until(lambda: bool(told))
            assert set(told) == {AT_RANDOM.format(own.occupants.names[1 - own.occupants.seat])}

    run(story())
    errors = [entry for entry in caplog.records if entry.levelname == "ERROR"]
    assert errors
    assert all(entry.exc_info is not None for entry in errors)
    fault = r"Stones, step \d+, \w+: \S+ \((Illegal\) chose 1000000000|Broken\) failed to choose: ZeroDivisionError)"
    assert re.match(fault, errors[0].getMessage())


def test_where_faults_are_looked_for_a_bot_that_breaks_a_rule_ends_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(FAULTS, "raise")

    async def story() -> None:
        async with seated(tmp_path, Illegal) as own:
            playing = asyncio.create_task(play(own, Random(1)))
            await until(lambda: own.phase == "failed")
            playing.cancel()

    run(story())
    faults = [entry.exc_info[1] for entry in caplog.records if entry.exc_info]
    assert any(isinstance(fault, BotFault) and "Illegal" in str(fault) for fault in faults)


class Late:
    """Thinks in its first last look until the time is over."""

    def __init__(self, side: Callable[[], Table]) -> None:
        self.looks = False
        self._side = side
        self._bot = make_bot(STONES, 1, 1)

    def choose(self, observation: Observation) -> Plain:
        ask = observation.state.ask()
        if isinstance(ask, Together) and ask.last_look and not self.looks:
            self.looks = True
            look = match_of(self._side()).final_adjustment
            assert look is not None
            while not look.over:
                time.sleep(0.01)
        return self._bot.choose(observation)


@pytest.mark.slow
def test_a_bot_whose_time_in_a_last_look_is_over_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sides, late, applied = list[Table](), threading.Event(), runner.apply
    asked = vars(GamePart)["asked"].fget

    def noted(play: GamePart) -> Asked | None:
        found: Asked | None = asked(play)
        if found is None and play is sides[0].play and bot.looks:
            late.set()
        return found

    def apply(peer: Peer, entry: Entry) -> bool:
        # The plan before the last look is not signed until the bot has come too late.
        if entry[0] == "chose" and sides and peer is match_of(sides[0]).peer and bot.looks:
            late.wait(PATIENCE)
        return applied(peer, entry)

    async def story() -> None:
        own = await Table.open(
            STONES, nickname="ana", identity=Identity.load_or_create(tmp_path), data=tmp_path,
            options={"last_look": 1}, listen=False,
        )  # fmt: skip
        sides.append(await own.seat_bot("Sancy"))
        await asyncio.gather(play(own, Random(1)), drive(sides[0], bot, beside=own))
        assert own.ending.verdict is not None
        assert own.ending.verdict.code == "fair"
        for table in (own, *sides):
            await table.close()

    bot = Late(lambda: sides[0])
    monkeypatch.setattr(GamePart, "asked", property(noted))
    monkeypatch.setattr(runner, "apply", apply)
    run(story())
    assert late.is_set()


class Weaker:
    """A bot that says why it does not play better."""

    remark = "It could play better."

    def __init__(self) -> None:
        self._bot = make_bot(STONES, 1, 1)

    def choose(self, observation: Observation) -> Plain:
        return self._bot.choose(observation)


def test_a_bot_that_could_play_better_says_so_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with seated(tmp_path, Weaker) as own:
            told: list[str] = []
            own.subscribe(lambda event: told.append(event.text) if isinstance(event, Notice) else None)
            await play(own, Random(1))
            assert told == [Weaker.remark]

    run(story())


class LooksAway:
    """A bot that fails in every last look."""

    def __init__(self) -> None:
        self._right = make_bot(DIAMOND_TRUST, 1, 1)

    def choose(self, observation: Observation) -> Plain:
        ask = observation.state.ask()
        if isinstance(ask, Together) and ask.last_look:
            raise ZeroDivisionError("boom")
        return self._right.choose(observation)


@pytest.mark.slow
def test_that_a_bot_failed_in_a_last_look_is_told_when_the_game_is_over(tmp_path: Path) -> None:
    """Before, it would tell that the bot had something to think of there."""

    async def story() -> None:
        identity = Identity.load_or_create(tmp_path)
        own = await Table.open(
            DIAMOND_TRUST, nickname="ana", identity=identity, data=tmp_path, options=QUICK, listen=False
        )
        bot = await own.seat_bot("Sancy")
        told: list[str] = []
        own.subscribe(lambda event: told.append(own.phase) if isinstance(event, Notice) else None)
        await asyncio.gather(play(own, Random(1)), drive(bot, LooksAway(), beside=own))
        await until(lambda: told)
        assert told in (["closing"], ["done"]), "once, when all choices are made"
        await own.close()
        await bot.close()

    run(story())


def test_a_bot_that_cannot_even_sit_leaves_no_person_waiting(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> Bot:
        raise ZeroDivisionError("boom")

    async def story() -> None:
        async with seated(tmp_path, broken) as own:
            name = own.occupants.names[1]
            await until(lambda: own.phase == "failed")
            assert str(own.problem).startswith(f"The bot {name} cannot continue. Something went wrong in the program")

    run(story())
    assert "cannot go on" in caplog.text


def test_where_the_seat_of_a_bot_fails_the_game_waits_to_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        bots: list[Table] = []
        seat_bot = Table.seat_bot

        async def seat(self: Table, nickname: str, note: Plain = None) -> Table:
            bots.append(await seat_bot(self, nickname, note))
            return bots[-1]

        monkeypatch.setattr(Table, "seat_bot", seat)
        async with seated(tmp_path, lambda: make_bot(STONES, 1, 1)) as own:
            await until(lambda: own.phase == bots[0].phase == "playing")
            bots[0].tasks.start(failing())
            await until(lambda: own.phase == "failed")
            name = own.occupants.names[1 - own.occupants.seat]
            assert str(own.problem).startswith(f"The bot {name} cannot continue. Something went wrong in the program")
            assert own.ending.resumable
        assert len(list_journals(tmp_path)) == 2

    async def failing() -> None:
        raise ZeroDivisionError("boom")

    run(story())


def test_a_choice_that_the_program_fails_to_take_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose, failed = Match.choose, list[Plain]()

    def failing(match: Match, plain: Plain, *, final: bool = True) -> None:
        if match.seat and not failed:
            failed.append(plain)
            raise OSError("the disk is gone")
        choose(match, plain, final=final)

    monkeypatch.setattr(Match, "choose", failing)

    async def story() -> None:
        async with seated(tmp_path, lambda: make_bot(STONES, 1, 1)) as own:
            playing = asyncio.create_task(play(own, Random(1)))
            await until(lambda: own.phase == "failed")
            assert own.ending.resumable
            assert own.problem is not None
            assert "the disk is gone" in own.problem
            await playing

    run(story())
