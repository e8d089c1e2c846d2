"""A tournament as a report for chess managers: column by column, and as another program reads it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import trf as other_trf
from caissify_pairings.fpc import check_trf
from caissify_pairings.trf import parse_trf

from kimberley.p2p.tournament.events import PlayerEnrolled, PlayerWithdrew
from kimberley.p2p.tournament.settings import ARENA, KNOCKOUT, ROUND_ROBIN, SWISS
from kimberley.referee import trf
from kimberley.referee.rulings import void_ruling
from tests.support.effort import one_is_quick
from tests.support.swiss_evenings import swiss_evening
from tests.support.tournaments import PEOPLE, Evening, by_chance, by_number, settings_of

COLUMNS = {
    "number": (5, 8),
    "name": (15, 47),
    "rating": (49, 52),
    "points": (81, 84),
    "rank": (86, 89),
    "first opponent": (92, 95),
    "first color": (97, 97),
    "first result": (99, 99),
    "second opponent": (102, 105),
    "second color": (107, 107),
    "second result": (109, 109),
}
"""Of a player's line (FIDE Handbook C.04.A, annex 2): the first and the last column, from 1."""


def fields(line: str) -> dict[str, str]:
    return {name: line[first - 1 : last].strip() for name, (first, last) in COLUMNS.items()}


def lines(evening: Evening) -> list[str]:
    return trf.report(evening.tournament).split("\r\n")


def test_each_column_says_what_the_handbook_says() -> None:
    evening = Evening.of(settings_of(rounds=2), PEOPLE[:3])
    evening.play(by_number)
    said = lines(evening)
    assert said[-1] == ""
    players = [fields(line) for line in said if line.startswith("001")]
    assert [one["number"] for one in players] == ["1", "2", "3"]
    rows = {row.player.number: row for row in evening.tournament.standings()}
    for one in players:
        row = rows[int(one["number"])]
        assert (one["name"], one["rating"]) == (row.player.nickname, "")
        assert (one["points"], one["rank"]) == (f"{float(row.points):.1f}", str(row.rank))
    first, second, third = players
    assert (third["first opponent"], third["first color"], third["first result"]) == ("0000", "-", "U")
    assert {first["first color"], second["first color"]} == {"w", "b"}
    assert (first["first opponent"], first["first result"]) == ("2", "1")
    assert (second["first opponent"], second["first result"]) == ("1", "0")
    assert [line for line in said if line[:3] in ("012", "062", "092", "XXR", "XXC")] == [
        "012 Friday Cup",
        "062 3",
        "092 Individual: Swiss-System (Dutch)",
        "XXR 2",
        "XXC white1",
    ]


def test_what_was_not_played_is_told_from_what_was() -> None:
    evening = Evening.of(settings_of(rounds=2), PEOPLE[:6])
    evening.proceed()
    first, second, third = evening.tournament.rounds[0].tables
    evening.absent(first, 1)
    evening.say(second, void_ruling(2, "It never began.").places, "void", None)
    evening.absent(third, 0, 1)
    evening.add(PlayerWithdrew(evening.at, third.seats[0]))
    evening.add(PlayerEnrolled(evening.at, PEOPLE[6], "late"))
    evening.proceed()
    numbers = {player.identity: player.number for player in evening.tournament.players}
    said = {int(one["number"]): one for one in map(fields, lines(evening)) if one["number"].isdigit()}

    def result(identity: bytes) -> str:
        return said[numbers[identity]]["first result"]

    assert [result(one) for one in first.seats] == ["+", "-"]
    # An opponent's number beside a draw would claim a game.
    assert [(result(one), said[numbers[one]]["first opponent"]) for one in second.seats] == [("H", "0000")] * 2
    assert [result(one) for one in third.seats] == ["-", "-"]
    assert result(PEOPLE[6]) == "Z"
    assert all(one["second opponent"] == one["second result"] == "" for one in said.values())
    for table in evening.tournament.rounds[-1].tables:
        evening.decide(table, (1, 2))
    said = {int(one["number"]): one for one in map(fields, lines(evening)) if one["number"].isdigit()}
    left, late = said[numbers[third.seats[0]]], said[numbers[PEOPLE[6]]]
    assert (left["second opponent"], left["second result"]) == ("0000", "Z")
    assert late["second opponent"] != "0000"
    assert late["second result"] in ("1", "0")


