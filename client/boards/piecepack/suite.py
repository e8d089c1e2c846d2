"""The suite of the piecepack game, "Warlords": twelve beats to a bar, drums, a reed and a guitar."""

from __future__ import annotations

from typing import Final

from kimberley.client.audio.cue import END, STAGE
from kimberley.client.audio.score import Layer, Motif, Passage, Reading, Suite

_DRONE: Final = Layer("pad", ("12 - - -", "123 - - -"), 4, 0.13, send=0.5)
_FRAME: Final = Layer("drum", ("1! . . 1 . 1 1! . . 1 . .", "1! . . . . 1 1! . 1 . . 1"), 3, 0.42, 0.0, 0.2)
_HANDS: Final = Layer("shaker", ("1 . 2 3! . 2 1 . 2 3! . 2", ". . 1 2! . . . . 1 2! . ."), 4, 0.16, 0.35, 0.15,
                      optional=True)  # fmt: skip
_LUTE: Final = Layer("guitar", ("1 . 2 3 . 4 3 . 2 4 . 3", "1 3 4 . 2 3 1 3 4 . 3 2", "1 . . 3 . 4 2 . . 4 . 3"), 4,
                     0.3, -0.4, 0.3)  # fmt: skip
_CALL: Final = "1 - - 2 - 3 4 - - - - - | 5 - - 4 - 3 2 - - - . . | 1 - - 2 - 3 4 - 5 4 - 3 | 2 - - 7, - - 1 - - - - -"

CARAVAN: Final = Passage(
    92,
    "dorian",
    ("Am D/A Am G Am D/A G Am", "Am G/A D/A Am C G D Am"),
    (
        _DRONE,
        Layer("bass", ("1 . . . . 1 2 . . 1 . .", "1 . . 1 . . 2 . . . . ."), 2, 0.42, send=0.08, reading=Reading.BASS),
        _LUTE,
        Layer("flute", (_CALL,), 4, 0.18, 0.2, 0.45, Reading.SCALE, optional=True),
        Layer("kalimba", ("4 . . 3 . . 4 . . 2 . .",), 5, 0.18, 0.4, 0.4, optional=True),
        _FRAME._replace(optional=True, level=0.34),
        _HANDS,
    ),
    1.08,
)
BAZAAR: Final = Passage(
    104,
    "mixolydian",
    ("A G/A D/A A A D G A", "A Em7 G D A G D/F# A"),
    (
        _DRONE,
        Layer("bass", ("1 . . 3 . 1 1 . . 3 . .",), 2, 0.42, send=0.08, reading=Reading.BASS),
        Layer("marimba", ("1 . 3 4 . 3 2 . 4 3 . 1", "1 3 . 2 4 . 1 3 . 2 4 ."), 4, 0.3, 0.4, 0.25),
        _FRAME._replace(level=0.34),
        Layer("reed", ("5 - - 6 - 5 3 - - - - - | 4 - - 2 - 4 1 - - - . . | 5 - - 6 - 7 6 - 5 - 3 - |"
                       "2 - - 4 - 2 1 - - - - -",), 4, 0.18, 0.15, 0.35, Reading.SCALE, optional=True),
        _LUTE._replace(optional=True, level=0.26),
        _HANDS,
    ),
)  # fmt: skip
RAID: Final = Passage(
    112,
    "phrygian",
    ("Am Bb/A Am Gm/A Am Bb Gm Am", "Am Gm Bb Am F Gm Bb Am"),
    (
        _DRONE._replace(level=0.1),
        Layer("bass", ("1 . 1 1 . 1 1 . 1 2 . 1",), 2, 0.4, send=0.06, reading=Reading.BASS),
        Layer("guitar", ("123 . . 123 . 123 . . 123 . 123 .", "1 2 3 1 2 3 1 2 3 4 3 2"), 4, 0.26, -0.4, 0.25),
        _FRAME,
        Layer("reed", ("1 - 2 1 - 7, 1 - - - - - | 3 - 2 1 - 2 1 - - - . . | 4 - 3 2 - 3 2 - 1 - 7, - |"
                       "1 - - 2 - - 1 - - - - -",), 4, 0.2, 0.15, 0.3, Reading.SCALE, optional=True),
        Layer("short strings", ("1 . . 2 . . 3 . . 2 . .",), 4, 0.22, 0.3, 0.3, optional=True),
        _HANDS,
    ),
    0.9,
)  # fmt: skip
LAST_TILES: Final = Passage(
    116,
    "harmonic minor",
    ("Am Am/G# Am/G F#m7b5 F Dm6 E7sus4 E7",),
    (
        _DRONE._replace(level=0.1),
        Layer("tick", ("1! . . 1 . . 1 . . 1 . .",), 6, 0.34, 0.35, 0.3),
        Layer("bass", ("1 . 1 1 . 1 1 . 1 1 . 1",), 2, 0.36, send=0.06, reading=Reading.BASS),
        Layer("strings", ("5 - - - | 5 - - - | 5 - 4 - | 3 - 4 - | 6 - 5 - | 4 - 6 - | 5 - 4 - | 3 - 2 -",), 4, 0.22,
              0.15, 0.4, Reading.SCALE),
        Layer("guitar", ("1 2 3 4 3 2 1 2 3 4 3 2",), 4, 0.26, -0.4, 0.25, optional=True),
        Layer("timpani", ("1! . . . . 1 1 . . . . .",), 2, 0.3, 0.0, 0.35, Reading.BASS, optional=True),
        _FRAME,
    ),
    0.92,
)  # fmt: skip
CODA: Final = Passage(
    84,
    "dorian",
    ("Am D/A C G Am D/A G Am",),
    (
        _DRONE,
        Layer("bass", ("1 - - - - - . .",), 2, 0.42, send=0.1, reading=Reading.BASS),
        _LUTE,
        Layer("flute", (_CALL,), 4, 0.2, 0.2, 0.5, Reading.SCALE),
    ),
)

