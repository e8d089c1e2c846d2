"""Lists and tabs."""

from __future__ import annotations

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.lists import Scroll, moved, tabs


def test_tabs_mark_the_active_one() -> None:
    canvas = Canvas(30, 1)
    tabs(canvas, 0, 0, ("Log", "Chat"), 1, lambda index: ("tab", index))
    assert canvas.cell(1, 0).style.bg == "raised"
    assert canvas.cell(7, 0).style.bg == "paper"
    assert canvas.touched(7, 0) == ("tab", 1)


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


def test_arrows_lead_from_each_end_of_a_list_to_the_other_and_pages_and_the_wheel_stop_there() -> None:
    scroll = Scroll()
    for stays in ("pageup", "home"):
        assert scroll.key(stays, 3)
        assert scroll.focus == 0
    assert scroll.wheel(-1, 3)
    assert scroll.focus == 0
    assert scroll.key("up", 3)
    assert scroll.focus == 2
    for stays in ("pagedown", "end"):
        assert scroll.key(stays, 3)
        assert scroll.focus == 2
    assert scroll.wheel(1, 3)
    assert scroll.focus == 2
    assert scroll.key("down", 3)
    assert scroll.focus == 0
    assert scroll.wheel(1, 3)
    assert scroll.focus == 1
    assert not scroll.key("down", 0)
    assert not scroll.wheel(1, 0)


def test_a_list_that_has_become_shorter_leads_on_from_its_last_row() -> None:
    assert moved(9, 1, 3, around=True) == 0
    assert moved(9, -1, 3) == 1
    assert moved(9, 1, 0) == 0
