"""Bars, buttons, lists and fields."""

from __future__ import annotations

import pytest

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth, Palette
from kimberley.client.ui.widgets import (
    STRIP_ROWS,
    Column,
    Hint,
    Scroll,
    StyledText,
    TextField,
    button,
    button_width,
    dialog,
    key_bar,
    key_name,
    list_row,
    phase_strip,
    progress,
    stepper,
    tabs,
    title_bar,
    toast,
)  # fmt: skip


@pytest.mark.parametrize(
    ("shown", "name"),
    [("Enter", "enter"), ("d", "d"), ("F10", "f10"), ("Esc", "esc"), ("↑ ↓", "down"), ("←", "left"), ("Space", " "),
     ("PgDn", "pagedown"), ("R", "R"), ("0-9", "0-9")],
)  # fmt: skip
def test_a_hint_names_its_key(shown: str, name: str) -> None:
    assert key_name(shown) == name


def test_every_key_of_the_bar_can_be_clicked_and_none_is_cut() -> None:
    canvas = Canvas(30, 3)
    key_bar(canvas, [Hint("↑ ↓", "table"), Hint("Enter", "join"), Hint("x", "a thing too long"), Hint("q", "q")])
    assert canvas.lines()[2] == " ↑ ↓ table  Enter join  q q"
    assert canvas.touched(3, 2) == "key:down"
    assert canvas.touched(14, 2) == "key:enter"
    assert canvas.touched(25, 2) == "key:q"
    assert canvas.touched(29, 2) is None


def test_the_title_bar_keeps_help_and_menu_whatever_the_title() -> None:
    canvas = Canvas(60, 1)
    title_bar(canvas, "A very long title of a game at somebody’s table", "ana and ben")
    line = canvas.lines()[0]
    assert line.endswith("F1 Help  F10 Menu")
    assert "…" in line
    assert canvas.touched(line.index("Help"), 0) == "key:f1"
    assert canvas.touched(line.index("Menu"), 0) == "key:f10"


def test_the_phase_strip_says_what_is_waited_for_before_anything_else() -> None:
    canvas = Canvas(40, 2)
    phase_strip(canvas, 1, "PAY", "Touch a waving agent and set what it gets.", "ben is choosing…")
    assert canvas.lines()[1].startswith(" PAY  Touch a")
    assert canvas.lines()[1].endswith("…  ben is choosing…")


@pytest.mark.parametrize("depth", list(Depth))
def test_a_button_is_known_by_its_shape_at_every_depth(depth: Depth) -> None:
    canvas = Canvas(30, 3, Palette(depth))
    after = button(canvas, 1, 1, "Done", "d", primary=True)
    button(canvas, after + 1, 1, "Undo", "u")
    assert after == 1 + button_width("Done", "d")
    assert "Done d" in canvas.lines()[1]
    first, second = (canvas.palette.style(*canvas.cell(x, 1).style) for x in (2, after + 3))
    if depth is Depth.NONE:
        assert "[ Undo u ]" in canvas.lines()[1]
    assert first != second
    for y in range(3):
        assert canvas.touched(2, y) == "key:d"
    assert canvas.touched(after + 2, 1) == "key:u"


def test_a_low_button_takes_one_row() -> None:
    canvas = Canvas(20, 3)
    button(canvas, 0, 1, "Done", "d", tall=False)
    assert canvas.lines() == ["", "  Done d", ""]
    assert canvas.touched(2, 0) is None
    ascii_only = Canvas(20, 3, ascii_only=True)
    button(ascii_only, 0, 1, "Done", "d")
    assert ascii_only.lines() == ["", "  Done d", ""]


def test_a_stepper_has_three_things_to_touch() -> None:
    canvas = Canvas(24, 1)
    stepper(canvas, 0, 0, "$ 3", less="less", more="more", done="done")
    assert canvas.lines()[0] == " ◂  $ 3   ▸   ✓"
    assert [canvas.touched(x, 0) for x in (1, 5, 10, 14)] == ["less", None, "more", "done"]


def test_progress_fills_whole_cells() -> None:
    canvas = Canvas(10, 1)
    progress(canvas, 0, 0, 10, 0.34)
    assert [canvas.cell(x, 0).style.bg for x in (2, 3)] == ["ice", "line"]
    progress(canvas, 0, 0, 10, 7.0)
    assert canvas.cell(9, 0).style.bg == "ice"


def test_tabs_mark_the_active_one() -> None:
    canvas = Canvas(30, 1)
    tabs(canvas, 0, 0, ("Log", "Chat"), 1, lambda index: ("tab", index))
    assert canvas.cell(1, 0).style.bg == "raised"
    assert canvas.cell(7, 0).style.bg == "paper"
    assert canvas.touched(7, 0) == ("tab", 1)


