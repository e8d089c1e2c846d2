"""The snapshot tests of one game: its test module imports them all, and has the game to photograph as `SCENARIO`."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.support.board_snapshots import (
    PORTRAIT_SIZE,
    SIZES,
    Scenario,
    check_depths,
    check_pictures,
    live_pictures,
    other_pictures,
    told_after,
    told_live,
)
from tests.support.touching import portrait_games

__all__ = [
    "scenario",
    "test_live_at_80x24",
    "test_live_at_120x40",
    "test_live_in_other_depths",
    "test_live_in_portrait",
    "test_positions_and_dossier_in_sentences",
    "test_replay_watch_and_dossier",
    "test_replay_watch_and_dossier_in_other_depths",
    "test_replay_watch_and_dossier_in_portrait",
    "test_the_line_mode",
]


@pytest.fixture
def scenario(request: pytest.FixtureRequest) -> Scenario:
    """Returns the game of the test's module."""
    played = request.module.SCENARIO
    assert isinstance(played, Scenario)
    return played


@pytest.mark.slow
def test_live_at_80x24(scenario: Scenario, snapshot: SnapshotAssertion) -> None:
    check_pictures(snapshot, live_pictures, scenario, SIZES["80x24"])


@pytest.mark.slow
@pytest.mark.nightly
def test_live_at_120x40(scenario: Scenario, snapshot: SnapshotAssertion) -> None:
    check_pictures(snapshot, live_pictures, scenario, SIZES["120x40"])


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_replay_watch_and_dossier(size: str, scenario: Scenario, snapshot: SnapshotAssertion) -> None:
    check_pictures(snapshot, other_pictures, scenario, SIZES[size])


@pytest.mark.slow
def test_live_in_portrait(scenario: Scenario, snapshot: SnapshotAssertion) -> None:
    check_pictures(snapshot, live_pictures, scenario, _portrait(scenario))


@pytest.mark.slow
def test_replay_watch_and_dossier_in_portrait(scenario: Scenario, snapshot: SnapshotAssertion) -> None:
    check_pictures(snapshot, other_pictures, scenario, _portrait(scenario))


def _portrait(scenario: Scenario) -> tuple[int, int]:
    if scenario.game not in portrait_games():
        pytest.skip("the board has no portrait layout")
    return PORTRAIT_SIZE


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("size", SIZES)
def test_live_in_other_depths(size: str, scenario: Scenario, snapshot: SnapshotAssertion) -> None:
    check_depths(snapshot, live_pictures, scenario, SIZES[size])


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("size", SIZES)
def test_replay_watch_and_dossier_in_other_depths(size: str, scenario: Scenario, snapshot: SnapshotAssertion) -> None:
    check_depths(snapshot, other_pictures, scenario, SIZES[size])


def test_the_line_mode(scenario: Scenario, snapshot: SnapshotAssertion) -> None:
    assert told_live(scenario) == snapshot


def test_positions_and_dossier_in_sentences(scenario: Scenario, snapshot: SnapshotAssertion) -> None:
    assert told_after(scenario) == snapshot
