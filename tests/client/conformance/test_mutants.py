"""The conformance suite finds every mutant of our own peer, by the case that it names."""

from __future__ import annotations

import asyncio
import shlex
import subprocess
import sys
from collections.abc import Collection, Mapping
from typing import Final

import pytest

from kimberley.client.conformance.cases import CASES
from kimberley.client.conformance.runner import CaseOutcome, run_all
from tests.client.conformance.mutants import MUTANTS
from tests.support.forks import forks

pytestmark = pytest.mark.e2e

AT_ONCE: Final = 4
PATIENCE: Final = 0.4
"""What a mutant does not do is not waited for as long as elsewhere."""
CATCHES: Final = "test_its_case_catches_the_mutant"


async def played(names: Collection[str]) -> dict[str, CaseOutcome]:
    """What the case of each of these mutants says of it."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(name: str) -> CaseOutcome:
        async with room:
            (outcome,) = await run_all(
                [*command, name],
                [CASES[MUTANTS[name].case]],
                workers=1,
                patience=PATIENCE,
                on_outcome=lambda outcome: None,
            )
            return outcome

    with forks("tests.client.conformance.mutants") as command:
        return dict(zip(names, await asyncio.gather(*map(one, names)), strict=True))


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest) -> Mapping[str, CaseOutcome]:
    """The outcomes for the mutants that are chosen, run several at a time."""
    tests = [item for item in request.session.items if isinstance(item, pytest.Function)]
    return asyncio.run(played([str(one.callspec.params["name"]) for one in tests if one.originalname == CATCHES]))


@pytest.mark.parametrize("name", MUTANTS)
def test_its_case_catches_the_mutant(name: str, outcomes: Mapping[str, CaseOutcome]) -> None:
    outcome = outcomes[name]
    assert outcome.verdict in ("failed", "non-strict"), (outcome.case.id, outcome.case.title)
    assert outcome.traffic.received, f"it did not even start: {outcome.stderr}"


@pytest.mark.parametrize("name", ["roll: no word is passed over", "roll: words little-endian"])
def test_verdicts_hold_where_asserts_are_left_out(name: str) -> None:
    mutant = shlex.join([sys.executable, "-m", "tests.client.conformance.mutants", name])
    suite = [
        sys.executable,
        "-O",
        "-m",
        "kimberley.client.cli.main",
        "conform",
        "--target",
        mutant,
        "--patience",
        str(PATIENCE),
    ]
    done = subprocess.run([*suite, MUTANTS[name].case], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "the target rolled" in done.stdout


def test_there_are_many_mutants_and_each_is_another_one() -> None:
    assert len(MUTANTS) >= 100
    for mutant in MUTANTS.values():
        right = vars(mutant.where)[mutant.name]
        assert mutant.make(right) != right, mutant
