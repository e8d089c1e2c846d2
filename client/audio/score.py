"""A suite as data: passages made of layers, and motifs that respond to what happens. docs/music.md says how to write
one.

A pattern is text: one token for each step of a bar, the bars separated by "|". A bar is divided evenly by its tokens.

| Token | Meaning |
|---|---|
| `1` to `9` | a tone; what it counts is the layer's `Reading` |
| `135` | several tones at once |
| `1'` `1,` | an octave above, an octave below |
| `4#` `7b` | a semitone above, a semitone below |
| `!` at the end | an accent |
| `-` | the tone before goes on |
| `.` | a rest |
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

MODES: Final[Mapping[str, tuple[int, ...]]] = {
    "ionian": (0, 2, 4, 5, 7, 9, 11),
    "dorian": (0, 2, 3, 5, 7, 9, 10),
    "phrygian": (0, 1, 3, 5, 7, 8, 10),
    "lydian": (0, 2, 4, 6, 7, 9, 11),
    "mixolydian": (0, 2, 4, 5, 7, 9, 10),
    "aeolian": (0, 2, 3, 5, 7, 8, 10),
    "harmonic minor": (0, 2, 3, 5, 7, 8, 11),
}
"""The semitones of each degree above the first."""
QUALITIES: Final[Mapping[str, tuple[int, ...]]] = {
    "": (0, 4, 7),
    "m": (0, 3, 7),
    "5": (0, 7),
    "6": (0, 4, 7, 9),
    "m6": (0, 3, 7, 9),
    "7": (0, 4, 7, 10),
    "m7": (0, 3, 7, 10),
    "maj7": (0, 4, 7, 11),
    "add9": (0, 4, 7, 14),
    "madd9": (0, 3, 7, 14),
    "m9": (0, 3, 10, 14),
    "maj9": (0, 4, 11, 14),
    "9": (0, 4, 10, 14),
    "sus2": (0, 2, 7),
    "sus4": (0, 5, 7),
    "7sus4": (0, 5, 7, 10),
    "dim": (0, 3, 6),
    "dim7": (0, 3, 6, 9),
    "m7b5": (0, 3, 6, 10),
    "aug": (0, 4, 8),
}
"""The semitones of each tone of a chord above its root."""
_LETTERS: Final = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
_CHORD: Final = re.compile(r"([A-G][b#]?)([a-z0-9]*)(?:/([A-G][b#]?))?")
_TOKEN: Final = re.compile(r"(?:[1-9][#b]?[',]*)+!?|[-.]")
_TONE: Final = re.compile(r"([1-9])([#b]?)([',]*)")


class Reading(Enum):
    """What the numbers of a pattern count."""

    VOICING = "voicing"
    """The tones of the chord from the lowest, led from chord to chord by the shortest way."""
    BASS = "bass"
    """The tones of the chord above its bass."""
    SCALE = "scale"
    """The degrees of the passage's mode above the tonic."""


class Tone(NamedTuple):
    """One tone of a pattern: its number from 0, the semitones by which it is shifted, and whether it is accented."""

    number: int
    shift: int
    accent: bool


class PatternStep(NamedTuple):
    """A step of a pattern: its tones, where they begin in a bar, and how long they last, as parts of the bar."""

    start: float
    length: float
    tones: tuple[Tone, ...]


class Chord(NamedTuple):
    """A chord: pitch classes from 0 (C) to 11, the bass, and the root and what lies above it."""

    bass: int
    root: int
    intervals: tuple[int, ...]


class Layer(NamedTuple):
    """One instrument of a passage.

    Attributes:
        voice: The name of the instrument: see `voices`.
        patterns: What it plays, in variants; the story of the game chooses.
        octave: The octave in which its numbers begin; 4 is the one from middle C.
        level: How loud it is, from 0 to 1.
        pan: Where it stands, from -1 (left) to 1 (right).
        send: How much of it goes to the hall, from 0 to 1.
        reading: What its numbers count.
        optional: Whether it sounds only when the story calls for it. A layer that is not optional always sounds.
    """

    voice: str
    patterns: tuple[str, ...]
    octave: int = 4
    level: float = 0.5
    pan: float = 0.0
    send: float = 0.3
    reading: Reading = Reading.VOICING
    optional: bool = False


