"""Every case of the conformance suite as a test: against our own peer, or the one that `--target` names.

pytest tests/conformance/test_cases.py --target "COMMAND"
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from client.conformance.cases import CASES
from client.conformance.command import OWN_PEER
from client.conformance.runner import Outcome, run

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="session")
def outcomes(request: pytest.FixtureRequest) -> Mapping[str, Outcome]:
    """The outcomes of the cases that are chosen, run several at a time."""
    named = [getattr(item, "callspec", None) for item in request.session.items]
    chosen = [spec.params["case_id"] for spec in named if spec is not None and "case_id" in spec.params]
    target = request.config.getoption("--target", default=None)
    return {one.case.id: one for one in run(target or OWN_PEER, [CASES[case_id] for case_id in chosen])}


@pytest.mark.parametrize("case_id", sorted(CASES))
def test_case(case_id: str, outcomes: Mapping[str, Outcome]) -> None:
    outcome = outcomes[case_id]
    said = [f"{outcome.verdict}: {outcome.reason}", f"expected: {outcome.case.expect}", *outcome.traffic.lines]
    assert not outcome.fails(strict=True), "\n".join([*said, outcome.complaint])
