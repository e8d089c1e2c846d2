"""Whole tournaments of bots, over real sockets: every format, every game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kimberley.games.lookup import find, ids
from kimberley.p2p.base.platform import wall_time
from kimberley.p2p.table.table import Table
from kimberley.p2p.tournament.events import PLAYED
from kimberley.protocol.audit import verify
from kimberley.referee import server, table_referee
from kimberley.referee.server import RoundTiming
from tests.support.asyncs import run, until
from tests.support.effort import one_is_quick, spread, tries
from tests.support.evenings import PLAYERS, evening
from tests.support.seated import no_faults
from tests.support.stones import STONES


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("format", "count", "rounds"), spread(1, [("knockout", 3, 2), ("swiss", 5, 3), ("round-robin", 4, 3)])
)
def test_every_format_is_played_to_its_end(tmp_path: Path, format: str, count: int, rounds: int) -> None:
    async def story() -> None:
        plan = RoundTiming(players=count, pause=0.0)
        knockout = format == "knockout"
        async with evening(tmp_path, STONES, plan, format=format, rounds=0 if knockout else rounds) as held:
            await held.all(PLAYERS[:count])
            results = await held.end()
            assert {result.how for result in results} == {PLAYED}
            table = held.server.tournament
            drawn = {
                frozenset(table.rounds[result.round - 1].tables[result.table].seats)
                for result in results
                if len(set(result.places)) == 1
            }
            # What is drawn in a knockout is played once more, and never twice.
            assert len(table.rounds) == rounds + len(drawn) * knockout
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
@pytest.mark.nightly
def test_an_arena_is_played_until_its_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began = wall_time()
    monkeypatch.setattr(server, "wall_time", lambda: began + 10 * (wall_time() - began))

    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(players=3, pause=0.0), format="arena", minutes=1) as held:
            await held.all(PLAYERS[:3])
            await until(lambda: held.server.tournament.rounds)
            await held.enter(PLAYERS[3])
            results = await held.end()
            assert {result.how for result in results} == {PLAYED}
            (round,) = held.server.tournament.rounds
            assert [result.round for result in results] == [1] * len(round.tables)
            sat = [set(held.names(table.seats)) for table in round.tables]
            # As often as there was time: nobody waits for a round to end.
            assert len(sat) > 2
            assert set().union(*sat) == set(PLAYERS[:4])
            for client in held.clients.values():
                assert client.tournament.standings() == held.server.tournament.standings()

    run(story())


@pytest.mark.slow
def test_teams_play_their_matches_at_tables_of_two(tmp_path: Path) -> None:
    async def story() -> None:
        plan = RoundTiming(players=4, pause=0.0, teams={"Reds": ("ana", "BEN", "nobody"), "Blues": ("cleo", "dan")})
        async with evening(tmp_path, STONES, plan, format="round-robin", boards=2) as held:
            await held.all(PLAYERS[:4])
            await held.end()
            teams = {team.name: held.names(team.members) for team in held.server.tournament.teams}
            assert teams == {"Reds": ("ana", "ben"), "Blues": ("cleo", "dan")}
            (round,) = held.server.tournament.rounds
            assert {frozenset(held.names(table.seats)) for table in round.tables} == {
                frozenset(("ana", "cleo")),
                frozenset(("ben", "dan")),
            }
            for client in held.clients.values():
                assert client.tournament.team_standings() == held.server.tournament.team_standings()

    run(story())


def leave_when_done(table: Table | None) -> None:
    """Leaves a table as soon as its game is over."""
    assert table is not None

    def look(_event: object) -> None:
        if table.phase == "done":
            table.departures.leave()

    table.subscribe(look)


@pytest.mark.slow
def test_who_leaves_the_table_once_the_game_is_over_has_not_left_it_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone: list[str] = []
    monkeypatch.setattr(table_referee.TableReferee, "on_left", lambda self, player, how: gone.append(how))

    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(players=2, pause=0.0), rounds=1) as held:
            await held.all(PLAYERS[:2])
            await until(lambda: all(client.table is not None for client in held.clients.values()))
            for client in held.clients.values():
                leave_when_done(client.table)
            (result,) = await held.end()
            assert (result.how, gone) == (PLAYED, [])

    run(story())


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", one_is_quick("land", tries([game for game in ids() if game != "piecepack"], list(ids())))
)
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
