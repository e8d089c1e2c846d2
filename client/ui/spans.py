"""Sentences in spans: words in them drawn as badges, broken into lines, and written on a canvas."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import ELLIPSIS, cell_width, truncate, wrap
from kimberley.client.ui.palette import Color


class Span(NamedTuple):
    """A piece of a line of text with its own colors. Without `bg`, it keeps the background of the row."""

    text: str
    fg: Color = "text"
    bold: bool = False
    bg: Color | None = None
    underline: bool = False


Spans: TypeAlias = tuple[Span, ...]
"""A line or a sentence."""


def spans_width(spans: Sequence[Span]) -> int:
    """Returns how many cells spans take."""
    return sum(cell_width(span.text) for span in spans)


def marked(text: str, marks: Mapping[str, Span]) -> Spans:
    """Returns a sentence in spans: each whole word (or words) of `marks` is drawn as its span, all else plainly."""
    if not marks:
        return (Span(text),)
    longest = sorted(map(re.escape, marks), key=len, reverse=True)
    parts = re.split(rf"(?<!\w)({'|'.join(longest)})(?!\w)", text)
    return tuple(marks.get(part, Span(part)) for part in parts if part)


def text_lines(text: str, room: int, fg: Color = "soft", bold: bool = False) -> list[Spans]:
    """Returns a text in lines of at most `room` cells, a span each."""
    return [(Span(line, fg, bold),) for line in wrap(text, room)]


def wrapped(spans: Sequence[Span], room: int) -> list[Spans]:
    """Returns spans in lines of at most `room` cells, broken where `wrap` breaks their text."""
    rest = [span._replace(text=re.sub(r"\s+", " ", span.text)) for span in spans]
    lines: list[Spans] = []
    for line in wrap("".join(span.text for span in rest), room):
        parts: list[Span] = []
        left = len(line)
        while left and rest:
            span = rest.pop(0)
            text = span.text if parts else span.text.lstrip()
            parts += [span._replace(text=text[:left])] if text else []
            rest[:0] = [span._replace(text=text[left:])] if text[left:] else []
            left -= len(text[:left])
        lines.append(tuple(parts))
    return lines


def hanging(label: Span, text: Spans, room: int, indent: int = 0) -> list[Spans]:
    """Returns a text in lines of at most `room` cells after a label. The lines after the first begin below the text,
    and `indent` further to the right.
    """
    begins = cell_width(label.text)
    first, *more = wrapped(text, room - begins - indent)
    margin = label._replace(text=" " * (begins + indent))
    return [(label, *first), *((margin, *line) for line in more)]


def log_tail(
    entries: Sequence[tuple[Span, Spans]], room: int, rows: int, *, indent: int = 0, whole: bool = False
) -> list[Spans]:
    """Returns the latest entries of a log, each a label and what `hanging` makes of its text, in at most `rows` lines.

    An entry for which there are not enough rows is cut at its beginning, or left out if only `whole` ones are wanted.
    """
    lines: list[Spans] = []
    for label, text in reversed(entries):
        entry = hanging(label, text, room, indent)
        if len(lines) >= rows or (whole and len(lines) + len(entry) > rows):
            break
        lines = entry + lines
    return lines[max(0, len(lines) - rows) :]


def draw_lines(canvas: Canvas, x: int, y: int, lines: Sequence[Spans]) -> int:
    """Draws lines of spans one below another. Returns the row after them."""
    for line in lines:
        draw_spans(canvas, x, y, line)
        y += 1
    return y


def draw_spans(canvas: Canvas, x: int, y: int, spans: Sequence[Span], end: int | None = None) -> int:
    """Writes spans one after another, cut with an ellipsis before column `end`, or before the end of the canvas.

    Returns the column after them.
    """
    stop = canvas.width if end is None else end
    for index, span in enumerate(spans):
        text = span.text
        if x + cell_width(text) > stop or (x + cell_width(text) == stop and index < len(spans) - 1):
            text = truncate(text + ELLIPSIS, max(0, stop - x))
            return canvas.put(x, y, text, span.fg, span.bg, span.bold, span.underline)
        x = canvas.put(x, y, text, span.fg, span.bg, span.bold, span.underline)
    return x