def test_a_round_is_in_the_report_once_it_is_over() -> None:
    evening = Evening.of(settings_of(rounds=2), PEOPLE[:4])
    evening.round(by_number)
    before = trf.report(evening.tournament)
    evening.proceed()
    one, other = evening.tournament.rounds[-1].tables
    evening.decide(one, (1, 2))
    assert trf.report(evening.tournament) == before
    evening.decide(other, (1, 2))
    after = trf.report(evening.tournament)
    assert after != before
    assert "XXR 2" in before


CODES = {"w": {"1", "0", "=", "+", "-"}, "b": {"1", "0", "=", "+", "-"}, "-": {"U", "H", "Z"}}
"""The results that another program may find next to a seat or to none."""


@pytest.mark.parametrize("number", one_is_quick(1, range(20)))
def test_another_program_reads_whatever_happens_in_an_evening(number: int) -> None:
    """Names of any script and length; who came late, left, stayed away or had a half-point bye; rulings; half a round
    in every second one.
    """
    tournament = swiss_evening(number, half=number % 2 == 0, byes=number % 3 > 0).tournament
    read = other_trf.loads(trf.report(tournament))
    over = [round for round in tournament.rounds if not round.open]
    played = {(table.seats, round.number) for round in over for table in round.tables if table.game is not None}
    numbers = {player.identity: player.number for player in tournament.players}
    assert read.numrounds == tournament.planned
    assert read.numplayers == len(read.players) == len(tournament.players)
    assert {one.startrank: one.name for one in read.players} == {
        player.number: tournament.name(player.identity)[:33].strip() for player in tournament.players
    }
    found = {(one.startrank, game.round): game for one in read.players for game in one.games}
    assert len(found) == len(over) * len(tournament.players)
    for (one, at), game in found.items():
        assert game.result in CODES[game.color]
        if game.startrank:
            assert found[game.startrank, at].startrank == one
    assert {key for key, game in found.items() if game.result in "10="} == {
        (numbers[seat], at) for seats, at in played for seat in seats
    }
    worth = {"1": 1.0, "+": 1.0, "U": 1.0, "=": 0.5, "H": 0.5, "0": 0.0, "-": 0.0, "Z": 0.0}
    for person in read.players:
        assert person.points == sum(worth[game.result] for game in person.games)


@pytest.mark.parametrize("format", [SWISS, ROUND_ROBIN, KNOCKOUT])
def test_another_program_reads_the_same_games(format: str) -> None:
    evening = Evening.of(settings_of(format), PEOPLE[:9])
    evening.play(by_chance(Random(4)))
    read = parse_trf(trf.report(evening.tournament))
    assert read["tournament"]["name"] == "Friday Cup"
    assert read["tournament"]["total_rounds"] == len(evening.tournament.rounds)
    numbers = {player.identity: player.number for player in evening.tournament.players}
    points = {row.player.number: float(row.points) for row in evening.tournament.standings()}
    assert {one["starting_number"]: one["score"] for one in read["players"]} == points
    results: dict[int, dict[int, Any]] = {one["starting_number"]: one["results"] for one in read["players"]}
    for round in evening.tournament.rounds:
        for table in round.tables:
            assert table.points is not None
            one, other = (numbers[seat] for seat in table.seats)
            signs = ["1" if won == 1 else "0" if won == 0 else "=" for won in table.points]
            assert results[one][round.number] == {"opponent": other, "color": "w", "result": signs[0]}
            assert results[other][round.number] == {"opponent": one, "color": "b", "result": signs[1]}


def test_a_checker_of_pairings_finds_a_swiss_in_order() -> None:
    evening = Evening.of(settings_of(rounds=5), PEOPLE[:12])
    evening.play(by_chance(Random(8)))
    found = check_trf(trf.report(evening.tournament))
    assert found["summary"]["rounds_checked"] == 5
    assert found["summary"]["total_discrepancies"] == 0


def test_teams_are_named_with_their_players_by_board() -> None:
    evening = Evening.of(settings_of(boards=2), PEOPLE[:4])
    evening.play(by_number)
    said = [line for line in lines(evening) if line[:3] in ("013", "082", "092")]
    assert said[:2] == ["082 2", "092 Team: Swiss-System (Dutch)"]
    assert [(line[4:36].strip(), line[36:40], line[41:45]) for line in said[2:]] == [
        ("Team 1", "   1", "   2"),
        ("Team 2", "   3", "   4"),
    ]


def test_only_rounds_at_tables_of_two_have_a_report() -> None:
    assert trf.has_report(settings_of())
    assert not trf.has_report(settings_of(seats=3))
    assert not trf.has_report(settings_of(ARENA))
