"""What voices are made of: oscillators, envelopes, noise, strings.

Everything here gives the same samples on every machine, bit for bit. So it uses only what IEEE 754 defines exactly, one
operation at a time: sums, products, quotients, integers, look-ups, and running sums and products, which have a fixed
order. What libraries and processors compute in their own ways (sine, powers, sums of whole arrays, products of
matrices, Fourier transforms, complex numbers) is made of these, or is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kimberley.client.audio.audio_format import RATE

Samples: TypeAlias = NDArray[np.float32]
"""Samples of one channel (n), or of one or two channels (channels, n)."""

_TABLE_BITS: Final = 15
_TABLE_SIZE: Final = 1 << _TABLE_BITS
_SEMITONES: Final = (
    1.0, 1.0594630943592953, 1.122462048309373, 1.189207115002721, 1.2599210498948732, 1.3348398541700344,
    1.4142135623730951, 1.4983070768766815, 1.5874010519681994, 1.681792830507429, 1.7817974362806785,
    1.887748625363387,
)  # fmt: skip
"""The frequencies of the semitones of an octave above the first."""
_CENT: Final = 0.0005777895065548593
"""What one cent adds to a frequency, accurate enough for a few cents."""
_A4: Final = 69
_HALF_PI: Final = 1.5707963267948966


def frequency(pitch: float, cents: float = 0.0) -> float:
    """Returns the frequency in hertz of a pitch in semitones, of which only the whole part counts, shifted by a few
    cents.
    """
    octave, semitone = divmod(int(pitch) - _A4, 12)
    scale = float(1 << octave) if octave >= 0 else 1 / (1 << -octave)
    return 440.0 * scale * _SEMITONES[semitone] * (1 + cents * _CENT)


def falloff(x: float) -> float:
    """Returns the exponential function of -x, for x from 0 to about 50."""
    part = x / 256
    power = 1 - part * (1 - part / 2 * (1 - part / 3 * (1 - part / 4 * (1 - part / 5))))
    for _ in range(8):
        power *= power
    return power


@cache
def _sine_table() -> NDArray[np.float64]:
    """Returns one period of a sine."""
    quarter = _TABLE_SIZE // 4
    x = np.arange(quarter + 1) * (_HALF_PI / quarter)
    square = x * x
    series = np.ones_like(x)
    for n in range(20, 0, -2):
        series = 1 - series * square / (n * (n + 1))
    rising = x * series
    half = np.concatenate((rising, rising[-2:0:-1]))
    return np.concatenate((half, -half))


@cache
def wave(*amplitudes: float) -> Samples:
    """Returns one period of a wave with these amplitudes of its harmonics, from the first."""
    sine, places = _sine_table(), np.arange(_TABLE_SIZE)
    made = np.zeros(_TABLE_SIZE)
    for harmonic, amplitude in enumerate(amplitudes, 1):
        if amplitude:
            made += amplitude * sine[(places * harmonic) & (_TABLE_SIZE - 1)]
    return made.astype(np.float32)


def harmonics(hertz: float, most: int, slope: Sequence[float]) -> tuple[float, ...]:
    """Returns the amplitudes of harmonics that stay below 12 kHz: those of `slope`, then ever smaller ones. There is at
    least one.
    """
    count = max(1, min(most, int(12000 / hertz)))
    return tuple(slope[n] if n < len(slope) else slope[-1] * len(slope) / (n + 1) for n in range(count))


def oscillate(table: Samples, hertz: float, n: int, phase: float = 0.0) -> Samples:
    """Returns `n` samples of a wave; `phase` is where in the period it begins, from 0 to 1."""
    return table.take(places(hertz, n, phase))


def vibrate(table: Samples, hertz: float, bend: NDArray[np.float64], phase: float = 0.0) -> Samples:
    """Returns a wave whose frequency is bent: `bend` is its factor for each sample."""
    return table.take(bent_places(hertz, bend, phase))


def places(hertz: float, n: int, phase: float = 0.0) -> NDArray[np.uint32]:
    """Returns where in its table a wave is, for each of `n` samples."""
    phases = np.arange(n, dtype=np.uint32) * np.uint32(_step(hertz)) + np.uint32(int(phase * 2**32) % 2**32)
    return phases >> np.uint32(32 - _TABLE_BITS)


def bent_places(hertz: float, bend: NDArray[np.float64], phase: float = 0.0) -> NDArray[np.uint32]:
    """Returns the same for a wave whose frequency is bent."""
    steps = (bend * _step(hertz)).astype(np.uint32)
    phases = np.add.accumulate(steps, dtype=np.uint32) + np.uint32(int(phase * 2**32) % 2**32)
    return phases >> np.uint32(32 - _TABLE_BITS)


def _step(hertz: float) -> int:
    return int(hertz / RATE * 2**32)


def frames(seconds: float) -> int:
    """Returns the number of samples in a time."""
    return int(seconds * RATE)


def decay(seconds: float, n: int) -> Samples:
    """Returns a curve that falls from 1, by a factor of e in each time of `seconds`."""
    factors = np.full(n, falloff(1 / (seconds * RATE)))
    factors[:1] = 1.0
    return np.multiply.accumulate(factors).astype(np.float32)


def ramp(n: int) -> Samples:
    """Returns a curve that rises from 0 to 1, softly at both ends."""
    x = np.arange(n) / max(1, n)
    return (x * x * (3 - 2 * x)).astype(np.float32)


def swell(attack: float, held: int, release: float) -> Samples:
    """Returns a curve that rises, stays until `held` samples have passed, and falls. Times in seconds."""
    rise, fall = min(frames(attack), held), frames(release)
    return np.concatenate((ramp(rise), np.ones(held - rise, np.float32), ramp(fall)[::-1]))


def noise(n: int, seed: int) -> Samples:
    """Returns white noise between -1 and 1."""
    x = np.arange(n, dtype=np.uint32) + np.uint32(seed * 0x9E3779B9 % 2**32)
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        x = (x ^ (x >> np.uint32(shift))) * np.uint32(factor)
    x ^= x >> np.uint32(16)
    return (x.astype(np.float64) / 2**31 - 1).astype(np.float32)


def smoothed(samples: Samples, width: int) -> Samples:
    """Returns a moving average, which makes a sound duller."""
    sums = np.add.accumulate(samples.astype(np.float64))
    sums[width:] -= sums[:-width].copy()
    return (sums / width).astype(np.float32)


def pluck(hertz: float, n: int, brightness: float, ring: float, seed: int) -> Samples:
    """Returns a plucked string (Karplus and Strong): noise that goes round a loop one period long, and becomes duller
    on its way.

    `brightness` from 0 to 1 is that of the pluck, `ring` the part of the sound that is left after each period.
    """
    period = int(RATE / hertz + 0.5)
    ratio = hertz * period / RATE
    turns = -(-(int(n * ratio) + 2) // (period - 1))
    loop = np.zeros(turns * (period - 1) + period + 1)
    first = noise(period, seed).astype(np.float64)
    for _ in range(4 + int((1 - brightness) * 16)):
        first = 0.5 * (first + np.concatenate((first[-1:], first[:-1])))
    first -= np.add.accumulate(first)[-1] / period
    # Plucked at a fifth of its length: every fifth harmonic is missing.
    first -= np.concatenate((first[-(period // 5) :], first[: -(period // 5)]))
    first /= np.abs(first).max()
    loop[1 : period + 1] = first
    loop[0] = first[-1]
    middle, side = 0.5 * ring, 0.25 * ring
    at = period + 1
    while at + period - 1 <= len(loop):
        before = at - period
        loop[at : at + period - 1] = (
            middle * loop[before : before + period - 1]
            + side * loop[before - 1 : before + period - 2]
            + side * loop[before + 1 : before + period]
        )
        at += period - 1
    return _resampled(loop[1:], ratio, n)


def _resampled(samples: NDArray[np.float64], ratio: float, n: int) -> Samples:
    """Returns `n` samples, read `ratio` times as fast."""
    places = np.arange(n) * ratio
    whole = places.astype(np.int64)
    part = places - whole
    made: Any = samples[whole] * (1 - part) + samples[whole + 1] * part
    return np.asarray(made, np.float32)
