"""The sounds: short, soft, without clicks, and each unlike all others."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from kimberley.client.audio.audio_format import RATE, Block
from kimberley.client.audio.effects import PEAK, samples_of
from kimberley.client.audio.sound import Sound

LONGEST = 1.5
"""Seconds."""
BANDS = np.geomspace(50, 12_000, 25)
SLICES = 12
"""What is compared of two sounds: how loud each band is in each slice of the first seconds."""
ALIKE = 0.75
"""The cosine of two such pictures at which two sounds could first be taken for one."""


def picture(samples: Block) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    mono = np.zeros(int(LONGEST * RATE))
    mono[: len(samples)] = samples.mean(axis=1)
    rows = []
    for part in np.array_split(mono[: int(0.6 * RATE)], SLICES):
        power = np.abs(np.fft.rfft(part)) ** 2
        pitch = np.fft.rfftfreq(len(part), 1 / RATE)
        rows.append([power[(low <= pitch) & (pitch < high)].sum() for low, high in pairwise(BANDS)])
    shape = np.sqrt(np.array(rows)).ravel()
    whole: np.ndarray[tuple[int], np.dtype[np.float64]] = shape / np.linalg.norm(shape)
    return whole


@pytest.mark.parametrize("sound", Sound)
def test_a_sound_is_short_and_soft_and_does_not_click(sound: Sound) -> None:
    samples = samples_of(sound)
    assert samples.dtype == np.float32
    assert samples.shape[1] == 2
    assert len(samples) <= LONGEST * RATE
    assert np.abs(samples).max() <= PEAK * 1.001
    assert np.abs(samples[0]).max() == 0
    assert np.abs(samples[-1]).max() < 1e-3
    # It swells within milliseconds, not from one frame to the next.
    assert np.abs(np.diff(samples[:40], axis=0)).max() < 0.1 * PEAK


def test_each_sound_is_unlike_all_others() -> None:
    pictures = {sound: picture(samples_of(sound)) for sound in Sound}
    pairs = list(combinations(Sound, 2))
    alike = {(one.value, other.value): round(float(pictures[one] @ pictures[other]), 2) for one, other in pairs}
    assert {pair: how for pair, how in alike.items() if how > ALIKE} == {}
