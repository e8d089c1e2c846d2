"""Snapshots of what the game shows and says; docs/testing.md says how they are updated."""

from __future__ import annotations

from tests.support.board_snapshots import Scenario
from tests.support.snapshot_tests import *  # noqa: F403

SCENARIO = Scenario(
    "piecepack", 3, 28, {
        "place": ("right",), "action": ("down", "enter", "esc down enter", "esc down enter", "v", "i", "esc p", "esc"),
        "defence": ("space",), "theft": ("right",), "peek": ("right",), "path": ("right",),
    },
)  # fmt: skip
