"""Rate limits: token buckets, one alone or one per address."""

from __future__ import annotations

from typing import Final

MOST_ADDRESSES: Final = 1024
"""Addresses whose buckets are kept. Beyond that, the address that was asked about longest ago is forgotten."""


class TokenBucket:
    """Allows `burst` events at once and `rate` per second after that. Times are in seconds of one clock."""

    def __init__(self, burst: float, rate: float, now: float) -> None:
        self._burst, self._rate = burst, rate
        self._left, self._at = burst, now

    def try_acquire(self, now: float, cost: float = 1) -> bool:
        """Returns whether one more event, or one that counts as `cost` of them, is allowed at `now`. If so, it is
        counted.
        """
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < cost:
            return False
        self._left -= cost
        return True


class TokenBuckets:
    """One bucket per address."""

    def __init__(self, burst: float, rate: float) -> None:
        self._burst, self._rate = burst, rate
        self._by_address: dict[str, TokenBucket] = {}

    def try_acquire(self, address: str, now: float) -> bool:
        """Returns whether one more event from `address` is allowed at `now`. If so, it is counted."""
        bucket = self._by_address.pop(address, None) or TokenBucket(self._burst, self._rate, now)
        self._by_address[address] = bucket
        if len(self._by_address) > MOST_ADDRESSES:
            del self._by_address[next(iter(self._by_address))]
        return bucket.try_acquire(now)
