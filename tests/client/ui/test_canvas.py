"""The grid of cells: text of every width, regions, areas to touch, what a dialog does to what is below."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth, Dimmed, Palette
from tests.support.plain import CHARACTERS


def test_text_keeps_the_ground_that_is_there() -> None:
    canvas = Canvas(10, 2)
    canvas.fill(0, 0, 4, 1, "panel")
    canvas.put(2, 0, "abcd", "ice", bold=True)
    assert [canvas.cell(x, 0).style.bg for x in range(2, 6)] == ["panel", "panel", "ink", "ink"]
    assert canvas.cell(3, 0).style.fg == "ice"
    assert canvas.cell(3, 0).style.bold
    canvas.put(2, 0, "x", "text", "paper")
    assert canvas.cell(2, 0).style.bg == "paper"


def test_what_lies_outside_is_cut_off() -> None:
    canvas = Canvas(4, 2)
    assert canvas.put(-2, 0, "abcdefgh") == 6
    assert canvas.put(2, 1, "xyz") == 5
    canvas.put(0, 7, "nowhere")
    canvas.fill(-5, -5, 100, 6, "paper")
    assert canvas.lines() == ["", "  xy"]
    with pytest.raises(IndexError):
        canvas.cell(4, 0)


def test_wide_and_combining_characters_take_their_cells() -> None:
    canvas = Canvas(10, 1)
    assert canvas.put(0, 0, "日本e\u0301x") == 6
    assert [canvas.cell(x, 0).char for x in range(6)] == ["日", "", "本", "", "e\u0301", "x"]


def test_half_of_a_wide_character_never_stays() -> None:
    canvas = Canvas(6, 1)
    canvas.put(0, 0, "日本")
    canvas.put(1, 0, "a")
    assert canvas.lines() == [" a本"]
    canvas.put(2, 0, "b")
    assert canvas.lines() == [" ab"]
    canvas.put(5, 0, "日")
    assert canvas.lines() == [" ab"]


def test_what_terminals_disagree_about_is_not_shown() -> None:
    canvas = Canvas(20, 1)
    canvas.put(0, 0, "a\u200db\ufe0fc\x1b[31m\u202ed\n")
    assert canvas.lines() == ["abc[31md"]


@given(
    st.integers(-3, 12),
    st.lists(st.tuples(st.integers(-4, 12), st.text(CHARACTERS, max_size=12)), max_size=6),
    st.booleans(),
)
def test_any_text_fills_rows_of_exactly_the_width(y: int, texts: list[tuple[int, str]], ascii_only: bool) -> None:
    canvas = Canvas(10, 3, ascii_only=ascii_only)
    for x, text in texts:
        canvas.put(x, y % 3, text)
    for line in range(3):
        chars, _ = canvas.row(line)
        assert sum(sum(max(0, get_cwidth(c)) for c in cell) for cell in chars) == 10
        if ascii_only:
            assert "".join(chars).isascii()


def test_a_region_has_its_own_origin_and_lets_nothing_out() -> None:
    canvas = Canvas(10, 4)
    region = canvas.region(3, 1, 4, 2)
    region.put(0, 0, "abcdefgh")
    region.put(-2, 1, "xyz")
    region.put(0, 5, "below")
    assert canvas.lines() == ["", "   abcd", "   z", ""]
    inner = region.region(2, 0, 10, 10)
    assert (inner.width, inner.height) == (2, 2)
    inner.put(0, 1, "!")
    assert canvas.cell(5, 2).char == "!"
    assert region.lines() == ["abcd", "z !"]


def test_the_last_area_laid_over_a_cell_wins() -> None:
    canvas = Canvas(10, 4)
    canvas.hit(0, 0, 10, 4, "all")
    canvas.region(2, 1, 6, 2).hit(1, 0, 100, 1, ("seat", 1))
    assert canvas.touched(3, 1) == ("seat", 1)
    assert canvas.touched(7, 1) == ("seat", 1)
    assert canvas.touched(8, 1) == "all"
    canvas.block()
    assert canvas.touched(3, 1) is None


def test_blit_copies_cells_and_areas_and_cuts_both() -> None:
    small = Canvas(4, 2)
    small.put(0, 0, "abcd", "ice")
    small.put(0, 1, "efgh")
    small.hit(1, 0, 2, 1, "touch")
    canvas = Canvas(6, 3)
    canvas.blit(4, 1, small)
    assert canvas.lines() == ["", "    ab", "    ef"]
    assert canvas.touched(5, 1) == "touch"
    canvas.blit(-2, -1, small)
    assert canvas.lines()[0] == "gh"


def test_dimming_keeps_shapes_and_takes_colours_back() -> None:
    canvas = Canvas(6, 2)
    canvas.put(0, 0, "◆", "ice", "paper", bold=True)
    canvas.dim(0, 0, 3, 1)
    cell = canvas.cell(0, 0)
    assert cell.char == "◆"
    assert cell.style.fg == Dimmed("ice", 50)
    assert not cell.style.bold
    assert canvas.cell(0, 1).style.bg == "ink"


def test_boxes_have_corners_sides_and_a_title() -> None:
    canvas = Canvas(12, 4)
    canvas.box(1, 0, 10, 3, "Hi", bg="panel")
    assert canvas.lines() == [" ╭─ Hi ───╮", " │        │", " ╰────────╯", ""]
    assert canvas.cell(4, 1).style.bg == "panel"


def test_ascii_spells_every_glyph_cell_for_cell() -> None:
    canvas = Canvas(24, 3, ascii_only=True)
    canvas.box(0, 0, 20, 3, "Zoë’s")
    canvas.put(1, 1, "◆♥▸→ 日本 …é")
    assert canvas.lines() == ["+- Zoe's ----------+", "|*H>> ???? .e      |", "+------------------+"]


def test_runs_merge_equal_neighbours() -> None:
    canvas = Canvas(6, 1, Palette(Depth.BASIC))
    canvas.put(0, 0, "ab", "money", "panel")
    canvas.put(2, 0, "cd", "money", "panel")
    assert canvas.runs(0) == [("fg:ansibrightyellow bg:ansiblack", "abcd"), ("fg:ansigray bg:ansiblack", "  ")]
