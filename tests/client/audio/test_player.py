"""What the audio process does with its commands, on a device of the test."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from kimberley.client.audio.audio_format import Block
from kimberley.client.audio.commands import PlaySound, encode
from kimberley.client.audio.output import GONE_SECONDS, OutputError
from kimberley.client.audio.player import Player
from kimberley.client.audio.sound import Sound
from kimberley.client.audio.suite_piece import SuitePiece


class PretendDevice:
    """Asks when the test says so. It has been idle for so many seconds."""

    def __init__(self, idle: float = 0.0) -> None:
        self.idle, self.closed = idle, False
        self.fill: Callable[[int], Block] | None = None

    def open(self, name: str, fill: Callable[[int], Block]) -> PretendDevice:
        self.fill = fill
        return self

    def close(self) -> None:
        self.closed = True


@pytest.mark.slow
def test_a_device_that_disappears_ends_the_process_with_a_sentence() -> None:
    device = PretendDevice(2 * GONE_SECONDS)
    reading, writing = os.pipe()
    with open(reading, "rb") as source, open(writing, "wb"), pytest.raises(OutputError, match="stopped responding"):
        Player("null", SuitePiece, device.open).run(source)
    assert device.closed


@pytest.mark.slow
def test_what_was_sent_before_the_end_is_heard() -> None:
    device = PretendDevice()
    reading, writing = os.pipe()
    with open(reading, "rb") as source:
        with open(writing, "wb") as end:
            end.write(encode(PlaySound(Sound.STAMP)) + encode(PlaySound(Sound.COIN))[:5])
        Player("null", SuitePiece, device.open).run(source)
    assert device.fill is not None
    assert device.closed
