"""The instruments. A voice renders one note: `VOICES[name](pitch, held, force)`.

`pitch` is in semitones, `held` in samples, `force` from 0 to 1: how hard it is played. The samples go on after the note
is let go. They have one channel, or two if the voice is wide. A struck or plucked voice dies away by itself, however
briefly it is held.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kimberley.client.audio.synth import (
    Samples,
    bent_places,
    decay,
    frames,
    frequency,
    harmonics,
    noise,
    oscillate,
    places,
    pluck,
    ramp,
    smoothed,
    swell,
    vibrate,
    wave,
)

Voice = Callable[[int, int, float], Samples]

LET_GO: Final = 0.03
"""Seconds over which a sound that would ring on is faded out where it is cut off."""
STRING_SLOPE: Final = (1.0, 0.55, 0.42, 0.3, 0.26, 0.2, 0.14, 0.12, 0.08, 0.07, 0.05, 0.04)
STRING_DARK: Final = (1.0, 0.4, 0.18, 0.08, 0.04, 0.02)
BRASS_SLOPE: Final = (0.7, 1.0, 0.9, 0.75, 0.6, 0.5, 0.4, 0.32, 0.25, 0.2, 0.15, 0.12, 0.09, 0.07)
BRASS_DARK: Final = (1.0, 0.5, 0.2, 0.08, 0.03)
PAD_SLOPE: Final = (1.0, 0.35, 0.2, 0.1, 0.06)
REED_SLOPE: Final = (1.0, 0.05, 0.5, 0.04, 0.25, 0.03, 0.1, 0.02, 0.04)
FLUTE_SLOPE: Final = (1.0, 0.3, 0.12, 0.04)
BASS_SLOPE: Final = (1.0, 0.5, 0.22, 0.1, 0.05)


@cache
def _table(hertz: float, slope: tuple[float, ...]) -> Samples:
    made = harmonics(hertz, len(slope), slope)
    return wave(*(part / sum(slope) for part in made))


def _section(
    pitch: int,
    n: int,
    cents: Sequence[float],
    slopes: Sequence[tuple[float, ...]],
    bend: Callable[[int], NDArray[np.float64]] | None = None,
) -> list[Samples]:
    """Returns the sound of several players of the same note, half of them on each side: once for each of the timbres to
    be mixed.

    `cents` says how much each of them is out of tune; `bend` gives the bend of a player's frequency.
    """
    tables = [_table(frequency(pitch), slope) for slope in slopes]
    made = [np.zeros((2, n), np.float32) for _ in slopes]
    for player, cent in enumerate(cents):
        hertz, phase = frequency(pitch, cent), player * 0.381966
        where = places(hertz, n, phase) if bend is None else bent_places(hertz, bend(player), phase)
        for one, table in zip(made, tables, strict=True):
            one[player % 2] += table.take(where)
    return [one * np.float32(2 / len(cents)) for one in made]


def _ring_out(samples: Samples) -> Samples:
    """Fades the last moment of a sound, so that it does not end with a click."""
    fade = frames(LET_GO)
    samples[..., -fade:] *= ramp(fade)[::-1]
    return samples


def pad(pitch: int, held: int, force: float) -> Samples:
    """Returns a soft, wide chord sound that comes and goes slowly."""
    shape = swell(0.7, held, 1.4)
    (sound,) = _section(pitch, len(shape), (-5, 5, 2, -2), (PAD_SLOPE,))
    return sound * (shape * np.float32(0.6 + 0.4 * force))


def strings(pitch: int, held: int, force: float) -> Samples:
    """Returns a section of bowed strings: six players with a vibrato that sets in late."""
    shape = swell(0.22 if force > 0.8 else 0.4, held, 0.55)
    return _bowed(pitch, shape, force, (-6, 6, -2.5, 3, 1, -1))


def short_strings(pitch: int, held: int, force: float) -> Samples:
    """Returns the same section with short strokes."""
    shape = swell(0.025, min(held, frames(0.16)), 0.28)
    return _bowed(pitch, shape, force, (-5, 5, -2, 2))


def _bowed(pitch: int, shape: Samples, force: float, cents: Sequence[float]) -> Samples:
    n = len(shape)
    depth = np.concatenate((np.zeros(min(n, frames(0.25))), np.ones(max(0, n - frames(0.25))))) * 0.0032

    def bend(player: int) -> NDArray[np.float64]:
        return 1 + depth * oscillate(wave(1.0), 4.9 + 0.23 * player, n, player * 0.27)

    bright, dark = _section(pitch, n, cents, (STRING_SLOPE, STRING_DARK), bend)
    mix = np.float32(0.25 + 0.6 * force) * shape
    return (dark + (bright - dark) * mix) * shape


def brass(pitch: int, held: int, force: float) -> Samples:
    """Returns low brass: dark at first, bright when it is blown hard, and never quite steady."""
    n = held + frames(0.35)
    shape = swell(0.09, held, 0.35)
    scoop = 1 - 0.018 * (1 - ramp(min(n, frames(0.12)))).astype(np.float64)
    steady = np.concatenate((scoop, np.ones(n - len(scoop))))
    bright, dark = _section(pitch, n, (-4, 4, 2, -2), (BRASS_SLOPE, BRASS_DARK), lambda _: steady)
    edge = shape * shape * np.float32(0.15 + 0.85 * force)
    return (dark + (bright - dark) * edge) * shape


def reed(pitch: int, held: int, force: float) -> Samples:
    """Returns a clarinet."""
    shape = swell(0.06, held, 0.12)
    n = len(shape)
    depth = np.concatenate((np.zeros(min(n, frames(0.3))), np.ones(max(0, n - frames(0.3))))) * 0.002
    bend = 1 + depth * oscillate(wave(1.0), 5.1, n)
    sound = vibrate(_table(frequency(pitch), REED_SLOPE), frequency(pitch), bend)
    return (sound * shape * np.float32(0.7 + 0.3 * force))[None]


def flute(pitch: int, held: int, force: float) -> Samples:
    """Returns a wooden flute, with some breath."""
    shape = swell(0.07, held, 0.16)
    n = len(shape)
    bend = 1 + 0.0035 * ramp(n) * oscillate(wave(1.0), 5.3, n)
    sound = vibrate(_table(frequency(pitch), FLUTE_SLOPE), frequency(pitch), bend.astype(np.float64))
    breath = smoothed(noise(n, pitch), 8) * np.float32(0.05)
    return ((sound + breath) * shape * np.float32(0.7 + 0.3 * force))[None]


def guitar(pitch: int, held: int, force: float) -> Samples:
    """Returns a nylon string, plucked with the finger."""
    return _plucked(pitch, held, 0.25 + 0.45 * force, 2.6)


def harp(pitch: int, held: int, force: float) -> Samples:
    """Returns a brighter string that rings for longer."""
    return _plucked(pitch, max(held, frames(1.2)), 0.5 + 0.4 * force, 3.2)


def _plucked(pitch: int, held: int, brightness: float, longest: float) -> Samples:
    hertz = frequency(pitch)
    n = min(frames(longest), max(held, frames(0.2)) + frames(0.5))
    sound = pluck(hertz, n, brightness, 0.9985, pitch)
    fall = np.concatenate((np.ones(min(held, n), np.float32), decay(0.12, max(0, n - held))))
    finger = frames(0.002)
    fall[:finger] *= ramp(finger)
    return _ring_out(sound * fall * np.float32(0.9))[None]


def bass(pitch: int, held: int, force: float) -> Samples:
    """Returns a plucked double bass: round, and soon gone."""
    hertz = frequency(pitch)
    n = min(frames(1.8), held + frames(0.3))
    sound = oscillate(_table(hertz, (1.0, 0.35, 0.1)), hertz, n) * decay(0.9, n)
    edge = oscillate(_table(hertz, BASS_SLOPE), hertz, n) * decay(0.12, n) * np.float32(0.3 + 0.7 * force)
    rise = min(n, frames(0.012))
    shape = np.concatenate((ramp(rise), np.ones(n - rise, np.float32)))
    shape[held:] *= decay(0.08, max(0, n - held))
    return _ring_out((sound + edge) * shape)[None]


def _struck(pitch: int, parts: Sequence[tuple[float, float, float]], longest: float) -> Samples:
    """Returns a bar or a bell: for each of its modes, the multiple of the frequency, the amplitude, and the seconds of
    its decay.
    """
    hertz, n = frequency(pitch), frames(longest)
    made = np.zeros(n, np.float32)
    for ratio, amplitude, seconds in parts:
        if hertz * ratio < 12000:
            made += oscillate(wave(1.0), hertz * ratio, n) * decay(seconds, n) * np.float32(amplitude)
    soft = frames(0.0015)
    made[:soft] *= ramp(soft)
    return _ring_out(made)[None]


def marimba(pitch: int, held: int, force: float) -> Samples:
    """Returns a note on bars of wood, tuned so that the second mode is two octaves above the first."""
    del held
    ring = 0.42 * _slower(pitch)
    modes = ((1.0, 0.8, ring), (3.98, 0.22 * force, ring / 4), (9.9, 0.08 * force * force, ring / 12))
    return _struck(pitch, modes, 1.3)


def kalimba(pitch: int, held: int, force: float) -> Samples:
    """Returns a note on tongues of metal, plucked with the thumb."""
    del held
    ring = 0.6 * _slower(pitch)
    return _struck(pitch, ((1.0, 0.75, ring), (5.4, 0.12 * force, 0.09), (2.0, 0.07, ring / 2)), 1.8)


def bell(pitch: int, held: int, force: float) -> Samples:
    """Returns a small bell, far away."""
    del held
    modes = ((1.0, 0.55, 1.1), (2.76, 0.3, 0.55), (5.4, 0.14 * force, 0.25), (0.5, 0.2, 1.4))
    return _struck(pitch, modes, 3.2)


def celesta(pitch: int, held: int, force: float) -> Samples:
    """Returns a note on plates of steel under soft hammers."""
    del held
    return _struck(pitch, ((1.0, 0.7, 0.7), (4.0, 0.2 * force, 0.22), (3.0, 0.07, 0.3)), 2.0)


def _slower(pitch: int) -> float:
    """Returns how much longer a bar rings than one at middle C: the lower, the longer."""
    return max(0.4, min(2.0, 1 + (60 - pitch) / 24))


def timpani(pitch: int, held: int, force: float) -> Samples:
    """Returns a kettledrum."""
    del held
    n = frames(1.6)
    modes = _struck(pitch, ((1.0, 0.9, 0.55), (1.5, 0.4, 0.35), (1.98, 0.25, 0.25), (2.44, 0.12, 0.2)), 1.6)
    stroke = smoothed(noise(n, 7), 40) * decay(0.02, n) * np.float32(0.8 * force)
    return modes + stroke


def drum(pitch: int, held: int, force: float) -> Samples:
    """Returns a frame drum: its pitch falls as the skin comes to rest."""
    del pitch, held
    n = frames(0.7)
    fall = 1 + 0.55 * decay(0.05, n).astype(np.float64)
    body = vibrate(wave(1.0, 0.25), 72.0, fall) * decay(0.16, n)
    hand = smoothed(noise(n, 3), 12) * decay(0.012, n) * np.float32(0.5 * force)
    rise = frames(0.002)
    sound = body + hand
    sound[:rise] *= ramp(rise)
    return _ring_out(sound)[None]


def shaker(pitch: int, held: int, force: float) -> Samples:
    """Returns the sound of seeds in a gourd. The pitch only makes strokes differ."""
    del held
    n = frames(0.14)
    grain = noise(n, pitch)
    grain[1:] -= grain[:-1].copy()
    rise = frames(0.018)
    shape = np.concatenate((ramp(rise), decay(0.028, n - rise)))
    return _ring_out(smoothed(grain, 2) * shape * np.float32(0.25 + 0.15 * force))[None]


def tick(pitch: int, held: int, force: float) -> Samples:
    """Returns a block of wood, like a clock."""
    del held
    modes = ((1.0, 0.6, 0.03), (2.6, 0.3 * force, 0.015), (4.1, 0.15 * force, 0.008))
    return _struck(pitch, modes, 0.3)


def pick(pitch: int, held: int, force: float) -> Samples:
    """Returns a pickaxe on stone."""
    del held
    n = frames(0.8)
    modes = ((1.0, 0.3, 0.22), (2.31, 0.25 * force, 0.14), (3.87, 0.2 * force, 0.07), (5.13, 0.12 * force, 0.04))
    ring = _struck(pitch, modes, 0.8)
    chip = noise(n, 11)
    chip[1:] -= chip[:-1].copy()
    return ring + chip * decay(0.006, n) * np.float32(0.12 * force)


def wind(pitch: int, held: int, force: float) -> Samples:
    """Returns air that swells until it is let go, and dies away soon after."""
    n = held + frames(0.5)
    air = smoothed(smoothed(noise(n, pitch), 6), 5)
    rising = ramp(held)
    shape = np.concatenate((rising * rising, ramp(n - held)[::-1]))
    return (air * shape * np.float32(0.8 * force))[None]


TRIMS: Final[Mapping[str, float]] = {
    "bass": 0.42,
    "brass": 1.2,
    "drum": 0.6,
    "guitar": 1.1,
    "marimba": 0.8,
    "pad": 0.5,
    "shaker": 2.5,
    "short strings": 1.3,
    "strings": 1.5,
    "tick": 1.3,
    "timpani": 0.5,
}
"""The factors that make all voices about equally loud, for those that need one."""
VOICES: Final[Mapping[str, Voice]] = {
    "bass": bass,
    "bell": bell,
    "brass": brass,
    "celesta": celesta,
    "drum": drum,
    "flute": flute,
    "guitar": guitar,
    "harp": harp,
    "kalimba": kalimba,
    "marimba": marimba,
    "pad": pad,
    "pick": pick,
    "reed": reed,
    "shaker": shaker,
    "short strings": short_strings,
    "strings": strings,
    "tick": tick,
    "timpani": timpani,
    "wind": wind,
}


def sound(voice: str, pitch: int, held: int, force: float) -> Samples:
    """Returns a note of a voice, made as loud as those of the other voices."""
    return VOICES[voice](pitch, held, force) * np.float32(TRIMS.get(voice, 1.0))
