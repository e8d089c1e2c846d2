"""Who meets whom: every format at every size of table, whoever comes late, leaves, or stays away."""

from __future__ import annotations

import contextlib
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.p2p.tournament import pairing
from kimberley.p2p.tournament.events import (
    PLAYED,
    WITHDREW,
    PlayerEnrolled,
    PlayerReturned,
    PlayerWithdrew,
    RoundPaired,
    TableDecided,
    TournamentEnded,
)
from kimberley.p2p.tournament.formats import Field, NoPairing
from kimberley.p2p.tournament.grouping import grouped, repeats, seated, table_sizes
from kimberley.p2p.tournament.knockout import advancing, bracket
from kimberley.p2p.tournament.pairing import MOST_LEAN, berger, dutch_can, matched, sound
from kimberley.p2p.tournament.players import DISQUALIFIED, IN, PlayerHistory, TournamentPlayer, TournamentTable
from kimberley.p2p.tournament.settings import (
    ARENA,
    BY_NUMBER,
    BY_RANK,
    CURRENT_PAIRING,
    FORMATS,
    KNOCKOUT,
    ROUND_ROBIN,
    SWISS,
)
from kimberley.p2p.tournament.tournament import Tournament
from tests.support.effort import spread
from tests.support.swiss_evenings import swiss_evening
from tests.support.tournaments import PEOPLE, Evening, by_chance, by_number, byes, leans, meetings, settings_of

# -- tables of two -----------------------------------------------------------------------------------------------------


def test_the_berger_tables_are_those_of_the_fide_handbook() -> None:
    """Handbook C.05, annex 1: six players, and five, whose sixth is a bye. The first of a pair has White."""
    six = ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"]
    for number, line in enumerate(six, 1):
        wanted = [tuple(map(int, pair.split("-"))) for pair in line.split()]
        assert sorted(berger(6, number)) == sorted(wanted)
        with_bye = {(min(pair), None) if 6 in pair else pair for pair in wanted}
        assert set(berger(5, number)) == with_bye


@pytest.mark.parametrize("count", range(2, 12))
def test_in_a_round_robin_all_meet_all_once(count: int) -> None:
    evening = Evening.of(settings_of(ROUND_ROBIN), PEOPLE[:count])
    tournament = evening.play(by_number)
    assert len(tournament.rounds) == tournament.planned == count - 1 + count % 2
    assert meetings(tournament) == Counter(frozenset(pair) for pair in combinations(PEOPLE[:count], 2))
    assert byes(tournament) == Counter(PEOPLE[:count] if count % 2 else ())
    assert all(abs(lean) <= 1 for lean in leans(tournament).values())


def test_a_second_time_round_seats_are_swapped() -> None:
    tournament = Evening.of(settings_of(ROUND_ROBIN, rounds=6), PEOPLE[:4]).play(by_number)
    tables = [{table.seats for table in round.tables} for round in tournament.rounds]
    assert tables[3:] == [{seats[::-1] for seats in table} for table in tables[:3]]


def test_a_late_player_takes_the_free_place_of_a_round_robin() -> None:
    evening = Evening.of(settings_of(ROUND_ROBIN), PEOPLE[:5])
    evening.round(by_number)
    resting = evening.tournament.rounds[0].byes[0]
    evening.add(PlayerEnrolled(1, PEOPLE[5], "late"))
    tournament = evening.play(by_number)
    assert len(tournament.rounds) == 5
    assert [len(round.byes) for round in tournament.rounds] == [1, 0, 0, 0, 0]
    met = meetings(tournament)
    assert set(met.values()) == {1}
    assert frozenset((PEOPLE[5], resting)) not in met
    assert len(met) == 14


def test_who_should_meet_somebody_that_left_has_a_bye() -> None:
    evening = Evening.of(settings_of(ROUND_ROBIN), PEOPLE[:4])
    evening.round(by_number)
    evening.add(PlayerWithdrew(1, PEOPLE[0]))
    tournament = evening.play(by_number)
    assert [len(round.byes) for round in tournament.rounds] == [0, 1, 1]
    assert all(
        PEOPLE[0] not in pair for pair in meetings(Tournament(tournament.settings, rounds=tournament.rounds[1:]))
    )


