"""What happened in a game of Diamond Mine, in words."""

from __future__ import annotations

from kimberley.client.boards.mine.events import describe_trip, gem_events, passed_on
from kimberley.client.ui.spans import Span
from tests.support.mine import BLUE, GREEN, PURPLE, medium, move, position, small
from tests.support.mine_story import FOLLOWED, UI, both, followed, random_story, said, steps
from tests.support.mine_table import NAMES


def test_moves_and_veins_are_told_in_words() -> None:
    state = position(2, veins="d6", pawns="d4 g7", carried={1: (medium(PURPLE),)}, loose={"d5": small(PURPLE)})
    told_so = said(steps(state, both(2, 1), move("d6", "d5"), (0,)))
    assert told_so == [
        "Cards: ana 2, ben 1.",
        "ana moves 2 squares to d6 and picks up a small purple gem on d5.",
        "The vein on d6 holds a medium red gem and a small red one.",
        "ana takes a small red gem.",
    ]
    events = steps(position(2, pawns="d4 g7", carried={1: (medium(PURPLE),)}), both(1, 1), move("d5"), move("h8"))
    assert said(events)[-1] == "ben moves 1 square to h8 and brings home a medium purple gem for 6 points."
    assert describe_trip(events[-1], NAMES) == (
        "ben moves to h8 and brings 1 gem home for 6 points.",
        "ben brings 1 gem home for 6 points.",
    )
    assert [UI.gain(event, NAMES, 0) for event in events] == [None, None, Span("+6", "money", True)]
    assert [UI.chapter(event) for event in events] == ["Round 1"] * 3


def test_drops_and_those_who_would_end_it_are_told() -> None:
    state = position(2, pawns="d4 g7", carried={0: (small(GREEN), medium(BLUE, 3))})
    events = steps(state, ((3, True), (1, False)), move("a4", dropped={"c4": small(GREEN), "b4": medium(BLUE, 3)}))
    assert said(events) == [
        "Cards: ana 3, ben 1.",
        "ana would like to end the game; ben would rather keep playing.",
        "ana moves 3 squares to a4 and drops a small green gem on c4 and a medium blue gem on b4.",
    ]


def test_who_can_go_nowhere_is_told_to_stay() -> None:
    walls = "b1 b2 a2 d1 d4 a4 c1 c3 a3"
    state = position(2, veins=walls, inside={each: () for each in walls.split() if each in ("d1", "d4", "a4")})
    (event,) = steps(state, both(3, 1))
    assert event.stays == (0,)
    assert said([event]) == ["Cards: ana 3, ben 1.", "ana stays put, unable to move 3 squares."]


def test_the_lots_are_told() -> None:
    tale = random_story(3, 4, fifth=True)
    lines = said(tale.timeline.events[:1])
    assert lines[0].endswith(" begins.")
    assert lines[-1] == "White is flawless: worth triple."
    assert len(lines) == 6


"""Ana drops a gem on her way to a vein that she opens; ben takes of the vein, then picks up the gem."""


def test_gems_are_followed_from_one_player_to_another() -> None:
    events = steps(followed(), *FOLLOWED)
    passed = [(gem, how.done, how.seat, whom) for gem, how, whom in passed_on(events)]
    assert passed == [(20, "took", 1, 0), (small(GREEN), "picked", 1, 0)]
    assert [(each.done, each.seat) for each in gem_events(events)[20]] == [("saw", 0), ("took", 1)]
