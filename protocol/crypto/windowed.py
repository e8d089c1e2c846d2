"""ristretto255 in pure Python, fast enough to play: what runs where libsodium is missing.

It gives the same bytes as `pure`, the oracle, but takes windows of the scalars, tables of points that are multiplied
often, and remembers the coordinates of recent points.

Encoding a point takes a square root, half the time of a multiple of the generator. But the encoding of 2Q follows from
Q by an inversion alone, which takes Python a tenth of that time: the "batched double-and-encode" of Mike Hamburg
(https://ristretto.group). So this group computes half of every product, and adds halves.

Nothing here takes constant time: somebody who measures it closely may learn about the scalars.
"""

import hashlib
from collections.abc import Iterable
from typing import Final

from kimberley.protocol.crypto.edwards import (
    Multiplier,
    Recent,
    added,
    base_multiple,
    combination,
    doubled,
    negated,
    prepare,
)
from kimberley.protocol.crypto.group import POINT_SIZE, BadPoint, Group, Point
from kimberley.protocol.crypto.pure import (
    INVSQRT_A_MINUS_D,
    SQRT_M1,
    D,
    Extended,
    P,
    decode,
    encode,
    one_way_map,
)

KEPT: Final = 8192
"""The number of points whose coordinates are remembered, and at most as many again: 6 to 13 MB."""


class _Known(Multiplier):
    """The coordinates of a point, and of half the point if that is known."""

    __slots__ = ("half",)

    def __init__(self, point: Extended, half: Extended | None = None) -> None:
        super().__init__(point)
        self.half = half


class WindowedRistretto(Group):
    """ristretto255 with windows, tables and remembered coordinates."""

    name = "ristretto255"
    order = 2**252 + 27742317777372353535851937790883648493
    identity = bytes(POINT_SIZE)

    def __init__(self) -> None:
        self._known = Recent[Point, _Known](KEPT)

    def base(self, s: int) -> Point:
        return self._from_half(base_multiple(self._halved(s)))

    def mul(self, s: int, p: Point) -> Point:
        return self._from_half(self._decoded(p).multiple(self._halved(s)))

    def add(self, p: Point, q: Point) -> Point:
        first, second = self._decoded(p), self._decoded(q)
        if first.half is not None and second.half is not None:
            return self._from_half(added(first.half, prepare(second.half)))
        return self._from_whole(added(first.point, prepare(second.point)))

    def sub(self, p: Point, q: Point) -> Point:
        first, second = self._decoded(p), self._decoded(q)
        if first.half is not None and second.half is not None:
            return self._from_half(added(first.half, negated(prepare(second.half))))
        return self._from_whole(added(first.point, negated(prepare(second.point))))

    def weighted_sum(self, weights: Iterable[int], points: Iterable[Point]) -> Point:
        terms = [(self._halved(s), self._decoded(p).point) for s, p in zip(weights, points, strict=True)]
        return self._from_half(combination(terms))

    def hash_to_group(self, data: bytes) -> Point:
        return one_way_map(hashlib.sha512(data).digest())

    def is_point(self, data: bytes) -> bool:
        try:
            self._decoded(data)
        except BadPoint:
            return False
        return True

    def _halved(self, s: int) -> int:
        """Returns s/2 modulo the order."""
        s %= self.order
        return (s + self.order if s & 1 else s) >> 1

    def _decoded(self, data: bytes) -> _Known:
        """Returns the coordinates of a point. Raises BadPoint."""
        known = self._known.get(data)
        if known is None:
            known = _Known(decode(data))
            self._known.store(data, known)
        return known

    def _from_half(self, half: Extended) -> Point:
        point = encode_doubled(half)
        if self._known.get(point) is None:
            self._known.store(point, _Known(doubled(half), half))
        return point

    def _from_whole(self, whole: Extended) -> Point:
        point = encode(whole)
        if self._known.get(point) is None:
            self._known.store(point, _Known(whole))
        return point


def encode_doubled(q: Extended) -> Point:
    """Returns the encoding of 2Q."""
    x, y, z, t = q
    zz, dtt = z * z, D * t * t
    e, f, g, h = 2 * x * y % P, (zz + dtt) % P, (y * y + x * x) % P, (zz - dtt) % P
    eg, fh = e * g % P, f * h % P
    if not eg * fh % P:
        return bytes(POINT_SIZE)
    inverse = pow(eg * fh, -1, P)
    z_inverse, t_inverse = eg * inverse % P, fh * inverse % P
    magic = INVSQRT_A_MINUS_D
    if eg * z_inverse % P & 1:
        e, g, h, magic = g, -e, f * SQRT_M1 % P, SQRT_M1
    if h * e * z_inverse % P & 1:
        g = -g
    s = (h - g) * magic * g * t_inverse % P
    return (P - s if s & 1 else s).to_bytes(POINT_SIZE, "little")


WINDOWED: Final[Group] = WindowedRistretto()
