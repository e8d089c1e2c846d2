"""What is said of squares that lack one corner: it is true in the position in which it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Final

import pytest

from kimberley.client.boards.diamond.events import most_urgent, near_wins
from kimberley.client.boards.diamond.words import describe, look
from kimberley.games.diamond.board import NAMED, SQUARES
from kimberley.games.diamond.position import BLACK, COLORS, WHITE, Movement, Placement, Position
from kimberley.games.diamond.rules import State
from kimberley.games.table import Decide
from tests.support.diamond import at, moving, placing
from tests.support.effort import first_is_quick

NAMES: Final = ("ana", "ben")
GAMES: Final = 15
SAID: Final = re.compile(r"(Black|White) needs only (.+) for (a|another) square(.*)\.")
NEITHER: Final = re.compile(r"Black needs only (.+) and White only (.+) for a square, but neither can move there yet\.")


def states(seed: int) -> Iterator[State]:
    """Yields the states of a game that is played at random."""
    state, chance = State(first=0), Random(seed)
    while isinstance(ask := state.ask(), Decide):
        yield state
        state = state.apply(ask.space.pick(chance))


def completes(state: State, color: int) -> set[str]:
    """Returns where a side whose turn it is can complete a square."""
    position = state.position
    found = set()
    for name, point in NAMED.items():
        bit = 1 << point
        for square in SQUARES:
            pieces = position.pieces[color]
            if square & ~pieces != bit or (position.violation(Placement(point)) and position.placing):
                continue
            starts = [start for start in NAMED.values() if pieces >> start & 1 and not square >> start & 1]
            steps = [start for start in starts if position.violation(Movement(start, point)) is None]
            if position.placing or steps:
                found.add(name)
    return found


def next_turn_of(position: Position, color: int) -> Position:
    """Returns the position with the turn of a side, as if the other one had done nothing that matters."""
    if position.turn == color:
        return position
    left = max(0, position.left - 1)
    return Position(position.pieces, position.neutral, color, left)


@pytest.mark.slow
@pytest.mark.parametrize("game", first_is_quick(*range(GAMES)))
def test_each_corner_that_is_said_to_be_needed_is_needed_and_can_be_reached_or_not_as_it_says(game: int) -> None:
    seen = 0
    for seed in range(game * 4, game * 4 + 4):
        for state in states(seed):
            position = state.position
            ready = {color: completes(at(next_turn_of(position, color)), color) for color in (BLACK, WHITE)}
            for to_play in (False, True):
                for win in near_wins(position, to_play=to_play):
                    seen += 1
                    if (both := NEITHER.fullmatch(win.text)) is not None:
                        assert not any(ready.values()), win.text
                        assert all(both.groups())
                        continue
                    said = SAID.fullmatch(win.text)
                    assert said is not None, win.text
                    color, corners = COLORS.index(said[1]), set(said[2].split(" or "))
                    if "cannot" in said[4]:
                        assert not corners & ready[color], win.text
                        assert (said[3] == "another") == bool(ready[color]), win.text
                    else:
                        assert corners == ready[color], win.text
                    if said[4].startswith(": place there"):
                        assert position.placing
                    if "to win" in said[4]:
                        assert color == position.turn
                    if "you lose" in said[4]:
                        assert color != position.turn
                        assert not ready[position.turn]
    assert seen


def test_who_places_last_is_not_told_that_the_other_side_could_still_place() -> None:
    black, white = "e2 e3 f2 a4 a7 b7 c7 d8 e6 e7 g8 g7", "a3 a6 b1 b6 c2 d4 d6 g5 h7 c6 f8"
    position = placing(black, white)
    assert position.left == 1
    far = "Black needs only f3 for a square, but cannot move there yet."
    assert far in " ".join(win.text for win in near_wins(position, to_play=True))
    near = placing(black.replace("a4", "g3"), white)
    assert [win.text for win in near_wins(near, to_play=True)] == [
        "Black needs only f3 for a square: place there or you lose."
    ]
    assert "Black needs only f3 for a square and can move there." in [win.text for win in near_wins(near)]


def test_who_can_win_now_is_told_only_that_where_there_is_little_room() -> None:
    both = moving("e2 e3 f2 g3", "a1 a2 b1 a5")
    urgent = most_urgent(near_wins(both, to_play=True))
    assert [win.text for win in urgent] == ["Black needs only f3 for a square: move there to win."]


def test_nothing_is_said_of_what_could_follow_once_the_game_is_over() -> None:
    threat = at(moving("e2 e3 f2 g3", "a1 b1 c1 h8", turn=WHITE), quiet=3)
    told = " ".join(describe(threat, NAMES, 1))
    assert "stop that or you lose" in told
    assert "After 50 turns" in told
    over = " ".join(describe(threat, NAMES, 1, over=True))
    assert "needs only" not in over
    assert "After 50 turns" not in over
    swap = at(placing("d4", ""))
    assert "Swap, and you play Black" not in " ".join(describe(swap, NAMES, 1, over=True))
    assert "Left to place" not in " ".join(describe(swap, NAMES, 1, over=True))
    captures = at(moving("a1 d4 f4", "d5 h8"))
    assert "f4-e4 captures d5" in " ".join(look(captures, "f4"))
    assert "captures" not in " ".join(look(captures, "f4", over=True))
