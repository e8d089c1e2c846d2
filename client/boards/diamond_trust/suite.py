"""The suite of Diamond Trust, "Nine Months": from hope to greed.

London plays strings, Luanda guitar and marimba, and the Inspector low brass. One theme goes through all of it: a rising
fourth and three steps. In hope it is in D major; in trade it is a dance; suspicion turns it upside down; greed has it
in short notes, and the endgame in long ones, over a bass that falls by semitones.
"""

from __future__ import annotations

from typing import Final

from kimberley.client.audio.cue import END, STAGE
from kimberley.client.audio.score import Layer, Motif, Passage, Reading, Suite

_PAD: Final = Layer("pad", ("1234 - - -",), 4, 0.15, send=0.5)
_SHAKER: Final = Layer(
    "shaker", ("2 1 3! 1 2 1 3! 1", "2 . 3! 1 2 1 3! .", "2 1 3! 1 2 1 3! 1 2 1 3! 1 2 1 3! 1"), 4, 0.13, 0.3, 0.1,
    optional=True,
)  # fmt: skip
_DRUM: Final = Layer("drum", ("1! . . 1 . . 1 .", "1! . . . 1 . . 1"), 3, 0.4, -0.1, 0.15, optional=True)


def _theme(text: str, voice: str = "strings", octave: int = 4, level: float = 0.24, pan: float = -0.15) -> Layer:
    return Layer(voice, (text,), octave, level, pan, 0.45, Reading.SCALE, optional=True)


# -- hope: the first months --------------------------------------------------------------------------------------------

_HOPE_THEME: Final = (
    "5, - - 1 2 - 3 - | 2 - - - . 5, 2 3 | 4 - 3 - 1 - - - | 6, - - - . 6, 1 2 |"
    "3 - - 4 5 - 6 - | 5 - 4 - 2 - - - | 1 - - - 2 - 4 - | 3 - 2 - - . . ."
)
_HOPE_BASS: Final = Layer("bass", ("1 - - . 3 - 1 .", "1 - - 1 . 3 - ."), 2, 0.42, send=0.08, reading=Reading.BASS)
_HOPE_GUITAR: Final = Layer("guitar", ("1 2 3 4 3 2 3 2", "1 3 2 4 3 4 2 3", "1 . 2 3 4 . 3 2"), 4, 0.34, -0.45, 0.3)
_HOPE_MARIMBA: Final = Layer(
    "marimba", (". 3 . 4 . 2 . 3", "3 . 4 . . 2 . 4", ". . 4 3 . . 2 4"), 4, 0.34, 0.45, 0.25, optional=True
)

HOPE: Final = Passage(
    88,
    "ionian",
    ("Dadd9 A/C# Bm7 Gmaj7 D/F# Em7 A7sus4 A7", "Bm7 F#m7 Gmaj7 Em7 D/F# Em7 Gmaj7 A7sus4"),
    (
        _PAD,
        _HOPE_BASS,
        _HOPE_GUITAR,
        _HOPE_MARIMBA,
        _theme(_HOPE_THEME),
        _theme(_HOPE_THEME, "flute", 5, 0.13, 0.2),
        _SHAKER,
    ),
    0.95,
)
HARBOR: Final = Passage(
    92,
    "mixolydian",
    ("Dadd9 C/D G/D Dadd9 Em7 Cmaj7 G/B A7sus4", "Dadd9 C/D G/D A7sus4 Em7 Cmaj7 Gmaj7 A7sus4"),
    (
        _PAD,
        Layer("bass", ("1 - . 1 . 3 - .", "1 - - . 1 - 3 ."), 2, 0.42, send=0.08, reading=Reading.BASS),
        Layer("marimba", ("1 3 . 2 4 . 3 .", "1 . 3 . 2 4 . 3"), 4, 0.36, 0.4, 0.25),
        Layer("guitar", (". 2 3 4 . 3 4 2", "134 . . 134 . . 234 ."), 4, 0.28, -0.45, 0.3, optional=True),
        _theme(
            "5, - - 1 2 - 3 - | 4 - 3 - 2 - - - | 1 - - 2 6, - - - | 5, - - - - . . . |"
            "2 - - 3 5 - 4 - | 3 - 2 - 1 - - - | 2 - - - 5, - 2 - | 1 - - - - . . ."
        ),
        Layer("kalimba", (". . 4 . . 3 . .", ". 4 . . 3 . 4 ."), 5, 0.18, 0.2, 0.4, optional=True),
        _SHAKER,
        _DRUM,
    ),
    0.97,
)

