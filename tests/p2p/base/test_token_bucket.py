"""Rate limits: what may come at once, how fast more may come, and that no address counts against another."""

from __future__ import annotations

from kimberley.p2p.base.token_bucket import MOST_ADDRESSES, TokenBucket, TokenBuckets


def allowed(bucket: TokenBucket, now: float) -> int:
    """Returns how many events are allowed at a time."""
    return next(count for count in range(1000) if not bucket.try_acquire(now))


def test_a_burst_is_allowed_and_then_so_many_a_second() -> None:
    bucket = TokenBucket(burst=3, rate=2, now=10.0)
    assert [allowed(bucket, now) for now in (10.0, 10.25, 10.5, 12.0)] == [3, 0, 1, 3]


def test_no_quiet_time_is_so_long_that_more_than_a_burst_is_allowed() -> None:
    bucket = TokenBucket(burst=3, rate=2, now=0.0)
    assert [allowed(bucket, now) for now in (0.0, 100_000.0)] == [3, 3]


def test_each_address_has_a_bucket_of_its_own_and_the_oldest_is_forgotten() -> None:
    buckets = TokenBuckets(burst=1, rate=0)
    assert [buckets.try_acquire(address, 0.0) for address in ("a", "b", "a", "b")] == [True, True, False, False]
    for number in range(MOST_ADDRESSES - 1):
        assert buckets.try_acquire(f"other {number}", 0.0)
    assert not buckets.try_acquire("b", 0.0)
    assert buckets.try_acquire("a", 0.0)