class Passage(NamedTuple):
    """A part of a suite, which is played over and over until the story leads to another.

    Attributes:
        tempo: Beats in a minute.
        mode: The name of its mode: see MODES.
        chords: One chord for each bar, the bars separated by spaces, in variants; the story of the game chooses.
        layers: The instruments.
        gain: The gain that makes it as loud as the other passages.
    """

    tempo: int
    mode: str
    chords: tuple[str, ...]
    layers: tuple[Layer, ...]
    gain: float = 1.0


class Motif(NamedTuple):
    """What is heard when something has happened, over the passage.

    Attributes:
        layers: The instruments that play it.
        bars: How many bars it lasts.
        chords: The chords of these bars; empty if the passage's go on.
        kept: The voices of the passage that go on meanwhile; None if all do.
    """

    layers: tuple[Layer, ...]
    bars: int = 1
    chords: str = ""
    kept: frozenset[str] | None = None


@dataclass(frozen=True)
class Suite:
    """The music of a game.

    Attributes:
        title: Its name.
        tonic: The pitch class from which degrees of a mode are counted, such as "D".
        beats: The beats of a bar.
        passages: Its passages, by name.
        arc: How the suite runs from the first stage to the last: from which part of the game on which passages may
            follow when a stage is complete. The story chooses among them.
        coda: The name of the passage that is played after the end.
        motifs: What responds to a cue, by the kind of the cue.
    """

    title: str
    tonic: str
    beats: int
    passages: Mapping[str, Passage]
    arc: tuple[tuple[float, tuple[str, ...]], ...]
    coda: str
    motifs: Mapping[str, Motif] = field(default_factory=dict)

    @property
    def opening(self) -> str:
        """The name of the passage that is played before anything has happened."""
        return self.arc[0][1][0]

    def passages_at(self, near_end: float) -> tuple[str, ...]:
        """Returns the names of the passages that may follow at a part of the game."""
        return [names for begins, names in self.arc if begins <= near_end][-1]


def pitch_class(name: str) -> int:
    """Returns the pitch class of a name such as "Bb", from 0 (C) to 11."""
    return (_LETTERS[name[0]] + {"": 0, "#": 1, "b": -1}[name[1:]]) % 12


@cache
def read_chords(text: str) -> tuple[Chord, ...]:
    """Returns the chords of a text such as "Am9 F/A G7". Raises ValueError if one is not a chord."""
    chords = []
    for word in text.split():
        match = _CHORD.fullmatch(word)
        if match is None or match[2] not in QUALITIES:
            raise ValueError(f"{word!r} is not a chord")
        root = pitch_class(match[1])
        chords.append(Chord(pitch_class(match[3]) if match[3] else root, root, QUALITIES[match[2]]))
    return tuple(chords)


@cache
def read_pattern(text: str) -> tuple[tuple[PatternStep, ...], ...]:
    """Returns the steps of each bar of a pattern. Raises ValueError if a token is not one of those above."""
    return tuple(_read_bar(bar.split()) for bar in text.split("|"))


def _read_bar(tokens: list[str]) -> tuple[PatternStep, ...]:
    steps: list[PatternStep] = []
    size = 1 / len(tokens)
    for place, token in enumerate(tokens):
        if not _TOKEN.fullmatch(token):
            raise ValueError(f"{token!r} is not a pattern token")
        if token == "-" and steps:
            steps[-1] = steps[-1]._replace(length=(place + 1) * size - steps[-1].start)
        elif token not in "-.":
            tones = [
                Tone(
                    int(number) - 1,
                    {"": 0, "#": 1, "b": -1}[sign] + 12 * (octaves.count("'") - octaves.count(",")),
                    "!" in token,
                )
                for number, sign, octaves in _TONE.findall(token)
            ]
            steps.append(PatternStep(place * size, size, tuple(tones)))
    return tuple(steps)
