"""An arena: who meets whom as soon as they are free, what a win is worth, and how it ends by the clock."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from kimberley.p2p.tournament.arena import REMATCH_SECONDS, REST_SECONDS
from kimberley.p2p.tournament.events import (
    PlayerEnrolled,
    PlayerWithdrew,
    RoundPaired,
    TablesOpened,
    TournamentEnded,
)
from kimberley.p2p.tournament.players import IN, WITHDRAWN, TournamentTable
from kimberley.p2p.tournament.settings import ARENA
from kimberley.p2p.tournament.tournament import BETWEEN, PLAYING, Tournament
from kimberley.p2p.tournament.verification import Finding, PairingClaim, ResultClaim, check_claim
from tests.support.effort import first_is_quick
from tests.support.tournaments import PEOPLE, Evening, settings_of

MINUTES = 3


def begun(count: int, minutes: int = MINUTES) -> Evening:
    """Returns an arena whose first tables are open."""
    evening = Evening.of(settings_of(ARENA, minutes=minutes), PEOPLE[:count])
    assert isinstance(evening.proceed(), RoundPaired)
    return evening


def opened(evening: Evening, seconds: int) -> tuple[tuple[bytes, ...], ...]:
    """Lets some seconds pass, and opens the tables that are due then."""
    evening.at += seconds
    event = evening.tournament.proceed(evening.at)
    if event is None:
        return ()
    assert isinstance(event, TablesOpened)
    evening.add(event)
    return event.tables


def win(evening: Evening, table: TournamentTable, winner: bytes) -> None:
    evening.decide(table, [1 if seat == winner else 2 for seat in table.seats])


def tables(evening: Evening) -> tuple[TournamentTable, ...]:
    return evening.tournament.rounds[0].tables


def test_whoever_is_free_meets_whoever_else_is_free() -> None:
    evening = begun(6)
    first, second, third = tables(evening)
    assert opened(evening, 1) == ()
    win(evening, first, first.seats[0])
    win(evening, second, second.seats[0])
    assert opened(evening, REST_SECONDS - 1) == ()
    pairs = opened(evening, 1)
    # The best two meet, though they could as well meet those whom they have just beaten.
    assert {frozenset(pair) for pair in pairs} == {
        frozenset((first.seats[0], second.seats[0])),
        frozenset((first.seats[1], second.seats[1])),
    }
    assert [table.number for table in tables(evening)] == [0, 1, 2, 3, 4]
    assert tables(evening)[2] == third


def test_two_who_have_just_met_wait_for_others_and_meet_again_if_nobody_is_free() -> None:
    evening = begun(4)
    first, second = tables(evening)
    win(evening, first, first.seats[0])
    assert opened(evening, REMATCH_SECONDS - 1) == ()
    assert {frozenset(pair) for pair in opened(evening, 1)} == {frozenset(first.seats)}
    # Seats are balanced.
    assert tables(evening)[2].seats == first.seats[::-1]
    win(evening, second, second.seats[0])
    win(evening, tables(evening)[2], first.seats[0])
    assert frozenset(second.seats) not in {frozenset(pair) for pair in opened(evening, 60)}


def test_a_last_pair_that_has_just_met_is_split_by_an_exchange() -> None:
    evening = begun(4)
    one, other = tables(evening)
    win(evening, one, one.seats[0])
    opened(evening, REMATCH_SECONDS)
    again = tables(evening)[2]
    win(evening, again, one.seats[0])
    win(evening, other, other.seats[0])
    pairs = {frozenset(pair) for pair in opened(evening, REST_SECONDS)}
    assert len(pairs) == 2
    assert not pairs & {frozenset(one.seats), frozenset(other.seats)}


def test_the_third_win_in_a_row_counts_twice_until_a_game_is_not_won() -> None:
    evening = begun(2, minutes=60)
    hero = tables(evening)[0].seats[0]
    won = []
    for winner in (True, True, True, True, False, True):
        table = tables(evening)[-1]
        win(evening, table, hero if winner else next(seat for seat in table.seats if seat != hero))
        won.append(next(row.points for row in evening.tournament.standings() if row.player.identity == hero))
        opened(evening, REMATCH_SECONDS)
    assert won == [1, 2, 4, 6, 6, 7]


def test_a_draw_in_a_streak_counts_twice_and_ends_it() -> None:
    evening = begun(2, minutes=60)
    hero = tables(evening)[0].seats[0]
    for _ in range(2):
        win(evening, tables(evening)[-1], hero)
        opened(evening, REMATCH_SECONDS)
    evening.decide(tables(evening)[-1], (1, 1))
    opened(evening, REMATCH_SECONDS)
    win(evening, tables(evening)[-1], hero)
    points = {row.player.identity: row.points for row in evening.tournament.standings()}
    assert points[hero] == 2 + 1 + 1
    assert sorted(points.values())[0] == Fraction(1, 2)


def test_players_come_late_and_leave_while_it_is_played() -> None:
    evening = begun(3)
    [table] = tables(evening)
    waits = next(one for one in PEOPLE[:3] if one not in table.seats)
    evening.add(PlayerEnrolled(evening.at, PEOPLE[3], "late"))
    assert {frozenset(pair) for pair in opened(evening, 0)} == {frozenset((waits, PEOPLE[3]))}
    evening.add(PlayerWithdrew(evening.at, waits))
    win(evening, tables(evening)[1], PEOPLE[3])
    win(evening, table, table.seats[0])
    assert all(waits not in pair for pair in opened(evening, REST_SECONDS))


def test_who_does_not_come_to_a_table_is_not_paired_until_coming_back() -> None:
    evening = begun(4)
    table = tables(evening)[0]
    evening.absent(table, 1)
    states = {player.identity: player.state for player in evening.tournament.players}
    assert (states[table.seats[0]], states[table.seats[1]]) == (IN, WITHDRAWN)


def test_it_ends_by_the_clock_after_the_games_that_are_played() -> None:
    evening = begun(4)
    start = evening.at
    first, second = tables(evening)
    assert evening.tournament.phase == PLAYING
    win(evening, first, first.seats[0])
    evening.at = start + 60 * MINUTES
    assert evening.tournament.proceed(evening.at) is None
    win(evening, second, second.seats[1])
    event = evening.tournament.proceed(evening.at)
    assert isinstance(event, TournamentEnded)
    evening.add(event)
    assert evening.tournament.ended
    assert [row.buchholz for row in evening.tournament.standings()] == [0] * 4


def test_an_arena_of_one_does_not_begin() -> None:
    evening = Evening.of(settings_of(ARENA), PEOPLE[:1])
    assert evening.tournament.phase == BETWEEN
    with pytest.raises(ValueError, match="too few"):
        evening.proceed()


@pytest.mark.parametrize(
    ("cheat", "reason"),
    [
        (lambda due: replace(due, tables=due.tables[:1]), "the arena: these tables do not open by its rules"),
        (lambda due: TournamentEnded(due.at), "the end of the tournament: it came too early"),
        (lambda due: replace(due, at=due.at - 1), "the arena: these tables do not open by its rules"),
        (lambda due: replace(due, at=due.at + 60 * MINUTES), "the tournament was already over"),
    ],
    ids=["not all tables", "an early end", "too early", "too late"],
)
def test_a_referee_that_pairs_otherwise_is_found(cheat: object, reason: str) -> None:
    evening = begun(4)
    for table in tables(evening):
        win(evening, table, table.seats[0])
    evening.at += REST_SECONDS
    due = evening.tournament.proceed(evening.at)
    assert isinstance(due, TablesOpened)
    assert check_claim(PairingClaim(evening.tournament, due), None, lambda _: pytest.fail("no game")) is None
    said = cheat(due)  # type: ignore[operator]
    wrong = check_claim(PairingClaim(evening.tournament, said), None, lambda _: pytest.fail("no game"))
    assert wrong is not None
    assert wrong.code == "unfair"
    assert wrong.reason.endswith(reason)


def test_a_missing_record_is_missed_at_a_table_and_in_no_round() -> None:
    evening = begun(2)
    (table,) = tables(evening)
    win(evening, table, table.seats[0])
    decided = evening.tournament.rounds[0].tables[0].decided
    assert decided is not None
    claim = ResultClaim(evening.tournament.settings, table.seats, replace(decided, game=b"g" * 16))
    assert check_claim(claim, None, lambda _: pytest.fail("no record")) == Finding(
        "incomplete", "table 1: a game began there, and its record is missing"
    )


def test_a_table_with_a_result_is_named_without_a_round() -> None:
    evening = begun(2)
    (table,) = tables(evening)
    win(evening, table, table.seats[0])
    with pytest.raises(ValueError, match=r"^Table 1 already has a result\.$"):
        evening.tournament.table_at(1, table.id, decided=False)


def test_what_cannot_open_is_refused() -> None:
    evening = begun(4)
    seats = tables(evening)[0].seats
    for event, reason in (
        (TablesOpened(evening.at, 1, (seats,)), "two tables"),
        (TablesOpened(evening.at, 2, ()), "current round"),
        (TablesOpened(evening.at, 1, ((PEOPLE[7], PEOPLE[8]),)), "present"),
    ):
        with pytest.raises(ValueError, match=reason):
            evening.tournament.after(event)
    swiss = Evening.of(settings_of(), PEOPLE[:4])
    swiss.proceed()
    with pytest.raises(ValueError, match="No table can open"):
        swiss.tournament.after(TablesOpened(swiss.at, 1, ()))


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_is_quick(*range(5)))
def test_a_whole_arena_follows_from_its_events(seed: int) -> None:
    rng = Random(seed)
    evening = begun(9, minutes=10)
    games = dict.fromkeys(PEOPLE[:9], 0)
    while not evening.tournament.ended:
        for table in evening.tournament.rounds[0].open:
            if rng.random() < 0.3:
                evening.decide(table, rng.choice(((1, 2), (2, 1), (1, 1))))
        evening.at += 5
        if (event := evening.tournament.proceed(evening.at)) is not None:
            assert check_claim(PairingClaim(evening.tournament, event), None, lambda _: pytest.fail("no game")) is None
            evening.add(event)
    for table in tables(evening):
        for seat in table.seats:
            games[seat] += 1
    assert min(games.values()) > 5
    again = Tournament.fold(evening.tournament.settings, evening.events)
    assert again == evening.tournament
    assert again.standings() == evening.tournament.standings()
