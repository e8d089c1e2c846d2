"""The parts of the synthesizer: they sound as they should, and the same on every machine."""

from __future__ import annotations

import ast
import math
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from kimberley.client.audio import arranger, synth
from kimberley.client.audio.audio_format import RATE
from kimberley.client.audio.synth import decay, falloff, frequency, noise, oscillate, pluck, smoothed, swell, wave

ROOM: Final = Path(synth.__file__).parent
EXACT: Final = frozenset({
    "abs", "add", "arange", "array", "ascontiguousarray", "asarray", "concatenate", "float32", "float64", "full",
    "int16", "int64", "maximum", "minimum", "multiply", "ndarray", "dtype", "ones", "ones_like", "rint", "stack",
    "uint32", "zeros", "zeros_like",
})  # fmt: skip
"""The parts of numpy that give the same bits with every version of it and on every processor."""
RENDERING: Final = ("synth", "voices", "reverb", "renderer", "audio_file")


@pytest.mark.parametrize("module", RENDERING)
def test_only_what_is_exact_everywhere_makes_samples(module: str) -> None:
    """Sines, powers, sums of arrays and Fourier transforms differ in their last bits between processors."""
    tree = ast.parse((ROOM / f"{module}.py").read_text("utf-8"))
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "np"
    }
    assert used <= EXACT
    methods = {node.func.attr for node in ast.walk(tree) if isinstance(node, ast.Call) and hasattr(node.func, "attr")}
    assert not methods & {"dot", "mean", "sum", "std", "var", "prod", "sin", "cos", "exp", "log", "pow", "tanh"}
    assert not any(isinstance(node, ast.Pow) and module != "synth" for node in ast.walk(tree))


def test_a_sine_is_one() -> None:
    heard = oscillate(wave(1.0), 1000.0, RATE, 0.25)
    expected = np.cos(np.arange(RATE) * 2 * np.pi * 1000 / RATE)
    assert np.abs(heard - expected).max() < 3e-4


def test_the_exponential_function_is_one() -> None:
    for x in (0.0, 1e-6, 0.01, 0.5, 1.0, 7.0, 30.0):
        assert falloff(x) == pytest.approx(math.exp(-x), rel=1e-9)


def test_pitches_are_tempered() -> None:
    assert frequency(69) == 440
    for pitch in range(20, 110):
        assert frequency(pitch) == pytest.approx(440 * 2 ** ((pitch - 69) / 12))
    assert frequency(69, 5) == pytest.approx(440 * 2 ** (5 / 1200), rel=1e-5)


def test_a_sound_that_decays_falls_by_e_in_its_time() -> None:
    assert decay(0.1, RATE)[RATE // 10] == pytest.approx(1 / math.e, rel=1e-3)


def test_a_swell_begins_and_ends_softly() -> None:
    shape = swell(0.1, RATE, 0.2)
    assert shape[0] == shape[-1] == 0
    assert np.abs(np.diff(shape)).max() < 1e-3


def test_noise_is_white_and_repeatable() -> None:
    heard = noise(RATE, 1)
    assert (heard == noise(RATE, 1)).all()
    assert (heard != noise(RATE, 2)).any()
    assert abs(heard.mean()) < 0.02
    assert heard.std() == pytest.approx(1 / math.sqrt(3), rel=0.02)
    assert smoothed(heard, 8).std() < heard.std() / 2


@pytest.mark.parametrize("pitch", [40, 52, 64, 76])
def test_a_plucked_string_is_in_tune(pitch: int) -> None:
    heard = pluck(frequency(pitch), RATE, 0.5, 0.9985, 1).astype(np.float64)
    power = np.abs(np.fft.rfft(heard * np.hanning(RATE), 8 * RATE)) ** 2
    low, high = int(8 * frequency(pitch) * 0.97), int(8 * frequency(pitch) * 1.03)
    peak = (low + power[low:high].argmax()) / 8
    assert 1200 * abs(math.log2(peak / frequency(pitch))) < 6, "cents"


def test_what_plans_the_music_needs_no_numpy() -> None:
    """So a program without numpy can say so, and the title screen does not wait for it."""
    for module in ("cue", "score", "players", "arranger", "performance", "title"):
        tree = ast.parse((Path(arranger.__file__).parent / f"{module}.py").read_text("utf-8"))
        names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        assert "numpy" not in names
