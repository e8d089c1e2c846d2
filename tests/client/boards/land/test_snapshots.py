"""Snapshots of what the game shows and says; docs/testing.md says how they are updated."""

from __future__ import annotations

from tests.support.board_snapshots import Scenario
from tests.support.snapshot_tests import *  # noqa: F403

SCENARIO = Scenario(
    "land", 3, 1, {"turn": ("right", "b", "3 space", "a", "esc s", "o", "tab", "l", "e")},
    options={"turns": 25}, bots=True,
)  # fmt: skip
