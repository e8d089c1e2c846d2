"""The conformance suite finds every mutant of our own peer, by the case that it names. If the seats of the suite have
the same fault, the vectors find what that case then misses.
"""

from __future__ import annotations

import asyncio
import shlex
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from typing import Final

import pytest

from kimberley.conformance.cases import CASES
from kimberley.conformance.runner import CaseOutcome, run, run_all
from kimberley.protocol.crypto.ristretto import RISTRETTO
from tests.conformance.mutants import MUTANTS
from tests.conformance.vectors import book as vectors
from tests.conformance.vectors.book import expected, shared_of
from tests.conformance.vectors.files import BOOKS
from tests.support.computed_once import computed_each_time
from tests.support.effort import first_is_quick, spread
from tests.support.forks import forks

pytestmark = pytest.mark.e2e

AT_ONCE: Final = 4
PATIENCE: Final = 0.4
"""What a mutant does not do is not waited for as long as elsewhere."""
CATCHES: Final = "test_its_case_catches_the_mutant"
SHARED: Final = [name for name, mutant in MUTANTS.items() if mutant.module.startswith("kimberley.protocol.")]
"""Mutants of what the suite's own seats are played by."""


async def played(names: Collection[str]) -> dict[str, CaseOutcome]:
    """Returns what the case of each of these mutants says of it."""
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

    with forks("tests.conformance.mutants") as command:
        return dict(zip(names, await asyncio.gather(*map(one, names)), strict=True))


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest) -> Mapping[str, CaseOutcome]:
    """Returns the outcomes for the mutants that are chosen, run several at a time."""
    tests = [item for item in request.session.items if isinstance(item, pytest.Function)]
    return asyncio.run(played([str(one.callspec.params["name"]) for one in tests if one.originalname == CATCHES]))


@pytest.mark.parametrize("name", spread(8, MUTANTS))
def test_its_case_catches_the_mutant(name: str, outcomes: Mapping[str, CaseOutcome]) -> None:
    outcome = outcomes[name]
    assert outcome.verdict in ("failed", "non-strict"), (outcome.case.id, outcome.case.title)
    assert outcome.traffic.received, f"it did not even start: {outcome.stderr}"


@pytest.fixture(scope="module")
def starts() -> Iterator[list[str]]:
    """Yields the command that starts mutants at once."""
    with forks("tests.conformance.mutants") as started:
        yield started


def vectors_differ() -> bool:
    """Returns whether the code gives anything other than what a vector says. Whole games are left out: they take too
    long.
    """
    for book in (book for name, book in BOOKS.items() if name != "games"):
        shared = shared_of(book)
        for test in book["tests"]:
            try:
                if vectors.run(test, RISTRETTO, shared) != expected(test):
                    return True
            except Exception:
                return True
    return False


@pytest.mark.parametrize("name", spread(4, SHARED))
def test_a_fault_that_the_suite_shares_is_found_by_the_case_or_by_a_vector(name: str, starts: list[str]) -> None:
    mutant = MUTANTS[name]
    with computed_each_time(), pytest.MonkeyPatch.context() as fault:
        fault.setattr(mutant.where, mutant.name, mutant.make(mutant.right))
        (outcome,) = run([*starts, name], [CASES[mutant.case]], patience=PATIENCE)
        assert outcome.verdict in ("failed", "non-strict") or vectors_differ()


@pytest.mark.parametrize("name", first_is_quick("roll: no word is passed over", "roll: words little-endian"))
def test_verdicts_hold_where_asserts_are_left_out(name: str) -> None:
    mutant = shlex.join([sys.executable, "-m", "tests.conformance.mutants", name])
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
        assert mutant.make(mutant.right) != mutant.right, mutant