# -- trade: the dance of the middle months -----------------------------------------------------------------------------

_TRADE_THEME: Final = (
    "5, - - 1 2 - 3 - | 4 - - 3 2 - 1 - | 5 - - 4 3 - 1 - | 2 - - - 4 - - - |"
    "3 - - 5 - - 3 - | 2 - - 4 - - 2 - | 1 - - - . 1 2 3 | 2 - - - - . . ."
)
_SEMBA: Final = "1 . . 1 . . 1 . 3 . . 1 . . 3 ."
TRADE: Final = Passage(
    96,
    "dorian",
    ("Dm9 G/D Dm9 G Bbmaj7 C Dm9 A7sus4",),
    (
        _PAD,
        Layer("bass", (_SEMBA, "1 . . . . . 1 . 3 . . . 1 . . ."), 2, 0.42, send=0.08, reading=Reading.BASS),
        Layer("guitar", (". . 2 . 3 . . 4 . . 3 . 2 . 4 .", "1 . 3 4 . 2 . 3 . 4 . 3 2 . 4 ."), 4, 0.3, -0.45, 0.25),
        Layer("marimba", ("1 . . 3 . . 4 . . 3 . . 2 . 3 .", "3 . 1 . . 4 . . 3 . 1 . 2 . . ."), 4, 0.34, 0.45, 0.25,
              optional=True),
        _theme(_TRADE_THEME, level=0.22),
        _theme(_TRADE_THEME, "marimba", 5, 0.3, 0.25),
        _SHAKER,
        _DRUM,
    ),
    1.08,
)  # fmt: skip
MARKET: Final = Passage(
    100,
    "dorian",
    ("Gm9 C/G Gm9 Dm9 Bbmaj7 F/A Gm9 A7sus4", "Dm9 Em7 Fmaj7 G Dm9 C Bbmaj7 A7sus4"),
    (
        _PAD,
        Layer("bass", ("1 . . 1 . . 3 . 1 . . 1 . . 2 .",), 2, 0.42, send=0.08, reading=Reading.BASS),
        Layer("marimba", ("1 . 3 . 4 . 2 3 . 1 . 3 . 4 2 .", "1 . 2 . 3 . 4 . . 3 . 2 . 4 . 3"), 4, 0.34, 0.4, 0.25),
        Layer("guitar", ("134 . . 134 . . 234 . . . 134 . . 234 . .",), 4, 0.22, -0.45, 0.25, optional=True),
        Layer("short strings", (". . 3 . . . 4 . . . 3 . . . 4 .",), 4, 0.2, -0.2, 0.35, optional=True),
        Layer("kalimba", ("4 . . 3 . . 2 . . . 4 . 3 . . .",), 5, 0.17, 0.2, 0.4, optional=True),
        _SHAKER,
        _DRUM,
    ),
    0.81,
)

# -- suspicion: nobody is sure of their agents -------------------------------------------------------------------------

