"""The suite of Diamond, "Facets": a courtly waltz of two, which becomes a duel."""

from __future__ import annotations

from typing import Final

from kimberley.client.audio.cue import END, STAGE
from kimberley.client.audio.score import Layer, Motif, Passage, Reading, Suite

_PAD: Final = Layer("pad", ("1234 - -",), 4, 0.13, send=0.5)
_HARP: Final = Layer("harp", ("1 2 3 4 3 2", "1 3 2 4 3 4", "1 . 2 3 4 3"), 4, 0.3, -0.4, 0.4)
_BASS: Final = Layer("bass", ("1 . .", "1 . 2"), 2, 0.45, send=0.1, reading=Reading.BASS)
_COURTLY: Final = (
    "3 - 2 | 1 - 5, | 6, - 1 | 2 - - | 4 - 3 | 2 - 6, | 7, - 2 | 1 - - |"
    "5 - 4 | 3 - 1 | 4 - 2 | 3 - - | 6 - 5 | 4 - 2 | 7, - 2 | 1 - -"
)
_COURT: Final = "G G/B C/E D7 Am7 D7 D7/F# G G/B Em7 Am7 G/B C Am7 D7 G"

OPENING: Final = Passage(
    92,
    "ionian",
    (_COURT,),
    (
        _PAD,
        _BASS,
        _HARP,
        Layer("reed", (_COURTLY,), 4, 0.2, 0.2, 0.35, Reading.SCALE, optional=True),
        Layer("celesta", ("1 . 3 . 4 . | . 4 . 3 . 2",), 5, 0.16, 0.4, 0.45, optional=True),
        Layer("short strings", (". 23 23", ". 34 ."), 4, 0.2, 0.0, 0.3, optional=True),
    ),
    1.1,
)
DANCE: Final = Passage(
    104,
    "dorian",
    ("Gm C/G Gm F/A Bb C7/Bb F/A D7 Gm C/G Eb6 F Gm/Bb Cm6 D7sus4 D7",),
    (
        _PAD,
        _BASS._replace(patterns=("1 . 3", "1 . 2")),
        _HARP._replace(patterns=("1 2 3 4 2 3", "4 3 2 1 2 3")),
        Layer("short strings", (". 23 23", "1 23 23"), 4, 0.22, 0.15, 0.3, optional=True),
        Layer(
            "reed",
            (
                "1 - 2 | 3 - 4 | 5 - 3 | 4 - - | 5 - 4 | 3 - 2 | 4 - 3 | 2 - - |"
                "1 - 2 | 3 - 4 | 5 - 3 | 4 - 2 | 3 - 1 | 1 - 2 | 5, - - | 5, - -",
            ),
            4, 0.2, 0.2, 0.35, Reading.SCALE, optional=True,
        ),
        Layer("celesta", ("4 . 3 . 2 .", ". 3 . 4 . 3"), 5, 0.15, 0.4, 0.45, optional=True),
        Layer("drum", ("1 . .", "1 . 1"), 3, 0.3, 0.0, 0.2, optional=True),
    ),
    0.95,
)  # fmt: skip
DUEL: Final = Passage(
    112,
    "harmonic minor",
    ("Gm Gm/F Eb D7 Cm Gm/Bb Am7b5 D7",),
    (
        _PAD._replace(level=0.1),
        Layer("bass", ("1 1 1", "1 . 1"), 2, 0.42, send=0.08, reading=Reading.BASS),
        Layer("short strings", ("1 2 3 2 3 4", "1 3 2 3 4 3"), 4, 0.2, -0.3, 0.3),
        Layer("strings", ("5 - 4 | 3 - 2 | 1 - 3 | 2 - 7, | 1 - 3 | 5 - 3 | 4 - 6 | 7 - 6",), 4, 0.22, 0.15, 0.4,
              Reading.SCALE, optional=True),
        Layer("harp", ("4 3 2 1 2 3",), 5, 0.22, -0.4, 0.4, optional=True),
        Layer("timpani", ("1! . 1",), 2, 0.3, 0.0, 0.35, Reading.BASS, optional=True),
        Layer("drum", ("1! . 1 1 . .",), 3, 0.3, 0.0, 0.2, optional=True),
    ),
    0.95,
)  # fmt: skip
BLADES: Final = Passage(
    116,
    "aeolian",
    ("Gm Gm/F# Gm/F Em7b5 Eb Cm6 D7sus4 D7",),
    (
        _PAD._replace(level=0.1),
        Layer("tick", ("1! 1 1",), 6, 0.34, 0.35, 0.3),
        Layer("bass", ("1 1 1 1 1 1",), 2, 0.36, send=0.06, reading=Reading.BASS),
        Layer("short strings", ("1 1 2 1 3 1 1 1 2 1 4 1",), 4, 0.18, -0.3, 0.3),
        Layer("strings", ("5 - - | 5 - - | 4 - - | 3 - - | 3 - 4 | 4 - - | 5 - 4 | 7# - -",), 4, 0.2, 0.2, 0.4,
              Reading.SCALE),
        Layer("timpani", ("1! . .",), 2, 0.3, 0.0, 0.35, Reading.BASS, optional=True),
        Layer("harp", ("1 2 3 4 3 2",), 5, 0.2, -0.4, 0.4, optional=True),
    ),
    0.85,
)  # fmt: skip
CODA: Final = Passage(
    84,
    "ionian",
    ("G G/B C/E D7 Am7 D7 D7/F# G",),
    (
        _PAD,
        _BASS,
        _HARP,
        Layer("celesta", ("3 - 2 | 1 - 5, | 6, - 1 | 2 - - | 4 - 3 | 2 - 6, | 7, - 2 | 1 - -",), 5, 0.24, 0.3, 0.5,
              Reading.SCALE),
    ),
)  # fmt: skip

SUITE: Final = Suite(
    "Facets",
    "G",
    3,
    {"opening": OPENING, "dance": DANCE, "duel": DUEL, "blades": BLADES, "coda": CODA},
    ((0.0, ("opening",)), (0.15, ("opening", "dance")), (0.35, ("dance", "duel")), (0.7, ("blades",))),
    "coda",
    {
        "capture": Motif(
            (
                Layer("short strings", ("1234! . . 1 . .",), 3, 0.34, 0.0, 0.4),
                Layer("timpani", ("1! . . 1 . .",), 2, 0.5, 0.0, 0.4, Reading.BASS),
                Layer("bell", (". . . 4 . .",), 5, 0.12, 0.2, 0.6),
            ),
            1,
            "Ebdim7",
            frozenset({"bass", "pad"}),
        ),
        "removed": Motif((Layer("harp", ("4' 3' 2' 1' 4 3",), 4, 0.24, -0.3, 0.5),)),
        "swap": Motif((Layer("harp", ("1 2 3 4 1' 2' 3' 2' 1' 4 3 2",), 4, 0.26, -0.2, 0.5),)),
        "offer": Motif((Layer("reed", ("3 - 2",), 4, 0.2, 0.2, 0.5),)),
        STAGE: Motif((Layer("wind", ("1 - -",), 4, 0.16, 0.0, 0.5),)),
        END: Motif((Layer("bell", ("1 . 3",), 4, 0.2, 0.0, 0.6, Reading.BASS),)),
    },
)
