"""Buttons and steppers."""

from __future__ import annotations

import pytest

from kimberley.client.ui.buttons import Button, button, button_width, draw_buttons, stepper
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth, Palette


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


def test_a_picture_has_no_buttons() -> None:
    picture = Canvas(20, 3, inert=True)
    assert button(picture, 0, 1, "Done", "d") == button_width("Done", "d")
    assert not "".join(picture.lines()).strip()


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


def test_what_lies_between_a_number_and_an_arrow_belongs_to_the_arrow() -> None:
    canvas = Canvas(24, 1)
    stepper(canvas, 0, 0, "$ 3", less="less", more="more")
    assert [canvas.touched(x, 0) for x in range(13)] == [*["less"] * 4, *[None] * 3, *["more"] * 5, None]


DONE, UNDO = Button("Done", "d", primary=True), Button("Undo", "u", fill="line")


def test_buttons_stand_beside_each_other_from_the_left_or_from_the_right() -> None:
    canvas = Canvas(30, 2)
    draw_buttons(canvas, 1, 0, (DONE, UNDO), gap=2, tall=False)
    draw_buttons(canvas, 29, 1, (DONE, UNDO), right=True, tall=False)
    assert canvas.lines() == ["   Done d      Undo u", "          Undo u     Done d"]
    assert canvas.cell(2, 0).style.bg == "ice"
    assert canvas.cell(13, 0).style.bg == "line"


def test_buttons_below_each_other_may_begin_at_the_lowest_one() -> None:
    canvas = Canvas(12, 6)
    draw_buttons(canvas, 12, 4, (DONE, UNDO), right=True, rows=-3)
    assert [canvas.touched(5, y) for y in range(6)] == ["key:u"] * 3 + ["key:d"] * 3


def test_a_button_without_room_is_left_out() -> None:
    canvas = Canvas(20, 1)
    draw_buttons(canvas, 0, 0, (DONE, Button("Undo everything", "u"), Button("No", "n")), tall=False)
    assert canvas.lines() == ["  Done d     No n"]
