"""Progress and dialogs."""

from __future__ import annotations

from kimberley.client.ui.buttons import button
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.panels import dialog, progress


def test_progress_fills_whole_cells() -> None:
    canvas = Canvas(10, 1)
    progress(canvas, 0, 0, 10, 0.34)
    assert [canvas.cell(x, 0).style.bg for x in (2, 3)] == ["ice", "line"]
    progress(canvas, 0, 0, 10, 7.0)
    assert canvas.cell(9, 0).style.bg == "ice"


def test_only_the_dialog_can_be_touched() -> None:
    canvas = Canvas(40, 12)
    canvas.hit(0, 0, 40, 12, "below")
    inside = dialog(canvas, 20, 6, "Sure?")
    button(inside, 0, 2, "Yes", "y")
    assert canvas.touched(0, 0) is None
    assert canvas.touched(12, 3) == "nothing"
    assert canvas.touched(14, 6) == "key:y"


def test_no_letter_of_what_lies_below_is_left_beside_the_shadow_of_a_dialog() -> None:
    canvas = Canvas(40, 40, portrait=True)
    for row in range(canvas.height):
        canvas.put(0, row, "m" * canvas.width, "text")
    inside = dialog(canvas, 38, 20, "Menu")
    assert inside.height == 18
    bottom = next(row for row, line in enumerate(canvas.lines()) if "╰" in line)
    assert canvas.lines()[bottom + 1].strip() == ""
