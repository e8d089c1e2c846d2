"""Players who are paired and do not do what is due before their game, over real sockets: they lose, and nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kimberley.p2p.storage.archive import list_records
from kimberley.p2p.storage.journal import list_journals, read_journal
from kimberley.p2p.tournament import client, events
from kimberley.p2p.tournament.client import TournamentClient
from kimberley.p2p.tournament.events import GameSeated, PlayerWithdrew, TableDecided, TournamentEvent
from kimberley.p2p.tournament.players import IN
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.p2p.transport.channel import TLSChannel
from kimberley.p2p.transport.frames import Frame
from kimberley.referee.async_store import AsyncStore
from kimberley.referee.readiness import Readiness
from kimberley.referee.server import RoundTiming
from tests.support.asyncs import run, until
from tests.support.evenings import Evening, clock, evening, grace
from tests.support.hostile_player import (
    LateSeat,
    cannot_be_reached,
    hide_opponent,
    hide_what_it_has,
    never_sit_down,
    show_game_alone,
    start_over,
)
from tests.support.seated import no_faults
from tests.support.stones import STONES

pytestmark = pytest.mark.slow

COME = 4.0
ONE = RoundTiming(players=2, pause=0.0, come=COME)
LONG = replace(ONE, come=60.0)
"""Longer than any delay of the machine: in these evenings `Advance` lets time pass."""


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


class Advance:
    """Lets time pass at tables whose games have not begun."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._ahead, self._updates = 0.0, 0
        real = Readiness.update

        def update(readiness: Readiness, now: float, *, stopped: bool) -> None:
            real(readiness, now + self._ahead, stopped=stopped)
            self._updates += not stopped

        monkeypatch.setattr(Readiness, "update", update)

    async def __call__(self, seconds: float) -> None:
        """Lets so many seconds pass at once, and returns when a table has counted them."""
        await self._count()
        self._ahead += seconds
        await self._count()

    async def _count(self) -> None:
        before = self._updates
        await until(lambda: self._updates > before)


@pytest.fixture
def advance(monkeypatch: pytest.MonkeyPatch) -> Advance:
    return Advance(monkeypatch)


def awaited(held: Evening) -> list[str]:
    """Returns whom the one table waits for before its game."""
    (referee,) = held.server.referees.values()
    return [] if referee.wait is None else [*held.names([referee.people[seat] for seat in referee.wait.seats])]


async def lost(held: Evening, how: str, loser: str) -> TableDecided:
    """Returns the one result, which went against `loser`."""
    (result,) = await held.end()
    (table,) = held.server.tournament.rounds[0].tables
    places = dict(zip(held.names(table.seats), result.places, strict=True))
    assert (result.how, places[loser]) == (how, 0), result.sentence
    assert all(place for name, place in places.items() if name != loser), result.sentence
    return result


@pytest.mark.parametrize("first", ["ana", "ben"])
def test_a_game_that_one_seat_shows_alone_has_not_begun(tmp_path: Path, first: str) -> None:
    """Whichever seat ben has: he shows a game whose roster ana signed, and says nothing."""

    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1, **grace(5)) as held:
            other = "ben" if first == "ana" else "ana"
            for name in (first, other):
                client = await held.enter(name, plays=name == "ana", headless=name == "ana")
                if name == "ben":
                    ben = client
            await show_game_alone(ben)
            result = await lost(held, events.UNREADY, "ben")
            assert result.game is None
            assert not any(isinstance(event, GameSeated) for event in held.events())

    run(story())


def test_what_an_opponent_stalls_does_not_count_against_a_person(tmp_path: Path, advance: Advance) -> None:
    """Ben gives his last part shortly before he would be late; ana then takes most of her own time."""

    async def story() -> None:
        async with evening(tmp_path, STONES, LONG, rounds=1) as held:
            ana = await held.enter("ana", plays=False, headless=False)
            seat = LateSeat(ben := await held.enter("ben"))
            await until(lambda: seat.is_asked and awaited(held) == ["ben"])
            await advance(0.7 * LONG.come)
            seat.sit_down()
            await until(lambda: ana.table is not None and ana.table.phase == "words")
            await advance(0.7 * LONG.come)
            assert not held.results
            assert ana.table is not None
            ana.table.words.answer(True)
            await until(lambda: ben.table is not None and ben.table.phase == "playing")
            held.play("ana")
            (result,) = await held.end()
            assert result.how == events.PLAYED, result.sentence

    run(story())


