"""Snapshots of what the game shows and says; docs/testing.md says how they are updated."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.support.board_snapshots import (
    SIZES,
    Scenario,
    check_depths,
    check_pictures,
    live_pictures,
    other_pictures,
    told_after,
    told_live,
)

SCENARIO = Scenario(
    "piecepack", 3, 4, {
        "place": ("right",), "action": ("down", "enter", "esc down enter", "esc down enter", "v", "i", "esc p", "esc"),
        "defence": ("space",), "theft": ("right",), "peek": ("right",), "path": ("right",),
    },
)  # fmt: skip


@pytest.mark.parametrize("size", ["80x24", pytest.param("120x40", marks=pytest.mark.slow)])
def test_live(size: str, snapshot: SnapshotAssertion) -> None:
    check_pictures(snapshot, live_pictures, SCENARIO, size)


@pytest.mark.parametrize("size", SIZES)
def test_replay_watch_and_dossier(size: str, snapshot: SnapshotAssertion) -> None:
    check_pictures(snapshot, other_pictures, SCENARIO, size)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_live_in_other_depths(size: str, snapshot: SnapshotAssertion) -> None:
    check_depths(snapshot, live_pictures, SCENARIO, size)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_replay_watch_and_dossier_in_other_depths(size: str, snapshot: SnapshotAssertion) -> None:
    check_depths(snapshot, other_pictures, SCENARIO, size)


def test_the_line_mode(snapshot: SnapshotAssertion) -> None:
    assert told_live(SCENARIO) == snapshot


def test_positions_and_dossier_in_sentences(snapshot: SnapshotAssertion) -> None:
    assert told_after(SCENARIO) == snapshot
