"""Plays a layer of a score in one bar: patterns and chords become notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from typing import Final, NamedTuple

from kimberley.client.audio.score import MODES, Chord, Layer, Reading, Tone, read_pattern

MOST_LATE: Final = 0.012
"""The most seconds by which a player is late."""
MOST_SOFT: Final = 0.12
"""How much softer than written a player is at most, as a fraction."""
PLAIN_FORCE: Final = 0.75
"""The force of a tone without an accent."""
ACCENT_GAIN: Final = 1.3
TONES_IN_VOICING: Final = 4
OCTAVE: Final = 12


class Note(NamedTuple):
    """One note of a bar.

    Attributes:
        start: The seconds from the beginning of the bar.
        length: The seconds for which it is held.
        voice: The name of its instrument.
        pitch: In semitones; 69 is 440 hertz.
        force: How hard it is played, from 0 to 1.
        gain: How loud it is in the mix.
        pan: Where it stands, from -1 (left) to 1 (right).
        send: How much of it goes to the hall.
    """

    start: float
    length: float
    voice: str
    pitch: int
    force: float
    gain: float
    pan: float
    send: float


class BarContext(NamedTuple):
    """What a layer must know of the bar in which it plays.

    Attributes:
        tonic: The pitch class of the first degree.
        mode: The name of the mode.
        chords: The chords of the whole passage.
        at: The place of this bar's chord in them.
        place: The place of the bar, for patterns of several bars.
        seconds: How long the bar lasts.
        gain: How loud everything is.
    """

    tonic: int
    mode: str
    chords: tuple[Chord, ...]
    at: int
    place: int
    seconds: float
    gain: float


def play(layer: Layer, pattern: str, part: int, bar: BarContext) -> Iterator[Note]:
    """Yields the notes of a layer in a bar. `part` tells the players apart: no two of them are equally late."""
    bars = read_pattern(pattern)
    for number, step in enumerate(bars[bar.place % len(bars)]):
        late = MOST_LATE * draw(b"late", part, bar.place, number) / 2**32
        force = 1 - MOST_SOFT * draw(b"soft", part, bar.place, number) / 2**32
        for tone in step.tones:
            yield Note(
                step.start * bar.seconds + late,
                step.length * bar.seconds,
                layer.voice,
                _pitch(layer, tone, bar),
                force if tone.accent else force * PLAIN_FORCE,
                layer.level * bar.gain * force * (ACCENT_GAIN if tone.accent else 1),
                layer.pan,
                layer.send,
            )


def draw(digest: bytes, *what: object) -> int:
    """Returns a number below 2**32 that depends only on a digest and on what it is drawn for."""
    return int.from_bytes(sha256(digest + repr(what).encode()).digest()[:4], "big")


def _pitch(layer: Layer, tone: Tone, bar: BarContext) -> int:
    low = OCTAVE * (layer.octave + 1)
    if layer.reading is Reading.SCALE:
        return low + bar.tonic + _stacked(MODES[bar.mode], tone.number) + tone.shift
    if layer.reading is Reading.VOICING:
        return _stacked(led_voicings(bar.chords, low)[bar.at], tone.number) + tone.shift
    chord = bar.chords[bar.at]
    above = {(chord.root - chord.bass + interval) % OCTAVE for interval in chord.intervals}
    return low + chord.bass + _stacked(sorted({0} | above), tone.number) + tone.shift


def _stacked(tones: Sequence[int], number: int) -> int:
    """Returns the tone with that number, counting on through the octaves."""
    return tones[number % len(tones)] + OCTAVE * (number // len(tones))


@cache
def led_voicings(chords: tuple[Chord, ...], low: int) -> tuple[tuple[int, ...], ...]:
    """Returns the pitches of each chord, ascending: each voice moves to the next chord by the shortest way, and none
    moves far from the octave above `low`.
    """
    voicings: list[tuple[int, ...]] = []
    for chord in chords:
        inversions = list(_inversions(chord, low))
        before = voicings[-1] if voicings else tuple(low + 3 + 3 * n for n in range(TONES_IN_VOICING))
        voicings.append(min(inversions, key=lambda one: (_movement(before, one), one)))
    return tuple(voicings)


def _inversions(chord: Chord, low: int) -> Iterator[tuple[int, ...]]:
    """Yields the close positions of a chord that begin in the octave around `low`. A chord of few tones doubles the
    lowest.
    """
    classes = sorted({(chord.root + interval) % OCTAVE for interval in chord.intervals})
    for first in range(len(classes)):
        turned = [classes[(first + n) % len(classes)] for n in range(TONES_IN_VOICING)]
        pitches: list[int] = []
        for one in turned:
            above = pitches[-1] if pitches else low - 1 - OCTAVE // 2
            pitches.append(above + 1 + (one - above - 1) % OCTAVE)
        yield tuple(pitches)


def _movement(before: Sequence[int], after: Sequence[int]) -> int:
    """Returns how far the voices move; one long way counts for more than several short ones."""
    return sum((one - other) ** 2 for one, other in zip(before, after, strict=True))
