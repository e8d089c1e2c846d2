"""Trying again: the steps, the jitter, and the start over after a success."""

from kimberley.p2p.base.backoff import Backoff


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
