"""Teams: who plays at which board, what a match is worth, and teams as the formats pair them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import pytest

from kimberley.p2p.tournament.events import (
    LotsDrawn,
    PlayerEnrolled,
    PlayerReturned,
    PlayerWithdrew,
    RoundPaired,
    TeamFormed,
)
from kimberley.p2p.tournament.players import TournamentTable
from kimberley.p2p.tournament.settings import DOUBLE_ROUND_ROBIN, KNOCKOUT, ROUND_ROBIN, SWISS
from kimberley.p2p.tournament.teams import matches
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.p2p.tournament.verification import PairingClaim, check_claim
from tests.support.tournaments import PEOPLE, SEED, Evening, settings_of

NAMES = ("Reds", "Blues", "Greens", "Golds")


def of_teams(teams: int, boards: int, format: str = SWISS, reserves: int = 0, **changed: int) -> Evening:
    """Returns teams that the organizer has named; with reserves, which come after the boards."""
    size = boards + reserves
    evening = Evening(Tournament(settings_of(format, boards=boards, **changed)))
    for number, identity in enumerate(PEOPLE[: teams * size]):
        evening.add(PlayerEnrolled(evening.at, identity, f"player{number}"))
    for number in range(teams):
        evening.add(TeamFormed(evening.at, NAMES[number], tuple(PEOPLE[number * size : (number + 1) * size])))
    evening.add(LotsDrawn(evening.at, SEED))
    return evening


def by_team(order: Sequence[str]) -> Callable[[Tournament, TournamentTable], tuple[int, int]]:
    """Lets the team that is named first win at every board."""

    def judge(tournament: Tournament, table: TournamentTable) -> tuple[int, int]:
        first, second = (order.index(team_of(tournament, seat)) for seat in table.seats)
        return (1, 2) if first < second else (2, 1)

    return judge


def team_of(tournament: Tournament, identity: bytes) -> str:
    return next(team.name for team in tournament.teams if identity in team.members)


def points_of(evening: Evening) -> dict[str, tuple[float, float]]:
    """Returns the match points and game points of each team."""
    rows = evening.tournament.team_standings()
    return {row.team.name: (float(row.match_points), float(row.game_points)) for row in rows}


def met(tournament: Tournament) -> list[frozenset[str]]:
    return [
        frozenset(team.name for team in match.teams)
        for round in tournament.rounds
        for match in matches(round, tournament.teams)
    ]


def test_a_match_is_played_at_all_boards_with_seats_in_turn() -> None:
    evening = of_teams(2, 4)
    event = evening.proceed()
    assert isinstance(event, RoundPaired)
    boards = [{*PEOPLE[board : board + 5 : 4]} for board in range(4)]
    assert [set(table) for table in event.tables] == boards
    first = team_of(evening.tournament, event.tables[0][0])
    assert [team_of(evening.tournament, table[0]) == first for table in event.tables] == [True, False, True, False]


def test_match_points_come_before_points_in_games() -> None:
    evening = of_teams(3, 3, ROUND_ROBIN)
    won = {frozenset(("Reds", "Blues")): "Reds", frozenset(("Reds", "Greens")): "Reds"}
    while not evening.tournament.ended:
        evening.proceed()
        if evening.tournament.ended:
            break
        for match in matches(evening.tournament.rounds[-1], evening.tournament.teams):
            names = frozenset(team.name for team in match.teams)
            for board, table in enumerate(match.tables):
                if names not in won:
                    evening.decide(table, (1, 1))
                    continue
                # The Reds lose the last board of each match.
                wins = (team_of(evening.tournament, table.seats[0]) == "Reds") == (board < 2)
                evening.decide(table, (1, 2) if wins else (2, 1))
    # Each has one bye, which counts as a match that is won at every board.
    assert points_of(evening) == {
        "Reds": (6, 2 + 2 + 3),
        "Blues": (3, 1 + 1.5 + 3),
        "Greens": (3, 1 + 1.5 + 3),
    }
    assert evening.tournament.team_standings()[0].team.name == "Reds"
    assert len(evening.tournament.standings()) == 9


@pytest.mark.parametrize(("format", "times"), [(ROUND_ROBIN, 1), (DOUBLE_ROUND_ROBIN, 2)])
def test_in_a_round_robin_all_teams_meet(format: str, times: int) -> None:
    evening = of_teams(4, 2, format)
    evening.play(by_team(NAMES))
    assert sorted(map(sorted, met(evening.tournament))) == sorted(
        sorted(pair) for pair in combinations(NAMES, 2) for _ in range(times)
    )
    assert [row.team.name for row in evening.tournament.team_standings()] == list(NAMES)
    assert evening.tournament.team_standings()[0].match_points == 2 * 3 * times


def test_a_swiss_of_teams_repeats_no_match() -> None:
    evening = of_teams(4, 3)
    evening.play(by_team(NAMES))
    assert len(evening.tournament.rounds) == 2
    assert len(set(met(evening.tournament))) == 4


def test_a_drawn_match_of_a_knockout_is_played_again() -> None:
    evening = of_teams(2, 2, KNOCKOUT)
    evening.proceed()
    for table in evening.tournament.rounds[0].open:
        evening.decide(table, (1, 1))
    evening.proceed()
    first, again = ([table.seats for table in round.tables] for round in evening.tournament.rounds)
    assert again == [seats[::-1] for seats in first]
    for table in evening.tournament.rounds[1].open:
        evening.decide(table, by_team(NAMES)(evening.tournament, table))
    evening.proceed()
    assert evening.tournament.ended
    assert evening.tournament.team_standings()[0].team.name == "Reds"


def test_reserves_play_for_those_who_are_missing_and_an_empty_board_is_lost() -> None:
    evening = of_teams(2, 3, reserves=1, rounds=3, format=DOUBLE_ROUND_ROBIN)
    reds, blues = PEOPLE[:4], PEOPLE[4:8]
    evening.add(PlayerWithdrew(evening.at, reds[0]))
    evening.proceed()
    assert [set(table.seats) for table in evening.tournament.rounds[0].tables] == [
        {reds[1], blues[0]},
        {reds[2], blues[1]},
        {reds[3], blues[2]},
    ]
    evening.add(PlayerWithdrew(evening.at, reds[1]))
    for table in evening.tournament.rounds[0].open:
        evening.decide(table, (1, 1))
    evening.proceed()
    second = evening.tournament.rounds[1]
    assert [set(table.seats) for table in second.tables] == [{reds[2], blues[0]}, {reds[3], blues[1]}]
    assert second.byes == (blues[2],)
    for table in second.open:
        evening.decide(table, (1, 1))
    assert points_of(evening) == {"Reds": (1, 2.5), "Blues": (3, 3.5)}


def test_a_team_that_has_left_is_not_paired_and_can_come_back() -> None:
    evening = of_teams(3, 2, ROUND_ROBIN, rounds=3)
    for one in PEOPLE[:2]:
        evening.add(PlayerWithdrew(evening.at, one))
    evening.proceed()
    assert not {*PEOPLE[:2]} & {seat for table in evening.tournament.rounds[0].tables for seat in table.seats}
    evening.add(PlayerReturned(evening.at, PEOPLE[0]))
    while evening.tournament.rounds[-1].open:
        evening.round(by_team(NAMES))
    evening.play(by_team(NAMES))
    assert any("Reds" in pair for pair in met(evening.tournament))


def test_players_without_a_team_form_teams_by_lot() -> None:
    evening = Evening(Tournament(settings_of(boards=2)))
    for number, identity in enumerate(PEOPLE[:7]):
        evening.add(PlayerEnrolled(evening.at, identity, f"player{number}"))
    evening.add(TeamFormed(evening.at, "Team 1", (PEOPLE[3], PEOPLE[0])))
    evening.add(LotsDrawn(evening.at, SEED))
    named, *drawn = evening.tournament.teams
    assert (named.name, named.members) == ("Team 1", (PEOPLE[3], PEOPLE[0]))
    assert [(team.name, len(team.members)) for team in drawn] == [("Team 2", 2), ("Team 3", 2), ("Team 4", 1)]
    numbers = {player.identity: player.number for player in evening.tournament.players}
    by_lot = [numbers[one] for team in drawn for one in team.members]
    assert by_lot == sorted(by_lot)
    event = evening.proceed()
    assert check_claim(PairingClaim(Tournament.fold(evening.tournament.settings, evening.events[:-1]), event), None,
                       lambda _: pytest.fail("no game")) is None  # fmt: skip


def test_what_is_no_team_is_refused() -> None:
    evening = Evening(Tournament(settings_of(boards=2)))
    for number, identity in enumerate(PEOPLE[:4]):
        evening.add(PlayerEnrolled(evening.at, identity, f"player{number}"))
    evening.add(TeamFormed(1, "Reds", tuple(PEOPLE[:2])))
    for event, reason in (
        (TeamFormed(1, "Blues", (PEOPLE[1],)), "one team"),
        (TeamFormed(1, "Blues", ()), "one team"),
        (TeamFormed(1, "Blues", (PEOPLE[9],)), "only players"),
        (TeamFormed(1, "Reds", (PEOPLE[2],)), "already a team Reds"),
    ):
        with pytest.raises(ValueError, match=reason):
            evening.tournament.after(event)
    evening.add(LotsDrawn(1, SEED))
    with pytest.raises(ValueError, match="before the draw"):
        evening.tournament.after(TeamFormed(1, "Blues", (PEOPLE[2],)))
    with pytest.raises(ValueError, match="The teams are fixed"):
        evening.tournament.after(PlayerEnrolled(1, PEOPLE[5], "late"))
    alone = Evening.of(settings_of(), PEOPLE[:2])
    with pytest.raises(ValueError, match="has no teams"):
        alone.tournament.after(TeamFormed(1, "Reds", (PEOPLE[0],)))
