"""What results are worth, and how ties are broken: worked out by hand."""

from __future__ import annotations

import sys
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kimberley.p2p.tournament.events import ABSENT, TIME, VOID, LotsDrawn, PlayerEnrolled, PlayerWithdrew, RoundPaired
from kimberley.p2p.tournament.players import (
    DOWN,
    LEVEL,
    UP,
    Encounter,
    PlayerHistory,
    TournamentPlayer,
    TournamentTable,
    player_histories,
)
from kimberley.p2p.tournament.points import UNIT, places_after_ruling, plain_points, points, points_in_words
from kimberley.p2p.tournament.rating import START, rating_histories
from kimberley.p2p.tournament.settings import KNOCKOUT, ROUND_ROBIN
from kimberley.p2p.tournament.standings import StandingsRow, encounter
from kimberley.p2p.tournament.tournament import Tournament
from tests.support.tournaments import PEOPLE, SEED, Evening, by_chance, by_number, settings_of

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("places", "wanted"),
    [
        ((1, 2), (1, 0)),
        ((1, 1), (HALF, HALF)),
        ((0, 1), (0, 1)),
        ((0, 0), (0, 0)),
        ((1, 2, 3), (1, HALF, 0)),
        ((1, 1, 3), (Fraction(3, 4), Fraction(3, 4), 0)),
        ((2, 1, 2, 2), (Fraction(1, 3), 1, Fraction(1, 3), Fraction(1, 3))),
        ((0, 1, 2, 0), (0, 1, Fraction(2, 3), 0)),
        ((1,) * 6, (HALF,) * 6),
    ],
)
def test_a_place_is_worth_the_share_of_the_others_that_one_has_beaten(
    places: tuple[int, ...], wanted: tuple[Fraction, ...]
) -> None:
    assert points(places) == wanted


@given(st.integers(2, 6).flatmap(lambda seats: st.lists(st.integers(0, seats), min_size=seats, max_size=seats)))
def test_points_are_whole_120ths_and_add_up_to_half_the_seats(places: list[int]) -> None:
    found = points(places)
    assert all(0 <= one <= 1 and (one * UNIT).denominator == 1 for one in found)
    assert plain_points(found) == tuple(one * UNIT for one in found)
    lost = places.count(0)
    among_themselves = Fraction(lost * (lost - 1), 2 * (len(places) - 1))
    assert sum(found) == Fraction(len(places), 2) - among_themselves


def test_points_are_written_as_players_write_them() -> None:
    values = [Fraction(0), HALF, Fraction(1), Fraction(5, 2), Fraction(7, 3), Fraction(1, 10), Fraction(27, 10)]
    assert [points_in_words(value) for value in values] == ["0", "½", "1", "2½", "2⅓", "0.10", "2.70"]


@pytest.mark.parametrize(
    ("lost", "places", "wanted"),
    [
        ([0], None, (0, 1)),
        ([0, 1], None, (0, 0)),
        ([2], (1, 2, 3), (1, 2, 0)),
        ([0], (1, 2, 3), (0, 1, 2)),
        ([1], (2, 1, 2), (1, 0, 1)),
        ([3], None, (1, 1, 1, 0)),
    ],
)
def test_a_ruling_leaves_the_others_where_the_game_placed_them(
    lost: list[int], places: tuple[int, ...] | None, wanted: tuple[int, ...]
) -> None:
    assert places_after_ruling(len(wanted), lost, places) == wanted


def lines(tournament: Tournament) -> dict[str, StandingsRow]:
    return {one.player.nickname: one for one in tournament.standings()}


def named(table: TournamentTable, tournament: Tournament) -> list[str]:
    players = [tournament.player(identity) for identity in table.seats]
    return [player.nickname for player in players if player is not None]


def crosstable(names: str, beats: dict[str, str], draws: str = "") -> Tournament:
    """Returns a round-robin: `beats` says whom each beats, `draws` lists pairs like "ab cd"; every other table is
    void.
    """
    evening = Evening.of(settings_of(ROUND_ROBIN))
    for number, name in enumerate(names):
        evening.add(PlayerEnrolled(1, PEOPLE[number], name))
    evening.add(LotsDrawn(2, SEED))
    while not evening.tournament.ended:
        evening.proceed()
        for table in () if evening.tournament.ended else evening.tournament.rounds[-1].open:
            one, other = named(table, evening.tournament)
            drawn = f"{one}{other}" in draws.split() or f"{other}{one}" in draws.split()
            places = (1, 1) if drawn else (1, 2) if other in beats.get(one, "") else (2, 1)
            evening.decide(table, places)
    return evening.tournament


