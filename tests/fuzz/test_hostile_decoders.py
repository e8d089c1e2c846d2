"""Everything that reads what others send or keep: any change of it is read, or refused with the documented error."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.target import EDITS, Edit, Target, edited
from tests.fuzz.targets import TARGETS
from tests.support.effort import spread, tries

CHANGES = st.lists(
    st.tuples(st.sampled_from(EDITS), st.floats(0, 1, exclude_max=True), st.binary(max_size=12)), min_size=1, max_size=4
)
SLOW = ("record", "body-shuffle", "body-seal-amounts")
"""Targets that verify proofs: a millisecond each."""


@pytest.mark.slow
@pytest.mark.parametrize("target", spread(8, TARGETS.values()), ids=TARGETS)
def test_whatever_comes_is_read_or_refused(target: Target) -> None:
    for seed in target.seeds:
        target.check(seed)

    @settings(
        max_examples=30 if target.name in SLOW else tries(50, 100),
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, len(target.seeds) - 1), CHANGES, st.none() | st.binary(max_size=200))
    def anything(which: int, edits: list[Edit], noise: bytes | None) -> None:
        target.check(edited(target.seeds[which], edits) if noise is None else noise)

    anything()


@pytest.mark.slow
def test_a_target_that_accepts_what_it_must_not_is_noticed() -> None:
    """The fuzzers find what is there to be found: bytes that read as another envelope than they are."""
    from kimberley.protocol.envelope import Envelope

    lenient = Target("lenient", lambda data: _reads_the_same(data), TARGETS["envelope"].make)

    def _reads_the_same(data: bytes) -> None:
        try:
            Envelope.unpack(data)
        except ValueError:
            return
        assert data in lenient.seeds

    with pytest.raises(AssertionError):
        test_whatever_comes_is_read_or_refused(lenient)
