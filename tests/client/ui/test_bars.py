"""The title, the phase strip, the keys, a toast."""

from __future__ import annotations

import pytest

from kimberley.client.ui.bars import STRIP_ROWS, key_bar, phase_strip, title_bar, toast
from kimberley.client.ui.buttons import button
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.panels import dialog


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
    strip = Canvas(width + 4, 4)
    phase_strip(strip, 0, "GO", "Ana begins. Ben is red. Eva is blue.")
    assert strip.lines()[0] == f" GO  {said}"


@pytest.mark.parametrize("tall", [False, True])
def test_a_toast_stands_above_the_buttons_that_are_there(tall: bool) -> None:
    canvas = Canvas(34, 9)
    button(canvas, 1, 6, "Rematch", "p", tall=tall)
    top = 3 if tall else 4
    before = canvas.lines()[top + 2 :]
    toast(canvas, "The pizza is in the kitchen. Round 3 begins at nine.")
    assert canvas.lines()[top + 2 :] == before
    said = [" The pizza is in the kitchen.", " Round 3 begins at nine."]
    assert canvas.lines()[top : top + 2] == said
    canvas = Canvas(34, 9)
    button(canvas, 1, 6, "Rematch", "p", tall=tall)
    toast(canvas, "The pizza is in the kitchen.")
    # Between the keys and a low button there is room for one row.
    assert canvas.lines().index(said[0]) == (4 if tall else 7)


def test_a_toast_that_has_no_free_row_stands_above_the_keys() -> None:
    canvas = Canvas(30, 4)
    for y in (1, 2):
        button(canvas, 1, y, "Rematch", "p", tall=False)
    toast(canvas, "Nothing there")
    assert canvas.lines()[2] == " Nothing there"


def test_a_long_toast_has_up_to_three_rows_and_whole_sentences() -> None:
    canvas = Canvas(34, 8)
    told = "The pizza is in the kitchen. Round 3 begins at nine. Say so if you leave. Good night."
    toast(canvas, told)
    assert canvas.lines()[4:7] == [
        " The pizza is in the kitchen.",
        " Round 3 begins at nine. Say so",
        " if you leave. Good night.",
    ]
    canvas = Canvas(34, 8)
    toast(canvas, f"{told} Bring your own cup if there is one.")
    assert canvas.lines()[3:7] == [
        "",
        *[
            " The pizza is in the kitchen.",
            " Round 3 begins at nine. Say so",
            " if you leave. Good night.",
        ],
    ]


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
