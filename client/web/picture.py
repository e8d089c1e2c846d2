"""Pictures and words of a game for a web page: a canvas as HTML, and the position as an onlooker knows it.

Nothing here reads or writes anything, and nothing that is given to an onlooker is hidden from anybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from client.canvas import Canvas, Style
from client.glyphs import clean
from client.moments import STILL, Around, Moments, Onlooker, awaited, moments_of
from client.palette import Depth, Palette

__all__ = ["LEAST", "STYLE", "Onlooker", "board_html", "canvas_html", "sentences"]

LEAST: Final = (80, 22)
"""Columns and rows that every board needs, less the two bars that a page does not show."""
STYLE: Final = (
    "pre.board{margin:0;padding:.4em;overflow-x:auto;background:#0e1118;color:#e8ebf2;"
    "font:1em/1.2 'DejaVu Sans Mono','Noto Sans Mono',Menlo,Consolas,monospace;"
    "font-variant-ligatures:none;white-space:pre}"
    "pre.board .w{display:inline-block;width:2ch}"
)
"""The style sheet of what `canvas_html` gives. A page scales a board by its font size."""


def canvas_html(canvas: Canvas, label: str) -> str:
    """A canvas as a `<pre>` of its cells in their colours. `label` says in a sentence what there is to be seen."""
    rows = "\n".join("".join(_spans(canvas, y)) for y in range(canvas.height))
    return f'<pre class="board" role="img" aria-label="{escape(clean(label))}">{rows}</pre>'


def board_html(game: str, view: Onlooker, width: int = 100, height: int = 34) -> str:
    """The present moment of a game, as many cells wide and high as asked, at least LEAST.

    `view` is an onlooker's: a `protocol.peer.Peer` without a seat, or the view of one. Raises LookupError for a game
    that is not installed.
    """
    moments = _moments(game, view)
    names, live = moments.names, view.result is None
    width, height = max(width, LEAST[0]), max(height, LEAST[1])
    # The first and the last row are those of the bars.
    canvas = Canvas(width, height + 2, Palette(Depth.TRUE))
    aside = awaited(view.state, view.waiting, names) if live else ""
    moments.draw(canvas, len(moments.steps), STILL, Around(live, view.waiting, aside))
    return canvas_html(canvas.region(0, 1, width, height), _label(moments))


def sentences(game: str, view: Onlooker) -> list[str]:
    """The position in sentences, the most important first, as plain text. Raises LookupError as `board_html` does."""
    moments = _moments(game, view)
    if view.result is not None:
        return [_over(moments), *moments.describe()]
    said = awaited(view.state, view.waiting, moments.names, 1 << 10)
    waits = [f"{said.removesuffix('…')}."] if said else []
    return [*waits, *moments.describe()]


def _moments(game: str, view: Onlooker) -> Moments:
    moments = moments_of(game, view.table.roster)
    moments.take(view.story, view.result)
    return moments


def _over(moments: Moments) -> str:
    return f"The game is over: {moments.result.reason}." if moments.result is not None else ""


def _label(moments: Moments) -> str:
    """What is to be seen, in a sentence: what happened last."""
    last = moments.told(len(moments.steps)) if moments.steps else "The game begins."
    return f"{moments.title}. {_over(moments) or last}"


def _spans(canvas: Canvas, y: int) -> Iterator[str]:
    """A row as runs of equal style; a wide character has a box of two cells of its own."""
    run, before = "", None
    for x in range(canvas.width):
        char, style = canvas.cell(x, y)
        if before is not None and style != before:
            yield _span(canvas, run, before)
            run = ""
        before = style
        wide = x + 1 < canvas.width and canvas.cell(x + 1, y).char == ""
        run += f'<span class="w">{escape(char)}</span>' if wide else escape(char)
    if before is not None:
        yield _span(canvas, run, before)


def _span(canvas: Canvas, run: str, style: Style) -> str:
    ink, ground = (canvas.palette.rgb(colour) for colour in (style.fg, style.bg))
    rules = f"color:{_hex(ink)};background:{_hex(ground)}"
    rules += ";font-weight:700" if style.bold else ""
    rules += ";text-decoration:underline" if style.underline else ""
    return f'<span style="{rules}">{run}</span>'


def _hex(rgb: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)
