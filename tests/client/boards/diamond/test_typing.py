"""Turns that are typed on the board of Diamond: what is read, what is refused and why."""

from __future__ import annotations

import re

import pytest

from kimberley.client.boards.diamond.events import parse_turn, ways_to_type
from kimberley.games.diamond.notation import TurnNotationError
from kimberley.games.diamond.rules import State
from tests.support.diamond import at, moving, placing
from tests.support.diamond_player import CAPTURE, moved


def test_what_is_typed_is_refused_with_its_rule() -> None:
    player = moved(at(CAPTURE))
    player.type("c6-h2")
    assert "No line joins c6 and h2" in player.text()
    player.press("u")
    player.type("b6")
    assert "Not possible" in player.text()


def test_a_point_that_is_typed_is_one_that_is_clicked() -> None:
    player = moved(at(CAPTURE))
    player.type("c6")
    assert "c6 selected" in player.text()
    assert player.table.chosen == []
    player.type("B6")
    assert player.table.chosen == ["c6-b6*"]


def test_a_typed_point_where_nothing_can_be_done_is_refused_with_its_reason() -> None:
    player = moved(at(CAPTURE))
    player.type("e4")
    assert "Choose a piece first" in player.text()
    player.type("d3")
    assert player.table.chosen == ["(d3)"]


def test_after_a_refusal_the_next_letter_begins_another_turn() -> None:
    player = moved(at(CAPTURE))
    player.type("b6")
    assert "Not possible" in player.text()
    player.type("c6-b6*")
    assert player.table.chosen == ["c6-b6*"]


def test_pasted_text_takes_the_place_of_what_was_refused() -> None:
    player = moved(at(CAPTURE))
    player.type("b6")
    assert player.screen.paste("c6-b6")
    player.press("enter")
    assert player.table.chosen == ["c6-b6*"]


def test_a_refusal_leaves_the_warning_in_sight_and_names_what_this_phase_knows() -> None:
    player = moved(at(placing("e2 e3 f2", "a1 b5")), seat=1)
    player.type("aa")
    assert "Type a point (such as g1)." in player.panel()
    assert "Black needs only f3 for a square: place there or you lose." in player.panel()
    player.type("e2")
    assert "e2 is occupied by a black piece. Black needs only f3" in player.panel()


@pytest.mark.parametrize(
    ("state", "typed"),
    [
        (State(first=0), "a point (such as g1)"),
        (at(CAPTURE), "a move (such as c5-c4) or (d3) to remove a piece"),
        (at(moving("c6 a5", "a6 h8")), "a move (such as a5-a4)"),
    ],
)
def test_what_could_be_typed_follows_the_phase(state: State, typed: str) -> None:
    assert ways_to_type(state) == typed
    for example in re.findall(r"such as (\S+)\)|(\(\w\d\))", typed):
        assert parse_turn(state, "".join(example)), "it can be played now"


def test_what_could_be_typed_is_told_when_nothing_can_be_played() -> None:
    with pytest.raises(TurnNotationError, match="type a move"):
        parse_turn(at(moving("", "a5 h8")), "what")


@pytest.mark.parametrize("typed", ["c6-b6", "c6b6", "C6 b6", "c6-b6*", "c6xb6"])
def test_a_move_may_be_typed_loosely(typed: str) -> None:
    assert parse_turn(at(CAPTURE), typed) == "c6-b6*"
    assert parse_turn(at(CAPTURE), f"{typed} =") == "c6-b6* ="


def test_what_cannot_be_understood_is_said() -> None:
    for typed in ("", "zz", "c6-", "(c6", "=", "swap"):
        with pytest.raises(TurnNotationError):
            parse_turn(at(CAPTURE), typed)
