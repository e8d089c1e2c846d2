"""The hall: a network of delays that feed each other (Jot), one block at a time.

Every delay is longer than a block, so a block depends only on those before it, and whole arrays are added.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kimberley.client.audio.audio_format import BLOCK, RATE
from kimberley.client.audio.synth import Samples, falloff

DELAYS: Final = (1193, 1381, 1571, 1789, 2011, 2297, 2593, 2903)
"""In samples: primes, so that echoes seldom coincide."""
DAMPING: Final = 0.35
"""The share of the previous sample in each echo: high tones fade sooner."""
_SIXTY_DECIBELS: Final = 6.907755278982137
_RING: Final = 4096


class Reverb:
    """A hall in which sound takes `seconds` to fall by 60 decibels."""

    def __init__(self, seconds: float) -> None:
        self._lines = np.zeros((len(DELAYS), _RING), np.float32)
        self._at = 0
        gains = [falloff(_SIXTY_DECIBELS * delay / (seconds * RATE)) for delay in DELAYS]
        self._gains = np.array(gains, np.float32)[:, None]
        self._rows = np.arange(len(DELAYS))[:, None]
        self._places = np.arange(-1, BLOCK)[None] - np.array(DELAYS)[:, None]

    def block(self, dry: Samples) -> Samples:
        """Returns what the hall adds to a block (n): the two channels of its echo, (2, n)."""
        old = self._lines[self._rows, (self._places + self._at) & (_RING - 1)]
        echoes = old[:, 1:] * np.float32(1 - DAMPING) + old[:, :-1] * np.float32(DAMPING)
        echoes *= self._gains
        fed = _mixed(echoes)
        fed += dry
        at = self._at & (_RING - 1)
        self._lines[:, at : at + BLOCK] = fed
        self._at += BLOCK
        left = echoes[0] + echoes[2] - echoes[4] + echoes[6]
        right = echoes[1] - echoes[3] + echoes[5] + echoes[7]
        made: NDArray[np.float32] = np.stack((left, right))
        return made


def _mixed(lines: Samples) -> Samples:
    """Returns the lines, each mixed with all others without gain (Hadamard's matrix, as sums and differences)."""
    for size in (1, 2, 4):
        pairs = lines.reshape(-1, 2, size, lines.shape[1])
        lines = np.concatenate((pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]), axis=1).reshape(lines.shape)
    return lines * np.float32(0.3535533905932738)
