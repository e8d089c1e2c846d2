"""The bundle of a cup: anybody can check it, and of whatever is wrong with it the first thing is named."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from client import cli, verify_all
from client.verify_all import judge_bundle
from games.land import GAME
from games.table import Plain
from p2p.files import StorageTrouble
from p2p.identity import Identity
from p2p.referee import bundle
from p2p.referee.bundle import ranked
from p2p.referee.events import (
    ABSENT,
    CHEATING,
    PLAYED,
    REFUSED,
    SILENCE,
    TIME,
    VOID,
    Decided,
    Drawn,
    Enrolled,
    Paired,
    Seated,
    Withdrew,
    decide,
)
from p2p.referee.points import ruled
from p2p.referee.store import Store
from p2p.referee.tournament import Tournament
from protocol.audit import DAMAGED, FAIR, INCOMPLETE, UNFAIR, UNKNOWN
from protocol.encoding import pack
from tests.support.cups import PEOPLE, REFEREE, SEED, Evening, cup_of, seated_at
from tests.support.told import (
    CUP,
    Told,
    absent_seats,
    cut_at_the_audit,
    cut_in_the_middle,
    honest_cup,
    record_of,
    two_faced,
)


@pytest.fixture(scope="module")
def honest() -> Told:
    return honest_cup()


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test claims here needs no other processes."""
    monkeypatch.setattr(verify_all, "cores", lambda: 1)


def judged(told: Told, path: Path) -> tuple[str, str]:
    finding = judge_bundle(told.write(path / "some.cup")).finding
    return finding.code, finding.reason


# -- bundles that are in order -----------------------------------------------------------------------------------------


