"""Trying again: the steps, the jitter, the fresh start after a success, and the reasons that are told."""

from __future__ import annotations

import pytest

from kimberley.p2p.base.backoff import Backoff, retry
from kimberley.p2p.base.errors import UserError
from tests.support.asyncs import run


def test_the_delays_are_the_steps_and_then_the_last_one() -> None:
    backoff = Backoff((0.2, 1.0, 8.0), jitter=0)
    assert [backoff.next() for _ in range(5)] == [0.2, 1.0, 8.0, 8.0, 8.0]


def test_after_a_success_the_delays_start_over() -> None:
    backoff = Backoff((1.0, 2.0), jitter=0)
    assert [backoff.next(), backoff.next()] == [1.0, 2.0]
    backoff.reset()
    assert backoff.next() == 1.0


def test_delays_differ_by_up_to_their_jitter() -> None:
    delays = [Backoff((4.0,)).next() for _ in range(200)]
    assert all(3.0 <= delay <= 5.0 for delay in delays)
    assert max(delays) - min(delays) > 0.5


def test_what_is_tried_until_it_succeeds_tells_each_new_reason_once() -> None:
    outcomes: list[UserError | int] = [UserError("taken"), UserError("taken"), UserError("gone"), 7]
    reasons: list[str] = []

    async def attempt() -> int:
        outcome = outcomes.pop(0)
        if isinstance(outcome, UserError):
            raise outcome
        return outcome

    assert run(retry(attempt, (0.0,), reasons.append)) == 7
    assert reasons == ["taken", "gone"]


def test_a_fault_is_not_tried_again() -> None:
    async def attempt() -> None:
        raise ValueError("a fault")

    with pytest.raises(ValueError, match="a fault"):
        run(retry(attempt, (0.0,), lambda _reason: None))