def test_tie_breaks_of_a_round_robin_worked_out_by_hand() -> None:
    """Of four, a beats b and c, and loses to d; b beats c and d; d draws with c."""
    found = lines(crosstable("abcd", {"a": "bc", "b": "cd", "d": "a"}, draws="cd"))
    assert [found[name].points for name in "abcd"] == [2, 2, HALF, Fraction(3, 2)]
    assert [found[name].buchholz for name in "abcd"] == [4, 4, Fraction(11, 2), Fraction(9, 2)]
    assert [found[name].sonneborn for name in "abcd"] == [
        2 + HALF,
        HALF + Fraction(3, 2),
        HALF * Fraction(3, 2),
        2 + HALF * HALF,
    ]
    assert [found[name].rank for name in "abcd"] == [1, 2, 4, 3]
    for row in found.values():
        assert sum(one.points for one in row.buchholz_of) == row.buchholz
        assert sum(one.points for one in row.sonneborn_of) == row.sonneborn
        assert len(row.buchholz_of) == 3


def test_three_who_beat_each_other_in_a_ring_are_told_apart_by_lot_alone() -> None:
    found = lines(crosstable("abcd", {"a": "bd", "b": "cd", "c": "ad"}))
    assert {found[name].direct for name in "abc"} == {Fraction(1)}
    assert {found[name].wins for name in "abc"} == {2}
    first = sorted((found[name] for name in "abc"), key=lambda one: one.rank)
    assert [one.player.number for one in first] == sorted(one.player.number for one in first)


def met(number: int, *others: tuple[int, Fraction]) -> PlayerHistory:
    """Returns a player that has met these others, with the points from each meeting."""
    return PlayerHistory(
        TournamentPlayer(PEOPLE[number], f"player{number}", number + 1),
        meetings=[Encounter(PEOPLE[other], had, 1) for other, had in others],
    )


def test_a_direct_encounter_counts_where_all_who_are_tied_have_met() -> None:
    one, none = Fraction(1), Fraction(0)
    first, second, third = met(0, (1, none), (5, one)), met(1, (0, one), (5, none)), met(2, (0, HALF))
    assert encounter([first, second]) == {PEOPLE[0]: none, PEOPLE[1]: one}
    assert encounter([first, second, third]) is None
    assert encounter([first]) is None


def test_who_has_won_more_tables_is_before_who_has_drawn_more() -> None:
    """Two players with equal points and tie-breaks have not met, and the one with the later lot has won a table."""
    tournament = Evening.of(settings_of(rounds=3), PEOPLE[:5]).play(by_chance(Random(44), 0.5))
    rows = {one.player.number: one for one in tournament.standings()}
    first, second = rows[4], rows[1]
    assert (first.points, first.buchholz, first.sonneborn) == (second.points, second.buchholz, second.sonneborn)
    assert first.direct is second.direct is None
    assert (first.wins, second.wins) == (1, 0)
    assert first.rank == second.rank - 1


def test_who_won_the_direct_encounter_is_first_whatever_the_lots_say() -> None:
    tournament = Evening.of(settings_of(rounds=3), PEOPLE[:4]).play(by_chance(Random(52), 0.5))
    rows = {one.player.number: one for one in tournament.standings()}
    first, second = rows[4], rows[1]
    assert (first.points, first.buchholz, first.sonneborn) == (second.points, second.buchholz, second.sonneborn)
    assert (first.direct, second.direct, first.wins) == (Fraction(1), Fraction(0), second.wins)
    assert first.rank == second.rank - 1


def test_a_bye_counts_as_beating_somebody_with_as_many_points() -> None:
    evening = Evening.of(settings_of(), PEOPLE[:3])
    evening.round(by_number)
    resting = evening.tournament.rounds[0].byes[0]
    line = next(one for one in evening.tournament.standings() if one.player.identity == resting)
    assert [line.points, line.buchholz, line.sonneborn, line.wins, line.byes] == [1, 1, 1, 0, 1]


def test_a_round_that_one_missed_is_worth_nothing() -> None:
    evening = Evening.of(settings_of(rounds=2), PEOPLE[:4])
    evening.add(PlayerWithdrew(1, PEOPLE[0]))
    tournament = evening.play(by_number)
    line = next(one for one in tournament.standings() if one.player.identity == PEOPLE[0])
    assert [line.points, line.buchholz, line.sonneborn, line.byes] == [0, 0, 0, 0]


