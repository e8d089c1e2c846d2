"""Blocks on their way from the renderer to the device that plays them."""

from __future__ import annotations

from contextlib import suppress
from queue import Empty, Full, Queue

import numpy as np

from kimberley.client.audio.audio_format import BLOCK, CHANNELS
from kimberley.client.audio.output import GONE, GONE_SECONDS, OutputError
from kimberley.client.audio.synth import Samples


class BlockQueue:
    """Blocks that are rendered ahead of a device, which takes them on a thread of its own."""

    def __init__(self, most: int, gone_seconds: float = GONE_SECONDS) -> None:
        """Holds `most` blocks. `gone_seconds` is how long a device may take nothing before it counts as gone."""
        self._most, self._gone_seconds = most, gone_seconds
        self._blocks: Queue[Samples] = Queue(most)
        self._rest = np.zeros((0, CHANNELS), np.float32)

    def put(self, block: Samples) -> None:
        """Waits until there is room. Raises OutputError if the device is gone."""
        try:
            self._blocks.put(block, timeout=self._gone_seconds)
        except Full:
            raise OutputError(GONE) from None

    def take(self, frames: int) -> Samples:
        """Returns the next frames; silence where there are none."""
        with suppress(Empty):
            while len(self._rest) < frames:
                self._rest = np.concatenate((self._rest, self._blocks.get_nowait()))
        taken, self._rest = self._rest[:frames], self._rest[frames:]
        silence = np.zeros((frames - len(taken), CHANNELS), np.float32)
        return np.concatenate((taken, silence))

    def drain(self) -> None:
        """Waits until the device has taken everything. Raises OutputError if it is gone."""
        for _ in range(self._most):
            self.put(np.zeros((BLOCK, CHANNELS), np.float32))
