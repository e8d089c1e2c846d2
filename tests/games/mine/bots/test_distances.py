"""Turns from square to square are those that the rules allow, around walls."""

from __future__ import annotations

from math import inf

import pytest

from kimberley.games.mine.bots.distances import TURNS, left_on_the_way, turns_to
from kimberley.games.mine.mine import Mine
from kimberley.games.mine.moves import CARDS, targets
from kimberley.games.mine.squares import SQUARES, square
from kimberley.games.table import evolve
from tests.support.effort import first_is_quick
from tests.support.mine import played, position, walled_in


def turns_by_the_rules(mine: Mine, seat: int, start: int) -> dict[int, int]:
    """Returns, by square, the fewest moves of a seat's pawn from `start`, with no other pawn on the board."""
    turns, edge = {start: 0}, [start]
    while edge:
        here = edge.pop(0)
        pawns = tuple(here if other == seat else None for other in range(mine.seats))
        for end in {end for card in CARDS for end in targets(evolve(mine, pawns=pawns), seat, card)}:
            if end not in turns:
                turns[end] = turns[here] + 1
                edge.append(end)
    return turns


@pytest.mark.slow
@pytest.mark.parametrize("seats", first_is_quick(2, 4))
def test_they_are_the_fewest_moves_that_the_rules_allow_where_veins_are_exhausted(seats: int) -> None:
    mine = list(played(seats, 1))[-1].mine
    assert any(map(mine.blocks, SQUARES))
    for seat in range(seats):
        for start in (mine.home(seat), square("d4"), *mine.veins):
            found = turns_by_the_rules(mine, seat, start)
            for target in SQUARES:
                if not mine.barred(seat)[target]:
                    assert turns_to(target, mine.barred(seat))[start] == found.get(target, inf)


def test_a_wall_makes_the_way_longer() -> None:
    shut = position(2, veins="h4", inside={"h4": ()}).mine
    assert TURNS[square("h6")][square("h3")] == 1
    assert turns_to(square("h3"), shut.barred(0))[square("h6")] == 2


def test_where_no_way_leads_nothing_is_left() -> None:
    barred = walled_in().mine.barred(0)
    assert turns_to(square("a1"), barred)[square("a5")] == inf
    left = left_on_the_way(barred, 0.5)[square("a1")]
    assert (left[square("a1")], left[square("a2")], left[square("a5")]) == (1, 0.5, 0)
