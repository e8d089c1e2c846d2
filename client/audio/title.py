"""What is heard on the title screen, and in a game that has no suite of its own."""

from __future__ import annotations

from typing import Final

from kimberley.client.audio.score import Layer, Passage, Reading, Suite

_STONES: Final = Passage(
    84,
    "lydian",
    ("Cmaj9 Am9 Fmaj9 Gadd9 Em7 Am9 Fmaj7 G7sus4",),
    (
        Layer("pad", ("1234 - - -",), 4, 0.2, send=0.5),
        Layer("bass", ("1 - - - . . 1 -",), 2, 0.4, send=0.1, reading=Reading.BASS),
        Layer("kalimba", ("1 . 3 . 2 4 . 3 | . 2 . 4 3 . 1 .",), 5, 0.3, 0.35, 0.5),
        Layer("harp", (". . . . | 1 2 3 4 1' 2' 3' 4'",), 4, 0.25, -0.4, 0.5),
    ),
)

TITLE: Final = Suite("Stones", "C", 4, {"stones": _STONES}, ((0.0, ("stones",)),), "stones")