def test_who_stays_connected_and_never_sits_down_loses_the_table(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1) as held:
            await held.enter("ana")
            never_sit_down(await held.enter("ben"))
            result = await lost(held, events.UNREADY, "ben")
            assert result.sentence == "ben did not join within 4 seconds."

    run(story())


def test_who_starts_over_again_and_again_loses_the_table(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, replace(ONE, come=60.0), rounds=1) as held:
            await held.enter("ana")
            start_over(await held.enter("ben"))
            result = await lost(held, events.UNREADY, "ben")
            assert result.sentence == "ben started over too often while the players joined."

    run(story())


def test_a_short_loss_of_the_connection_before_the_game_loses_nothing(tmp_path: Path, advance: Advance) -> None:
    """Ana is offline for a moment after the time to come is over, while ben compares the words."""

    async def story() -> None:
        async with evening(tmp_path, STONES, LONG, rounds=1) as held:
            await held.enter("ana")
            ben = await held.enter("ben", plays=False, headless=False)
            seat = LateSeat(ben)
            await until(lambda: seat.is_asked and awaited(held) == ["ben"])
            await advance(0.7 * LONG.come)
            seat.sit_down()
            await until(lambda: ben.table is not None and ben.table.phase == "words")
            await held.leave("ana")
            await held.enter("ana")
            # Her program knows nothing of the round: all sit down again.
            await until(lambda: seat.is_asked and awaited(held) == ["ben"])
            await advance(0.7 * LONG.come)
            seat.sit_down()
            await until(lambda: held.clients["ana"].table is not None and held.clients["ana"].table.phase == "words")
            await until(lambda: ben.table is not None and ben.table.phase == "words")
            await until(lambda: ben.table is not None and ben.table.game_id == _game_of(held, "ana"))
            assert not held.results
            assert ben.table is not None
            ben.table.words.answer(True)
            held.play("ben")
            (result,) = await held.end()
            assert result.how == events.PLAYED, result.sentence

    run(story())


def test_nobody_who_is_back_waits_for_an_opponent_that_does_not_say_what_it_has(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(players=2, pause=0.0), rounds=1, **clock(20)) as held:
            ana = await held.enter("ana", plays=False)
            ben = await held.enter("ben")
            await until(lambda: ana.table is not None and ana.table.peer is not None and ana.table.peer.asked)
            hide_what_it_has(ben)
            await held.leave("ana")
            await held.enter("ana")
            (result,) = await held.end()
            assert result.how == events.PLAYED, result.sentence

    run(story())


def test_a_program_that_ends_after_it_was_ready_is_awaited_in_its_game(tmp_path: Path) -> None:
    """Ben's program is closed once he has confirmed the words, and the game begins while it is away."""

    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(players=2, pause=0.0), rounds=1, **grace(30)) as held:
            ana = await held.enter("ana", plays=False, headless=False)
            ben = await held.enter("ben")
            await until(lambda: ana.table is not None and ana.table.phase == "words")
            await until(lambda: ben.table is not None and ben.table.words.agreed[ben.table.occupants.seat])
            await held.leave("ben")
            assert ana.table is not None
            ana.table.words.answer(True)
            await until(lambda: any(isinstance(event, GameSeated) for event in held.events()))
            held.play("ana")
            await held.enter("ben")
            (result,) = await held.end()
            assert result.how == events.PLAYED, result.sentence

    run(story())


def test_a_game_that_never_began_is_closed_when_its_table_is_decided(tmp_path: Path) -> None:
    """Ben's program is closed once he has confirmed the words, and he comes back after the ruling."""

    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=2) as held:
            ana = await held.enter("ana", plays=False, headless=False)
            ben = await held.enter("ben", plays=False)
            await until(lambda: ana.table is not None and ana.table.phase == "words")
            await until(lambda: ben.table is not None and ben.table.words.agreed[ben.table.occupants.seat])
            await held.leave("ben")
            (path,) = list_journals(tmp_path / "ben")
            await until(lambda: held.results, 30)
            assert held.results[0].game is None
            await held.enter("ben", plays=False)
            await until(lambda: read_journal(path).closed is not None)
            assert read_journal(path).closed == held.results[0].sentence
            assert not list_records(tmp_path / "ben")

    run(story())


def _game_of(held: Evening, name: str) -> bytes | None:
    table = held.clients[name].table
    return table.game_id if table is not None else None