def test_at_a_larger_table_the_others_count_by_their_mean() -> None:
    evening = Evening.of(settings_of(seats=4, allowed=(4,), rounds=1), PEOPLE[:4])
    tournament = evening.play(by_number)
    first = tournament.standings()[0]
    assert first.points == 1
    assert first.buchholz == (Fraction(2, 3) + Fraction(1, 3)) / 3
    assert first.sonneborn == first.buchholz
    assert [one.wins for one in tournament.standings()] == [1, 0, 0, 0]


def test_a_win_without_a_game_is_no_win() -> None:
    evening = Evening.of(settings_of(rounds=1), PEOPLE[:2])
    evening.proceed()
    evening.absent(evening.tournament.rounds[0].tables[0], 0)
    assert [one.wins for one in evening.tournament.standings()] == [0, 0]
    assert [one.rating for one in evening.tournament.standings()] == [START, START]


def test_ratings_follow_results_and_nothing_else() -> None:
    rng = Random(1)
    evening = Evening.of(settings_of(seats=4, rounds=4), PEOPLE[:9])
    tournament = evening.play(by_chance(rng))
    found = rating_histories(tournament.players, tournament.rounds)
    again = rating_histories(Tournament.fold(tournament.settings, evening.events).players, tournament.rounds)
    assert found == again
    assert all(len(history) == 5 and history[0] == START for history in found.values())
    assert all(isinstance(one, int) for history in found.values() for one in history)


def test_who_wins_rises_and_who_loses_falls() -> None:
    tournament = Evening.of(settings_of(rounds=3), PEOPLE[:8]).play(by_number)
    by_rank = tournament.standings()
    best, worst = by_rank[0].rating, by_rank[-1].rating
    assert best is not None
    assert worst is not None
    assert best > START > worst


@pytest.mark.parametrize(
    ("how", "places", "rated"), [(TIME, (0, 1), True), (ABSENT, (0, 1), False), (VOID, (1, 1), False)]
)
def test_only_what_was_played_is_rated(how: str, places: tuple[int, int], rated: bool) -> None:
    evening = Evening.of(settings_of(rounds=1), PEOPLE[:2])
    evening.proceed()
    evening.decide(evening.tournament.rounds[0].tables[0], places, how)
    assert (len({one.rating for one in evening.tournament.standings()}) == 2) == rated


def test_in_a_knockout_nobody_has_reached_anything_before_the_lots_are_drawn() -> None:
    evening = Evening.of(settings_of(KNOCKOUT))
    for identity in PEOPLE[:3]:
        evening.add(PlayerEnrolled(1, identity, "player"))
    assert [one.reached for one in evening.tournament.standings()] == [0, 0, 0]
    evening.add(LotsDrawn(1, SEED))
    assert [one.reached for one in evening.tournament.standings()] == [1, 1, 1]


def test_a_bye_is_a_float_down() -> None:
    tournament = Evening.of(settings_of(rounds=1), PEOPLE[:3]).play(by_number)
    (resting,) = tournament.rounds[0].byes
    found = player_histories(tournament.players, tournament.rounds)
    assert {identity: entry.floats for identity, entry in found.items()} == {
        identity: [DOWN if identity == resting else LEVEL] for identity in PEOPLE[:3]
    }


def test_who_meets_somebody_with_fewer_points_floats_down_and_the_other_one_up() -> None:
    evening = Evening.of(settings_of(rounds=3), PEOPLE[:4])
    evening.round(by_number)
    for table in (first := evening.tournament.rounds[0]).tables:
        assert [player_histories(evening.tournament.players, [first])[one].floats for one in table.seats] == [
            [LEVEL]
        ] * 2
    seats = tuple(table.seats for table in evening.tournament.rounds[0].tables)
    evening.add(RoundPaired(1, 2, seats, ()))
    found = player_histories(evening.tournament.players, evening.tournament.rounds)
    for one, other in seats:
        up = DOWN if found[one].points > found[other].points else UP
        assert found[one].floats == [LEVEL, up]
        assert found[other].floats == [LEVEL, UP if up == DOWN else DOWN]


def test_without_openskill_a_player_sees_standings_without_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening.of(settings_of(rounds=3), PEOPLE[:4])
    rated = evening.play(by_number).standings()
    monkeypatch.setitem(sys.modules, "openskill", None)
    rows = Tournament.fold(settings_of(rounds=3), evening.events).standings()
    assert [row.rating for row in rows] == [None] * 4
    assert [row.player for row in rows] == [row.player for row in rated]
