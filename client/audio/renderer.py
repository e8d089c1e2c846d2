"""Turns bars into samples, block by block: notes are rendered once, kept, and added where they begin."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, NamedTuple

import numpy as np

from kimberley.client.audio.arranger import BarSource
from kimberley.client.audio.audio_format import BLOCK
from kimberley.client.audio.players import Note
from kimberley.client.audio.reverb import Reverb
from kimberley.client.audio.synth import Samples, frames
from kimberley.client.audio.voices import sound

HALL_SECONDS: Final = 2.4
HALL_GAIN: Final = 0.28
MASTER: Final = 0.86
"""The gain that brings all suites to a loudness of about -18 LUFS."""
CEILING: Final = 0.82
"""The level that no sample exceeds."""
KEPT_BYTES: Final = 48 << 20
"""The most bytes of rendered notes that are kept."""
FORCES: Final = 6
"""With how many different forces notes are rendered, so that kept notes can be used again."""
LENGTH_GRID: Final = 2048
"""Notes are held for multiples of this many samples, for the same reason."""
_RING: Final = 1 << 19
"""Samples that are mixed ahead; longer than any note."""


class _Due(NamedTuple):
    """A note, and the sample at which it begins."""

    at: int
    note: Note


class Renderer:
    """The samples of what a source plays. Each note is rendered when it begins, so no block is much work."""

    def __init__(self, source: BarSource) -> None:
        self._source = source
        self._reverb = Reverb(HALL_SECONDS)
        self._dry = np.zeros((2, _RING), np.float32)
        self._send = np.zeros((1, _RING), np.float32)
        self._kept: OrderedDict[tuple[str, int, int, int], Samples] = OrderedDict()
        self._kept_bytes = 0
        self._due: list[_Due] = []
        self._at = 0
        self._bar_ends = 0
        self._over = False
        self._ready = np.zeros((0, 2), np.float32)

    @property
    def over(self) -> bool:
        """Returns whether the source has no more bars. What it has played may still ring."""
        return self._over

    def block(self, count: int) -> Samples:
        """Returns the next samples, shape (count, 2), from -1 to 1."""
        parts = [self._ready]
        have = len(self._ready)
        while have < count:
            parts.append(self._next())
            have += BLOCK
        samples = np.concatenate(parts)
        self._ready = samples[count:]
        return samples[:count]

    def _next(self) -> Samples:
        """Returns the next BLOCK samples."""
        end = self._at + BLOCK
        while self._bar_ends < end and not self._over:
            self._take_bar()
        begin = [due for due in self._due if due.at < end]
        self._due = self._due[len(begin) :]
        for due in begin:
            self._add(due)
        place = self._at % _RING
        here = slice(place, place + BLOCK)
        mixed = self._dry[:, here] + np.float32(HALL_GAIN) * self._reverb.block(self._send[0, here])
        self._dry[:, here] = 0
        self._send[:, here] = 0
        self._at = end
        return np.ascontiguousarray(_limited(mixed).T)

    def _take_bar(self) -> None:
        bar = self._source.next_bar()
        if bar is None:
            self._over = True
            return
        self._due += [_Due(self._bar_ends + frames(note.start), note) for note in bar.notes]
        self._due.sort(key=lambda due: due.at)
        self._bar_ends += frames(bar.seconds)

    def _add(self, due: _Due) -> None:
        """Mixes a note in."""
        note, samples = due.note, self._samples(due.note)
        left, right = _panned(note.pan)
        gains = np.array([[left], [right]], np.float32) * np.float32(MASTER * note.gain)
        wet = (samples[0] + samples[-1]) * np.float32(0.5 * MASTER * note.gain * note.send)
        first = due.at % _RING
        split = min(samples.shape[1], _RING - first)
        self._dry[:, first : first + split] += gains * samples[:, :split]
        self._send[0, first : first + split] += wet[:split]
        if split < samples.shape[1]:
            rest = samples.shape[1] - split
            self._dry[:, :rest] += gains * samples[:, split:]
            self._send[0, :rest] += wet[split:]

    def _samples(self, note: Note) -> Samples:
        """Returns the samples of a note, rendered now or kept from before."""
        held = max(1, round(frames(note.length) / LENGTH_GRID)) * LENGTH_GRID
        force = max(1, round(note.force * FORCES))
        key = note.voice, note.pitch, held, force
        if (samples := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return samples
        made = sound(note.voice, note.pitch, held, force / FORCES)
        self._kept[key] = made
        self._kept_bytes += made.nbytes
        while self._kept_bytes > KEPT_BYTES:
            self._kept_bytes -= self._kept.popitem(last=False)[1].nbytes
        return made


def _panned(pan: float) -> tuple[float, float]:
    """Returns the gains of both channels: a sound on one side is softer on the other, at about the same power."""
    return 1 - max(0.0, pan) * (0.6 + 0.4 * max(0.0, pan)), 1 - max(0.0, -pan) * (0.6 + 0.4 * max(0.0, -pan))


def _limited(samples: Samples) -> Samples:
    """Bends what is loud so that nothing exceeds the ceiling; what is soft stays as it is."""
    x = np.minimum(np.maximum(samples * np.float32(1 / CEILING), np.float32(-3)), np.float32(3))
    square = x * x
    bent: Samples = x * (np.float32(27) + square) / (np.float32(27) + np.float32(9) * square) * np.float32(CEILING)
    return bent
