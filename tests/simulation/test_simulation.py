"""The simulation: its tables, its tricks, the faults that it finds, and the command (docs/hostile.md)."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from kimberley.games import lookup
from kimberley.protocol.crypto.group import BadPoint
from tests.simulation.__main__ import main
from tests.simulation.campaign import play
from tests.simulation.catalogue import CATALOGUE, TRICKS
from tests.simulation.cheating import ANY
from tests.simulation.faults import FAULTS
from tests.simulation.group import SMALL
from tests.simulation.plan import GAMES, RISTRETTO_SHARE, Focus, plan
from tests.simulation.table import Outcome, simulate
from tests.support.effort import one_is_quick, spread, tries
from tests.support.spec import whole

TRIES = 8
"""Tables within which a trick has to be done once."""
PLAIN = tries(10, 300)
"""Tables that follow from their integers alone, always the same."""

DUTIES_OF_OTHERS = {
    "M-GEN-1": "of whoever signs honestly: the law resume, and the audit of every honest seat",
    "M-GEN-3": "of whoever judges: the law blame",
    "M-GEN-5": "broken by every trick that only the audit finds; the law blame",
    "M-ENC-3": "of whoever reads",
    "M-ENC-5": "of whoever reads",
    "M-SIG-3": "nothing on the wire can break it",
    "M-SIG-4": "nothing on the wire can break it",
    "M-ENV-5": "of whoever receives: every trick with envelopes, in any weather",
    "M-STG-3": "of whoever receives: every trick that is refused",
    "M-STG-4": "of whoever has found guilt",
    "M-STG-6": "of spectators: one sits at every table",
    "M-STG-7": "of whoever receives: the law resume, since all seats come to the same heads",
    "M-RES-2": "of whoever judges: the law end",
    "M-TLK-2": "of whoever learns of a resignation: where it signs all the same, the result stands as others have it",
    "M-GRP-3": "of whoever computes",
    "M-DIS-3": "of whoever tells: the law secrets",
    "M-KEY-2": "nothing on the wire shows what a key is used for; the law secrets holds honest seats to it",
    "M-ESC-2": "nothing on the wire can break it",
    "M-ASK-2": "of whoever waits: the law end",
    "M-SHU-2": "a share of what is not shown is out of its stage, like anything else",
    "M-AUD-1": "of auditors: every record is judged, and must say what the seats found",
    "M-AUD-2": "of auditors: the laws blame and end",
    "M-AUD-3": "of auditors: the tricks at the end",
    "M-AUD-4": "of auditors: every record is judged, and must say what the seats found",
    "M-AUD-5": "of auditors: cases 18-50 to 18-53 of the conformance suite",
    "M-REC-1": "of who reads records: tests/protocol/test_records.py",
    "M-REC-2": "of who reads records: every record is judged",
    "M-REC-3": "of whoever finds guilt: the record has to convict",
    "M-REC-5": "of who writes records: every record is read again",
    "M-ATT-1": "of who reads records with attestations: tests/p2p/table/test_adjournment.py",
    "M-ATT-2": "of who reads records with attestations: tests/p2p/table/test_adjournment.py",
    "M-ATT-3": "of spectators: tests/p2p/table/test_spectators.py",
    "M-ATT-4": "of spectators: tests/p2p/table/test_spectators.py",
}
"""Requirements of sections 2 to 5 and 11 to 18 that no trick can break, and what checks those who must keep them."""


def requirements() -> dict[str, int]:
    """Returns every MUST of SPEC.md with its section."""
    sections: dict[str, int] = {}
    for section in re.split(r"^## ", whole(), flags=re.MULTILINE)[1:]:
        number = int(section.split(" ")[0])
        sections |= dict.fromkeys(re.findall(r"\*\*\[(M-[A-Z]+-\d+)\]\*\*", section), number)
    return sections


def test_every_requirement_is_broken_by_a_trick_or_is_another_ones_duty() -> None:
    concerned = {name for name, section in requirements().items() if section in {2, 3, 4, 5, *range(11, 19)}}
    broken = {rule for trick in TRICKS for rule in trick.rule.split()}
    assert concerned - broken == set(DUTIES_OF_OTHERS)
    sections = set(re.findall(r"^#+ (\d+(?:\.\d+)?) ", whole(), re.MULTILINE))
    assert {rule for rule in broken if not rule.startswith("M-")} <= sections
    assert {rule for rule in broken if rule.startswith("M-")} <= set(requirements())
    assert len(CATALOGUE) == len(TRICKS)


def test_the_small_group_is_a_group() -> None:
    p, q = SMALL.base(7), SMALL.hash_to_group(b"q")
    assert SMALL.add(SMALL.mul(3, p), SMALL.mul(4, p)) == SMALL.mul(7, p) == SMALL.base(49)
    assert SMALL.sub(SMALL.add(p, q), q) == p
    assert SMALL.mul(SMALL.order, q) == SMALL.identity
    assert SMALL.base(1) != SMALL.encode_scalar(1)
    for wrong in (SMALL.identity, SMALL.order.to_bytes(32, "little"), bytes(31)):
        with pytest.raises(BadPoint):
            SMALL.decode_point(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("game", one_is_quick("land", GAMES))
def test_honest_tables_come_to_a_fair_end_in_any_weather(game: str) -> None:
    fewest = lookup.find(game).seats[0]
    focus = Focus(game, fewest, honest=True, small=True)
    numbers = [number for number in range(20) if not plan(number, focus).old][:3]
    outcomes = [simulate(number, focus) for number in numbers]
    assert [(outcome.verdict, outcome.broken) for outcome in outcomes] == [("fair", "")] * 3


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, PLAIN, 5))
@pytest.mark.nightly
def test_the_tables_of_the_first_integers_break_no_law(start: int) -> None:
    for number in range(start, start + 5):
        outcome, table = simulate(number), plan(number)
        assert (number, outcome.broken) == (number, "")
        assert outcome.verdict == "fair" or table.tricks or table.old


def test_who_comes_back_from_an_old_journal_signs_anew_what_nobody_has_seen() -> None:
    table, outcome = plan(976), simulate(976)
    assert table.old
    assert not table.tricks
    assert outcome.crashes == 1
    assert (outcome.broken, outcome.verdict) == ("", "fair")


@pytest.mark.slow
def test_who_comes_back_from_an_old_journal_stops_for_good_or_goes_on_where_nobody_knows_better() -> None:
    focus = Focus(game="diamond", honest=True, small=True, old=True)
    outcomes = [simulate(number, focus) for number in range(12)]
    assert {outcome.broken for outcome in outcomes} == {""}
    assert {outcome.verdict for outcome in outcomes} == {"fair", "incomplete"}


@pytest.mark.slow
def test_an_integer_means_one_table() -> None:
    focus = Focus(game="land", trick="any choice", small=True)
    assert simulate(5, focus) == simulate(5, focus)
    assert len({str(plan(number)) for number in range(50)}) == 50


def test_the_stated_share_of_tables_plays_over_ristretto255() -> None:
    names = [plan(number).group.name for number in range(800)]
    assert set(names) == {"small", "ristretto255"}
    assert 0.5 < names.count("ristretto255") / (800 * RISTRETTO_SHARE) < 1.5


def test_a_table_over_ristretto255_is_played_alike() -> None:
    number = next(n for n in range(500) if plan(n, Focus(game="land", honest=True)).group.name == "ristretto255")
    outcome = simulate(number, Focus(game="land", honest=True))
    assert (outcome.group, outcome.verdict, outcome.broken) == ("ristretto255", "fair", "")


@pytest.mark.slow
@pytest.mark.parametrize("name", spread(9, CATALOGUE))
def test_a_trick_comes_to_what_it_must(name: str) -> None:
    for number in range(TRIES):
        outcome = simulate(number, Focus(trick=name, small=True, eager=True))
        assert outcome.broken == ""
        if outcome.cheated == (name,):
            return
    raise AssertionError(f"{name} was never done")


@pytest.mark.slow
@pytest.mark.parametrize("name", spread(2, FAULTS))
def test_a_fault_is_found(name: str) -> None:
    fault = FAULTS[name]
    for number in range(fault.tables):
        outcome = play(number, fault.focus, name)
        if outcome.broken:
            assert outcome.broken.split(":")[0] in fault.laws
            return
    raise AssertionError(f"not found in {fault.tables} tables")


def test_no_fault_stays_in_the_code() -> None:
    name = "a second envelope passes"
    assert play(0, FAULTS[name].focus, name).broken
    assert not play(0, FAULTS[name].focus, None).broken


def test_there_are_tricks_of_every_outcome_and_some_at_random() -> None:
    assert {trick.outcome for trick in TRICKS} == {"refused", "audited", "accused", "waited for", "nothing", ANY}


# -- the command ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.nightly
def test_the_command_tells_how_to_see_a_failure_again(capsys: pytest.CaptureFixture[str]) -> None:
    focus = ["--game", "diamond", "--honest", "--small", "--fault", "heads in no fixed order"]
    assert main(["--tables", "4", "--workers", "1", *focus]) == 1
    told = capsys.readouterr()
    broken = json.loads(told.out)["broken"]
    assert broken
    again = f'python -m tests.simulation --integer {next(iter(broken))} --game "diamond"'
    assert again in told.err
    assert main(["--integer", next(iter(broken)), *focus]) == 1
    assert "another transcript" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.nightly
def test_a_campaign_goes_on_where_it_was_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "tables.jsonl"
    command = ["--game", "diamond", "--honest", "--small", "--workers", "1", "--keep", str(kept)]
    assert main([*command, "--tables", "3"]) == 0
    first = kept.read_text()
    kept.write_text(first + '{"number": 3, "ga')
    assert main([*command, "--tables", "5"]) == 0
    figures = json.loads(capsys.readouterr().out.split("\n}\n")[1] + "}")
    assert figures["tables"] == 5
    assert kept.read_text().startswith(first)
    numbers = [json.loads(line)["number"] for line in kept.read_text().splitlines() if line.endswith("}")]
    assert sorted(numbers) == [0, 1, 2, 3, 4]


@pytest.mark.slow
@pytest.mark.nightly
def test_a_cluster_that_does_not_answer_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tables", "1", "--dask", "nowhere:at:all"]) == 2
    assert "Dask" in capsys.readouterr().err


@pytest.mark.slow
def test_what_came_of_a_table_is_plain() -> None:
    outcome = simulate(0, Focus(game="diamond", honest=True, small=True))
    assert Outcome(**json.loads(json.dumps(vars(outcome)))) == replace(outcome, tricks=[], cheated=[])  # type: ignore[arg-type]