@pytest.mark.parametrize("hides", [hide_opponent, cannot_be_reached], ids=["hides ana", "hides all"])
def test_who_is_out_of_the_referees_reach_does_not_lose_by_what_the_opponent_hides(
    tmp_path: Path, hides: Callable[[TournamentClient], None]
) -> None:
    """Ana is behind a firewall: the referee cannot watch at her door. Ben plays with her, and hides it."""

    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1, **grace(5)) as held:
            cannot_be_reached(await held.enter("ana"))
            hides(await held.enter("ben"))
            (result,) = await held.end()
            assert result.how == events.PLAYED, result.sentence

    run(story())


async def _quit(held: Evening) -> None:
    await held.leave("ana")


async def _withdraw(held: Evening) -> None:
    held.clients["ana"].withdraw()


@pytest.mark.parametrize("goes", [_withdraw, _quit])
@pytest.mark.parametrize("phase", ["closing", "done"])
def test_who_goes_once_the_game_is_over_does_not_lose_by_what_the_opponent_hides(
    tmp_path: Path, goes: Callable[[Evening], Awaitable[None]], phase: str
) -> None:
    """Ana goes before the referee has seen the end of her game: only she shows her own part of it."""

    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1, **grace(5)) as held:
            ana = await held.enter("ana")
            cannot_be_reached(ana)
            hide_opponent(await held.enter("ben"))
            await until(lambda: ana.table is not None)
            assert ana.table is not None
            reached = asyncio.Event()
            table = ana.table
            table.subscribe(lambda _event: reached.set() if table.phase in (phase, "done") else None)
            await reached.wait()
            await goes(held)
            (result,) = await held.end()
            assert result.how == events.PLAYED, result.sentence

    run(story())


@pytest.mark.parametrize("settings", [{"rounds": 2}, {"format": "arena", "minutes": 1}], ids=["swiss", "arena"])
def test_who_withdraws_once_the_game_is_over_is_not_paired_again(
    tmp_path: Path, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The referee pairs as soon as it has a result."""
    said, send = list[Frame](), TLSChannel.send

    def noted(channel: TLSChannel, frame: Frame) -> int:
        if frame[0] == "withdraw":
            said.append(frame)
        return send(channel, frame)

    monkeypatch.setattr(TLSChannel, "send", noted)

    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, **settings) as held:
            ana = await held.enter("ana")
            await held.enter("ben")
            await until(lambda: ana.table is not None)
            assert ana.table is not None
            table = ana.table

            def on_event(_event: object) -> None:
                if table.peer is not None and table.peer.result is not None and ana.phase == "seated":
                    ana.withdraw()

            table.subscribe(on_event)
            await until(lambda: ana.phase == "withdrawn")
            assert ana.ruling is not None
            assert ana.ruling.how == events.PLAYED, ana.ruling.sentence
            kinds = [type(event) for event in held.events()]
            assert kinds[kinds.index(TableDecided) + 1] is PlayerWithdrew
            await held.leave("ana")
            assert said == [("withdraw", 1, 0)]

    run(story())


def test_who_withdraws_and_is_back_while_the_opponents_withdrawal_is_stored_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=2) as held:
            leaving = held.server._leaving
            await held.enter("ana", plays=False)
            ben = await held.enter("ben", plays=False)
            await until(lambda: all(one.place is not None for one in held.clients.values()))
            for one in held.clients.values():
                channel = one._channel
                assert channel is not None
                channel.send(("withdraw", 1, 0))
                await until(partial(leaving.__contains__, one.identity))
            add = AsyncStore.add

            async def slowly(store: AsyncStore, event: TournamentEvent, record: bytes | None) -> Tournament:
                if isinstance(event, PlayerWithdrew):
                    assert await held.server.enroll(ben.identity, "ben", bot=False) is None
                return await add(store, event, record)

            monkeypatch.setattr(AsyncStore, "add", slowly)
            for name in held.clients:
                held.play(name)
            results = await held.end()
            assert [result.how for result in results] == [events.PLAYED]
            player = held.server.tournament.player(ben.identity)
            assert player is not None
            assert player.state == IN

    run(story())


def test_who_is_back_once_the_game_is_over_does_not_lose_by_what_the_opponent_hides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ana's program is killed before the referee has seen the end of her game: it shows the game once she is back."""
    monkeypatch.setattr(client, "RESULT_SECONDS", 0.0)

    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1, **grace(5)) as held:
            ana = await held.enter("ana")
            cannot_be_reached(ana)
            hide_opponent(await held.enter("ben"))
            await until(lambda: ana.table is not None and ana.table.phase == "done")
            await held.leave("ana")
            assert not held.results
            cannot_be_reached(await held.enter("ana"))
            (result,) = await held.end()
            assert result.how == events.PLAYED, result.sentence
            assert not list_journals(tmp_path / "ana"), "the referee has its result"

    run(story())
