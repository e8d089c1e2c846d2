"""A cup as other programs read it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from random import Random

import pytest

from kimberley.client.cli.verify_all import verify_bundle
from kimberley.games import lookup
from kimberley.games.diamond import GAME as DIAMOND
from kimberley.games.diamond.score_sheet import read_sheet, turns_of_story
from kimberley.games.table import Game
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.tournament.events import (
    LotsDrawn,
    PlayerEnrolled,
    TableDecided,
)
from kimberley.p2p.tournament.tournament_json import as_json
from kimberley.protocol.audit import INCOMPLETE, audit
from kimberley.referee import export
from kimberley.referee.store import Store
from tests.support.stones import STONES
from tests.support.tables import at_once, played
from tests.support.told import (
    honest_cup,
)
from tests.support.tournaments import PEOPLE, REFEREE, SEED, Evening, by_chance, by_number, settings_of


def no_game(game: str) -> Game:
    """Finds a game of stones for the name "some-game"."""
    assert game == "some-game"
    return STONES


def test_a_cup_is_exported_for_programs_and_spreadsheets() -> None:
    evening = Evening.of(settings_of(seats=4, rounds=2))
    for number, name in enumerate(["=SUM(A1)", "Ana", 'Ben "the first"', "@you", "Ed"]):
        evening.add(PlayerEnrolled(1, PEOPLE[number], name))
    evening.add(LotsDrawn(1, SEED))
    evening.round(by_number)
    evening.proceed()
    tournament = evening.tournament
    found = json.loads(json.dumps(as_json(tournament)))
    assert found["phase"] == "playing"
    assert len(found["rounds"]) == 2
    assert sum(line["points"] for line in found["standings"]) == 2.5
    assert found["rounds"][1]["tables"][0]["result"] is None
    standings = list(csv.DictReader(io.StringIO(export.standings_csv(tournament))))
    assert {line["name"] for line in standings} == {"'=SUM(A1)", "Ana", 'Ben "the first"', "'@you", "Ed"}
    assert [line["rank"] for line in standings] == ["1", "2", "3", "4", "5"]
    results = list(csv.DictReader(io.StringIO(export.results_csv(tournament))))
    assert len(results) == 10
    assert [line["points"] for line in results[:3]] == ["1", "0.5", "0"]
    assert {line["points"] for line in results[5:]} == {""}
    assert [line["seat"] for line in results] == ["1", "2", "3", "1", "2"] * 2


@pytest.mark.parametrize(
    "sign",
    [*"=+-@", *"\uff1d\uff0b\uff0d\uff20", *"\ufe66\ufe62\ufe63\ufe6b", *"\u207c\u207a\u207b", "\u208c", "\u2212"],
)
def test_no_name_is_a_formula_to_a_spreadsheet(sign: str) -> None:
    """Wherever a cell begins: also behind a semicolon, which separates cells in half of Europe, and behind spaces."""
    names = [f"{sign}SUM(A1)", f"Ana;{sign}1", f"Ana; {sign}1", "Ana = Bea", "Ana-Bea"]
    evening = Evening.of(settings_of())
    for number, name in enumerate(names):
        evening.add(PlayerEnrolled(1, PEOPLE[number], name))
    shown = {line["name"] for line in csv.DictReader(io.StringIO(export.standings_csv(evening.tournament)))}
    assert shown == {f"'{sign}SUM(A1)", f"Ana;'{sign}1", f"Ana; '{sign}1", "Ana = Bea", "Ana-Bea"}


def test_all_is_written_beside_the_store(tmp_path: Path) -> None:
    with Store.create(tmp_path, settings_of(rounds=1), SEED) as store:
        evening = Evening.of(store.settings)
        evening.write = store.add
        evening.add(PlayerEnrolled(1, PEOPLE[0], "Ana"))
        evening.add(PlayerEnrolled(1, PEOPLE[1], "Ben"))
        evening.add(LotsDrawn(1, SEED))
        for _ in range(2):
            paths = export.export_tournament(tmp_path, REFEREE, no_game)
        names = ["friday-cup.cup", "friday-cup.json", "friday-cup-standings.csv", "friday-cup-results.csv"]
        names.append("friday-cup.trf")
        assert [path.name for path in paths] == names
        assert sorted(paths) == sorted((tmp_path / "export").iterdir())
        assert verify_bundle(paths[0]).finding.code == INCOMPLETE
        evening.play(by_number)
        export.export_tournament(tmp_path, REFEREE, no_game)
        assert json.loads(paths[1].read_text("utf-8"))["phase"] == "ended"


@pytest.mark.slow
def test_the_games_of_diamond_are_written_down(tmp_path: Path) -> None:
    record = played(DIAMOND, choosers=at_once(DIAMOND, 2)).peers[0].record()
    with Store.create(tmp_path, settings_of(rounds=1, game="diamond"), SEED) as store:
        evening = Evening.of(store.settings)
        evening.write = store.add
        for number, name in enumerate(("Ana", "Ben")):
            evening.add(PlayerEnrolled(1, PEOPLE[number], name))
        evening.add(LotsDrawn(1, SEED))
        evening.proceed()
        (table,) = evening.tournament.rounds[0].tables
        evening.decide(table, (1, 2), record=record.pack())
        assert not any(path.suffix == ".txt" for path in export.export_tournament(tmp_path, REFEREE, lookup.find))
        evening.proceed()
        *_, path = export.export_tournament(tmp_path, REFEREE, lookup.find)
    assert path.name == "friday-cup-games.txt"
    first, sides, *sheet = path.read_text("utf-8").splitlines()
    assert first == "Round 1, table 1. The game is over."
    assert sorted(sides.replace("Black: ", "").replace("White: ", "").split(", ")) == ["Ana", "Ben"]
    story = audit(record.pack(), lookup.find).story
    assert read_sheet("\n".join(sheet)).turns == turns_of_story(story)


def test_a_bye_is_a_line_of_its_own() -> None:
    tournament = Evening.of(settings_of(rounds=1), PEOPLE[:3]).play(by_number)
    lines = list(csv.DictReader(io.StringIO(export.results_csv(tournament))))
    assert [(line["how"], line["points"]) for line in lines][-1] == ("bye", "1")


def test_a_direct_encounter_is_exported_where_it_decides() -> None:
    tournament = Evening.of(settings_of(rounds=3), PEOPLE[:4]).play(by_chance(Random(52), 0.5))
    exported = {line["number"]: line["direct_encounter"] for line in as_json(tournament)["standings"]}
    direct = {one.player.number: one.direct for one in tournament.standings()}
    assert direct[4] == 1
    assert direct[1] == 0
    assert exported == {number: None if one is None else float(one) for number, one in direct.items()}


def test_all_that_is_public_of_a_cup_is_in_its_export() -> None:
    options = {"map": "small", "mark": bytes(2), "sizes": (1, (2, b"\x0a"))}
    evening = Evening.of(settings_of(rounds=1, options=options), PEOPLE[:3])
    evening.round(by_number)
    tournament = evening.tournament
    found = json.loads(json.dumps(as_json(tournament)))
    assert found["cup"] == {
        "id": tournament.settings.id.hex(),
        "name": "Friday Cup",
        "referee": REFEREE.public.hex(),
        "game": "some-game",
        "rules": 1,
        "options": {"map": "small", "mark": "0000", "sizes": [1, [2, "0a"]]},
        "format": "swiss",
        "rounds": 1,
        "minutes": 0,
        "boards": 0,
        "seats": 2,
        "clock": {"main": 1200, "increment": 10},
    }
    (table,), (resting,) = tournament.rounds[0].tables, tournament.rounds[0].byes
    said = table.decided
    assert said is not None
    assert said.game is not None
    assert said.record is not None
    assert found["rounds"] == [
        {
            "round": 1,
            "tables": [
                {
                    "table": 1,
                    "seats": [identity.hex() for identity in table.seats],
                    "game": said.game.hex(),
                    "result": {
                        "at": said.at,
                        "places": list(said.places),
                        "points": [1.0 if place == 1 else 0.0 for place in said.places],
                        "how": "played",
                        "sentence": "The game is over.",
                        "record": said.record.hex(),
                        "signature": said.signature.hex(),
                    },
                }
            ],
            "byes": [resting.hex()],
            "half_byes": [],
        }
    ]
    (first, *_), (shown, *_) = tournament.standings(), found["standings"]
    assert shown == {
        "rank": 1,
        "identity": first.player.identity.hex(),
        "name": first.player.nickname,
        "number": first.player.number,
        "bot": False,
        "state": "in",
        "points": 1.0,
        "buchholz": float(first.buchholz),
        "sonneborn_berger": float(first.sonneborn),
        "direct_encounter": None,
        "wins": first.wins,
        "byes": first.byes,
        "half_byes": first.half_byes,
        "reached": 0,
        "ratings": [1500, first.rating],
    }
    assert as_json(Evening.of(settings_of(clock=None), PEOPLE[:2]).tournament)["cup"]["clock"] is None


def test_each_line_for_a_spreadsheet_says_whose_it_is() -> None:
    evening = Evening.of(settings_of(rounds=1), PEOPLE[:3])
    evening.round(by_number)
    tournament = evening.tournament
    (table,), (resting,) = tournament.rounds[0].tables, tournament.rounds[0].byes
    said = table.decided
    assert said is not None
    assert said.record is not None
    assert export.results_csv(tournament).splitlines() == [
        "round,table,seat,name,place,points,how,sentence,identity,record",
        *(
            f"1,1,{seat + 1},{tournament.name(identity)},{said.places[seat]},{int(said.places[seat] == 1)},played,"
            f"The game is over.,{identity.hex()},{said.record.hex()}"
            for seat, identity in enumerate(table.seats)
        ),
        f"1,,,{tournament.name(resting)},,1,bye,,{resting.hex()},",
    ]
    head, *lines = export.standings_csv(tournament).splitlines()
    assert head == "rank,name,points,buchholz,sonneborn_berger,wins,byes,half_byes,rating,state,identity"
    for line, one in zip(lines, tournament.standings(), strict=True):
        assert line == (
            f"{one.rank},{one.player.nickname},{one.points},{one.buchholz},{one.sonneborn},{one.wins},{one.byes},"
            f"{one.half_byes},{one.rating},in,{one.player.identity.hex()}"
        )


def test_what_a_store_holds_is_what_its_bundle_says(tmp_path: Path) -> None:
    honest = honest_cup()
    records = iter(honest.records)
    with Store.create(tmp_path, honest.settings, SEED) as store:
        for event in honest.events:
            store.add(event, next(records) if isinstance(event, TableDecided) else None)
        export.write_bundle(tmp_path / "friday.cup", REFEREE, store.settings, store.events(), store.record)
        assert (tmp_path / "friday.cup").read_bytes() == honest.write(tmp_path / "same.cup").read_bytes()
        first = next(event.record for event in honest.events if isinstance(event, TableDecided) and event.record)
        with pytest.raises(StorageError, match=f"^The record {first.hex()[:16]} of a game in Friday Cup is missing"):
            export.write_bundle(tmp_path / "lost.cup", REFEREE, store.settings, store.events(), lambda digest: None)
    assert sorted(path.name for path in tmp_path.glob("*.cup")) == ["friday.cup", "same.cup"]
