"""The suite of Diamond Mine, "Deep Veins": picks and tongues of metal in a large dark room."""

from __future__ import annotations

from typing import Final

from kimberley.client.audio.cue import END, STAGE
from kimberley.client.audio.score import Layer, Motif, Passage, Reading, Suite

_CAVE: Final = Layer("pad", ("123 - - -", "1234 - - -"), 3, 0.16, send=0.7)
_DRIP: Final = Layer("kalimba", ("1 . 3 . . 2 . 4", ". 4 . . 3 . 2 .", "3 . . 1 . 4 . ."), 5, 0.26, 0.35, 0.6)
_PICKS: Final = Layer("pick", ("1 . . . . . . .", ". . . . 1 . 1 .", "1 . . 1 . . . ."), 6, 0.14, -0.4, 0.5,
                      optional=True)  # fmt: skip
_DRUM: Final = Layer("drum", ("1! . . . 1 . . .", "1! . . 1 . . 1 ."), 3, 0.36, 0.1, 0.25, optional=True)

SHAFT: Final = Passage(
    84,
    "aeolian",
    ("Em9 Cmaj7 Am9 Bm7 Em9 Gadd9 D Bm7", "Em9 D/E Cmaj7 Bm7 Em9 G/B Am9 Bm7"),
    (
        _CAVE,
        Layer("bass", ("1 - - - . . 1 .", "1 - . . 2 - . ."), 2, 0.45, send=0.2, reading=Reading.BASS),
        _DRIP,
        Layer("flute", ("1 - - 2 3 - - - | 5 - - - 3 - 2 - | 1 - - - 3 - 2 - | 2 - - - . . . .",), 5, 0.13, 0.15, 0.6,
              Reading.SCALE, optional=True),
        Layer("marimba", ("1 . 3 . . . 4 .", "1 . . 3 . 4 . ."), 3, 0.3, -0.3, 0.4, optional=True),
        _PICKS,
        _DRUM,
    ),
    1.05,
)  # fmt: skip
GALLERY: Final = Passage(
    92,
    "dorian",
    ("Em7 A/E Em7 A G D/F# Em7 Bm7", "Em7 G A Em7 Em7 G D A"),
    (
        _CAVE,
        Layer("bass", ("1 . . 1 . 3 . .", "1 . 1 . . . 3 ."), 2, 0.45, send=0.15, reading=Reading.BASS),
        Layer("marimba", ("1 . 3 2 . 4 3 .", "1 3 . 4 . 3 2 ."), 4, 0.3, -0.3, 0.3),
        Layer("kalimba", (". 4 . 3 . . 4 .", "4 . 3 . 2 . . ."), 5, 0.24, 0.35, 0.6, optional=True),
        Layer("guitar", ("1 . . 2 . 3 . .", ". 2 3 4 . . 3 ."), 4, 0.26, 0.2, 0.4, optional=True),
        _PICKS,
        _DRUM,
    ),
)
SEAM: Final = Passage(
    100,
    "aeolian",
    ("Em D C Bm7 Em G Am7 B7", "Em Cmaj7 G D/F# Em Am7 C B7sus4"),
    (
        _CAVE._replace(level=0.13),
        Layer("bass", ("1 1 . 1 . 1 3 .", "1 . 1 1 . 3 . 1"), 2, 0.42, send=0.12, reading=Reading.BASS),
        Layer("marimba", ("1 3 4 3 2 3 4 3", "1 2 3 4 1 2 3 4"), 4, 0.28, -0.3, 0.3),
        Layer("strings", ("1 - - - 2 - - - | 3 - - - 2 - - - | 5 - - - 4 - - - | 4 - - - 2 - - -",), 4, 0.2, 0.15, 0.5,
              Reading.SCALE, optional=True),
        Layer("kalimba", ("4 . . 3 . . 2 .",), 5, 0.22, 0.35, 0.6, optional=True),
        _PICKS._replace(patterns=("1 . . 1 . . 1 .",)),
        _DRUM,
    ),
)  # fmt: skip
COLLAPSE: Final = Passage(
    112,
    "harmonic minor",
    ("Em Em/D# Em/D C#m7b5 Cmaj7 Am6 B7sus4 B7",),
    (
        _CAVE._replace(level=0.13),
        Layer("pick", ("1! . 1 . 1 . 1 .",), 6, 0.22, -0.4, 0.45),
        Layer("bass", ("1 1 1 1 1 1 1 1",), 2, 0.36, send=0.1, reading=Reading.BASS),
        Layer("strings", ("5 - - - - - - - | 5 - - - - - - - | 5 - - - 4 - - - | 3 - - - 2 - - - |"
                          "3 - - - 5 - - - | 4 - - - 6 - - - | 5 - - - 4 - - - | 2 - - - 7, - - -",),
              4, 0.22, 0.15, 0.5, Reading.SCALE),
        Layer("marimba", ("1 2 3 4 3 2 1 2",), 4, 0.28, -0.3, 0.3, optional=True),
        Layer("timpani", ("1! . . . . . 1 1",), 2, 0.3, 0.0, 0.4, Reading.BASS, optional=True),
        _DRUM,
    ),
)  # fmt: skip
CODA: Final = Passage(
    84,
    "dorian",
    ("Em9 A/E G D/F# Em9 A/E Cmaj7 Em9",),
    (
        _CAVE,
        Layer("bass", ("1 - - - - - . .",), 2, 0.45, send=0.2, reading=Reading.BASS),
        _DRIP,
        Layer("flute", ("1 - - 2 3 - - - | 5 - - - 4 - 3 - | 2 - - - 5 - - - | 4 - - - 2 - - - |"
                        "1 - - 2 3 - - - | 5 - - - 4 - 3 - | 3 - - - 2 - - - | 1 - - - - - - -",), 5, 0.14, 0.15, 0.6,
              Reading.SCALE),
    ),
)  # fmt: skip

SUITE: Final = Suite(
    "Deep Veins",
    "E",
    4,
    {"shaft": SHAFT, "gallery": GALLERY, "seam": SEAM, "collapse": COLLAPSE, "coda": CODA},
    ((0.0, ("shaft", "gallery")), (0.3, ("gallery", "seam")), (0.6, ("seam", "shaft")), (0.8, ("collapse",))),
    "coda",
    {
        "vein": Motif(
            (
                Layer("bell", ("1 2 3 4 . . . .",), 5, 0.2, 0.2, 0.7),
                Layer("harp", (". . 1 2 3 4 1' 2'",), 4, 0.28, -0.2, 0.6),
                Layer("timpani", ("1! . . . . . . .",), 2, 0.4, 0.0, 0.5, Reading.BASS),
            ),
        ),
        "took": Motif((Layer("celesta", ("4 . 3 . 4 . . .",), 5, 0.18, 0.25, 0.6),)),
        "home": Motif((Layer("marimba", ("1 2 3 4 1' . 3 .",), 4, 0.34, 0.3, 0.4),)),
        "left": Motif((Layer("brass", ("1 - - - - - - .",), 2, 0.34, 0.0, 0.5, Reading.BASS),)),
        STAGE: Motif(
            (
                Layer("wind", ("1 - - - - - - - | . . . . . . . .",), 4, 0.22, 0.0, 0.6),
                Layer("pick", (". . . . . . . . | 1! . . . 1 . . .",), 5, 0.24, -0.2, 0.6),
            ),
            2,
        ),
        END: Motif((Layer("bell", ("1 . 3 .",), 4, 0.2, 0.0, 0.7, Reading.BASS),)),
    },
)
