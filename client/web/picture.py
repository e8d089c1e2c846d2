"""Pictures and words of a game for a web page: a canvas as HTML, and the position as a spectator sees it.

There is no I/O here. Everything that a spectator gets is public.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from typing import Final

from markupsafe import Markup

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.live_context import LiveContext, awaited
from kimberley.client.boards.registry import timeline_of
from kimberley.client.boards.view import STILL
from kimberley.client.ui.canvas import Canvas, Style
from kimberley.client.ui.glyphs import clean
from kimberley.client.ui.palette import Color, Depth, Palette, Rgb
from kimberley.client.ui.spans import Span
from kimberley.client.ui.theme import FLARE, contrast, luminance, relit
from kimberley.p2p.sentences.notices import game_over
from kimberley.p2p.sentences.verdicts import reason_named
from kimberley.p2p.table.spectated_game import SpectatedGame

__all__ = ["LEAST", "SpectatedGame", "board_html", "canvas_html", "sentences"]

LEAST: Final = (80, 22)
"""The columns and rows that every board needs, without the two bars, which the page does not show."""
WIDTH: Final = 100
HEIGHT: Final = 34
"""The size of a board on a page of its own."""
BLOCKS: Final = {
    "▀": "linear-gradient({ink} 50%,{ground} 50%)",
    "▄": "linear-gradient({ground} 50%,{ink} 50%)",
    "█": "{ink}",
    "▌": "linear-gradient(90deg,{ink} 50%,{ground} 50%) 0 0/1ch",
    "▐": "linear-gradient(90deg,{ground} 50%,{ink} 50%) 0 0/1ch",
}
"""Block characters are drawn as backgrounds, not as letters: taken from another font, they do not fill the cell."""
CONTRAST: Final = 4.6
"""The least contrast between letters and their ground: that of WCAG 2.1, AA, with a margin for rounding."""
SAYS: Final = re.compile(r"\w|\?")
TAGS: Final = re.compile(r"<[^>]*>")
BOXED: Final = "\u0100"
"""From this character on, the browser may use another font, with another width. So each such character gets a box of
its own.
"""

_PALETTE: Final = Palette(Depth.TRUE)


def canvas_html(canvas: Canvas, label: str, form: str = "") -> str:
    """Returns a canvas as a `<pre>` of its cells in their colors; static/style.css has the rules for `pre.board`.

    `label` describes the picture in a sentence. `form` is another CSS class of the element.
    """
    rows = "".join(f"<b>{''.join(_spans(canvas, y))}</b>" for y in range(canvas.height))
    return f'<pre class="board{form and f" {form}"}" role="img" aria-label="{escape(clean(label))}">{rows}</pre>'


def board_html(game: str, view: SpectatedGame, width: int = WIDTH, height: int = HEIGHT) -> str:
    """Returns the current position of a game, `width` by `height` cells large, and at least LEAST.

    `view` is that of a spectator: a `protocol.peer.Peer` without a seat, or the view of one. Raises LookupError if the
    game is not installed.
    """
    timeline = _timeline(game, view)
    width, height = max(width, LEAST[0]), max(height, LEAST[1])
    return position_html(timeline, len(timeline.steps), _around(timeline, view), width, height)


def tall_board_html(game: str, view: SpectatedGame) -> str:
    """Returns the same for a phone; empty if the board has no such form. Raises LookupError as `board_html` does."""
    timeline = _timeline(game, view)
    return tall_html(timeline, len(timeline.steps), _around(timeline, view))


def _around(timeline: GameTimeline, view: SpectatedGame) -> LiveContext:
    live = view.result is None
    aside = awaited(view.state, view.waiting, timeline.names) if live else ""
    return LiveContext(live, view.waiting, aside)


def position_html(
    timeline: GameTimeline,
    at: int,
    around: LiveContext = LiveContext(),  # noqa: B008
    width: int = WIDTH,
    height: int = HEIGHT,
) -> str:
    """Returns a position of a game, `width` by `height` cells large."""
    # The bars are in the first and the last row.
    canvas = Canvas(width, height + 2, _PALETTE, inert=True)
    timeline.draw(canvas, at, STILL, around)
    return canvas_html(canvas.region(0, 1, width, height), _label(timeline, at))


def tall_html(timeline: GameTimeline, at: int, around: LiveContext = LiveContext()) -> str:  # noqa: B008
    """Returns a position of a game for a phone; empty if its board has no such form."""
    canvas = timeline.draw_tall(at, _PALETTE, around)
    return "" if canvas is None else canvas_html(canvas, _label(timeline, at), "tall")


def spans_html(spans: Sequence[Span]) -> Markup:
    """Returns a sentence as the log draws it."""
    return Markup("").join(
        Markup('<span style="{}">{}</span>').format(_style_of(span), clean(span.text))
        if span.bg is not None or span.bold or span.fg not in ("text", "soft")
        else clean(span.text)
        for span in spans
    )


def _style_of(span: Span) -> str:
    rules = f"color:{css_color(span.fg)}"
    rules += f";background:{css_color(span.bg)}" if span.bg is not None else ""
    return rules + (";font-weight:700" if span.bold else "")


def sentences(game: str, view: SpectatedGame) -> list[str]:
    """Returns the position in sentences, the most important first, as plain text. Raises LookupError as `board_html`
    does.
    """
    timeline = _timeline(game, view)
    if view.result is not None:
        return [_over(timeline), *timeline.describe()]
    wait = awaited(view.state, view.waiting, timeline.names, 1 << 10)
    waits = [f"{wait.removesuffix('…')}."] if wait else []
    return [*waits, *timeline.describe()]


def _timeline(game: str, view: SpectatedGame) -> GameTimeline:
    timeline = timeline_of(game, view.table.roster)
    timeline.refresh(view.story, view.result)
    return timeline


def _over(timeline: GameTimeline) -> str:
    if timeline.result is None:
        return ""
    return game_over(reason_named(timeline.result, timeline.names))


def _label(timeline: GameTimeline, at: int) -> str:
    """Describes the picture of a position in a sentence: what happened last."""
    over = _over(timeline) if at == len(timeline.steps) else ""
    return f"{timeline.title}. {over or (timeline.describe_event(at) if at else 'The game begins.')}"


def css_color(color: Color) -> str:
    """Returns a color of the dark theme in CSS."""
    return _hex(_PALETTE.rgb(color))


def _spans(canvas: Canvas, y: int) -> Iterator[str]:
    """Yields a row as runs of equal style. A run has either blocks or text."""
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
    fg, bg = canvas.palette.rgb(style.fg), canvas.palette.rgb(style.bg)
    if not block and SAYS.search(TAGS.sub("", run)):
        fg = readable(fg, bg)
    ink, ground = _hex(fg), _hex(bg)
    if block:
        return f'<span style="background:{BLOCKS[block].format(ink=ink, ground=ground)}">{run}</span>'
    rules = f"color:{ink};background:{ground}"
    rules += ";font-weight:700" if style.bold else ""
    rules += ";text-decoration:underline" if style.underline else ""
    return f'<span style="{rules}">{run}</span>'


@lru_cache(maxsize=4096)
def readable(ink: Rgb, ground: Rgb) -> Rgb:
    """Returns the color of letters, made lighter or darker until they can be read on their ground."""
    if contrast(ink, ground) >= CONTRAST:
        return ink
    light = luminance(ground) + FLARE
    lighter, darker = CONTRAST * light - FLARE, light / CONTRAST - FLARE
    upward = lighter <= 1 and (luminance(ink) >= luminance(ground) or darker < 0)
    return relit(ink, lighter if upward else darker)


def _hex(rgb: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)
