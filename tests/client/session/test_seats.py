"""Bots at real tables: whole games over memory pipes, and what a bot may do wrong."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from kimberley.client.session.banners import is_deserted
from kimberley.client.session.bots import FAULTS, drive
from kimberley.client.session.network import BOT_NAMES, Network
from kimberley.client.session.seat_session import session_of
from kimberley.client.session.settings import Settings
from kimberley.games.bots.levels import make_bot
from kimberley.games.diamond_trust import GAME
from kimberley.games.land import GAME as LAND
from kimberley.games.table import Observation, Plain
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Table, TableChanged
from kimberley.protocol import audit
from tests.support.asyncs import run, until
from tests.support.cards import CARDS, FEW_CARDS
from tests.support.chance import RandomBot
from tests.support.comeback import age, die
from tests.support.effort import first_is_quick
from tests.support.seated import circle_of_tables

PATIENCE = 60.0


async def table(data: Path) -> tuple[Table, Table]:
    identity = Identity.load_or_create(data)
    own = await Table.open(
        GAME, nickname="ana", identity=identity, data=data, options={"last_look": 0}, listen=False
    )  # fmt: skip
    return own, await own.seat_bot("Sancy")


async def phase(own: Table, wanted: str) -> None:
    """Waits until the table is in a phase."""
    stirred = asyncio.Event()
    stop = own.subscribe(lambda _: stirred.set())
    async with asyncio.timeout(PATIENCE):
        while own.phase != wanted:
            stirred.clear()
            await stirred.wait()
    stop()


@pytest.mark.nightly
@pytest.mark.slow
def test_two_bots_play_whole_games_that_are_fair(tmp_path: Path) -> None:
    async def main() -> None:
        own, other = await table(tmp_path)
        bots = [
            asyncio.create_task(drive(own, make_bot(GAME, 1, 1))),
            asyncio.create_task(drive(other, make_bot(GAME, 1, 2), again=True)),
        ]
        await phase(own, "done")
        await bots[0]
        assert own.ending.verdict is not None
        assert own.ending.verdict.code == audit.FAIR
        assert own.ending.record is not None
        first = own.ending.record.read_bytes()
        own.rematch.want()
        await phase(own, "playing")
        bots[0] = asyncio.create_task(drive(own, make_bot(GAME, 1, 3)))
        await phase(own, "done")
        assert own.ending.record.read_bytes() != first
        own.departures.leave()
        await asyncio.wait_for(asyncio.gather(*bots), PATIENCE)
        assert other.phase == "failed"
        await asyncio.gather(own.close(), other.close())

    asyncio.run(main())


class Fool:
    """Chooses what no rule allows."""

    def __init__(self, *choices: Plain) -> None:
        self.choices = list(choices)

    def choose(self, observation: Observation) -> Plain:
        del observation
        return self.choices.pop() if self.choices else (10**9,) * 3


@pytest.mark.slow
def test_what_a_bot_may_not_choose_is_replaced_by_what_it_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FAULTS)

    async def main() -> None:
        own, other = await table(tmp_path)
        bots = [
            asyncio.create_task(drive(own, Fool("nonsense", None, (-1, 0, 0)))),
            asyncio.create_task(drive(other, make_bot(GAME, 1, 2))),
        ]
        await phase(own, "done")
        assert own.ending.verdict is not None
        assert own.ending.verdict.code == audit.FAIR
        await asyncio.gather(*bots)
        await asyncio.gather(own.close(), other.close())

    asyncio.run(main())


def test_alone_a_named_bot_sits_at_the_other_seat_until_one_leaves(tmp_path: Path) -> None:
    async def main() -> None:
        network = Network(Settings(nickname="ana", path=tmp_path / "settings.json"))
        own = await network.alone("diamond-trust", {"last_look": 0}, 2, 1)
        assert isinstance(own, Table)
        await phase(own, "playing")
        assert own.occupants.names[own.host_seat] == "ana"
        assert set(own.occupants.names) - {"ana"} <= set(BOT_NAMES)
        assert sorted(own.words.acquaintance) == ["bot", "you"]
        own.departures.leave()
        await own.close()
        await network.close()

    asyncio.run(main())


@pytest.mark.slow
def test_alone_against_three_bots_and_one_sent_away(tmp_path: Path) -> None:
    async def main() -> None:
        network = Network(Settings(nickname="ana", path=tmp_path / "settings.json"))
        identity = Identity.load_or_create(tmp_path)
        own = await Table.open(
            FEW_CARDS, nickname="ana", identity=identity, data=tmp_path, seats=4, listen=False, options={"last_look": 0}
        )
        for taken in (2, 3, 4):
            await network.seat_bot(own, 1)
            assert len(set(own.occupants.names)) == taken
        own.hosting.send_away(2)
        assert own.words.acquaintance == ("you", "bot", "bot")
        own.seating.ready(True)
        await phase(own, "words")
        own.words.answer(True)
        await phase(own, "playing")
        await drive(own, make_bot(FEW_CARDS, 1, 5))
        assert own.ending.verdict is not None
        assert own.ending.verdict.code == audit.FAIR
        own.departures.leave()
        await own.close()
        await network.close()

    asyncio.run(main())


@pytest.mark.slow
@pytest.mark.parametrize("bot_misses_first", first_is_quick(True, False))
def test_a_bot_stops_waiting_with_the_people_as_soon_as_it_can(tmp_path: Path, bot_misses_first: bool) -> None:
    async def main() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ana, bot, cleo = circle.tables
            await until(lambda: all(table.play.asked is not None for table in (ana, bot)))
            await die(cleo)
            await until(lambda: 2 in ana.reconnection.away and 2 in bot.reconnection.away)
            playing = asyncio.create_task(drive(bot, RandomBot(1), again=True))
            asked = ana.play.asked
            assert asked is not None
            ana.play.choose(asked.space.pick(Random(1)))
            await until(lambda: all(table.peer is not None and table.peer.waiting == (2,) for table in (ana, bot)))
            age(*((bot, ana) if bot_misses_first else (ana,)))
            # No bot ends a game by itself: the people may want to wait.
            await asyncio.sleep(0.1)
            assert bot.abandonment.abandon_from == frozenset()
            ana.abandonment.declare()
            if not bot_misses_first:
                await until(lambda: bot.abandonment.abandon_from == {0})
                age(bot)
                bot.publish(TableChanged("absent"))
            await until(lambda: ana.phase == bot.phase == "failed")
            assert ana.ending.record is not None
            found = audit.verify(ana.ending.record.read_bytes(), lambda _: CARDS)
            assert (found.code, found.absent, found.attested) == ("incomplete", (2,), ((2, ("ana", "ben")),))
            await playing

    run(main())


@pytest.mark.slow
def test_a_host_with_a_bot_whose_guest_is_away_saves_the_game_alone_and_resumes_it_with_the_bot(tmp_path: Path) -> None:
    async def main() -> None:
        data = tmp_path / "ana"
        network = Network(Settings(nickname="ana", path=data / "settings.json"))
        async with circle_of_tables(tmp_path, LAND) as circle:
            ana = await circle.open(3, options={})
            await network.seat_bot(ana, 1)
            ben = await circle.join()
            await until(lambda: len(ana.occupants.names) == 3)
            await until(lambda: ana.phase == ben.phase == "playing")
            assert not is_deserted(ana)
            await die(ben)
            await until(lambda: is_deserted(ana))
            await ana.suspend()
            # The bot goes with its host, so that the game can be resumed in the same program.
            (bot,) = session_of(ana).bots
            assert isinstance(bot.seat, Table)
            await until(lambda: bot.seat.phase == "failed")
            again = await network.resume(None)
            assert isinstance(again, Table)
            await until(lambda: [again.occupants.names[seat] for seat in again.reconnection.away] == ["ben"])
            assert again.phase == "playing"
            assert "bot" in again.words.acquaintance
            await again.close()
        await network.close()

    run(main())
