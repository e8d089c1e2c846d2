"""Blocks that are rendered ahead of a device."""

from __future__ import annotations

import numpy as np
import pytest

from kimberley.client.audio.block_queue import BlockQueue
from kimberley.client.audio.output import OutputError


def test_what_the_device_takes_is_what_was_rendered_in_blocks_of_any_size() -> None:
    ahead = BlockQueue(4)
    given = np.arange(6000, dtype=np.float32).reshape(3000, 2)
    for block in np.split(given, (1000, 2000)):
        ahead.put(block)
    taken = np.concatenate([ahead.take(frames) for frames in (1, 999, 1500, 1000)])
    assert (taken[:3000] == given).all()
    assert not taken[3000:].any(), "silence where nothing was rendered"


def test_a_device_that_takes_nothing_is_gone() -> None:
    ahead = BlockQueue(2, gone_seconds=0.01)
    ahead.drain()
    with pytest.raises(OutputError, match="stopped responding"):
        ahead.drain()
