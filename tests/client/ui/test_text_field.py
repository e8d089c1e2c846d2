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


def test_a_long_text_scrolls_with_its_cursor() -> None:
    canvas = Canvas(12, 1)
    field = TextField("abcdefghijklmnop")
    field.draw(canvas, 0, 0, 12, True)
    assert canvas.lines()[0] == " hijklmnop"
    assert canvas.cell(10, 0).style.bg == "paper"
    empty = TextField()
    empty.draw(canvas, 0, 0, 12, False, "name")
    assert canvas.lines()[0] == " name"