def test_a_cup_in_order(honest: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = honest.write(tmp_path / "friday.cup")
    assert cli.main(["verify", str(path)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("In order: the pairings of 2 rounds were made again, the signatures of 4 results hold")
    assert "Friday Cup: 5 players" in said
    assert cli.main(["verify", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["records"]) == ("fair", 4)
    tournament = Tournament.fold(honest.cup, honest.events)
    assert [line["identity"] for line in found["tournament"]["standings"]] == [
        one.player.identity.hex() for one in tournament.standings()
    ]


def test_what_a_store_holds_is_what_its_bundle_says(honest: Told, tmp_path: Path) -> None:
    records = iter(honest.records)
    with Store.create(tmp_path, honest.cup, SEED) as store:
        for event in honest.events:
            store.add(event, next(records) if isinstance(event, Decided) else None)
        bundle.write(tmp_path / "friday.cup", REFEREE, store.cup, store.events(), store.record)
        assert (tmp_path / "friday.cup").read_bytes() == honest.write(tmp_path / "same.cup").read_bytes()
        with pytest.raises(StorageTrouble, match="is missing"):
            bundle.write(tmp_path / "lost.cup", REFEREE, store.cup, store.events(), lambda digest: None)
    assert sorted(path.name for path in tmp_path.glob("*.cup")) == ["friday.cup", "same.cup"]


def test_a_cup_that_goes_on_is_in_order_so_far(honest: Told, tmp_path: Path) -> None:
    told = replace(honest, events=honest.events[:-1])
    code, reason = judged(told, tmp_path)
    assert (code, reason[:21]) == (INCOMPLETE, "the cup has not ended")


def test_rulings_that_their_records_bear_out(honest: Told, tmp_path: Path) -> None:
    """A cheat, a refused audit, a silent seat and a table that nobody came to: all as the audit has it."""
    told = honest.copy()
    record = honest.games[honest.result(3)[1].game or b""]
    told = told.say(3, two_faced(record, 1), how=CHEATING, places=(1, 0))
    code, reason = judged(told, tmp_path)
    assert (code, reason) == (FAIR, reason), reason
    silent = record_of(honest, 3, lambda record: cut_in_the_middle(record))
    seat = absent_seats(silent)[0]
    told = honest.say(3, silent, how=SILENCE, places=ruled(2, [seat], None))
    assert judged(told, tmp_path)[0] == FAIR
    refused = record_of(honest, 3, lambda record: cut_at_the_audit(record, 0))
    told = honest.say(3, refused, how=REFUSED, places=(0, 1))
    assert judged(told, tmp_path)[0] == FAIR


# -- what a referee could say that is not so ---------------------------------------------------------------------------


def lost_to_nobody(honest: Told) -> Told:
    _, said, _ = honest.result(0)
    return honest.say(
        0, places=tuple(3 - place if len(set(said.places)) > 1 else seat + 1 for seat, place in enumerate(said.places))
    )


def others_paired(honest: Told) -> Told:
    """The first round, with two players in each other's place."""
    told = honest.copy()
    at = told.index(Paired)
    paired = told.events[at]
    assert isinstance(paired, Paired)
    (a, b), (c, d) = paired.tables
    told.events = [*told.events[:at], replace(paired, tables=((a, c), (b, d)))]
    told.records = []
    return told


def seats_swapped(honest: Told) -> Told:
    told = honest.copy()
    at = told.index(Paired)
    paired = told.events[at]
    assert isinstance(paired, Paired)
    told.events = [*told.events[:at], replace(paired, tables=tuple(table[::-1] for table in paired.tables))]
    told.records = []
    return told


def unsigned(honest: Told) -> Told:
    told = honest.copy()
    at, said, _ = told.result(1)
    told.events[at] = replace(said, sentence="Another sentence.")
    return told


def other_standings(honest: Told) -> Told:
    right = ranked(Tournament.fold(honest.cup, honest.events))
    return replace(honest, standings=(right[1], right[0], *right[2:]))


def one_record_more(honest: Told) -> Told:
    return replace(honest, records=[*honest.records, b"one more"])


def out_of_order(honest: Told) -> Told:
    told = honest.copy()
    drawn = told.index(Drawn)
    told.events = [*told.events[:drawn], *told.events[drawn + 1 :]]
    return replace(told, standings=())


def ruled_without_proof(honest: Told) -> Told:
    return honest.say(2, how=CHEATING, places=(1, 0))


def ruled_against_the_other(honest: Told) -> Told:
    cheat = two_faced(honest.games[honest.result(2)[1].game or b""], 1)
    return honest.say(2, cheat, how=CHEATING, places=(0, 1))


def cheat_let_off(honest: Told) -> Told:
    cheat = two_faced(honest.games[honest.result(2)[1].game or b""], 1)
    return honest.say(2, cheat, how=TIME, places=(1, 0))


def cheat_called_played(honest: Told) -> Told:
    cheat = two_faced(honest.games[honest.result(2)[1].game or b""], 1)
    return honest.say(2, cheat)


def blamed_for_anothers_silence(honest: Told) -> Told:
    silent = record_of(honest, 2, cut_in_the_middle)
    (seat,) = absent_seats(silent)
    return honest.say(2, silent, how=SILENCE, places=ruled(2, [1 - seat], None))


def blamed_for_refusing(honest: Told) -> Told:
    silent = record_of(honest, 2, cut_in_the_middle)
    (seat,) = absent_seats(silent)
    return honest.say(2, silent, how=REFUSED, places=ruled(2, [seat], None))


def another_table(honest: Told) -> Told:
    """The result of a table names the game of another one."""
    other = honest.games[honest.result(1)[1].game or b""]
    told = honest.say(0, other)
    at = told.index(Seated)
    seated = told.events[at]
    assert isinstance(seated, Seated)
    told.events[at] = replace(seated, game=other.table.game_id)
    return told.say(0, other, game=other.table.game_id)


def another_game_id(honest: Told) -> Told:
    told = honest.copy()
    at = told.index(Seated)
    seated = told.events[at]
    assert isinstance(seated, Seated)
    told.events[at] = replace(seated, game=bytes(32))
    return told.say(0, game=bytes(32))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lost_to_nobody, "round 1, table 1: the game ended with other places"),
        (others_paired, "round 1 is not paired as the rules of its format pair it"),
        (seats_swapped, "round 1 is not paired"),
        (unsigned, "round 1, table 2: the referee has not signed this result"),
        (other_standings, "its standings are not those that its results give"),
        (one_record_more, "its results name 4 records, and it holds 5"),
        (out_of_order, "event 6 cannot have happened there: No round begins now"),
        (ruled_without_proof, "round 2, table 1: the record is fair, and the result says 'cheating'"),
        (ruled_against_the_other, "others are ruled against than the record proves"),
        (cheat_let_off, "the record is unfair, and the result says 'time'"),
        (cheat_called_played, "the record is unfair, and the result says that it was played"),
        (blamed_for_anothers_silence, "the step of another seat is absent"),
        (blamed_for_refusing, "refused the audit"),
        (another_table, "round 1, table 1: others sat there than the referee says"),
        (another_game_id, "round 1, table 1: the record is of another game than the result"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_a_referee_signs_that_is_not_so_is_proven(
    change: Callable[[Told], Told], sentence: str, honest: Told, tmp_path: Path
) -> None:
    code, reason = judged(change(honest), tmp_path)
    assert code == UNFAIR
    assert sentence in reason


@pytest.mark.parametrize(
    ("changed", "code", "sentence"),
    [
        ({"options": {"map": "small"}}, UNFAIR, "other options"),
        ({"rules": GAME.revision + 1}, UNFAIR, "another game"),
        ({"game": "chess"}, UNFAIR, "another game"),
    ],
)
def test_a_game_is_the_one_that_the_cup_announced(
    changed: dict[str, Any], code: str, sentence: str, honest: Told, tmp_path: Path
) -> None:
    what: dict[str, Any] = {"game": GAME.id, "rules": GAME.revision, "rounds": 2}
    cup = cup_of("swiss", **(what | changed))
    evening = Evening.of(cup, PEOPLE[:2])
    evening.proceed()
    table = evening.tournament.rounds[-1].tables[0]
    wire = seated_at(GAME, CUP, [PEOPLE.index(one) for one in table.seats], "another")
    wire.run()
    record = wire.peers[0].record()
    evening.add(Seated(1, 1, 0, record.table.game_id))
    assert wire.peers[0].result is not None
    evening.say(table, wire.peers[0].result.places, PLAYED, record.pack())
    found = judged(Told(cup, evening.events, [record.pack()]), tmp_path)
    assert found[0] == code
    assert sentence in found[1]


def test_of_several_wrong_things_the_first_is_named(honest: Told, tmp_path: Path) -> None:
    told = ruled_without_proof(lost_to_nobody(honest))
    assert judged(told, tmp_path)[1].startswith("round 1, table 1: ")


# -- bytes that are no bundle ------------------------------------------------------------------------------------------


def test_a_record_that_was_exchanged_is_damage(honest: Told, tmp_path: Path) -> None:
    path = honest.write(tmp_path / "some.cup")
    data = bytearray(path.read_bytes())
    data[-40] ^= 1
    path.write_bytes(data)
    finding = judge_bundle(path).finding
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
        assert judge_bundle(path).finding.code == DAMAGED


def test_no_byte_of_a_bundle_can_be_changed(honest: Told, tmp_path: Path) -> None:
    path = honest.write(tmp_path / "some.cup")
    data = path.read_bytes()
    rng = Random(1)
    for at in rng.sample(range(len(data)), 12) + rng.sample(range(200), 12):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :])
        assert judge_bundle(path).finding.code in (DAMAGED, UNKNOWN)


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
    ],
)
def test_a_head_that_makes_no_sense_is_damage(head: Plain, tmp_path: Path) -> None:
    path = tmp_path / "some.cup"
    data = pack(head)
    path.write_bytes(bundle.MAGIC + struct.pack(">I", len(data)) + data + REFEREE.sign(bundle.PURPOSE, data))
    assert judge_bundle(path).finding.code == DAMAGED


