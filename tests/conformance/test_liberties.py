"""What SPEC.md leaves open stays open: the conformance suite passes peers whose habits are not ours."""

from __future__ import annotations

import sys

import pytest

from kimberley.conformance.cases import CASES
from kimberley.conformance.runner import run
from tests.conformance.liberties import LIBERTIES
from tests.support.effort import spread


@pytest.mark.slow
@pytest.mark.parametrize("name", spread(3, LIBERTIES))
def test_a_peer_with_another_habit_passes(name: str) -> None:
    command = [sys.executable, "-m", "tests.conformance.liberties", name]
    (outcome,) = run(command, [CASES[LIBERTIES[name].case]])
    assert outcome.verdict == "ok", outcome.reason
