"""Every case of the conformance suite as a test: against our own peer, or the one that `--target` names.

pytest tests/conformance/test_cases.py --target "COMMAND"
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest

from kimberley.conformance.cases import CASES
from kimberley.conformance.command import OWN_PEER
from kimberley.conformance.runner import CaseOutcome, run
from tests.support.effort import spread
from tests.support.forks import forks

pytestmark = pytest.mark.e2e

PATIENCE: Final = 6.0


@pytest.fixture(scope="session")
def outcomes(request: pytest.FixtureRequest) -> Mapping[str, CaseOutcome]:
    """Returns the outcomes of the cases that are chosen, run several at a time."""
    named = [getattr(item, "callspec", None) for item in request.session.items]
    chosen = [spec.params["case_id"] for spec in named if spec is not None and "case_id" in spec.params]
    target = request.config.getoption("--target", default=None)
    cases = [CASES[case_id] for case_id in chosen]
    if target is not None:
        return {one.case.id: one for one in run(target, cases)}
    with forks(OWN_PEER[-1]) as peer:
        first = run(peer, cases)
        # What our own peer misses on a busy machine, it must do when it is given more time. A wrong answer stays one.
        late = [one.case for one in first if one.late]
        again = run(peer, late, patience=PATIENCE) if late else []
    return {one.case.id: one for one in (*first, *again)}


@pytest.mark.parametrize("case_id", spread(200, sorted(CASES)))
def test_case(case_id: str, outcomes: Mapping[str, CaseOutcome]) -> None:
    outcome = outcomes[case_id]
    assert not outcome.fails(strict=True), "\n".join(
        [
            f"{outcome.verdict}: {outcome.reason}",
            f"expected: {outcome.case.expect}",
            *outcome.traffic.lines,
            outcome.stderr,
        ]
    )