def test_what_this_program_does_not_know_is_unknown(honest: Told, tmp_path: Path) -> None:
    path = tmp_path / "some.cup"
    data = pack((2, "what a later program writes"))
    path.write_bytes(bundle.MAGIC + struct.pack(">I", len(data)) + data + REFEREE.sign(bundle.PURPOSE, data))
    finding = judge_bundle(path).finding
    assert (finding.code, "revision 2" in finding.reason) == (UNKNOWN, True)


def test_a_hostile_cup_is_judged_and_nothing_else(tmp_path: Path) -> None:
    """Everything that a referee can sign comes to a verdict."""
    for salt in range(60):
        rng = Random(salt)
        evening = Evening.of(cup_of(rng.choice(("swiss", "round-robin", "knockout")), seats=rng.choice((2, 4))))
        told = Told(evening.tournament.cup, [], [], standings=())
        people = PEOPLE[:6]
        for number in range(rng.randint(0, 6)):
            told.events.append(Enrolled(0, people[number], "someone"))
        told.events.append(Drawn(0, SEED))
        for round in range(1, rng.randint(2, 5)):
            some = tuple(rng.sample(people, 4))
            tables = rng.choice([(some[:2], some[2:]), (some,), (), (some[:2],)])
            told.events.append(Paired(0, round, tables, rng.choice([(), some[3:], tuple(people)])))
            for number, seats in enumerate(tables):
                places = rng.choice([[1] * len(seats), [0] * len(seats)])
                how = VOID if 1 in places else ABSENT
                said = decide(
                    REFEREE, told.cup, seats, at=0, round=round, table=number, places=places, how=how, sentence="So."
                )
                told.events.append(said)
            if rng.random() < 0.3:
                told.events.append(Withdrew(0, rng.choice(people)))
        try:
            tournament = Tournament.fold(told.cup, told.events)
        except ValueError:
            tournament = Tournament(told.cup)
        told.standings = ranked(tournament)
        assert judged(told, tmp_path)[0] in (UNFAIR, INCOMPLETE)
