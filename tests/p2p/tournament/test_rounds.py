"""Whole tournaments of bots, over real sockets: every format, every game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kimberley.games.lookup import find, ids
from kimberley.p2p.tournament.events import PLAYED
from kimberley.p2p.tournament.server import RoundTiming
from kimberley.protocol.audit import verify
from tests.support.asyncs import run
from tests.support.evenings import PLAYERS, evening
from tests.support.seated import no_faults
from tests.support.stones import STONES


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


@pytest.mark.slow
@pytest.mark.parametrize(("format", "count", "rounds"), [("swiss", 5, 3), ("round-robin", 4, 3), ("knockout", 3, 2)])
def test_every_format_is_played_to_its_end(tmp_path: Path, format: str, count: int, rounds: int) -> None:
    async def story() -> None:
        plan = RoundTiming(players=count, pause=0.0)
        knockout = format == "knockout"
        async with evening(tmp_path, STONES, plan, format=format, rounds=0 if knockout else rounds) as held:
            await held.all(PLAYERS[:count])
            results = await held.end()
            assert {result.how for result in results} == {PLAYED}
            table = held.server.tournament
            # What is drawn in a knockout is played once more.
            assert len(table.rounds) == rounds + sum(len(set(result.places)) == 1 for result in results) * knockout
            for client in held.clients.values():
                assert client.tournament == table
                assert client.tournament.standings() == table.standings()
            for result in results:
                assert result.record is not None
                packed = held.record(result.record)
                assert packed is not None
                assert verify(packed, held.find).code == "fair"

    run(story())


@pytest.mark.slow
@pytest.mark.parametrize("game", ids())
def test_every_game_is_played_under_a_referee(tmp_path: Path, game: str) -> None:
    played = find(game)
    seats = min(played.seats)

    async def story() -> None:
        async with evening(tmp_path, played, RoundTiming(players=seats, pause=0.0), rounds=1, seats=seats) as held:
            await held.all(PLAYERS[:seats])
            (result,) = await held.end(180)
            assert result.how == PLAYED, result.sentence
            assert result.record is not None
            packed = held.record(result.record)
            assert packed is not None
            verdict = verify(packed, held.find)
            assert verdict.result is not None
            assert (verdict.code, verdict.result.places) == ("fair", result.places)

    run(story(), 240)
