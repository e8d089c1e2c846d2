"""The instruments."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from kimberley.client.audio.audio_format import RATE
from kimberley.client.audio.voices import VOICES, sound


@pytest.mark.slow
def test_a_note_begins_and_ends_in_silence() -> None:
    for note in product(sorted(VOICES), (40, 64, 84), (1024, RATE // 2)):
        samples = sound(*note, 0.8)
        assert samples.dtype == np.float32, note
        assert samples.shape[0] in (1, 2), note
        assert np.abs(samples).max() < 1.3, note
        assert np.abs(samples[:, 0]).max() < 0.08, note
        assert np.abs(samples[:, -1]).max() < 1e-3, note


def test_a_note_is_the_same_each_time() -> None:
    for voice in VOICES:
        assert (sound(voice, 60, 9000, 0.5) == sound(voice, 60, 9000, 0.5)).all(), voice


@pytest.mark.parametrize("voice", ["brass", "strings", "marimba", "guitar"])
def test_a_note_that_is_played_harder_is_brighter(voice: str) -> None:
    def brightness(force: float) -> float:
        power = np.abs(np.fft.rfft(sound(voice, 50, RATE, force).mean(axis=0))) ** 2
        return float((power * np.arange(len(power))).sum() / power.sum())

    assert brightness(1.0) > brightness(0.3)
