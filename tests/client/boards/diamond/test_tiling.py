"""Where the points and the squares of the board lie on the screen."""

from __future__ import annotations

from math import dist

import pytest

from kimberley.client.boards.diamond.scene import Scene, draw_board
from kimberley.client.boards.diamond.tiling import Tiling, spot, tiling
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth, Palette
from kimberley.games.diamond.board import LINES, NAMED, POINTS, SQUARES, place
from tests.support.diamond_player import SIZES, board
from tests.support.effort import first_is_quick


@pytest.mark.parametrize(
    ("width", "height", "portrait"), [(54, 21, False), (40, 18, True), (40, 22, True), (40, 26, True)]
)
def test_no_row_of_points_looks_flat(width: int, height: int, portrait: bool) -> None:
    at = tiling(width, height, portrait).at
    assert len(set(at)) == POINTS
    rows: dict[int, set[int]] = {}
    for point, (_, y) in enumerate(at):
        rows.setdefault(place(point)[1], set()).add(y)
    assert [row for row, found in rows.items() if len(found) == 1] == []


def test_all_lines_of_the_tiling_have_one_length() -> None:
    # The side of the tiling is 1 to three digits: 0.966 and 0.259 are the cosine and sine of 15 degrees.
    assert {round(dist(spot(a), spot(b)), 2) for a, b in LINES} == {1.0}


def meant(layout: Tiling, x: int, y: int) -> int | None:
    """Returns the point that a click on a cell means."""
    return next((point for left, row, count, point in layout.areas if row == y and left <= x < left + count), None)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_every_point_has_a_place_of_its_own_at_every_size(columns: int, rows: int) -> None:
    layout = tiling(columns - 26, rows - 3)
    assert len(set(layout.at)) == POINTS
    for point, (x, y) in enumerate(layout.at):
        assert 2 <= x < layout.width - 2
        assert 0 <= y < layout.height - 1
        assert all(abs(x - other) > 4 or y != line for other, line in layout.at if (other, line) != (x, y))
        # A click on the point, or on a cell beside it, means the point.
        assert {meant(layout, x + dx, y + dy) for dx, dy in ((0, 0), (-2, 0), (2, 0), (0, 1), (0, -1))} <= {point, None}
        assert {meant(layout, x + dx, y) for dx in (-2, 0, 2)} == {point}


def runs_of(cells: set[tuple[int, int]]) -> int:
    """Returns how many areas the cells form, of cells that touch along an edge."""
    count = 0
    while cells:
        count += 1
        edge = [cells.pop()]
        while edge:
            x, y = edge.pop()
            beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & cells
            cells -= beside
            edge += beside
    return count


@pytest.mark.parametrize("depth", first_is_quick(Depth.TRUE, Depth.INDEXED, Depth.BASIC))
@pytest.mark.parametrize(("columns", "rows", "portrait"), [(*board(size), False) for size in SIZES] + [(40, 26, True)])
def test_no_two_squares_grow_together(columns: int, rows: int, portrait: bool, depth: Depth) -> None:
    canvas = Canvas(columns, rows, Palette(depth), portrait=portrait)
    draw_board(canvas, Scene())
    ink = canvas.palette.style("text", "ink")
    tinted = {
        (x, y)
        for x in range(columns)
        for y in range(rows)
        if canvas.palette.style("text", canvas.cell(x, y).style.bg) != ink
    }
    assert runs_of(tinted) == len(SQUARES)


def test_arrows_lead_to_every_point() -> None:
    layout = tiling(54, 21)
    reached, edge = {NAMED["d4"]}, [NAMED["d4"]]
    while edge:
        here = edge.pop()
        for way in ("up", "down", "left", "right"):
            there = layout.towards(here, way)
            if there not in reached:
                reached.add(there)
                edge.append(there)
    assert len(reached) == POINTS
