"""Snapshots of what the game shows and says; docs/testing.md says how they are updated."""

from __future__ import annotations

from tests.support.board_snapshots import Scenario
from tests.support.snapshot_tests import *  # noqa: F403

SCENARIO = Scenario("diamond", 2, 10, {"placement": ("tab right", "d"), "move": ("tab", "enter", "up enter", "=")})