_INVERTED: Final = (
    "1 - - 5, 4, - 3, - | 4, - - - . . 4, 3, | 1 - - 5, 6, - 5, - | 1 - - - . . 1 2 |"
    "3 - - 2 1 - 6, - | 2 - - 1 - - 7, - | 1 - - - 6, - - - | 5, - - - 7#, - - -"
)
SUSPICION: Final = Passage(
    90,
    "phrygian",
    ("Dm Ebmaj7/D Dm Gm/D Bbmaj7 Ebmaj7 Gm6 A7",),
    (
        Layer("strings", ("1 - - - - - - -",), 3, 0.24, -0.3, 0.5, Reading.BASS),
        _PAD._replace(level=0.1),
        Layer("bass", ("1 . . . 1 . . .", "1 . . 1 . . . ."), 2, 0.42, send=0.1, reading=Reading.BASS),
        _theme(_INVERTED, "guitar", 4, 0.34, -0.4),
        _theme(_INVERTED, "strings", 4, 0.2, 0.1),
        Layer("short strings", (". . 2 . . . 3 .", ". 1 . 2 . 1 . 3"), 4, 0.2, 0.3, 0.4, optional=True),
        Layer("marimba", ("1 . . . . . 1 .", ". . . 1 . . . 1,"), 4, 0.28, 0.45, 0.45, optional=True),
        Layer("tick", (". . 1 . . . 1 .",), 6, 0.22, 0.5, 0.4, optional=True),
        _DRUM._replace(patterns=("1 . . . . . . .", "1 . . . . . 1 ."), level=0.32),
    ),
    1.16,
)
WHISPERS: Final = Passage(
    94,
    "aeolian",
    ("Dm Dm/C Bbmaj7 Gm Dm/F Em7b5 A7sus4 A7",),
    (
        Layer("pad", ("123 - - -",), 4, 0.13, send=0.55),
        Layer("bass", ("1 . . 1 . . 1 .",), 2, 0.4, send=0.1, reading=Reading.BASS),
        Layer("short strings", ("1 2 3 2 1 2 3 2", "1 . 3 . 2 . 3 ."), 4, 0.19, -0.3, 0.35),
        _theme("1 - - 5, 4, - 3, - | 4, - - - - . . . | 1 - - 2 3 - 2 - | 1 - - - - . . . |"
               "5 - - 4 3 - 1 - | 2 - - - 1 - - - | 2 - - - 4 - - - | 3 - 2 - 7#, - - -", "strings", 4, 0.22, 0.15),
        Layer("guitar", (". 1 . 2 . 3 . 2", "1 . . 3 . . 2 ."), 4, 0.28, -0.45, 0.35, optional=True),
        Layer("bell", ("1 . . . . . . . | . . . . . . . .",), 5, 0.1, 0.3, 0.6, optional=True),
        Layer("tick", (". . 1 . . . 1 .", "1 . . . 1 . . ."), 6, 0.22, 0.5, 0.4, optional=True),
        _DRUM._replace(level=0.32),
    ),
    1.25,
)  # fmt: skip

# -- greed: the last but one -------------------------------------------------------------------------------------------

