"""Snapshots of what the game shows and says; docs/testing.md says how they are updated."""

from __future__ import annotations

from tests.support.board_snapshots import Scenario
from tests.support.snapshot_tests import *  # noqa: F403

SCENARIO = Scenario(
    "mine", 4, 6, {
        "placing": ("right",), "card": ("1", "h", "right", "esc e y"), "move": ("tab", "x", "g"), "take": ("right",),
    },
)  # fmt: skip
