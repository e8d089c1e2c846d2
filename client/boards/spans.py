"""Sentences in spans: words in them drawn as badges, broken into lines, and written on a canvas."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from kimberley.client.boards.report import Span
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import truncate, wrap

Spans: TypeAlias = Sequence[Span]


def marked(text: str, marks: Mapping[str, Span]) -> Spans:
    """A sentence in spans: each whole word (or words) of `marks` is drawn as its span, all else plainly."""
    if not marks:
        return (Span(text),)
    longest = sorted(map(re.escape, marks), key=len, reverse=True)
    parts = re.split(rf"(?<!\w)({'|'.join(longest)})(?!\w)", text)
    return tuple(marks.get(part, Span(part)) for part in parts if part)


def wrapped(spans: Spans, room: int) -> list[Spans]:
    """Spans in lines of at most `room` cells, broken where `wrap` breaks their text."""
    rest = [span._replace(text=re.sub(r"\s+", " ", span.text)) for span in spans]
    lines: list[Spans] = []
    for line in wrap("".join(span.text for span in rest), room):
        found: list[Span] = []
        left = len(line)
        while left and rest:
            span = rest.pop(0)
            text = span.text if found else span.text.lstrip()
            found += [span._replace(text=text[:left])] if text else []
            rest[:0] = [span._replace(text=text[left:])] if text[left:] else []
            left -= len(text[:left])
        lines.append(tuple(found))
    return lines


def draw_spans(canvas: Canvas, x: int, y: int, spans: Spans) -> int:
    """Writes spans one after another, cut to the canvas. Returns the column after them."""
    for span in spans:
        x = canvas.put(x, y, truncate(span.text, canvas.width - x), span.fg, span.bg, span.bold)
    return x
