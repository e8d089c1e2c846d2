"""The device that plays: whatever miniaudio finds on this machine, or one that nobody hears."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import miniaudio

from kimberley.client.audio.audio_format import CHANNELS, RATE, Block
from kimberley.p2p.base.platform import monotonic

if TYPE_CHECKING:
    from typing import Any

ANY: Final = "device"
STANDARD_ERROR: Final = 2
GONE_SECONDS: Final = 5.0
"""How long a device may ask for nothing before it counts as gone."""
GONE: Final = "The audio device stopped responding."
BUFFER_MS: Final = 60
"""What the device holds in advance. Sounds are that much late."""
PLAYED_BY_NONE: Final = frozenset({miniaudio.Backend.NULL, miniaudio.Backend.CUSTOM})


class OutputError(Exception):
    """There is no device, or it cannot play. The message says so in a sentence."""


@contextmanager
def _no_messages_of_libraries() -> Iterator[None]:
    """Discards what goes to standard error: ALSA writes dozens of lines there if there is no device."""
    try:
        kept = os.dup(STANDARD_ERROR)
    except OSError:
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, STANDARD_ERROR)
    try:
        yield
    finally:
        os.dup2(kept, STANDARD_ERROR)
        os.close(nowhere)
        os.close(kept)


class Device:
    """Plays what `fill` makes: it is called with a number of frames, on a thread of the device."""

    def __init__(self, name: str, fill: Callable[[int], Block]) -> None:
        """Opens the output `name`: ANY, "null" for one that nobody hears, or one of miniaudio's sound systems, such as
        "alsa".

        Raises OutputError.
        """
        named = [backend for backend in miniaudio.Backend if backend.name.lower() == name]
        real = [backend for backend in miniaudio.Backend if backend not in PLAYED_BY_NONE]
        if not named and name != ANY:
            raise OutputError(f"Unknown sound system: {name!r}.")
        self._fill = fill
        self._asked_at = monotonic()
        blocks = self._blocks()
        next(blocks)
        try:
            with _no_messages_of_libraries():
                self._device: Any = miniaudio.PlaybackDevice(
                    output_format=miniaudio.SampleFormat.FLOAT32,
                    nchannels=CHANNELS,
                    sample_rate=RATE,
                    buffersize_msec=BUFFER_MS,
                    backends=named or real,
                    app_name="Kimberley",
                )
                self._device.start(blocks)
        except miniaudio.MiniaudioError as error:
            raise OutputError(f"No working audio device ({error.args[0]}).") from error

    @property
    def idle(self) -> float:
        """Seconds since the device last asked for more. It asks all the time, unless it is gone."""
        return monotonic() - self._asked_at

    def close(self) -> None:
        self._device.close()

    def _blocks(self) -> Generator[bytes | Block, int, None]:
        frames = yield b""
        while True:
            self._asked_at = monotonic()
            frames = yield self._fill(frames)
