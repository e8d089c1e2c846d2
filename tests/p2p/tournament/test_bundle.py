"""The bundle of a cup: anybody can check it, and the first thing that is wrong with it is named."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from kimberley.client.cli import main, verify_all
from kimberley.client.cli.verify_all import verify_bundle
from kimberley.games.lookup import UnknownGame
from kimberley.games.table import Game, Plain
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.tournament import bundle, verification
from kimberley.p2p.tournament.bundle import ranked
from kimberley.p2p.tournament.events import (
    ABSENT,
    CHEATING,
    ORGANIZER,
    PLAYED,
    REFUSED,
    SILENCE,
    TIME,
    VOID,
    DecisionUndone,
    LotsDrawn,
    PlayerEnrolled,
    PlayerWithdrew,
    RoundPaired,
    decide,
    reopen,
)
from kimberley.p2p.tournament.points import places_after_ruling
from kimberley.p2p.tournament.settings import CURRENT_PAIRING
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.p2p.tournament.verification import UNDONE, ResultClaim, check_claim
from kimberley.protocol.audit import DAMAGED, FAIR, INCOMPLETE, UNFAIR, UNKNOWN, Verdict, verify
from kimberley.protocol.encoding import pack
from kimberley.protocol.record import MOST_BYTES
from tests.support.effort import spread
from tests.support.hostile_referee import FALSE, LAST, MISSING, UNPROVEN, other_places, ruled_without_proof
from tests.support.told import (
    CUP,
    Told,
    absent_seats,
    cut_at_the_audit,
    cut_in_the_middle,
    game_of,
    honest_cup,
    record_of,
    two_faced,
)
from tests.support.tournaments import PEOPLE, REFEREE, SEED, Evening, settings_of


@pytest.fixture(scope="module")
def honest() -> Told:
    return honest_cup()


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks everything in this process: what these tests claim needs no others."""
    monkeypatch.setattr(verify_all, "cores", lambda: 1)


@cache
def verified(data: bytes, find: Callable[[str], Game]) -> Verdict:
    return verify(data, find)


