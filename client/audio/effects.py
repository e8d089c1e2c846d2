"""How each sound sounds: short, soft, and unlike all others. Made once, from sines and a little noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kimberley.client.audio.audio_format import RATE
from kimberley.client.audio.sound import Sound

PEAK: Final = 0.32
"""The loudest sample of a sound: soft beside the music."""
EDGE_SECONDS: Final = 0.004
"""How long each sound takes to fade in and out, so that it does not click."""
SEED: Final = 1

Wave: TypeAlias = NDArray[np.float64]
Partials: TypeAlias = Sequence[tuple[float, float]]
"""Multiples of a note's frequency, and how loud each is."""

BELL: Final[Partials] = ((1.0, 1.0), (2.0, 0.35), (3.01, 0.16), (4.2, 0.07))
METAL: Final[Partials] = ((1.0, 0.8), (2.76, 0.6), (5.4, 0.3), (8.9, 0.12))
GLASS: Final[Partials] = ((1.0, 1.0), (2.32, 0.22), (4.25, 0.1))
WOOD: Final[Partials] = ((1.0, 1.0), (3.93, 0.35), (9.2, 0.08))
HOLLOW: Final[Partials] = ((1.0, 1.0), (3.0, 0.33), (5.0, 0.14))
REED: Final[Partials] = ((1.0, 1.0), (2.0, 0.7), (3.0, 0.5), (4.0, 0.35), (5.0, 0.2))


def _time(seconds: float) -> Wave:
    return np.arange(int(seconds * RATE)) / RATE


def _note(pitch: float, seconds: float, partials: Partials, decay: float) -> Wave:
    """Returns a struck note of `pitch` Hz; after `decay` seconds, a third of it is left. Higher partials fade first."""
    time = _time(seconds)
    wave: Wave = sum(
        (
            loud * np.sin(2 * np.pi * pitch * multiple * time) * np.exp(-time * multiple**0.5 / decay)
            for multiple, loud in partials
        ),
        np.zeros_like(time),
    )
    return wave


def _sequence(*parts: tuple[float, Wave]) -> Wave:
    """Mixes waves, each of which begins at a time in seconds."""
    out = np.zeros(max(int(at * RATE) + len(wave) for at, wave in parts))
    for at, wave in parts:
        begin = int(at * RATE)
        out[begin : begin + len(wave)] += wave
    return out


def _glide(start: float, end: float, seconds: float, decay: float) -> Wave:
    """Returns a sine that moves from one pitch to another."""
    time = _time(seconds)
    pitch = end + (start - end) * np.exp(-time / (seconds / 4))
    swept: Wave = np.sin(2 * np.pi * np.cumsum(pitch) / RATE) * np.exp(-time / decay)
    return swept


def _noise(seconds: float, decay: float, width: int) -> Wave:
    """Returns noise that is darker the more frames its average takes in."""
    time = _time(seconds)
    hiss = np.random.default_rng(SEED).standard_normal(len(time))
    dark: Wave = np.convolve(hiss, np.ones(width) / width, "same") * np.exp(-time / decay)
    return dark


def _your_move() -> Wave:
    return _sequence((0.0, _note(659.3, 0.9, BELL, 0.28)), (0.16, _note(880.0, 1.1, BELL, 0.34)))


def _coin() -> Wave:
    return _sequence((0.0, _note(1318.5, 0.12, METAL, 0.05)), (0.07, _note(1760.0, 0.5, METAL, 0.14)))


def _diamond() -> Wave:
    pitches = (1568.0, 2093.0, 2637.0, 3136.0)
    return _sequence(*((0.06 * number, _note(pitch, 0.8, GLASS, 0.22)) for number, pitch in enumerate(pitches)))


def _agent_turned() -> Wave:
    time = _time(1.1)
    tremble = 1.0 - 0.5 * np.sin(2 * np.pi * 7.0 * time) ** 2
    dark = _sequence((0.0, _note(196.0, 0.5, REED, 0.25)), (0.28, _note(138.6, 0.82, REED, 0.4)))
    whispered: Wave = dark[: len(time)] * tremble[: len(dark)]
    return whispered


def _stamp() -> Wave:
    return _sequence((0.0, _glide(170.0, 55.0, 0.45, 0.13)), (0.0, 0.9 * _noise(0.12, 0.03, 6)))


def _chat() -> Wave:
    return _sequence((0.0, _glide(420.0, 760.0, 0.13, 0.06)), (0.11, _glide(520.0, 940.0, 0.16, 0.07)))


def _joined() -> Wave:
    pitches = (523.3, 659.3, 784.0)
    return _sequence(*((0.09 * number, _note(pitch, 0.5, WOOD, 0.12)) for number, pitch in enumerate(pitches)))


def _lost() -> Wave:
    return _sequence((0.0, _note(392.0, 0.4, HOLLOW, 0.2)), (0.22, _note(293.7, 0.9, HOLLOW, 0.35)))


def _back() -> Wave:
    return _sequence((0.0, _note(293.7, 0.4, HOLLOW, 0.2)), (0.22, _note(440.0, 0.8, HOLLOW, 0.3)))


def _clock() -> Wave:
    return _note(1100.0, 0.09, WOOD, 0.018)


_MADE: Final[dict[Sound, Callable[[], Wave]]] = {
    Sound.YOUR_MOVE: _your_move,
    Sound.COIN: _coin,
    Sound.DIAMOND: _diamond,
    Sound.AGENT_TURNED: _agent_turned,
    Sound.STAMP: _stamp,
    Sound.CHAT: _chat,
    Sound.JOINED: _joined,
    Sound.LOST: _lost,
    Sound.BACK: _back,
    Sound.CLOCK: _clock,
}


@cache
def samples_of(sound: Sound) -> NDArray[np.float32]:
    """Returns a whole sound, in frames by two channels."""
    wave = _MADE[sound]()
    edge = int(EDGE_SECONDS * RATE)
    wave[:edge] *= np.linspace(0.0, 1.0, edge)
    wave[-edge:] *= np.linspace(1.0, 0.0, edge)
    wave *= PEAK / np.abs(wave).max()
    both: Any = np.repeat(wave[:, None], 2, axis=1)
    return np.ascontiguousarray(both, np.float32)
