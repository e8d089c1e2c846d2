"""A line of text that is edited."""

from __future__ import annotations

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.text_field import TextField


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


def test_what_is_typed_takes_the_place_of_a_text_that_is_selected() -> None:
    def after(*keys: str) -> str:
        field = TextField("root", selected=True)
        for key in keys:
            field.key(key)
        return field.text

    assert after("a", "n", "a") == "ana"
    assert after("backspace") == after("delete") == after("c-u") == ""
    assert after("end", "y") == "rooty"
    assert after("left", "backspace") == "rot"
    assert after("f1", "a") == "a", "a key that edits nothing changes nothing"
    field = TextField("root", selected=True)
    field.paste("ana")
    assert field.text == "ana"
    canvas = Canvas(8, 1)
    field = TextField("root", selected=True)
    field.draw(canvas, 0, 0, 8, True)
    chosen = canvas.cell(1, 0)
    field.key("end")
    field.draw(canvas, 0, 0, 8, True)
    assert canvas.cell(1, 0) != chosen


def test_a_long_text_scrolls_with_its_cursor() -> None:
    canvas = Canvas(12, 1)
    field = TextField("abcdefghijklmnop")
    field.draw(canvas, 0, 0, 12, True)
    assert canvas.lines()[0] == " hijklmnop"
    assert canvas.cell(10, 0).style.bg == "paper"
    empty = TextField()
    empty.draw(canvas, 0, 0, 12, False, "name")
    assert canvas.lines()[0] == " name"
