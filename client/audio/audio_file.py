"""Writes samples to a file: 16 bits, two channels; WAV with the standard library, FLAC with libsndfile."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kimberley.client.audio.audio_format import CHANNELS, RATE
from kimberley.client.audio.synth import Samples

SAMPLE_BYTES: Final = 2
LOUDEST: Final = 32767
SUFFIXES: Final = (".wav", ".flac")
"""The extensions of files that can be written."""


def quantized(samples: Samples) -> NDArray[np.int16]:
    """Returns samples as whole numbers of 16 bits, as files have them."""
    whole: NDArray[np.int16] = np.rint(samples * np.float32(LOUDEST)).astype("<i2")
    return whole


def write(path: Path, blocks: Iterable[Samples]) -> None:
    """Writes blocks, shape (n, 2), to a file in the format that its extension names. Raises OSError."""
    if path.suffix.lower() == ".flac":
        _write_flac(path, blocks)
    else:
        _write_wav(path, blocks)


def _write_wav(path: Path, blocks: Iterable[Samples]) -> None:
    with path.open("wb") as raw, wave.open(raw, "wb") as file:
        file.setnchannels(CHANNELS)
        file.setsampwidth(SAMPLE_BYTES)
        file.setframerate(RATE)
        for block in blocks:
            file.writeframesraw(quantized(block).tobytes())


def _write_flac(path: Path, blocks: Iterable[Samples]) -> None:
    import soundfile

    # libsndfile cannot report errors of the file, so it writes to memory.
    encoded = io.BytesIO()
    with path.open("wb") as raw:
        with soundfile.SoundFile(encoded, "w", RATE, CHANNELS, "PCM_16", format="FLAC") as file:
            for block in blocks:
                file.write(quantized(block))
        raw.write(encoded.getbuffer())
