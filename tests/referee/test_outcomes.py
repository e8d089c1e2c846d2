"""How a table ends by the audit of its record, and the sentence that says so."""

from __future__ import annotations

import pytest

from kimberley.games.table import ReasonKind, Result
from kimberley.p2p.sentences.verdicts import describe_result
from kimberley.p2p.tournament.events import CHEATING, PLAYED, REFUSED, TIME, VOID
from kimberley.protocol.audit import DAMAGED, FAIR, INCOMPLETE, UNFAIR, Verdict
from kimberley.protocol.log import Deviation
from kimberley.referee.rulings import Ruling, names_at, ruling_against, ruling_from_audit, void_ruling

NAMES = ("ana", "ben", "cleo")
WON = Result((2, 1, 3), ((4,), (7,), (1,)), "ben has most", ("4 points", "7 points", "1 point"))


def deviation(seat: int, reason: str = "it is no choice") -> Deviation:
    return Deviation(1, 1, seat, reason)


def test_a_fair_game_ends_as_it_was_played() -> None:
    sentence = "ben won: ben has most (ana 4 points, ben 7 points, cleo 1 point)."
    assert ruling_from_audit(Verdict(FAIR, "fair", result=WON), NAMES) == Ruling((2, 1, 3), PLAYED, sentence)


def test_who_cheated_loses_and_the_others_tie() -> None:
    sentence = "In move 1, cleo cheated (it is no choice); in move 1, ana cheated (it is no choice)."
    cheats = Verdict(UNFAIR, "two faces\x1b", (deviation(2), deviation(0)), result=WON)
    assert ruling_from_audit(cheats, NAMES) == Ruling((0, 1, 0), CHEATING, sentence)


def test_who_cannot_be_audited_loses_and_the_others_keep_their_places() -> None:
    refused = Verdict(INCOMPLETE, "nothing is shown", absent=(1,), result=WON)
    sentence = "The game of ben cannot be checked: nothing is shown."
    assert ruling_from_audit(refused, NAMES) == Ruling((1, 0, 2), REFUSED, sentence)
    unfinished = Verdict(INCOMPLETE, "nothing is shown", absent=(1,))
    assert ruling_from_audit(unfinished, NAMES) == Ruling((1, 0, 1), REFUSED, sentence)


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (None, "this program failed"),
        (Verdict(DAMAGED, "a byte is wrong"), "a byte is wrong"),
        (Verdict(FAIR, "no result"), "no result"),
        (Verdict(UNFAIR, "nobody is named", result=WON), "nobody is named"),
        (Verdict(INCOMPLETE, "nobody is absent", result=WON), "nobody is absent"),
        (Verdict(DAMAGED, "named", (deviation(1),), result=WON), "named"),
    ],
)
def test_where_nobody_can_be_named_nobody_wins(verdict: Verdict | None, reason: str) -> None:
    sentence = f"The record cannot be checked: {reason}. Nobody wins."
    assert ruling_from_audit(verdict, NAMES) == Ruling((1, 1, 1), VOID, sentence)
    assert void_ruling(2, "Nobody came.") == Ruling((1, 1), VOID, "Nobody came.")


def test_reasons_that_are_long_are_cut() -> None:
    long = "x" * 400
    for verdict in (
        Verdict(UNFAIR, long, (deviation(0, long),)),
        Verdict(INCOMPLETE, long, absent=(0,)),
        Verdict(DAMAGED, long),
    ):
        assert 200 < ruling_from_audit(verdict, NAMES).sentence.count("x") <= 300


def test_a_ruling_puts_those_who_lost_behind_all_others() -> None:
    assert ruling_against([0], 3, TIME, "late") == Ruling((0, 1, 1), TIME, "late")
    assert ruling_against([0], 3, TIME, "late", WON) == Ruling((0, 1, 2), TIME, "late")


def test_scores_are_told_where_they_can_be_read() -> None:
    places, scores, reason = (1, 2), ((7,), (4,)), "ana has more"
    told = describe_result(Result(places, scores, reason, ("7 points", "4 points")), ("ana", "ben"))
    assert told == "ana won: ana has more (ana 7 points, ben 4 points)."
    assert describe_result(Result(places, scores, reason), ("ana", "ben")) == "ana won against ben: ana has more."


def test_letters_that_stand_for_seats_are_told_as_names() -> None:
    result = Result((1, 2, 3), ((7,), (4,), (0,)), "A is the last player left", (), "ABC")
    assert describe_result(result, NAMES) == "ana won against ben and cleo: ana is the last player left."


def test_of_two_it_is_enough_to_say_who_resigned() -> None:
    result = Result((1, 2), ((7,), (4,)), "the others resigned", kind=ReasonKind.RESIGNED)
    assert describe_result(result, NAMES[:2]) == "ana won against ben: ben resigned."


def test_what_ends_a_game_is_no_reason_to_win_it() -> None:
    reason, counts = "everyone agreed to end the game", ("7 points", "4 points")
    result = Result((1, 2), ((7,), (4,)), reason, counts, kind=ReasonKind.OVER)
    told = "ana won (ana 7 points, ben 4 points). Everyone agreed to end the game."
    assert describe_result(result, ("ana", "ben")) == told


def test_who_left_is_said_to_have_resigned_beside_what_the_others_had() -> None:
    result = Result((1, 3, 1), ((7,),) * 3, "the last gem was taken", ("7 points",) * 3, kind=ReasonKind.OVER)
    told = "A tie between ana and cleo (ana 7 points, ben resigned, cleo 7 points). "
    assert describe_result(result, NAMES, (1,)) == f"{told}The game ended when the last gem was taken."
    ruling = ruling_from_audit(Verdict(FAIR, "", result=result, names=NAMES, left=((1, ""),)), NAMES)
    assert ruling.sentence == describe_result(result, NAMES, (1,))


def test_ties_are_told_apart_from_draws() -> None:
    reason = "points are equal"
    draw = describe_result(Result((1, 1), ((3,), (3,)), reason, ("3K", "3K")), NAMES[:2])
    assert draw == "A draw: points are equal (ana 3K, ben 3K)."
    agreed = Result((1, 1), ((0,), (0,)), "both sides agreed to a draw", kind=ReasonKind.AGREED)
    assert describe_result(agreed, NAMES[:2]) == "Both sides agreed to a draw."
    tied = describe_result(Result((1, 3, 1), ((1, 0),) * 3, reason), NAMES)
    assert tied == "A tie between ana and cleo: points are equal."


def test_names_are_joined_as_in_a_sentence() -> None:
    assert [names_at(NAMES, seats) for seats in ((), (1,), (2, 0), (2, 1, 0))] == [
        "nobody", "ben", "ana and cleo", "ana, ben and cleo",
    ]  # fmt: skip
