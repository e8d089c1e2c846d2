"""A group that counts the operations of another, and measures how long they take."""

import time
from collections import Counter
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from kimberley.protocol.crypto.group import Group, Point
from kimberley.protocol.crypto.ristretto import RISTRETTO

P = ParamSpec("P")
T = TypeVar("T")


class CountingGroup(Group):
    """A group with the `counts` of its operations by name, and the `seconds` spent in all of them."""

    def __init__(self, group: Group = RISTRETTO) -> None:
        self.name, self.order, self.identity = group.name, group.order, group.identity
        self._group = group
        self.counts: Counter[str] = Counter()
        self.seconds = 0.0

    def reset(self) -> None:
        self.counts.clear()
        self.seconds = 0.0

    def base(self, s: int) -> Point:
        return self.counted("base", self._group.base, s)

    def mul(self, s: int, p: Point) -> Point:
        return self.counted("mul", self._group.mul, s, p)

    def add(self, p: Point, q: Point) -> Point:
        return self.counted("add", self._group.add, p, q)

    def sub(self, p: Point, q: Point) -> Point:
        return self.counted("add", self._group.sub, p, q)

    def hash_to_group(self, data: bytes) -> Point:
        return self.counted("hash", self._group.hash_to_group, data)

    def is_point(self, data: bytes) -> bool:
        return self.counted("valid", self._group.is_point, data)

    def counted(self, name: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Does the work, and counts it under this name."""
        self.counts[name] += 1
        start = time.perf_counter()
        result = work(*args, **kwargs)
        self.seconds += time.perf_counter() - start
        return result
