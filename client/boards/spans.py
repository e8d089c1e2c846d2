"""Sentences in spans: words in them drawn as badges, broken into lines, and written on a canvas."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from kimberley.client.boards.report import Span
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import ELLIPSIS, cell_width, truncate, wrap
from kimberley.client.ui.palette import Color

Spans: TypeAlias = tuple[Span, ...]


def marked(text: str, marks: Mapping[str, Span]) -> Spans:
    """Returns a sentence in spans: each whole word (or words) of `marks` is drawn as its span, all else plainly."""
    if not marks:
        return (Span(text),)
    longest = sorted(map(re.escape, marks), key=len, reverse=True)
    parts = re.split(rf"(?<!\w)({'|'.join(longest)})(?!\w)", text)
    return tuple(marks.get(part, Span(part)) for part in parts if part)


def text_lines(text: str, room: int, fg: Color = "soft", bold: bool = False) -> list[list[Span]]:
    """Returns a text in lines of at most `room` cells, a span each."""
    return [[Span(line, fg, bold)] for line in wrap(text, room)]


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


def draw_spans(canvas: Canvas, x: int, y: int, spans: Sequence[Span], end: int | None = None) -> int:
    """Writes spans one after another, cut with an ellipsis before column `end`, or before the end of the canvas.

    Returns the column after them.
    """
    stop = canvas.width if end is None else end
    for index, span in enumerate(spans):
        text = span.text
        if x + cell_width(text) > stop or (x + cell_width(text) == stop and index < len(spans) - 1):
            text = truncate(text + ELLIPSIS, max(0, stop - x))
            return canvas.put(x, y, text, span.fg, span.bg, span.bold)
        x = canvas.put(x, y, text, span.fg, span.bg, span.bold)
    return x
