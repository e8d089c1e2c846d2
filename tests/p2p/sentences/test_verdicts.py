"""What the verdicts are called, and the one sentence that every screen and every command says of them."""

from __future__ import annotations

from kimberley.games.table import ReasonKind, Result
from kimberley.p2p.sentences.verdicts import describe_result, verdict_lines, verdict_sentence
from kimberley.protocol.audit import DAMAGED, FAIR, INCOMPLETE, UNFAIR, Verdict
from kimberley.protocol.log import Deviation
from kimberley.protocol.record import NOT_A_RECORD


def test_whoever_cheated_is_named_once() -> None:
    found = (
        Deviation(4, 0, 0, "it signed two different messages"),
        Deviation(5, 1, 1, "it opened what it never sealed"),
    )
    verdict = Verdict(UNFAIR, "in move 4, ana cheated (it signed two different messages)", found)
    assert verdict_sentence(verdict, ("ana", "ben")) == (
        "Unfair: in move 4, ana cheated (it signed two different messages); "
        "in move 5, ben cheated (it opened what it never sealed)."
    )


def test_the_other_verdicts_give_their_reason() -> None:
    assert verdict_lines(Verdict(FAIR, "", envelopes=9, names=("ana", "ben"))) == [
        "Fair: every move was replayed, and all 9 signed messages match."
    ]
    assert verdict_lines(Verdict(DAMAGED, NOT_A_RECORD)) == ["Damaged: this is not a Kimberley record."]
    changed = verdict_lines(Verdict(DAMAGED, "the record was changed"))
    assert changed == ["Damaged: the record was changed.", "Check a copy of it, or another player’s record."]


def test_of_two_players_nobody_can_tell_who_stopped() -> None:
    names = ("ana", "ben", "carla")
    alike, shows = (verdict_lines(Verdict(INCOMPLETE, "it stopped", names=names[:seats]))[-1] for seats in (2, 3))
    assert alike == "Everything up to that point checks out. If the other player kept a record, compare the two."
    assert shows == "Everything up to that point checks out. Records that the others kept show who stopped."


def test_whose_record_shows_who_stopped_needs_no_other_record() -> None:
    def last(seats: int, *witnesses: str) -> str:
        verdict = Verdict(INCOMPLETE, "it stopped", names=("ana", "ben", "carla")[:seats], attested=((0, witnesses),))
        return verdict_lines(verdict)[-1]

    alone = "Everything up to that point checks out."
    assert last(2, "ben") == f"{alone} If the other player kept a record, compare the two."
    assert last(2, "ben", "spectator 0123456789abcdef") == last(3, "ben", "carla") == alone


def test_who_left_a_game_is_said_to_have_resigned_in_its_result() -> None:
    names = ("ana", "ben", "carla")
    counts = ("0 points",) * 3
    tie = Result((1, 3, 1), ((0,),) * 3, "the last tile was drawn", counts, kind=ReasonKind.OVER)
    told = "A tie between ana and carla (ana 0 points, ben resigned, carla 0 points). "
    assert describe_result(tie, names, (1,)) == f"{told}The game ended when the last tile was drawn."
    verdict = Verdict(FAIR, "", result=tie, names=names, left=((1, "turn 4"),))
    assert verdict_lines(verdict)[1] == describe_result(tie, names, (1,))
    alone = Result((1, 2, 2), ((0,),) * 3, "the others resigned", counts, kind=ReasonKind.RESIGNED)
    assert describe_result(alone, names, (1, 2)) == describe_result(alone, names), "the reason says who resigned"
