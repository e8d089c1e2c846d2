"""Shared by the tests of the proofs: the groups they run over, and contexts that differ in one place."""

import hashlib
from dataclasses import replace
from typing import Final

import pytest

from kimberley.protocol.crypto.group import Group, Point
from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.crypto.pure import PURE
from kimberley.protocol.crypto.ristretto import RISTRETTO

SEED: Final = bytes(range(32))
CONTEXT: Final = Context(game=b"\x07" * 32, step=5, stage=1, seat=0)
ELSEWHERE: Final = (
    replace(CONTEXT, game=b"\x08" * 32),
    replace(CONTEXT, step=6),
    replace(CONTEXT, stage=2),
    replace(CONTEXT, seat=1),
)


class Additive(Group):
    """The integers modulo 2^61 - 1 under addition: a fast group without secrecy."""

    name = "additive"
    order = 2**61 - 1
    identity = bytes(32)

    def base(self, s: int) -> Point:
        return self._point(s)

    def mul(self, s: int, p: Point) -> Point:
        return self._point(s * int.from_bytes(p, "little"))

    def add(self, p: Point, q: Point) -> Point:
        return self._point(int.from_bytes(p, "little") + int.from_bytes(q, "little"))

    def sub(self, p: Point, q: Point) -> Point:
        return self._point(int.from_bytes(p, "little") - int.from_bytes(q, "little"))

    def hash_to_group(self, data: bytes) -> Point:
        return self._point(int.from_bytes(hashlib.sha512(data).digest(), "little"))

    def is_point(self, data: bytes) -> bool:
        return len(data) == 32 and int.from_bytes(data, "little") < self.order

    def _point(self, value: int) -> Point:
        return (value % self.order).to_bytes(32, "little")


ADDITIVE: Final[Group] = Additive()
GROUPS: Final = {"ristretto": RISTRETTO, "pure": PURE, "additive": ADDITIVE}
WITH_SLOW_ORACLE: Final = [
    pytest.param(group, id=name, marks=pytest.mark.slow if group is PURE else ()) for name, group in GROUPS.items()
]
"""For `parametrize`: the oracle takes many times as long as the others."""
