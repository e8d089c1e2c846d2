"""The picture of docs/music.md: the spectrogram of a recorded game of nine months, with what happened in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from kimberley.client.audio.arranger import ArrangedBar
from kimberley.client.audio.audio_format import RATE
from kimberley.client.audio.cue import STAGE
from kimberley.client.audio.performance import Performance
from kimberley.client.audio.synth import Samples
from kimberley.client.ui.terminal_svg import FONT
from kimberley.games import lookup
from kimberley.protocol.audit import audit
from tests.support.music import Counted, cues_of, music_of, rendered
from tests.support.recorded_table import RECORD

GAME: Final = "diamond-trust"
SHOWS: Final = (
    "The spectrogram of a whole game of Diamond Trust of London: nine months, ten passages, and the bars in which the "
    "Inspector strikes"
)
WIDTH, TOP, HEIGHT, LEFT, BOTTOM = 1080, 74, 350, 52, 44
LOWEST: Final = 55.0
BANDS_IN_OCTAVE: Final = 5
OCTAVES: Final = 7
COLUMN: Final = RATE
"""Samples in a column: a second."""
SHADES: Final = ("#171326", "#2a1d4e", "#4a2a72", "#74357f", "#a3447a", "#cf5c66", "#ef8354", "#fbbf62", "#fdf3b4")
FLOOR, STEP = -66.0, 5.0
"""The decibels of the second shade, and the step from one shade to the next."""
INK, SOFT, ALARM = "#e8e4f2", "#9a93b5", "#ff6b6b"
MARKED: Final = {"inspector": ("#fbbf62", "called"), "confiscated": (ALARM, "the Inspector strikes")}


def performed() -> Performance:
    """Returns the music of the record's game."""
    game = audit(RECORD.read_bytes(), lookup.find)
    return Performance(music_of(GAME).suite, cues_of(GAME, game.start, game.story, game.result))


def spectrogram() -> str:
    """Returns the picture, as SVG. Its shades are too coarse to show how processors round."""
    counted = Counted(performed())
    levels = _levels(rendered(counted))
    bars = list(counted.seconds())
    seconds = bars[-1][0] + bars[-1][1].seconds
    return "\n".join((*_opening(), *_shades(levels, seconds), *_marks(bars, seconds), *_axis(), "</svg>")) + "\n"


def _levels(samples: Samples) -> NDArray[np.int64]:
    """Returns the shade of each band (row) in each second (column)."""
    mono = samples.astype(np.float64).sum(axis=1) / 2
    columns = len(mono) // COLUMN
    windows = mono[: columns * COLUMN].reshape(columns, COLUMN) * np.hanning(COLUMN)
    power = np.abs(np.fft.rfft(windows, axis=1)) ** 2
    edges = LOWEST * 2.0 ** (np.arange(OCTAVES * BANDS_IN_OCTAVE + 1) / BANDS_IN_OCTAVE)
    bands = [power[:, int(low) : max(int(low) + 1, int(high))].sum(axis=1) for low, high in _pairs(edges)]
    decibels = 10 * np.log10(np.array(bands) / COLUMN**2 + 1e-12)
    shades: NDArray[np.int64] = np.clip((decibels - FLOOR) // STEP + 1, 0, len(SHADES) - 1).astype(int)
    return shades


def _pairs(edges: NDArray[np.float64]) -> Iterator[tuple[float, float]]:
    # A window of a second has a line for each hertz.
    return zip(edges.tolist(), edges[1:].tolist(), strict=False)


def _opening() -> Iterator[str]:
    height = TOP + HEIGHT + BOTTOM
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'font-family="{escape(FONT, {chr(34): "&quot;"})}" font-size="13">'
    )
    yield f"<title>{escape(SHOWS)}</title>"
    yield f'<rect width="{WIDTH}" height="{height}" fill="#100d1a"/>'


def _shades(levels: NDArray[np.int64], seconds: float) -> Iterator[str]:
    """Yields one path for each shade, of lines from left to right."""
    rows, columns = levels.shape
    lines: list[list[str]] = [[] for _ in SHADES]
    for row, shades in enumerate(levels):
        at = 0
        for shade, run in groupby(shades.tolist()):
            length = len(list(run))
            lines[shade].append(f"M{at} {rows - row - 0.5:g}h{length}")
            at += length
    across, down = (WIDTH - LEFT - 12) / seconds, HEIGHT / rows
    yield f'<rect x="{LEFT}" y="{TOP}" width="{columns * across:.1f}" height="{HEIGHT}" fill="{SHADES[0]}"/>'
    yield f'<g transform="translate({LEFT} {TOP}) scale({across:.5f} {down:.5f})" stroke-width="1.04" fill="none">'
    for color, parts in zip(SHADES[1:], lines[1:], strict=True):
        yield f'<path stroke="{color}" d="{"".join(parts)}"/>'
    yield "</g>"


def _marks(bars: Sequence[tuple[float, ArrangedBar]], seconds: float) -> Iterator[str]:
    """Yields the passages, the months, and what the Inspector did."""
    across = (WIDTH - LEFT - 12) / seconds
    before, month, floor = "", 0, TOP + HEIGHT
    for number, (second, bar) in enumerate(bars, 1):
        x = LEFT + second * across
        if bar.passage != before:
            before = bar.passage
            yield f'<path d="M{x:.1f} {TOP - 16}V{floor}" stroke="{INK}" stroke-width="0.7" opacity="0.6"/>'
            yield f'<text x="{x + 3:.1f}" y="{TOP - 6}" fill="{INK}" font-size="11">{escape(before)}</text>'
        for cue in bar.cues:
            if cue.kind == STAGE:
                month += 1
                yield f'<text x="{x:.1f}" y="{floor + 16}" fill="{SOFT}">{month}</text>'
            if cue.kind in MARKED:
                color, said = MARKED[cue.kind]
                heavy = cue.weight == 1
                yield f'<path d="M{x:.1f} {floor}v{6 if heavy else -9}" stroke="{color}" stroke-width="2"/>'
                if heavy:
                    yield f'<path d="M{x:.1f} {TOP - 22}V{TOP}" stroke="{color}" stroke-width="2"/>'
                    yield f'<text x="{x:.1f}" y="{TOP - 26}" fill="{color}">{escape(said)}, bar {number}</text>'


def _axis() -> Iterator[str]:
    yield f'<text x="{LEFT}" y="20" fill="{INK}" font-size="15">Nine Months</text>'
    yield f'<text x="{LEFT - 5}" y="{TOP + HEIGHT + 16}" fill="{SOFT}" text-anchor="end">month</text>'
    for octave in range(OCTAVES + 1):
        y = TOP + HEIGHT - octave * HEIGHT / OCTAVES
        hertz = LOWEST * 2**octave
        label = f"{hertz:g} Hz" if hertz < 1000 else f"{hertz / 1000:.1f} k"
        yield f'<text x="{LEFT - 5}" y="{y + 4:.1f}" fill="{SOFT}" font-size="10" text-anchor="end">{label}</text>'
    yield (
        f'<text x="{LEFT}" y="{TOP + HEIGHT + 34}" fill="{SOFT}">Short marks at the bottom: the Inspector is sent. '
        "A column is a second.</text>"
    )
