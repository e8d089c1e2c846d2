"""The board of Diamond: what follows from its geometry is the board that was given."""

from __future__ import annotations

import json

import pytest

from kimberley.games.diamond.board import (
    ALL,
    LINES,
    NAMED,
    NAMES,
    NEXT,
    PAIRS,
    POINTS,
    SQUARES,
    SQUARES_AT,
    TRIANGLES,
    index,
    names,
    place,
)
from tests.support.paths import DATA

GIVEN = json.loads((DATA / "diamond_board.json").read_text())


def test_points_lines_squares_and_triangles_are_those_given() -> None:
    assert sorted(NAMES) == GIVEN["points"]
    assert sorted(sorted((NAMES[a], NAMES[b])) for a, b in LINES) == sorted(map(sorted, GIVEN["lines"]))
    assert sorted(map(names, SQUARES)) == sorted(map(sorted, GIVEN["squares"]))
    assert sorted(map(names, TRIANGLES)) == sorted(map(sorted, GIVEN["triangles"]))


def test_the_counts_are_those_of_the_rules() -> None:
    assert (POINTS, len(LINES), len(SQUARES), len(TRIANGLES)) == (62, 133, 24, 48)
    assert ALL.bit_count() == 62
    assert ALL.bit_length() == 62


@pytest.mark.parametrize("cell", [(1, 8), (8, 1), (0, 4), (9, 4), (4, 0), (4, 9)])
def test_there_are_no_points_at_two_corners_and_beyond_the_edges(cell: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=f"no point at column {cell[0]}, row {cell[1]}"):
        index(*cell)
    assert cell not in map(place, range(POINTS))


def test_what_is_looked_up_by_point_agrees_with_the_lists() -> None:
    for point, name in enumerate(NAMES):
        assert NAMED[name] == point
        assert names(NEXT[point]) == sorted(_joined(name))
        assert sorted(map(names, SQUARES_AT[point])) == sorted(sorted(s) for s in GIVEN["squares"] if name in s)
        others = [sorted({*t} - {name}) for t in GIVEN["triangles"] if name in t]
        assert sorted(sorted((*names(a), *names(b))) for a, b in PAIRS[point]) == sorted(others)


def _joined(name: str) -> set[str]:
    return {other for line in GIVEN["lines"] if name in line for other in line if other != name}


def test_inner_points_join_five_lines_as_in_the_snub_square_tiling() -> None:
    inner = [point for point, name in enumerate(NAMES) if name[0] in "bcdefg" and name[1] in "234567"]
    assert {NEXT[point].bit_count() for point in inner} == {5}
    assert {(len(PAIRS[point]), len(SQUARES_AT[point])) for point in inner} == {(3, 2)}


def test_a_published_problem_agrees() -> None:
    for start, to in (("e3", "e4"), ("f3", "f4"), ("g3", "f3"), ("f4", "e3"), ("g4", "f4")):
        assert NEXT[NAMED[start]] >> NAMED[to] & 1
    assert ["b5", "b6", "c5", "c6"] in map(names, SQUARES)
