"""The suite of the land game, "Two Rivers": a small band on a riverboat, cheerful until somebody has to go."""

from __future__ import annotations

from typing import Final

from kimberley.client.audio.cue import END, STAGE
from kimberley.client.audio.score import Layer, Motif, Passage, Reading, Suite

_WALKING: Final = Layer("bass", ("1 . 2 . 3 . 2 .", "1 . 3 . 2 . 3 ."), 2, 0.45, send=0.06, reading=Reading.BASS)
_CHOPS: Final = Layer(
    "guitar", (". . 234 . . . 234 .", ". . 234 . . 234 . 234", ". . 134 . . . 234 234"), 4, 0.24, -0.45, 0.2
)
_BRUSH: Final = Layer(
    "shaker", ("1 . . 2 . 1 3! . . 2 . 1", "1 . . 2! . . 1 . . 2! . ."), 4, 0.15, 0.3, 0.1, optional=True
)
_BLOCKS: Final = Layer("tick", (". . 1 . . 1 . .", "1 . . 1 . . 1 ."), 6, 0.2, 0.5, 0.2, optional=True)
_TUNE: Final = (
    "5 - 6 5 3 - 1 - | 2 - 3 2 6, - - - | 4 - 5 4 2 - 7, - | 1 - - 2 3 - . . |"
    "5 - 6 5 1' - 6 - | 5 - 3 1 6, - - - | 2 - 3 4 3 - 2 - | 1 - - - . . . ."
)

PROSPECT: Final = Passage(
    104,
    "ionian",
    ("F Dm7 Gm7 F/A F7 Dm7 Gm7 F", "F D7 Gm7 F/C F/A Dm7 C7 F6"),
    (
        Layer("pad", ("123 - - -",), 4, 0.1, send=0.4),
        _WALKING,
        _CHOPS,
        Layer("reed", (_TUNE,), 4, 0.2, 0.15, 0.3, Reading.SCALE, optional=True),
        Layer("marimba", ("1 . 3 4 . 3 1 .", "4 . 3 . 2 3 . 4"), 4, 0.3, 0.45, 0.2, optional=True),
        _BRUSH,
        _BLOCKS,
    ),
    1.12,
)
FERRY: Final = Passage(
    96,
    "mixolydian",
    ("Bb F/A Gm7 F Bb Eb F7sus4 F7", "F Eb Bb/D F F Eb Gm7 C7sus4"),
    (
        Layer("pad", ("1234 - - -",), 4, 0.11, send=0.45),
        Layer("bass", ("1 - . 3 1 - 2 .",), 2, 0.45, send=0.06, reading=Reading.BASS),
        Layer("marimba", ("1 3 4 3 2 3 4 3", "1 . 4 3 . 4 2 ."), 4, 0.3, 0.4, 0.25),
        Layer(
            "flute",
            (
                "1 - 2 4 5 - - - | 4 - 2 1 6, - - - | 2 - 4 5 6 - 5 - | 4 - 2 - 1 - - - |"
                "4 - 5 6 1' - - - | 6 - 5 4 2 - 4 - | 5 - - 4 5 - 6 - | 5 - - - . . . .",
            ),
            5, 0.16, 0.2, 0.4, Reading.SCALE, optional=True,
        ),
        _CHOPS._replace(optional=True),
        _BRUSH,
    ),
)  # fmt: skip
RENT: Final = Passage(
    108,
    "dorian",
    ("Fm7 Bb7 Fm7 Bb7 Db Eb Fm7 C7", "Fm7 Eb Db Fm7/C Fm7 Eb Db C7sus4"),
    (
        Layer("pad", ("123 - - -",), 4, 0.1, send=0.4),
        Layer("bass", ("1 . . 1 . . 3 1", "1 . 1 . 3 . 2 ."), 2, 0.45, send=0.06, reading=Reading.BASS),
        _CHOPS._replace(patterns=(". 234 . . . 234 . .", ". . 234 . 234 . . 234")),
        Layer("reed", ("1 - . 3 4 - 5 - | 4 - 3 - 1 - - - | 1 - . 3 4 - 7 - | 5 - 4 - 3 - - - |"
                       "1 - . 3 4 - 3 - | 4 - 2 - 2 - - - | 1 - . 3 4 - 5 - | 5 - 4 - 5 - - -",), 4, 0.2, 0.15, 0.3,
              Reading.SCALE, optional=True),
        Layer("short strings", ("1 . 3 . 2 . 4 .", ". 3 . 4 . 3 . 2"), 4, 0.2, -0.2, 0.3, optional=True),
        Layer("marimba", ("4 . . 3 . . 2 .",), 4, 0.3, 0.45, 0.2, optional=True),
        _BRUSH,
        _BLOCKS,
    ),
    1.1,
)  # fmt: skip
FORECLOSURE: Final = Passage(
    116,
    "harmonic minor",
    ("Fm Fm/E Fm/Eb Dm7b5 Db Bbm6 C7sus4 C7",),
    (
        Layer("pad", ("1234 - - -",), 4, 0.11, send=0.45),
        Layer("tick", ("1! . 1 . 1 . 1 .",), 6, 0.34, 0.35, 0.3),
        Layer("bass", ("1 . 1 1 . 1 1 .",), 2, 0.42, send=0.06, reading=Reading.BASS),
        Layer("short strings", ("1 2 3 2 4 2 3 2",), 4, 0.2, -0.3, 0.3),
        Layer("reed", ("5 - - - 1' - 7 - | 7 - - - 1' - - - | 5 - - - 4 - - - | 4 - 3 - 2 - 4 - |"
                       "6 - - - 4 - 1 - | 4 - - - 6 - 4 - | 5 - - - 4 - - - | 3 - 2 - 7, - - -",), 4, 0.2, 0.15, 0.35,
              Reading.SCALE, optional=True),
        Layer("marimba", ("4 3 2 1 4 3 2 1",), 5, 0.24, 0.45, 0.25, optional=True),
        Layer("drum", ("1! . . 1 1! . . 1",), 3, 0.34, 0.0, 0.15, optional=True),
    ),
)  # fmt: skip
CODA: Final = Passage(
    88,
    "ionian",
    ("F Dm7 Gm7 F/A F7 Dm7 C7 F6",),
    (
        Layer("pad", ("1234 - - -",), 4, 0.11, send=0.45),
        Layer("bass", ("1 - - . 2 - - .",), 2, 0.42, send=0.08, reading=Reading.BASS),
        Layer("marimba", ("1 . 3 . 4 . 3 .",), 4, 0.26, 0.4, 0.3),
        Layer("reed", (_TUNE,), 4, 0.2, 0.1, 0.35, Reading.SCALE),
    ),
    1.1,
)

