"""The suite of Diamond Trust: nine months, from hope to greed."""

from __future__ import annotations

from typing import Final

from kimberley.client.audio.score import Layer, Motif, Passage, Reading, Suite

_PAD: Final = Layer("pad", ("1234 - - -",), 4, 0.16, send=0.5)
_BASS: Final = Layer("bass", ("1 - - . 1 . 3 -", "1 - . 1 . - 2 -"), 2, 0.5, send=0.08, reading=Reading.BASS)
_GUITAR: Final = Layer(
    "guitar", ("1 3 2 4 3 2 1 3", "1 2 3 4 2 3 4 2", ". 2 3 4 . 3 4 2"), 4, 0.3, -0.45, 0.3, optional=True
)
_MARIMBA: Final = Layer(
    "marimba", ("1 . 3 1 . 4 . 3", "3 . 1 . 4 3 . 1", ". 1 3 . 4 . 3 1"), 4, 0.34, 0.45, 0.25, optional=True
)
_STRINGS: Final = Layer(
    "strings",
    ("5 - - 4 | 3 - - - | 4 - 5 6 | 5 - - -", "1' - - 7 | 5 - - - | 6 - 5 4 | 3 - - -"),
    4,
    0.2,
    -0.15,
    0.45,
    Reading.SCALE,
    optional=True,
)
_SHAKER: Final = Layer(
    "shaker", ("1 2 1! 2 1 2 1! 2", "1 . 1! 2 1 . 1! 2"), 4, 0.25, 0.3, 0.1, Reading.SCALE, optional=True
)

HOPE: Final = Passage(
    92,
    "dorian",
    ("Dm9 G/D Bbmaj7 Am7 Dm9 G/D F C", "Dm9 Fmaj7 G C/E Dm9 Bbmaj7 C Dm9"),
    (_PAD, _BASS, _GUITAR, _MARIMBA, _STRINGS, _SHAKER),
)

_INSPECTOR: Final = Motif(
    (
        Layer("brass", ("1! - - 2b - - 1 - | 1! - - - - - . .",), 2, 0.6, 0.1, 0.5, Reading.SCALE),
        Layer("timpani", ("1! . . . 1 1 1! . | 1! . . . . . . .",), 2, 0.5, 0.0, 0.4, Reading.SCALE),
    ),
    2,
    "Dm Dm",
    frozenset({"pad"}),
)

SUITE: Final = Suite("Nine Months", "D", 4, {"hope": HOPE}, ((0.0, ("hope",)),), "hope", {"confiscated": _INSPECTOR})