_GREED_THEME: Final = (
    "5, 1 2 3 - 5 - 3 | 2 - 3 - 5 - - - | 6 - 5 - 3 - 1 - | 7, - - - 2 - 4 - |"
    "4 - 5 6 - - 4 - | 3 - - - 5 - 1' - | 2' - 1' - 6 - 4 - | 5 - - - 7, - - -"
)
_PULSE: Final = "1 1 2 1 3 1 2 1 1 1 2 1 3 1 2 1"
GREED: Final = Passage(
    108,
    "harmonic minor",
    ("Dm Dm/C Bbmaj7 A7 Gm6 Dm/F Em7b5 A7",),
    (
        _PAD._replace(level=0.11),
        Layer("bass", ("1 1 . 1 1 . 1 1", "1 . 1 1 . 1 1 ."), 2, 0.4, send=0.06, reading=Reading.BASS),
        Layer("short strings", (_PULSE, "1 . 2 1 3 . 2 1 1 . 2 1 3 . 2 3"), 4, 0.16, -0.3, 0.3),
        _theme(_GREED_THEME, "strings", 5, 0.2, 0.1),
        _theme(_GREED_THEME, "guitar", 4, 0.34, -0.4),
        Layer("marimba", ("1 . 3 . 2 . 4 .", "4 3 2 1 4 3 2 1"), 5, 0.26, 0.45, 0.25, optional=True),
        Layer("brass", (". . . . . . 1 1 | 1 - - - . . . .",), 2, 0.15, 0.15, 0.4, Reading.BASS, optional=True),
        _SHAKER,
        _DRUM._replace(patterns=("1! . 1 . 1! . 1 1",)),
    ),
    0.89,
)
FEVER: Final = Passage(
    112,
    "harmonic minor",
    ("Dm Bb Gm A7 Dm F Em7b5 A7",),
    (
        _PAD._replace(level=0.11),
        Layer("bass", ("1 . 1 3 . 1 . 3",), 2, 0.4, send=0.06, reading=Reading.BASS),
        Layer("marimba", ("1 3 2 4 1 3 2 4 1 3 2 4 1 3 2 4",), 4, 0.24, 0.4, 0.25),
        Layer("short strings", ("1 . . 1 . . 1 .", ". 2 . 3 . 2 . 3"), 4, 0.2, -0.3, 0.3, optional=True),
        _theme("1 - 5, 1 2 - 3 - | 4 - 3 - 1 - - - | 2 - 6, - 1 - 2 - | 7, - - - 2 - - - |"
               "3 - 1 3 5 - 4 - | 3 - - - 1 - 3 - | 2 - 4 - 6 - 4 - | 3 - 2 - 7, - - -", "strings", 5, 0.2, 0.1),
        Layer("guitar", ("123 . . 123 . 123 . .",), 4, 0.22, -0.45, 0.25, optional=True),
        Layer("brass", ("1 - - - - - . .",), 2, 0.14, 0.15, 0.4, Reading.BASS, optional=True),
        _SHAKER,
        _DRUM._replace(patterns=("1! . 1 . 1! . 1 1",)),
    ),
    0.73,
)  # fmt: skip

# -- the last month, and after it --------------------------------------------------------------------------------------

_LONG_THEME: Final = (
    "5, - - - 1 - - - | 1 - - - 2 - - - | 3 - - - - - - - | 3 - - 4 5 - - - |"
    "6 - - - 5 - - - | 4 - - - 6 - - - | 5 - - - 4 - - - | 3 - - - 2 - - -"
)
ENDGAME: Final = Passage(
    116,
    "aeolian",
    ("Dm Dm/C# Dm/C Bm7b5 Bbmaj7 Gm6 A7sus4 A7",),
    (
        _PAD._replace(level=0.12),
        Layer("tick", ("1! . 1 . 1 . 1 .",), 6, 0.34, 0.35, 0.3),
        Layer("bass", ("1 1 1 1 1 1 1 1",), 2, 0.36, send=0.06, reading=Reading.BASS),
        Layer("strings", ("1 - - - - - - -",), 3, 0.2, 0.25, 0.4, Reading.BASS),
        _theme(_LONG_THEME, "strings", 5, 0.22, -0.2)._replace(optional=False),
        Layer("short strings", (_PULSE,), 4, 0.14, -0.3, 0.3, optional=True),
        Layer("marimba", ("1 2 3 4 3 2 1 2",), 4, 0.26, 0.45, 0.25, optional=True),
        Layer("timpani", ("1! . . . . . 1 1",), 2, 0.28, 0.0, 0.35, Reading.BASS, optional=True),
        _DRUM,
    ),
    0.78,
)
CODA: Final = Passage(
    84,
    "ionian",
    ("Dadd9 A/C# Bm7 Gmaj7 D/F# Gmaj7 A7sus4 Dadd9",),
    (
        _PAD,
        Layer("bass", ("1 - - - - - . .",), 2, 0.4, send=0.1, reading=Reading.BASS),
        Layer("guitar", ("1 2 3 4 3 2 3 2 | 1 2 3 4 - - . .",), 4, 0.36, -0.35, 0.35),
        _theme("5, - - 1 2 - 3 - | 2 - - - . 5, 2 3 | 4 - 3 - 1 - - - | 6, - - - . 6, 1 2 |"
               "3 - - 4 5 - 6 - | 5 - - - 3 - - - | 2 - - - 4 - 2 - | 1 - - - - - - -")._replace(optional=False),
        Layer("kalimba", (". . . . 4 . 3 .",), 5, 0.14, 0.35, 0.5),
    ),
    0.86,
)  # fmt: skip

