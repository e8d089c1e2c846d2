"""Half-point byes: on request, and for those who come late."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from random import Random

import pytest
from caissify_pairings.fpc import check_trf

from kimberley.games import lookup
from kimberley.p2p.sentences.tournaments import bye_names, describe_events, without_table
from kimberley.p2p.tournament import bundle, events
from kimberley.p2p.tournament.bundle import ranked, signed_head
from kimberley.p2p.tournament.events import ByeGranted, LotsDrawn, PlayerEnrolled, PlayerReturned, PlayerWithdrew
from kimberley.p2p.tournament.settings import KNOCKOUT, TournamentSettings
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.p2p.tournament.verification import HALF, PairingClaim, check_claim, replay_bundle, unproven
from kimberley.protocol.encoding import Malformed, pack, unpack
from kimberley.referee import trf
from kimberley.referee.export import results_csv, standings_csv
from tests.referee.test_trf import fields, lines
from tests.support.effort import first_is_quick
from tests.support.tournaments import PEOPLE, REFEREE, SEED, Evening, by_chance, by_number, settings_of

HALF_POINT = Fraction(1, 2)


def bye(evening: Evening, identity: bytes, round: int, *, granted: bool = True) -> None:
    evening.add(ByeGranted(evening.at, identity, round, granted))


def points(evening: Evening, identity: bytes) -> Fraction:
    return next(row.points for row in evening.tournament.standings() if row.player.identity == identity)


def report_of(evening: Evening, identity: bytes) -> dict[str, str]:
    number = next(one.number for one in evening.tournament.players if one.identity == identity)
    players = (line for line in lines(evening) if line.startswith("001"))
    return next(one for one in map(fields, players) if one["number"] == str(number))


def read_again(evening: Evening) -> bundle.Bundle:
    """Returns the events of an evening as a signed file holds them."""
    sizes = tuple(0 for one in evening.events if isinstance(one, events.TableDecided) and one.record is not None)
    now = evening.tournament
    return bundle.read_bundle(io.BytesIO(signed_head(REFEREE, now.settings, evening.events, sizes, ranked(now))))


def test_who_has_a_bye_is_not_paired_and_has_half_a_point() -> None:
    evening = Evening.of(settings_of(rounds=3), PEOPLE[:7])
    resting = PEOPLE[2]
    bye(evening, resting, 1)
    assert describe_events(evening.tournament, evening.events[-1:]) == ["player3 has a half-point bye in round 1."]
    evening.round(by_number)
    (round_,) = evening.tournament.rounds
    assert (len(round_.tables), round_.byes, round_.half_byes) == (3, (), (resting,))
    assert points(evening, resting) == HALF_POINT
    assert without_table(evening.tournament, resting) == "You have a half-point bye this round: it counts as a draw."
    assert bye_names(evening.tournament, round_) == ["player3 (½)"]
    assert "1,,,player3,,0.5,half-point bye,," in results_csv(evening.tournament)
    (line,) = (
        one for one in csv.DictReader(io.StringIO(standings_csv(evening.tournament))) if one["name"] == "player3"
    )
    assert (line["byes"], line["half_byes"]) == ("0", "1")
    told = report_of(evening, resting)
    assert (told["first opponent"], told["first color"], told["first result"]) == ("0000", "-", "H")
    evening.round(by_number)
    last = evening.tournament.rounds[-1]
    assert last.half_byes == ()
    assert any(resting in table.seats for table in last.tables), "no second bye, though one of seven has a bye"


def test_a_bye_counts_as_a_draw_with_somebody_who_has_as_many_points() -> None:
    evening = Evening.of(settings_of(rounds=2), PEOPLE[:5])
    bye(evening, PEOPLE[0], 1)
    evening.play(by_number)
    row = next(row for row in evening.tournament.standings() if row.player.identity == PEOPLE[0])
    own = next(one.points for one in row.buchholz_of if one.opponent is None)
    assert own == row.points
    assert next(one.points for one in row.sonneborn_of if one.opponent is None) == row.points / 2


def test_a_bye_is_taken_back_until_its_round_is_paired() -> None:
    evening = Evening.of(settings_of(rounds=3), PEOPLE[:4])
    bye(evening, PEOPLE[0], 1)
    bye(evening, PEOPLE[0], 1, granted=False)
    assert describe_events(evening.tournament, evening.events[-1:]) == ["player1 plays in round 1 after all."]
    evening.round(by_number)
    assert evening.tournament.rounds[0].half_byes == ()
    with pytest.raises(ValueError, match="Round 1 has already begun"):
        bye(evening, PEOPLE[0], 1)


def test_what_is_no_bye_is_refused_with_the_reason() -> None:
    evening = Evening.of(settings_of(rounds=3), PEOPLE[:4])
    bye(evening, PEOPLE[0], 2)
    evening.add(PlayerWithdrew(evening.at, PEOPLE[3]))
    for identity, round, granted, reason in (
        (PEOPLE[0], 2, True, "player1 already has a bye in round 2."),
        (PEOPLE[1], 2, False, "player2 has no bye in round 2."),
        (PEOPLE[1], 4, True, "There are only 3 rounds."),
        (PEOPLE[3], 2, True, "Only a player who is in the tournament can have a bye."),
        (PEOPLE[9], 2, True, "Only a player who is in the tournament can have a bye."),
    ):
        with pytest.raises(ValueError, match=f"^{reason}$"):
            bye(evening, identity, round, granted=granted)
    with pytest.raises(ValueError, match=r"^There is only 1 round\.$"):
        bye(Evening.of(settings_of(rounds=1), PEOPLE[:4]), PEOPLE[0], 2)
    for settings in (settings_of(KNOCKOUT), settings_of(boards=2)):
        with pytest.raises(ValueError, match="Only a Swiss without teams has half-point byes"):
            bye(Evening.of(settings, PEOPLE[:4]), PEOPLE[0], 1)
        with pytest.raises(ValueError, match="leave out --late-byes"):
            settings_of(settings.format, boards=settings.boards, late=1)


def test_if_nobody_could_play_without_them_they_play() -> None:
    evening = Evening.of(settings_of(rounds=2), PEOPLE[:3])
    bye(evening, PEOPLE[0], 1)
    bye(evening, PEOPLE[1], 1)
    evening.round(by_number)
    (round_,) = evening.tournament.rounds
    assert (len(round_.tables), len(round_.byes), round_.half_byes) == (1, 1, ())


def test_who_has_left_has_no_bye() -> None:
    evening = Evening.of(settings_of(rounds=2), PEOPLE[:5])
    bye(evening, PEOPLE[0], 1)
    evening.add(PlayerWithdrew(evening.at, PEOPLE[0]))
    evening.round(by_number)
    assert evening.tournament.rounds[0].half_byes == ()
    assert points(evening, PEOPLE[0]) == 0


def test_who_comes_late_has_half_points_up_to_the_limit() -> None:
    evening = Evening.of(settings_of(rounds=5, late=2), PEOPLE[:4])
    evening.round(by_number)
    evening.proceed()
    evening.add(PlayerEnrolled(evening.at, PEOPLE[4], "second"))
    assert points(evening, PEOPLE[4]) == 1, "the round that is played now is missed, too"
    for table in evening.tournament.rounds[-1].tables:
        evening.decide(table, (1, 2))
    evening.round(by_number)
    evening.add(PlayerEnrolled(evening.at, PEOPLE[5], "fourth"))
    assert points(evening, PEOPLE[5]) == 1
    told = report_of(evening, PEOPLE[5])
    assert (told["first result"], told["second result"]) == ("H", "H")
    evening.add(PlayerWithdrew(evening.at, PEOPLE[0]))
    before = points(evening, PEOPLE[0])
    evening.round(by_number)
    evening.add(PlayerReturned(evening.at, PEOPLE[0]))
    assert points(evening, PEOPLE[0]) == before, "who went away is not late"


def test_nobody_is_late_before_the_first_round() -> None:
    evening = Evening(Tournament(settings_of(rounds=3, late=3)))
    for number, identity in enumerate(PEOPLE[:3]):
        evening.add(PlayerEnrolled(evening.at, identity, f"player{number}"))
    evening.add(LotsDrawn(evening.at, SEED))
    evening.add(PlayerEnrolled(evening.at, PEOPLE[3], "late"))
    evening.round(by_number)
    assert evening.tournament.rounds[0].half_byes == ()


def test_a_tournament_file_holds_them_and_says_whose_word_they_are() -> None:
    evening = Evening.of(settings_of(rounds=3, late=1), PEOPLE[:6])
    evening.round(by_number)
    evening.add(PlayerEnrolled(evening.at, PEOPLE[6], "late"))
    bye(evening, PEOPLE[0], 2)
    bye(evening, PEOPLE[1], 3)
    bye(evening, PEOPLE[1], 3, granted=False)
    evening.play(by_number)
    held = read_again(evening)
    now, claims = replay_bundle(held)
    assert now.standings() == evening.tournament.standings()
    pairings = [claim for claim in claims if isinstance(claim, PairingClaim)]
    assert len(pairings) == 4
    assert [check_claim(claim, None, lookup.find) for claim in pairings] == [None] * 4
    found = [one for one in unproven(held, now) if one.how == HALF]
    assert [(one.round, one.players) for one in found] == [(2, (PEOPLE[0],))]
    assert found[0].words == "had a half-point bye, given by the organizer"


def test_the_limit_is_one_of_the_settings_and_absent_where_there_is_none() -> None:
    limited, usual = settings_of(late=2), settings_of()
    assert TournamentSettings.read(unpack(pack(limited.plain()))) == limited
    assert pack(("late", 2))[1:] in pack(limited.plain())
    assert pack("late") not in pack(usual.plain())


@pytest.mark.parametrize("wrong", [("bye", 1, PEOPLE[0], 1), ("bye", 1, PEOPLE[0], 65, True), ("bye", 1, b"", 1, True)])
def test_an_event_of_another_form_is_none(wrong: tuple[object, ...]) -> None:
    right = ByeGranted(1, PEOPLE[0], 64, False)
    assert events.read(unpack(pack(events.plain(right)))) == right
    with pytest.raises(Malformed):
        events.read(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", first_is_quick(*range(8)))
def test_a_checker_of_pairings_finds_evenings_with_byes_in_order(number: int) -> None:
    """The programs of others count an H as we do: the floats, the points, and who may still have a bye."""
    rng = Random(number)
    evening = Evening.of(settings_of(rounds=5, late=2), PEOPLE[:11])
    for played in range(5):
        for identity in rng.sample(PEOPLE[:11], rng.randint(0, 2)):
            bye(evening, identity, played + 1)
        if played == 2:
            evening.add(PlayerEnrolled(evening.at, PEOPLE[11], "late"))
        evening.round(by_chance(rng))
    assert sum(len(one.half_byes) for one in evening.tournament.rounds) > 3
    found = check_trf(trf.report(evening.tournament))
    assert found["summary"]["rounds_checked"] == 5
    assert found["summary"]["total_discrepancies"] == 0