def test_the_first_swiss_round_sets_the_upper_half_against_the_lower() -> None:
    evening = Evening.of(settings_of(), PEOPLE[:8])
    evening.proceed()
    number = {player.identity: player.number for player in evening.tournament.players}
    pairs = [sorted(number[one] for one in table.seats) for table in evening.tournament.rounds[0].tables]
    assert pairs == [[1, 5], [2, 6], [3, 7], [4, 8]]


@pytest.mark.parametrize("count", [21, 22])
def test_more_players_than_the_dutch_rules_can_pair_are_paired_from_the_top_down(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing, "MOST_DUTCH", 8)
    rng = Random(count)
    evening = Evening.of(settings_of(rounds=7), PEOPLE[:count])
    evening.round(by_chance(rng, draws=0))
    winners = {row.player.identity for row in evening.tournament.standings() if row.points == 1}
    evening.play(by_chance(rng, draws=0))
    mixed = [table for table in evening.tournament.rounds[1].tables if len(winners & {*table.seats}) == 1]
    assert len(mixed) <= 1
    assert set(meetings(evening.tournament).values()) == {1}
    assert all(abs(lean) <= MOST_LEAN for lean in leans(evening.tournament).values())
    assert all(len(round.byes) == count % 2 for round in evening.tournament.rounds)
    assert max(byes(evening.tournament).values(), default=1) == 1


def test_a_pair_that_is_left_over_changes_places_with_the_last_one_that_lets_it() -> None:
    one, two, three, four, five = (PlayerHistory(TournamentPlayer(PEOPLE[n], f"p{n}", n + 1)) for n in range(5))
    apart = {frozenset((three.number, four.number))}

    def may_meet(first: PlayerHistory, second: PlayerHistory) -> bool:
        return frozenset((first.number, second.number)) not in apart

    assert pairing.pair_down([one, two, three, four], may_meet) == ([(three, one), (four, two)], [])
    assert pairing.pair_down([three, four], may_meet) == ([], [three, four])
    assert pairing.pair_down([one, two, five], may_meet) == ([(one, two)], [five])


def test_in_swiss_who_has_as_many_points_meets() -> None:
    evening = Evening.of(settings_of(), PEOPLE[:8])
    evening.round(by_number)
    evening.proceed()
    points = {one.player.identity: one.points for one in evening.tournament.standings()}
    assert all(len({points[one] for one in table.seats}) == 1 for table in evening.tournament.rounds[-1].tables)


@pytest.mark.parametrize("rested", range(6))
def test_where_rounds_outnumber_opponents_as_few_as_can_be_sit_out(rested: int) -> None:
    """After three rounds of six the pairs that are left can be two triangles: then two tables is all there is."""
    people = [TournamentPlayer(PEOPLE[number], f"player{number}", number + 1) for number in range(6)]
    found = [PlayerHistory(player) for player in people]
    for one, other in product(found[:3], found[3:]):
        one.met[other.identity] += 1
        other.met[one.identity] += 1
    found[rested].byes = 1
    assert not dutch_can(found)
    pairs = matched(found)
    assert len(pairs) == 2
    sitting = {entry.number for pair in pairs for entry in pair}
    assert found[rested].number in sitting
    assert all(not first.met[second.identity] for first, second in pairs)


@pytest.mark.parametrize(
    ("one", "other", "may"),
    [
        ([0, 0, 1, 1], [0, 0, 1, 1], False),
        ([1, 1, 0, 0], [1, 1, 0, 0], False),
        ([0, 0, 1, 1], [1, 1, 0, 0], True),
        ([1, 1, 0, 0], [0, 0, 1, 1], True),
        ([1, 0, 0, 1, 0, 1, 0, 1, 0], [0], True),
        ([0, 1, 0], [1, 0, 1], True),
    ],
)
def test_by_the_dutch_rules_nobody_has_a_seat_three_times_in_a_row(one: list[int], other: list[int], may: bool) -> None:
    assert dutch_can([entry(0, one), entry(1, other)]) == may