# -- what answers the events -------------------------------------------------------------------------------------------

_TRIP: Final = Motif((Layer("kalimba", ("1 2 3 4 1' . . .", "4 3 2 1 4, . . ."), 5, 0.22, 0.3, 0.5),))
_AUCTION: Final = Motif(
    (
        Layer("harp", ("1 2 3 4 1' 2' 3' .",), 4, 0.34, -0.3, 0.5),
        Layer("bell", (". . . . . . 1' .",), 5, 0.12, 0.2, 0.6),
    )
)
_BLOCKED: Final = Motif((Layer("short strings", ("1! . 1# . 1 . . .",), 3, 0.4, 0.0, 0.4, Reading.BASS),))
_SALE: Final = Motif(
    (
        Layer("celesta", ("4' 3' 2' 1' 4 . 3 .",), 4, 0.16, 0.25, 0.5),
        Layer("marimba", ("1 . 2 . 3 . 4 .",), 4, 0.24, 0.4, 0.3),
    )
)
_HOMEWARD: Final = Motif((Layer("flute", ("1 - 2 - 3 - 4 -",), 5, 0.16, 0.2, 0.5),))
_SUMMONED: Final = Motif((Layer("brass", ("1! - - 1# - - 1 -",), 2, 0.34, 0.1, 0.5, Reading.BASS),))
_STRUCK: Final = Motif(
    (
        Layer("brass", ("1! - - 1#! - - 1! - | 2b! - - - - - - .",), 2, 0.62, 0.12, 0.5, Reading.BASS),
        Layer("brass", ("1! - - 1#! - - 1! - | 2b! - - - - - - .",), 3, 0.4, -0.12, 0.5, Reading.BASS),
        Layer("timpani", ("1! . . . . . 1 1 | 1! . . . . . . .",), 2, 0.5, 0.0, 0.4, Reading.BASS),
    ),
    2,
    "D5 D5",
    frozenset({"pad"}),
)
"""The Inspector strikes: all is silent but a bare fifth, and low brass calls D, E flat, D and falls to A flat."""
_MONTH: Final = Motif(
    (
        Layer("wind", ("1 - - - - - - - | . . . . . . . .",), 4, 0.2, 0.0, 0.5),
        Layer("bell", (". . . . . . . . | 1 . . . . . . .",), 4, 0.16, 0.0, 0.6, Reading.BASS),
    ),
    2,
)
_LAST: Final = Motif((Layer("bell", ("1 . . . 3 . . .",), 4, 0.2, 0.0, 0.6, Reading.BASS),))

SUITE: Final = Suite(
    "Nine Months",
    "D",
    4,
    {
        "hope": HOPE,
        "harbor": HARBOR,
        "trade": TRADE,
        "market": MARKET,
        "suspicion": SUSPICION,
        "whispers": WHISPERS,
        "greed": GREED,
        "fever": FEVER,
        "endgame": ENDGAME,
        "coda": CODA,
    },
    (
        (0.0, ("hope", "harbor")),
        (0.3, ("trade", "market")),
        (0.5, ("suspicion", "whispers")),
        (0.7, ("greed", "fever")),
        (0.95, ("endgame",)),
    ),
    "coda",
    {
        "trip": _TRIP,
        "auction": _AUCTION,
        "blocked": _BLOCKED,
        "sale": _SALE,
        "home": _HOMEWARD,
        "inspector": _SUMMONED,
        "confiscated": _STRUCK,
        STAGE: _MONTH,
        END: _LAST,
    },
)
