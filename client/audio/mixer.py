"""Mixes the music and the sounds for the device, whose thread asks for one block after another and never waits."""

from __future__ import annotations

from queue import SimpleQueue
from typing import Any, Final, Protocol

import numpy as np

from kimberley.client.audio.audio_format import CHANNELS, RATE, Block
from kimberley.client.audio.effects import samples_of
from kimberley.client.audio.sound import Sound

FADE_SECONDS: Final = 0.08
"""How long a volume takes to rise from 0 to 1: a jump would click."""
KNEE: Final = 0.85
"""The level up to which nothing is changed. Louder samples are bent, up to the ceiling."""
CEILING: Final = 0.97
MOST_AT_ONCE: Final = 8
"""The most sounds that are heard together."""


class BlockSource(Protocol):
    """Where the mixer gets its music from."""

    def take(self, frames: int) -> Block:
        """Returns the next frames, without waiting for any."""


class Mixer:
    """Music and sounds, each with a volume. All but `block` may be called from any thread."""

    def __init__(self, music: BlockSource) -> None:
        self._music = music
        self._targets = (1.0, 1.0)
        self._levels = (0.0, 0.0)
        """The volumes of the music and the sounds now. They follow the targets without a jump."""
        self._waiting: SimpleQueue[Block] = SimpleQueue()
        self._sounding: list[Block] = []
        """The rest of each sound that is playing."""

    def play(self, sound: Sound) -> None:
        """Starts a sound with the next block."""
        self._waiting.put(samples_of(sound))

    def set_volumes(self, music: float, sounds: float) -> None:
        self._targets = (music, sounds)

    @property
    def silent(self) -> bool:
        """Returns whether nothing is heard any more because both volumes are 0."""
        return self._levels == (0.0, 0.0)

    def block(self, frames: int) -> Block:
        """Returns the next frames for the device."""
        sounds = self._mixed_sounds(frames)
        music_gain, sound_gain = (self._ramp(kind, frames) for kind in range(2))
        out = sounds * sound_gain
        if music_gain.any():
            out += self._music.take(frames) * music_gain
        return limited(out)

    def _mixed_sounds(self, frames: int) -> Block:
        while not self._waiting.empty():
            self._sounding.append(self._waiting.get())
        out = np.zeros((frames, CHANNELS), np.float32)
        for samples in self._sounding[-MOST_AT_ONCE:]:
            out[: len(samples)] += samples[:frames]
        self._sounding = [samples[frames:] for samples in self._sounding[-MOST_AT_ONCE:] if len(samples) > frames]
        return out

    def _ramp(self, kind: int, frames: int) -> Block:
        """Returns the gains of one volume, frame by frame, on its way to its target."""
        level, most = self._levels[kind], frames / (FADE_SECONDS * RATE)
        reached = level + float(np.clip(self._targets[kind] - level, -most, most))
        levels = list(self._levels)
        levels[kind] = reached
        self._levels = (levels[0], levels[1])
        return np.linspace(level, reached, frames, dtype=np.float32)[:, None]


def limited(block: Block) -> Block:
    """Returns the block with everything above the knee bent below the ceiling."""
    loud = np.abs(block)
    if float(loud.max(initial=0.0)) <= KNEE:
        return block
    room = CEILING - KNEE
    bent: Any = np.sign(block) * (KNEE + room * np.tanh((loud - KNEE) / room))
    return np.where(loud > KNEE, bent, block).astype(np.float32)