SUITE: Final = Suite(
    "Two Rivers",
    "F",
    4,
    {"prospect": PROSPECT, "ferry": FERRY, "rent": RENT, "foreclosure": FORECLOSURE, "coda": CODA},
    ((0.0, ("prospect", "ferry")), (0.4, ("ferry", "rent")), (0.65, ("rent", "prospect")), (0.85, ("foreclosure",))),
    "coda",
    {
        "bought": Motif((Layer("celesta", (". 1 . 3 4 . . .",), 5, 0.16, 0.25, 0.45),)),
        "evicted": Motif(
            (
                Layer("reed", ("4' - 3b' - 3 - 2b -",), 3, 0.3, 0.1, 0.4),
                Layer("timpani", ("1! . 1 . 1! . . .",), 2, 0.44, 0.0, 0.35, Reading.BASS),
            ),
            1,
            "",
            frozenset({"pad", "bass", "tick"}),
        ),
        "cut off": Motif((Layer("short strings", ("4! . 3 . 2 . 1 .",), 3, 0.34, 0.0, 0.4),)),
        "ruined": Motif(
            (
                Layer("brass", ("1! - - - 3b - - - | 1, - - - - - - .",), 3, 0.44, 0.1, 0.5, Reading.BASS),
                Layer("timpani", ("1! . . . 1 . . . | 1 1 1! . . . . .",), 2, 0.5, 0.0, 0.4, Reading.BASS),
            ),
            2,
            "Fm Fm",
            frozenset({"pad"}),
        ),
        STAGE: Motif((Layer("harp", ("1 2 3 4 1' 2' 3' 4'",), 4, 0.2, -0.3, 0.5),)),
        END: Motif((Layer("bell", ("1 . 3 .",), 4, 0.2, 0.0, 0.6, Reading.BASS),)),
    },
)
