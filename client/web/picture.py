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

__all__ = ["LEAST", "Onlooker", "board_html", "canvas_html", "sentences"]

LEAST: Final = (80, 22)
"""Columns and rows that every board needs, less the two bars that a page does not show."""
BLOCKS: Final = {
    "▀": "linear-gradient({ink} 50%,{ground} 50%)",
    "▄": "linear-gradient({ground} 50%,{ink} 50%)",
    "█": "{ink}",
    "▌": "linear-gradient(90deg,{ink} 50%,{ground} 50%) 0 0/1ch",
    "▐": "linear-gradient(90deg,{ground} 50%,{ink} 50%) 0 0/1ch",
}
"""Blocks are grounds, not letters: no font has them as large as a cell of another font."""
BOXED: Final = "\u0100"
"""From this character on a font may have to be replaced, whose letters are not as wide: each has a box of its own."""


def canvas_html(canvas: Canvas, label: str) -> str:
    """A canvas as a `<pre>` of its cells in their colours, for the rules of `pre.board` in static/style.css.

    `label` says in a sentence what there is to be seen.
    """
    rows = "".join(f"<b>{''.join(_spans(canvas, y))}</b>" for y in range(canvas.height))
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
    """A row as runs of equal style, those of blocks apart from those of text."""
    run, before = "", None
    for x in range(canvas.width):
        char, style = canvas.cell(x, y)
        now = style, char if char in BLOCKS else ""
        if before is not None and now != before:
            yield _span(canvas, run, *before)
            run = ""
        wide = x + 1 < canvas.width and canvas.cell(x + 1, y).char == ""
        run, before = run + (" " if now[1] else _letter(char, wide)), now
    if before is not None:
        yield _span(canvas, run, *before)


def _letter(char: str, wide: bool) -> str:
    if wide:
        return f'<i class="w">{escape(char)}</i>'
    return f"<i>{char}</i>" if char >= BOXED else escape(char)


def _span(canvas: Canvas, run: str, style: Style, block: str) -> str:
    ink, ground = (_hex(canvas.palette.rgb(colour)) for colour in (style.fg, style.bg))
    if block:
        return f'<span style="background:{BLOCKS[block].format(ink=ink, ground=ground)}">{run}</span>'
    rules = f"color:{ink};background:{ground}"
    rules += ";font-weight:700" if style.bold else ""
    rules += ";text-decoration:underline" if style.underline else ""
    return f'<span style="{rules}">{run}</span>'


def _hex(rgb: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)