def test_a_pairing_is_sound_as_long_as_seats_stay_balanced() -> None:
    for both in product(range(-MOST_LEAN, MOST_LEAN + 1), repeat=2):
        one, other = (entry(number, [0 if lean > 0 else 1] * abs(lean)) for number, lean in enumerate(both))
        assert sound([(one, other)], [one, other]) == (both[0] < MOST_LEAN and both[1] > -MOST_LEAN), both


@pytest.mark.parametrize(
    ("one", "other", "first"),
    [
        pytest.param([0], [0], 1, id="both want seat 1: the lower number sits at seat 0"),
        pytest.param([1], [1], 2, id="both want seat 0: the one with more points has it"),
        pytest.param([0, 0, 1], [0, 0, 1], 1, id="both had seat 0 more often, though not last"),
        pytest.param([1, 0], [1, 0], 1, id="both want to alternate"),
        pytest.param([1, 0, 1, 1], [0, 1, 1], 1, id="one may not have seat 1 for two reasons, the other for one"),
        pytest.param([0, 1], [1], 1, id="one wants seat 0 more"),
        pytest.param([1, 0, 1], [0, 1, 1], 1, id="they had other seats"),
        pytest.param([], [1], 1, id="one has had no seat"),
    ],
)
def test_the_player_with_more_points_has_the_seat_that_both_want(one: list[int], other: list[int], first: int) -> None:
    """Handbook C.04.3, 5.2.4. Player 2 has more points; the library has set player 1 first."""
    lower, higher = entry(0, one), entry(1, other)
    higher.points = Fraction(1)
    assert pairing.seated_by_rank(lower, higher, ())[0].number == first


def test_a_point_for_acceleration_counts_for_the_seat() -> None:
    """Handbook C.04.5: the lower number has a point more for the pairing, so both have as many; the number decides."""
    lower, higher = entry(0, [1]), entry(1, [1])
    higher.points = Fraction(1)
    assert pairing.seated_by_rank(higher, lower, pairing.upper_half([lower, higher]))[0] is lower


@pytest.mark.parametrize(("revision", "counts"), [(BY_NUMBER, True), (BY_RANK, False), (CURRENT_PAIRING, False)])
def test_a_table_where_no_game_began_counts_as_a_meeting_only_in_older_tournaments(revision: int, counts: bool) -> None:
    evening = Evening.of(replace(settings_of(rounds=3), pairing=revision), PEOPLE[:4])
    evening.proceed()
    first, second = evening.tournament.rounds[-1].tables
    evening.absent(first, 1)
    evening.decide(second, (1, 2))
    came, stayed_away = first.seats
    present = Field(evening.tournament.settings, evening.tournament.players, evening.tournament.rounds).present
    assert present[came].met[stayed_away] == counts
    assert (present[came].seats, present[stayed_away].seats) == (([0], [1]) if counts else ([], []))
    assert (present[came].floats, present[stayed_away].floats) == (
        (["none"], ["none"]) if counts else (["down"], ["none"])
    )
    assert present[came].points == present[came].walkovers == 1
    assert present[second.seats[0]].seats == [0]


@pytest.mark.parametrize(
    ("number", "round", "bye", "without"), spread(2, [(9, 2, 10, 8), (20, 3, 5, 11), (11, 6, 4, 15), (39, 3, 10, 6)])
)
def test_games_against_players_who_left_count_for_the_bye(number: int, round: int, bye: int, without: int) -> None:
    """Handbook C.04.3, C9: of those with equal points, the bye goes to the one who has played most. The byes are those
    of bbpPairings (`tests.tools.pairings`).
    """
    evening = swiss_evening(number)
    paired = next(event for event in evening.events if isinstance(event, RoundPaired) and event.round == round)
    before = Tournament.fold(evening.tournament.settings, evening.events[: evening.events.index(paired)])
    for revision, wanted in ((CURRENT_PAIRING, bye), (BY_RANK, without)):
        now = replace(before, settings=replace(before.settings, pairing=revision))
        event = now.proceed(paired.at)
        assert isinstance(event, RoundPaired)
        players = [now.player(identity) for identity in event.byes]
        assert [player.number for player in players if player is not None] == [wanted]