SUITE: Final = Suite(
    "Warlords",
    "A",
    4,
    {"caravan": CARAVAN, "bazaar": BAZAAR, "raid": RAID, "last tiles": LAST_TILES, "coda": CODA},
    ((0.0, ("caravan", "bazaar")), (0.4, ("bazaar", "raid")), (0.65, ("raid", "caravan")), (0.85, ("last tiles",))),
    "coda",
    {
        "beaten": Motif(
            (
                Layer("drum", ("1! . 1! . 1! . 1! 1! . 1! . .",), 3, 0.6, 0.0, 0.25),
                Layer("brass", ("1! - - 1#! - - 1 - - - - .",), 2, 0.42, 0.1, 0.4, Reading.BASS),
            ),
            1,
            "",
            frozenset({"bass", "pad", "tick"}),
        ),
        "robbed": Motif((Layer("short strings", ("4! . 3 2 . 1 . . . . . .",), 4, 0.3, 0.2, 0.4),)),
        "sale": Motif((Layer("celesta", ("4' . 3' 2' . 1' 4 . 3 2 . 1",), 4, 0.2, 0.25, 0.5),)),
        "mine": Motif((Layer("pick", ("1! . . 1 . . 1 . . . . .",), 6, 0.2, -0.2, 0.5),)),
        "lay": Motif((Layer("kalimba", ("1 . 2 3 . 4 . . . . . .",), 5, 0.18, 0.3, 0.5),)),
        "war zone": Motif((Layer("timpani", ("1! . . 1 . 1 1! . . . . .",), 2, 0.4, 0.0, 0.4, Reading.BASS),)),
        STAGE: Motif((Layer("wind", ("1 - - -",), 4, 0.16, 0.0, 0.5),)),
        END: Motif((Layer("bell", ("1 . 3 .",), 4, 0.2, 0.0, 0.6, Reading.BASS),)),
    },
)
