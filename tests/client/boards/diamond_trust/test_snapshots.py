"""Snapshots of what the game shows and says; docs/testing.md says how they are updated."""

from __future__ import annotations

from tests.support.board_snapshots import Scenario
from tests.support.snapshot_tests import *  # noqa: F403

SCENARIO = Scenario(
    "diamond-trust", 2, 1, {
        "pay": ("1", "right enter", "tab"), "plan": ("1", "right enter", "3 enter", "tab"), "move": ("tab", "1"),
        "sale plan": ("right",), "sale": ("right",), "inspector": ("right",),
    },
)  # fmt: skip
