"""A frame as text that people can read and compare: its rows, the runs of its styles, and what each depth changes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from kimberley.client.screens.app import App
from kimberley.client.ui.canvas import Canvas, Style
from kimberley.client.ui.glyphs import to_ascii
from kimberley.client.ui.palette import Color, Depth, Dimmed, Tint

WITHIN: Final = 14
"""The most cells of an ordinary color within a picture."""
LOWER: Final = (Depth.INDEXED, Depth.BASIC, Depth.NONE)


class Run(NamedTuple):
    """Neighboring cells of one style."""

    cells: int
    style: Style


def frame_text(app: App, size: tuple[int, int], *, depths: bool = True) -> str:
    """Returns what the app shows now on a terminal of that size.

    The text of the rows comes first; a cell of two pixels is "^". Then come the runs of their styles in 24-bit color:
    "12 text/panel* 68 /ink" is 12 bold cells and 68 empty ones. A run of mixed colors is a picture, and has a digest
    for its style. With `depths`, the other depths follow: a digest of each row's styles, and the rows whose text is not
    that of the depth before; then ASCII: the rows that are more than the glyphs spelled.
    """
    full = _painted(app, size, Depth.TRUE, "full")
    lines = ["-- text --", *_text(full), "-- 24-bit --", *_styles(full)]
    before = full
    for depth in LOWER if depths else ():
        canvas = _painted(app, size, depth, "full")
        lines += [f"-- {depth.value} --", " ".join(_digest(canvas, y) for y in range(canvas.height))]
        lines += _differing(_text(before), _text(canvas))
        before = canvas
    if depths:
        spelled = _painted(app, size, Depth.TRUE, "ascii")
        lines += ["-- ascii --", *_differing([to_ascii(line) for line in full.lines()], spelled.lines())]
        if _styles(spelled) != _styles(full):
            lines.append(" ".join(_digest(spelled, y) for y in range(spelled.height)))
    return "\n".join(lines)


def depths_text(app: App, size: tuple[int, int], *, depths: bool = True) -> str:
    """Returns a digest of what the app shows now in each lower depth, and in ASCII."""
    del depths
    ways = [(depth, "full") for depth in LOWER] + [(depth, "ascii") for depth in Depth]
    shown = ((way, _painted(app, size, *way)) for way in ways)
    return ", ".join(
        f"{depth.value}{' ascii' * (glyphs == 'ascii')} {_hash(repr([canvas.runs(y) for y in range(canvas.height)]))}"
        for (depth, glyphs), canvas in shown
    )


def _painted(app: App, size: tuple[int, int], depth: Depth, glyphs: str) -> Canvas:
    app.settings.colours, app.settings.glyphs = depth.value, glyphs
    app.apply_settings()
    return app.paint(*size, app.now())


def _text(canvas: Canvas) -> list[str]:
    """Returns the rows of a frame, in which a cell of two pixels is "^"."""
    return [line.replace("▀", "^") for line in canvas.lines()]


def _differing(expected: Sequence[str], lines: Sequence[str]) -> list[str]:
    pairs = enumerate(zip(expected, lines, strict=True))
    return [f"{y:02} {line}" for y, (common, line) in pairs if line != common]


def _runs(canvas: Canvas, y: int) -> list[Run]:
    """Returns the runs of a row. A space on the same background belongs to the run before it, since it has no text."""
    chars, styles = canvas.row(y)
    shown: list[Style] = []
    for char, style in zip(chars, styles, strict=True):
        if char == " " and not style.underline:
            last = shown[-1] if shown and not shown[-1].underline else Style("", "")
            style = last if last.bg == style.bg else Style("", style.bg)
        shown.append(style)
    return [Run(len(list(cells)), style) for style, cells in groupby(shown)]


def _styles(canvas: Canvas) -> list[str]:
    rows = [_row(_runs(canvas, y)) for y in range(canvas.height)]
    return list(_merged(rows))


def _merged(rows: Sequence[str]) -> Iterator[str]:
    """Yields the rows with their numbers; equal neighbors once."""
    for row, numbers in groupby(range(len(rows)), rows.__getitem__):
        first, *others = numbers
        yield f"{first:02}-{others[-1]:02} {row}" if others else f"{first:02} {row}"


def _row(runs: Sequence[Run]) -> str:
    """Returns the runs of a row. A picture of many mixed colors is one run, with a digest."""
    told: list[str] = []
    while runs:
        count = _picture(runs)
        part, runs = runs[: count or 1], runs[count or 1 :]
        cells = sum(run.cells for run in part)
        told.append(f"{cells} {_hash(repr(list(map(_run, part)))) if count else _named(part[0].style)}")
    return " ".join(told)


def _run(run: Run) -> str:
    return f"{run.cells} {_named(run.style)}"


def _picture(runs: Sequence[Run]) -> int:
    """Returns how many runs from the first on are a picture: mixtures, with short runs of other colors between them."""
    count = 0
    for number, run in enumerate(runs):
        if _mixed(run.style):
            count = number + 1
        elif not count or run.cells > WITHIN:
            break
    return count if count > 2 else 0


def _mixed(style: Style) -> bool:
    return isinstance(style.fg, Tint) or isinstance(style.bg, Tint)


def _named(style: Style) -> str:
    return f"{_color(style.fg)}/{_color(style.bg)}{'*' * style.bold}{'_' * style.underline}"


def _color(color: Color) -> str:
    match color:
        case Tint(r, g, b, _):
            return f"#{r:02x}{g:02x}{b:02x}"
        case Dimmed(under, percent):
            return f"{_color(under)}~{percent}"
        case str():
            return color


def _digest(canvas: Canvas, y: int) -> str:
    """Returns the styles of a row at the canvas's depth, in three digits."""
    runs = (
        (run.cells, canvas.palette.style(*run.style._replace(fg=run.style.fg or "text"))) for run in _runs(canvas, y)
    )
    return _hash(repr([(style, sum(n for n, _ in each)) for style, each in groupby(runs, lambda run: run[1])]))[:3]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:6]