@pytest.fixture(autouse=True)
def each_record_is_verified_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verifies each record once: the bundles here hold the same four records, except for one that a test changes."""
    monkeypatch.setattr(verification, "verify", verified)


def judged(told: Told, path: Path) -> tuple[str, str]:
    finding = verify_bundle(told.write(path / "some.cup")).finding
    return finding.code, finding.reason


# -- bundles that are in order -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_cup_in_order(honest: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = honest.write(tmp_path / "friday.cup")
    assert main.main(["verify", str(path)]) == 0
    said = capsys.readouterr().out
    assert said.startswith(
        "Fair: 2 rounds, 4 results and 4 games check out.\n  The seed of the random draws is the one"
    )
    assert "Every pairing was made by the rules: Swiss system, 2 rounds." in said
    assert "The referee signed 4 results, each for the players at its table." in said
    assert "Friday Cup: 5 players" in said
    assert main.main(["verify", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["records"]) == ("fair", 4)
    tournament = Tournament.fold(honest.settings, honest.events)
    assert [line["identity"] for line in found["tournament"]["standings"]] == [
        one.player.identity.hex() for one in tournament.standings()
    ]


@pytest.mark.slow
def test_a_cup_that_goes_on_is_in_order_so_far(honest: Told, tmp_path: Path) -> None:
    told = replace(honest, events=honest.events[:-1])
    code, reason = judged(told, tmp_path)
    assert (code, reason[:28]) == (INCOMPLETE, "the tournament has not ended")


def test_a_clock_that_ran_out_is_the_referees_word(honest: Told, tmp_path: Path) -> None:
    silent = record_of(honest, LAST, cut_in_the_middle)
    places = places_after_ruling(2, [absent_seats(silent)[0]], None)
    found = verify_bundle(honest.say(LAST, silent, how=TIME, places=places).write(tmp_path / "some.cup"))
    assert found.finding.code == FAIR
    assert [(one.how, one.record) for one in found.unproven] == [(TIME, True)]


def test_rulings_that_their_records_bear_out(honest: Told, tmp_path: Path) -> None:
    """A cheat, a refused audit, a silent seat and a table that nobody came to: all as the audit has it."""
    cheat = record_of(honest, LAST, lambda record: two_faced(record, 1))
    found = verify_bundle(honest.say(LAST, cheat, how=CHEATING, places=(1, 0)).write(tmp_path / "some.cup"))
    assert (found.finding.code, found.unproven) == (FAIR, ())
    silent = record_of(honest, LAST, cut_in_the_middle)
    seat = absent_seats(silent)[0]
    told = honest.say(LAST, silent, how=SILENCE, places=places_after_ruling(2, [seat], None))
    assert judged(told, tmp_path)[0] == FAIR
    refused = record_of(honest, LAST, lambda record: cut_at_the_audit(record, 0))
    told = honest.say(LAST, refused, how=REFUSED, places=(0, 1))
    assert judged(told, tmp_path)[0] == FAIR


@pytest.mark.slow
def test_an_undone_decision_is_in_order_and_listed_with_what_it_undoes(tmp_path: Path) -> None:
    records: list[bytes] = []
    evening = Evening.of(replace(CUP, rounds=1), PEOPLE[:2])
    evening.write = lambda event, record: records.append(record) if record is not None else None
    evening.proceed()
    record, _ = game_of(evening, evening.tournament.rounds[0].tables[0])
    evening.say(evening.tournament.rounds[0].tables[0], (1, 0), ORGANIZER, cut_in_the_middle(record).pack())
    seats = evening.tournament.rounds[0].tables[0].seats
    event = DecisionUndone(evening.at, 1, 0, "The wrong name.", b"")
    evening.add(reopen(REFEREE, evening.tournament.settings, seats, event))
    record, places = game_of(evening, evening.tournament.rounds[0].tables[0])
    evening.say(evening.tournament.rounds[0].tables[0], places, PLAYED, record.pack())
    evening.proceed()
    found = verify_bundle(Told(evening.tournament.settings, evening.events, records).write(tmp_path / "some.cup"))
    assert found.finding.code == FAIR, found.finding.reason
    assert [(one.how, one.reason) for one in found.unproven] == [
        (ORGANIZER, "The game is over."),
        (UNDONE, "The wrong name."),
    ]


@pytest.mark.parametrize(
    ("size", "reason"),
    [
        (MOST_BYTES, "it was cut off in record 4 of 4"),
        (MOST_BYTES + 1, f"a record has {MOST_BYTES} bytes at most"),
        (-1, f"a record has {MOST_BYTES} bytes at most"),
    ],
)
def test_a_record_may_have_as_many_bytes_as_any(size: int, reason: str, honest: Told, tmp_path: Path) -> None:
    path = tmp_path / "some.cup"
    sizes = (*map(len, honest.records[:-1]), size)
    standings = ranked(Tournament.fold(honest.settings, honest.events))
    path.write_bytes(
        bundle.signed_head(REFEREE, honest.settings, honest.events, sizes, standings) + b"".join(honest.records)
    )
    finding = verify_bundle(path).finding
    assert (finding.code, finding.reason.endswith(f"({reason})")) == (DAMAGED, True), finding.reason


# -- what a referee could say that is not so ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", spread(16, FALSE))
def test_what_a_referee_signs_that_is_not_so_is_proven(name: str, honest: Told, tmp_path: Path) -> None:
    change, sentence = FALSE[name]
    code, reason = judged(change(honest), tmp_path)
    assert code == UNFAIR, reason
    assert sentence in reason


@pytest.mark.parametrize("name", MISSING)
def test_a_record_that_is_kept_back_is_missed(name: str, honest: Told, tmp_path: Path) -> None:
    told = MISSING[name](honest)
    found = verify_bundle(told.write(tmp_path / "some.cup"))
    assert (found.finding.code, found.finding.reason) == (
        INCOMPLETE,
        "round 2, table 2: a game began there, and its record is missing",
    )
    assert [(one.round, one.table, one.record) for one in found.unproven] == [(2, 1, False)]


def test_a_terminal_gets_whole_words_in_each_row(
    honest: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(honest.write(tmp_path / "some.cup"))
    assert main.main(["verify", path]) == 0
    piped = capsys.readouterr().out
    assert max(map(len, piped.splitlines())) > 80
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main.main(["verify", path]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) < 80
    assert shown.split() == piped.split()


@pytest.mark.parametrize("name", spread(4, UNPROVEN))
def test_what_only_the_referee_says_is_listed(
    name: str, honest: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = UNPROVEN[name](honest)
    path = told.write(tmp_path / "some.cup")
    assert main.main(["verify", str(path)]) == 0
    heading, *said = capsys.readouterr().out.splitlines()
    assert heading.startswith("Fair: ")
    said = said[said.index("  The standings match the results.") :]
    assert said[1] == "Taken on the referee’s word:"
    assert main.main(["verify", str(path), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["unproven"]
    assert said[2].strip() == found["reason"]
    assert found["round"] == 2
    assert said[3].startswith("Friday Cup")
    for player in found["players"]:
        assert f"{player['name']} ({player['identity'][:16]})" in said[2]
    result = Tournament.fold(told.settings, told.events).rounds[1].tables[1]
    assert result.decided is not None
    if found["table"] is not None:
        assert (found["round"], found["table"], found["how"]) == (2, 2, result.decided.how)
        assert found["record"] == (result.decided.record is not None)
        lost = [result.seats[seat] for seat in result.decided.lost] or result.seats
        assert [player["identity"] for player in found["players"]] == [identity.hex() for identity in lost]


def test_of_several_wrong_things_the_worst_is_named_and_of_those_the_first(honest: Told, tmp_path: Path) -> None:
    false = ruled_without_proof(other_places(honest))
    assert judged(false, tmp_path)[1].startswith("round 1, table 1: ")
    damaged = honest.say(0, b"no record").say(LAST, how=CHEATING, places=(1, 0))
    code, reason = judged(damaged, tmp_path)
    assert (code, reason[:17]) == (UNFAIR, "round 2, table 2:")


def test_a_game_that_this_program_does_not_have_cannot_be_judged(honest: Told) -> None:
    def find(id: str) -> Game:
        raise UnknownGame(id)

    at, event, seats = honest.result(0)
    assert honest.events[at] is event
    finding = check_claim(ResultClaim(honest.settings, seats, event), honest.records[0], find)
    assert finding is not None
    assert (finding.code, finding.reason[:18]) == (UNKNOWN, "round 1, table 1: ")


# -- bytes that are no bundle ------------------------------------------------------------------------------------------


def test_a_record_that_was_exchanged_is_damage(honest: Told, tmp_path: Path) -> None:
    path = honest.write(tmp_path / "some.cup")
    data = bytearray(path.read_bytes())
    data[-40] ^= 1
    path.write_bytes(data)
    finding = verify_bundle(path).finding
    assert (finding.code, finding.reason) == (
        DAMAGED,
        "round 2, table 2: the record is not the one that the result names",
    )


def test_who_is_not_the_referee_cannot_sign_for_it(honest: Told, tmp_path: Path) -> None:
    code, reason = judged(replace(honest, referee=Identity.of(bytes(32))), tmp_path)
    assert code == DAMAGED
    assert "has not signed" in reason


@pytest.mark.parametrize("size", [1, 17, 20, 100, 1000])
def test_a_bundle_that_was_cut_is_damaged(size: int, honest: Told, tmp_path: Path) -> None:
    path = honest.write(tmp_path / "some.cup")
    data = path.read_bytes()
    for left in (data[:size], data[:-size], data + bytes(size)):
        path.write_bytes(left)
        assert verify_bundle(path).finding.code == DAMAGED


@pytest.mark.slow
def test_no_byte_of_a_bundle_can_be_changed(honest: Told, tmp_path: Path) -> None:
    path = honest.write(tmp_path / "some.cup")
    data = path.read_bytes()
    rng = Random(1)
    for at in rng.sample(range(len(data)), 12) + rng.sample(range(200), 12):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :])
        assert verify_bundle(path).finding.code in (DAMAGED, UNKNOWN)


@pytest.mark.parametrize(
    "head",
    [
        None,
        (),
        (1,),
        (1, (), (), (), ()),
        (True, CUP.plain(), (), (), ()),
        (1, CUP.plain(), (b"",), (), ()),
        (1, CUP.plain(), (7,), (), ()),
        (1, CUP.plain(), (pack(("enrolled", 1, bytes(32), "\x1b[2J")),), (), ()),
        (1, CUP.plain(), (), (2**40,), ()),
        (1, CUP.plain(), (), (True,), ()),
        (1, CUP.plain(), (), (), (1,)),
        (2, CUP.plain(), ((),), (), ()),
        (2, CUP.plain(), (b"",), (), ()),
        (2, CUP.plain(), (pack(1),), (), ()),
        (2, CUP.plain(), (pack(()),), (), ()),
        (2, CUP.plain(), (), (1,), ()),
        (2, CUP.plain(), (pack((0,)),), (), ()),
    ],
)
def test_a_head_that_makes_no_sense_is_damage(head: Plain, tmp_path: Path) -> None:
    path = tmp_path / "some.cup"
    data = pack(head)
    path.write_bytes(bundle.MAGIC + struct.pack(">I", len(data)) + data + REFEREE.sign(bundle.PURPOSE, data))
    assert verify_bundle(path).finding.code == DAMAGED


def test_what_this_program_does_not_know_is_unknown(honest: Told, tmp_path: Path) -> None:
    path = tmp_path / "some.cup"
    data = pack((3, "what a later program writes"))
    path.write_bytes(bundle.MAGIC + struct.pack(">I", len(data)) + data + REFEREE.sign(bundle.PURPOSE, data))
    finding = verify_bundle(path).finding
    assert (finding.code, "revision 3" in finding.reason) == (UNKNOWN, True)


def test_a_tournament_that_a_later_version_has_paired_is_unknown(honest: Told, tmp_path: Path) -> None:
    later = replace(honest, settings=replace(honest.settings, pairing=CURRENT_PAIRING + 1))
    code, reason = judged(later, tmp_path)
    assert (code, reason) == (
        UNKNOWN,
        f"its pairings are of revision {CURRENT_PAIRING + 1}, this program knows {CURRENT_PAIRING}",
    )


def test_a_cup_with_more_events_than_fit_into_one_message_is_in_order(
    honest: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = honest.write(tmp_path / "some.cup")
    monkeypatch.setattr(bundle, "MAX_ITEMS", 40)
    monkeypatch.setattr(bundle, "PART", 3)
    parts = honest.write(tmp_path / "parts.cup")
    with path.open("rb") as whole, parts.open("rb") as split:
        one, other = bundle.read_bundle(whole), bundle.read_bundle(split)
    assert (one.events, one.sizes, one.standings) == (other.events, other.sizes, other.standings)
    assert one.start < other.start
    assert verify_bundle(parts).finding.code == FAIR


def test_a_cup_that_fits_into_no_bundle_is_refused_with_a_sentence(
    honest: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "MOST_HEAD", 100)
    with pytest.raises(StorageError, match=r"more than a tournament file can list in 0 MiB.*Copy its folder instead"):
        honest.write(tmp_path / "some.cup")
    assert not (tmp_path / "some.cup").exists()


@pytest.mark.slow
def test_a_hostile_cup_is_judged_and_nothing_else(tmp_path: Path) -> None:
    """Everything that a referee can sign comes to a verdict."""
    for salt in range(60):
        rng = Random(salt)
        evening = Evening.of(settings_of(rng.choice(("swiss", "round-robin", "knockout")), seats=rng.choice((2, 4))))
        told = Told(evening.tournament.settings, [], [], standings=())
        people = PEOPLE[:6]
        for number in range(rng.randint(0, 6)):
            told.events.append(PlayerEnrolled(0, people[number], "someone"))
        told.events.append(LotsDrawn(0, SEED))
        for round in range(1, rng.randint(2, 5)):
            some = tuple(rng.sample(people, 4))
            tables = rng.choice([(some[:2], some[2:]), (some,), (), (some[:2],)])
            told.events.append(RoundPaired(0, round, tables, rng.choice([(), some[3:], tuple(people)])))
            for number, seats in enumerate(tables):
                places = rng.choice([[1] * len(seats), [0] * len(seats)])
                how = VOID if 1 in places else ABSENT
                said = decide(
                    REFEREE,
                    told.settings,
                    seats,
                    at=0,
                    round=round,
                    table=number,
                    places=places,
                    how=how,
                    sentence="So.",
                )
                told.events.append(said)
            if rng.random() < 0.3:
                told.events.append(PlayerWithdrew(0, rng.choice(people)))
        try:
            tournament = Tournament.fold(told.settings, told.events)
        except ValueError:
            tournament = Tournament(told.settings)
        told.standings = ranked(tournament)
        assert judged(told, tmp_path)[0] in (UNFAIR, INCOMPLETE)