def test_the_focused_row_is_ink_on_paper_with_its_mark() -> None:
    canvas = Canvas(30, 1)
    columns = (Column("Game", 3, 10), Column("Away", 20, 6, right=True))
    list_row(
        canvas,
        0,
        0,
        30,
        columns,
        (StyledText("Diamond Trust of London"), StyledText("2 ms", "soft")),
        True,
        action="row",
    )
    assert canvas.lines()[0] == " ▸ Diamond T…         2 ms"
    assert {canvas.cell(x, 0).style.bg for x in range(30)} == {"paper"}
    assert canvas.touched(29, 0) == "row"


def test_a_toast_stands_above_the_keys() -> None:
    canvas = Canvas(30, 4)
    toast(canvas, "Nothing there", bad=True)
    assert canvas.lines()[2] == " ! Nothing there"


@pytest.mark.parametrize(
    ("width", "said"),
    [
        (60, "Ana begins. Ben is red. Eva is blue."),
        (30, "Ana begins. Ben is red."),
        (22, "Ana begins."),
        (12, "Ana begin…"),
    ],
)
def test_sentences_that_do_not_fit_are_left_out_whole(width: int, said: str) -> None:
    canvas = Canvas(width, 4)
    toast(canvas, "Ana begins. Ben is red. Eva is blue.")
    strip = Canvas(width + 4, 4)
    phase_strip(strip, 0, "GO", "Ana begins. Ben is red. Eva is blue.")
    assert canvas.lines()[2] == f" {said}"
    assert strip.lines()[0] == f" GO  {said}"


@pytest.mark.parametrize("portrait", [True, False])
def test_a_finger_on_the_phase_strip_chooses_nothing_beside_it(portrait: bool) -> None:
    canvas = Canvas(40, 12, portrait=portrait, touch=True)
    phase_strip(canvas, 3, "SWAP?", "Swap and be Black?")
    below = 3 + (STRIP_ROWS if portrait else 1)
    canvas.hit(0, 0, 40, 3, "players")
    canvas.hit(0, below + 1, 40, 4, "board")
    assert canvas.touched(9, below, 1) == "board"
    assert {canvas.touched(9, y, 2) for y in range(3, below)} == {None}
    canvas.insert_rows(1, 2)
    assert {canvas.touched(9, y + 2, 2) for y in range(3, below)} == {None}
    inside = dialog(canvas, 20, 6, "Sure?")
    button(inside, 0, 1, "Yes", "y")
    x, y = next((hit.x, hit.y) for hit in canvas.hits if hit.action == "key:y")
    assert canvas.touched(x, y - 1, 1) == "key:y"


def test_only_the_dialog_can_be_touched() -> None:
    canvas = Canvas(40, 12)
    canvas.hit(0, 0, 40, 12, "below")
    inside = dialog(canvas, 20, 6, "Sure?")
    button(inside, 0, 2, "Yes", "y")
    assert canvas.touched(0, 0) is None
    assert canvas.touched(12, 3) == "nothing"
    assert canvas.touched(14, 6) == "key:y"


def test_the_focus_stays_in_the_list_and_in_sight() -> None:
    scroll = Scroll()
    assert scroll.shown(0, 5) == range(0)
    for _ in range(9):
        scroll.key("down", 20)
    assert scroll.shown(20, 5) == range(5, 10)
    assert scroll.key("home", 20)
    assert scroll.shown(20, 5) == range(5)
    scroll.key("end", 20)
    assert scroll.shown(20, 5) == range(15, 20)
    assert scroll.shown(3, 5) == range(3)
    assert scroll.focus == 2
    assert not scroll.key("x", 20)


def test_a_field_edits_like_a_shell() -> None:
    field = TextField("one two", limit=12)
    for key in ("left", "left", "left", "X"):
        assert field.key(key)
    assert field.text == "one Xtwo"
    for key in ("end", "c-w", "a", "home", "delete"):
        field.key(key)
    assert field.text == "ne a"
    field.paste("pasted\x1b[31m and far too long")
    assert len(field.text) == 12
    assert field.text.isprintable()
    field.key("end")
    field.key("c-u")
    assert (field.text, field.at) == ("", 0)
    assert not field.key("enter")
    assert not field.key("f1")


def test_a_long_text_scrolls_with_its_cursor() -> None:
    canvas = Canvas(12, 1)
    field = TextField("abcdefghijklmnop")
    field.draw(canvas, 0, 0, 12, True)
    assert canvas.lines()[0] == " hijklmnop"
    assert canvas.cell(10, 0).style.bg == "paper"
    empty = TextField()
    empty.draw(canvas, 0, 0, 12, False, "name")
    assert canvas.lines()[0] == " name"
