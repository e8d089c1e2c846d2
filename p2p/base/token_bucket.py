"""How often something may come: token buckets, one or one for each address."""

from __future__ import annotations

from typing import Final

MOST_ADDRESSES: Final = 1024
"""Addresses whose buckets are kept; of more, those that were asked longest ago are forgotten."""


class Bucket:
    """Lets `burst` through at once, and `rate` a second after that. Times are seconds of one clock."""

    def __init__(self, burst: float, rate: float, now: float) -> None:
        self._burst, self._rate = burst, rate
        self._left, self._at = burst, now

    def takes(self, now: float) -> bool:
        """Whether one more may come now; if so, it has."""
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket for each address."""

    def __init__(self, burst: float, rate: float) -> None:
        self._burst, self._rate = burst, rate
        self._by_address: dict[str, Bucket] = {}

    def takes(self, address: str, now: float) -> bool:
        """Whether one more may come from this address now; if so, it has."""
        bucket = self._by_address.pop(address, None) or Bucket(self._burst, self._rate, now)
        self._by_address[address] = bucket
        if len(self._by_address) > MOST_ADDRESSES:
            del self._by_address[next(iter(self._by_address))]
        return bucket.takes(now)