def test_of_nobody_there_are_no_pairs() -> None:
    assert matched([]) == []


def test_seats_stay_balanced_before_points_are_alike() -> None:
    found = [entry(number, [number // 2] * MOST_LEAN) for number in range(4)]
    for one in found[:2]:
        one.points = Fraction(1, 2)
    pairs = matched(found)
    assert len(pairs) == 2
    assert [(first.lean, second.lean) for first, second in pairs] == [(-MOST_LEAN, MOST_LEAN)] * 2


def test_two_who_sat_at_the_same_seat_once_meet_where_their_points_are_equal() -> None:
    found = [entry(number, [number // 2]) for number in range(4)]
    for one in found[:2]:
        one.points = Fraction(1)
    assert {frozenset(each.number for each in pair) for pair in matched(found)} == {
        frozenset({1, 2}),
        frozenset({3, 4}),
    }


@pytest.mark.parametrize("count", [2, 3, 5, 6, 7])
def test_a_swiss_cup_ends_when_all_have_met_all(count: int) -> None:
    tournament = Evening.of(settings_of(rounds=20), PEOPLE[:count]).play(by_chance(Random(count)))
    assert tournament.ended
    assert len(tournament.rounds) < 20
    assert tournament.format.no_pairing(tournament.field) is NoPairing.ALL_MET
    assert set(meetings(tournament).values()) == {1}
    assert len(meetings(tournament)) == count * (count - 1) // 2


# -- tables of three to six --------------------------------------------------------------------------------------------


def best_sizes(players: int, sizes: tuple[int, ...]) -> tuple[int, int, int] | None:
    """Returns the fewest byes, then tables, then difference of sizes, by trying all with at most two sizes."""
    found = [
        (players - total, small_tables + large_tables, large - small if small_tables and large_tables else 0)
        for small, large in product(sizes, repeat=2)
        if small <= large
        for small_tables in range(players // small + 1)
        for large_tables in range(players // large + 1)
        if 0 < (total := small * small_tables + large * large_tables) <= players
    ]
    return min(found, default=None)


@given(st.integers(0, 40), st.sets(st.integers(2, 6), min_size=1))
def test_tables_are_as_equal_as_can_be(players: int, allowed: set[int]) -> None:
    sizes = tuple(sorted(allowed))
    found = table_sizes(players, sizes)
    assert set(found) <= set(sizes)
    wanted = best_sizes(players, sizes)
    if wanted is None:
        assert found == ()
    else:
        assert (players - sum(found), len(found), max(found) - min(found)) == wanted


@pytest.mark.parametrize(
    ("players", "sizes", "wanted"),
    [
        (13, (2, 3, 4), (4, 3, 3, 3)),
        (6, (2, 3, 4), (3, 3)),
        (5, (2, 4), (4,)),
        (6, (2, 4), (4, 2)),
        (7, (3, 4, 5, 6), (4, 3)),
        (3, (4,), ()),
    ],
)
def test_examples_of_tables(players: int, sizes: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    assert table_sizes(players, sizes) == wanted


def entry(number: int, seats: list[int] | None = None) -> PlayerHistory:
    return PlayerHistory(TournamentPlayer(PEOPLE[number], f"player{number}", number + 1), seats=seats or [])


def test_everybody_sits_where_it_sat_least() -> None:
    table = [entry(0, [0, 0]), entry(1, [1, 0]), entry(2, [2, 1]), entry(3, [3, 2])]
    assert [one.number for one in seated(table)] == [3, 4, 1, 2]


def test_the_lowest_of_those_who_had_fewest_byes_rests() -> None:
    ranked = [entry(number) for number in range(5)]
    ranked[4].byes = 1
    assert grouped(ranked, (4,)).byes == (ranked[3].identity,)


def test_tables_are_made_by_standing_where_nobody_has_met() -> None:
    ranked = [entry(number) for number in range(8)]
    assert [{*table} for table in grouped(ranked, (4,)).tables] == [{*PEOPLE[:4]}, {*PEOPLE[4:8]}]


@pytest.mark.parametrize(("count", "seats"), [(9, 3), (16, 4)])
def test_meetings_do_not_repeat_where_they_need_not(count: int, seats: int) -> None:
    """Nine at tables of three, or sixteen at tables of four, have a second round without any."""
    evening = Evening.of(settings_of(seats=seats, allowed=(seats,), rounds=2), PEOPLE[:count])
    tournament = evening.play(by_number)
    assert set(meetings(tournament).values()) == {1}


@given(st.integers(4, 9), st.integers(0, 10_000))
@settings(max_examples=10, deadline=None)
def test_no_exchange_of_two_would_save_a_repeated_meeting(count: int, seed: int) -> None:
    rng = Random(seed)
    ranked = [entry(number) for number in range(count)]
    for one, other in combinations(ranked, 2):
        one.met[other.identity] = other.met[one.identity] = rng.randint(0, 3)
    by_identity = {one.identity: one for one in ranked}
    tables = [[by_identity[one] for one in table] for table in grouped(ranked, (3, 4)).tables]
    total = sum(map(repeats, tables))
    for here, there in combinations(tables, 2):
        for i, j in product(range(len(here)), range(len(there))):
            here[i], there[j] = there[j], here[i]
            assert sum(map(repeats, tables)) >= total
            here[i], there[j] = there[j], here[i]


# -- knockouts ---------------------------------------------------------------------------------------------------------


def test_the_first_two_of_a_bracket_can_meet_last() -> None:
    assert bracket(2) == (1, 2)
    assert bracket(5) == bracket(8) == (1, 8, 4, 5, 2, 7, 3, 6)


@pytest.mark.parametrize("count", range(2, 18))
def test_a_knockout_leaves_one(count: int) -> None:
    evening = Evening.of(settings_of(KNOCKOUT), PEOPLE[:count])
    stages = (count - 1).bit_length()
    assert evening.tournament.planned == stages
    tournament = evening.play(by_number)
    number = {player.identity: player.number for player in tournament.players}
    assert len(tournament.rounds) == tournament.planned == stages
    assert sum(len(round.tables) for round in tournament.rounds) == count - 1
    assert sorted(number[one] for one in tournament.rounds[0].byes) == list(range(1, 2**stages - count + 1))
    assert not any(round.byes for round in tournament.rounds[1:])
    places = [number[one.player.identity] for one in tournament.standings()]
    assert places[:2] == [1, 2]
    assert [one.reached for one in tournament.standings()][:2] == [stages + 1, stages]


def test_a_drawn_table_is_played_again_with_seats_swapped_and_then_the_lot_decides() -> None:
    evening = Evening.of(settings_of(KNOCKOUT), PEOPLE[:4])
    evening.round(lambda tournament, table: (1, 1) if table.number == 0 else (1, 2))
    assert evening.tournament.planned == 3
    first, second = evening.tournament.rounds[0].tables
    evening.round(lambda tournament, table: (1, 1))
    replay = evening.tournament.rounds[1]
    assert [table.seats for table in replay.tables] == [first.seats[::-1]]
    assert replay.byes == ()
    evening.proceed()
    lower = min(first.seats, key=lambda one: next(p.number for p in evening.tournament.players if p.identity == one))
    assert set(evening.tournament.rounds[2].tables[0].seats) == {lower, second.seats[0]}


def test_a_replay_is_won_by_who_is_there() -> None:
    evening = Evening.of(settings_of(KNOCKOUT), PEOPLE[:4])
    evening.round(lambda tournament, table: (1, 1))
    gone, there = evening.tournament.rounds[0].tables[0].seats
    evening.add(PlayerWithdrew(1, gone))
    evening.round(lambda tournament, table: (2, 1))
    assert evening.tournament.rounds[1].byes == (there,)
    evening.proceed()
    assert there in evening.tournament.rounds[2].tables[0].seats


def test_who_leaves_a_knockout_gives_its_place_in_the_bracket_up() -> None:
    evening = Evening.of(settings_of(KNOCKOUT), PEOPLE[:4])
    evening.round(by_number)
    finalists = [one.player.identity for one in evening.tournament.standings()[:2]]
    evening.add(PlayerWithdrew(1, finalists[0]))
    tournament = evening.play(by_number)
    assert tournament.rounds[-1].tables == ()
    assert tournament.standings()[0].player.identity == finalists[1]


def test_a_knockout_that_all_have_left_ends_without_a_winner() -> None:
    evening = Evening.of(settings_of(KNOCKOUT), PEOPLE[:4])
    evening.round(by_number)
    for identity in PEOPLE[:4]:
        evening.add(PlayerWithdrew(1, identity))
    tournament = evening.play(by_number)
    assert tournament.ended
    assert max(one.reached for one in tournament.standings()) == 2


def test_at_larger_tables_the_better_half_goes_on() -> None:
    evening = Evening.of(settings_of(KNOCKOUT, seats=4), PEOPLE[:13])
    assert evening.tournament.planned == 3
    tournament = evening.play(by_number)
    assert tournament.planned == 3
    sizes = [[len(table.seats) for table in round.tables] for round in tournament.rounds]
    assert sizes == [[4, 3, 3, 3], [4, 4], [4]]
    number = {player.identity: player.number for player in tournament.players}
    first = [{number[one] for one in table.seats} for table in tournament.rounds[0].tables]
    assert first == [{1, 8, 9, 13}, {2, 7, 10}, {3, 6, 11}, {4, 5, 12}]
    assert [one.player.number for one in tournament.standings()][:4] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("places", "last", "wanted"),
    [
        ((2, 1, 4, 3), False, (1, 0)),
        ((2, 0, 1, 3), False, (2, 0)),
        ((1, 0), False, (0,)),
        ((0, 0), False, ()),
        ((2, 3, 1), False, (2, 0)),
        ((1, 2, 1), False, (0, 2)),
        ((3, 2, 0, 1), True, (3,)),
    ],
)
def test_the_better_half_of_the_seats_goes_on_but_nobody_who_lost_by_ruling(
    places: tuple[int, ...], last: bool, wanted: tuple[int, ...]
) -> None:
    seats = tuple(PEOPLE[: len(places)])
    result = TableDecided(1, 1, 0, places, PLAYED, "The game is over.", None, None, bytes(64))
    numbers = {identity: number for number, identity in enumerate(seats, 1)}
    assert advancing(TournamentTable(0, seats, None, result), numbers, last) == tuple(seats[seat] for seat in wanted)


def test_a_knockout_whose_last_are_too_few_for_a_table_ends() -> None:
    evening = Evening.of(settings_of(KNOCKOUT, seats=4, allowed=(4,)), PEOPLE[:5])
    assert evening.tournament.planned == 1
    tournament = evening.play(by_number)
    assert len(tournament.rounds) == tournament.planned == 1
    assert [one.reached for one in tournament.standings()] == [2, 2, 2, 1, 1]


# -- all of them, whatever happens -------------------------------------------------------------------------------------


def nobody_is_paired_twice(tournament: Tournament, there: set[bytes]) -> None:
    round = tournament.rounds[-1]
    people = [one for table in round.tables for one in table.seats] + list(round.byes)
    assert len(people) == len(set(people))
    assert set(people) <= there
    assert {len(table.seats) for table in round.tables} <= set(tournament.settings.sizes)
    if tournament.settings.format == SWISS or (
        tournament.settings.seats > 2 and tournament.settings.format == ROUND_ROBIN
    ):
        assert set(people) == there


def stirred(evening: Evening, rng: Random) -> None:
    """Lets some players leave, some return and somebody come between two rounds."""
    for player in evening.tournament.players:
        if player.state == DISQUALIFIED or rng.random() > 0.15:
            continue
        evening.add(PlayerWithdrew(1, player.identity) if player.state == IN else PlayerReturned(1, player.identity))
    if rng.random() < 0.3:
        late = PlayerEnrolled(1, PEOPLE[len(evening.tournament.players)], "late")
        if evening.tournament.settings.format == SWISS:
            evening.add(late)
        else:
            with contextlib.suppress(ValueError):
                evening.add(late)


def played_somehow(evening: Evening, table: TournamentTable, rng: Random) -> None:
    """Ends a table by its game, by somebody staying away, or by somebody leaving in the middle."""
    fate = rng.random()
    if fate < 0.1:
        evening.absent(table, *rng.sample(range(len(table.seats)), rng.randint(1, len(table.seats))))
    elif fate < 0.2:
        evening.add(PlayerWithdrew(1, table.seats[0]))
        evening.decide(table, [0, *[1] * (len(table.seats) - 1)], WITHDREW)
    else:
        evening.decide(table, by_chance(rng)(evening.tournament, table))


@pytest.mark.slow
@pytest.mark.parametrize("format", [one for one in FORMATS if one != ARENA])
@given(
    seats=st.integers(2, 6),
    smallest=st.integers(2, 6),
    count=st.integers(2, 14),
    rounds=st.integers(0, 5),
    seed=st.integers(0, 10_000),
)
@settings(max_examples=10, deadline=None)
def test_whatever_happens_a_cup_is_paired_by_its_rules(
    format: str, seats: int, smallest: int, count: int, rounds: int, seed: int
) -> None:
    rng = Random(seed)
    allowed = range(min(seats, smallest), seats + 1)
    settings = settings_of(format, seats=seats, allowed=allowed, rounds=0 if format == KNOCKOUT else rounds)
    evening = Evening.of(settings, PEOPLE[:count])
    if not table_sizes(count, settings.sizes):
        with pytest.raises(ValueError, match="too few"):
            evening.proceed()
        return
    while not evening.tournament.ended:
        there = {player.identity for player in evening.tournament.players if player.state == IN}
        event = evening.tournament.proceed(1)
        assert event is not None
        assert event == Tournament.fold(settings, evening.events).proceed(1)
        why = evening.tournament.format.no_pairing(evening.tournament.field)
        over = len(evening.tournament.rounds) >= evening.tournament.planned
        assert isinstance(event, TournamentEnded) == (over or why is not None), "the end is foreseen"
        evening.add(event)
        if evening.tournament.ended:
            break
        nobody_is_paired_twice(evening.tournament, there)
        for table in evening.tournament.rounds[-1].open:
            played_somehow(evening, table, rng)
        stirred(evening, rng)
    tournament = evening.tournament
    assert Tournament.fold(settings, evening.events) == tournament
    assert [one.rank for one in tournament.standings()] == list(range(1, len(tournament.players) + 1))
    if seats == 2 and format == SWISS:
        assert set(meetings(tournament).values()) <= {1}
        assert all(abs(lean) <= MOST_LEAN for lean in leans(tournament).values())
    if seats == 2 and format == KNOCKOUT:
        assert len(tournament.rounds) <= 2 * (count - 1).bit_length()


@pytest.mark.slow
@given(count=st.integers(3, 16), seed=st.integers(0, 10_000))
@settings(max_examples=10, deadline=None)
def test_a_swiss_of_as_many_rounds_as_it_needs_has_no_second_bye(count: int, seed: int) -> None:
    rng = Random(seed)
    evening = Evening.of(settings_of(), PEOPLE[:count])
    tournament = evening.play(by_chance(rng))
    assert len(tournament.rounds) == (count - 1).bit_length()
    assert all(len(round.byes) == count % 2 for round in tournament.rounds)
    assert max(byes(tournament).values(), default=1) == 1
    assert set(meetings(tournament).values()) == {1}
