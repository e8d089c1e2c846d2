"""The arithmetic of the group, the only code that the suite shares with our own peer (SPEC.md, section 14.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from kimberley.protocol.crypto.ristretto import RISTRETTO

L: Final = 2**252 + 27742317777372353535851937790883648493
SIZE: Final = 32
IDENTITY: Final = bytes(SIZE)

Point = bytes

base = RISTRETTO.base
mul = RISTRETTO.mul
add = RISTRETTO.add
sub = RISTRETTO.sub
hash_to_group = RISTRETTO.fixed_point

H: Final = hash_to_group(b"kimberley/1 pedersen H")


class BadElement(ValueError):
    """The bytes do not encode a point, or a scalar, that the wire allows."""


def total(points: Iterable[Point]) -> Point:
    """The sum of points."""
    result = IDENTITY
    for point in points:
        result = point if result == IDENTITY else add(result, point)
    return result


def weighed(weights: Sequence[int], points: Sequence[Point]) -> Point:
    """The sum of weight * point."""
    return total(mul(weight, point) for weight, point in zip(weights, points, strict=True))


def scalar_bytes(scalar: int) -> bytes:
    """The 32 bytes of a scalar, taken modulo L."""
    return (scalar % L).to_bytes(SIZE, "little")


def read_point(data: object) -> Point:
    """The point that bytes from the wire encode. Raises BadElement."""
    if not isinstance(data, bytes) or len(data) != SIZE or data == IDENTITY or not RISTRETTO.is_point(data):
        raise BadElement("not a valid point")
    return data


def read_scalar(data: bytes) -> int:
    """The scalar that bytes from the wire encode. Raises BadElement."""
    scalar = int.from_bytes(data, "little")
    if len(data) != SIZE or scalar >= L:
        raise BadElement("not a valid scalar")
    return scalar


def cut(data: bytes, size: int = SIZE) -> list[bytes]:
    """The bytes, cut into pieces of this size."""
    return [data[at : at + size] for at in range(0, len(data), size)]


def pedersen(value: int, blinding: int) -> Point:
    """value*H + blinding*G (section 14.2)."""
    return add(mul(value, H), base(blinding))
