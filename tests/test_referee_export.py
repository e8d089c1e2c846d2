"""A cup as other programs read it."""

from __future__ import annotations

import csv
import io
import json

from p2p.referee import export
from p2p.referee.events import Drawn, Enrolled
from tests.support.cups import PEOPLE, SEED, Evening, by_number, cup_of


def test_a_cup_is_exported_for_programs_and_spreadsheets() -> None:
    evening = Evening.of(cup_of(seats=4, rounds=2))
    for number, name in enumerate(["=SUM(A1)", "Ana", "Ben, the first", "@you", "Ed"]):
        evening.add(Enrolled(1, PEOPLE[number], name))
    evening.add(Drawn(1, SEED))
    evening.round(by_number)
    evening.proceed()
    tournament = evening.tournament
    found = json.loads(json.dumps(export.as_json(tournament)))
    assert found["phase"] == "playing"
    assert len(found["rounds"]) == 2
    assert sum(line["points"] for line in found["standings"]) == 2.5
    assert found["rounds"][1]["tables"][0]["result"] is None
    standings = list(csv.DictReader(io.StringIO(export.standings_csv(tournament))))
    assert {line["name"] for line in standings} == {"'=SUM(A1)", "Ana", "Ben, the first", "'@you", "Ed"}
    assert [line["rank"] for line in standings] == ["1", "2", "3", "4", "5"]
    results = list(csv.DictReader(io.StringIO(export.results_csv(tournament))))
    assert len(results) == 10
    assert [line["points"] for line in results[:3]] == ["1", "0.5", "0"]
    assert {line["points"] for line in results[5:]} == {""}


def test_a_bye_is_a_line_of_its_own() -> None:
    tournament = Evening.of(cup_of(rounds=1), PEOPLE[:3]).play(by_number)
    lines = list(csv.DictReader(io.StringIO(export.results_csv(tournament))))
    assert [(line["how"], line["points"]) for line in lines][-1] == ("bye", "1")
