"""What a group of commitments and proofs can do. `ristretto` has the one of all games.

A group here has prime order, so every point but the identity generates it. Points travel as 32 canonical bytes and stay
bytes in memory; scalars are integers modulo the order and travel as 32 bytes, little-endian.

Points from the wire pass `decode_point`, which refuses the identity. Computed points may be the identity: sums that
cancel are never an error.
"""

from collections.abc import Iterable
from functools import cached_property, reduce
from typing import Final, Protocol, TypeAlias

Point: TypeAlias = bytes

POINT_SIZE: Final = 32
SCALAR_SIZE: Final = 32
DOUBLINGS: Final = 64
PEDERSEN_LABEL: Final = b"kimberley/1 pedersen H"


class BadPoint(ValueError):
    """Bytes that are not the canonical encoding of a point, or of the identity where that is refused."""


class BadScalar(ValueError):
    """Bytes that are not a scalar's 32 little-endian bytes below the order."""


class Group(Protocol):
    """A group of prime order with 32-byte points. Subclasses implement the arithmetic; the codecs are inherited."""

    name: str
    order: int
    identity: Point

    def base(self, s: int) -> Point:
        """Returns s*G, G the group's standard generator; any integer s."""
        ...

    def mul(self, s: int, p: Point) -> Point:
        """Returns s*P; any integer s."""
        ...

    def add(self, p: Point, q: Point) -> Point:
        """Returns P + Q."""
        ...

    def sub(self, p: Point, q: Point) -> Point:
        """Returns P - Q."""
        ...

    def weighted_sum(self, weights: Iterable[int], points: Iterable[Point]) -> Point:
        """Returns the sum of weight*point over two lists of the same length; the identity if they are empty."""
        terms = [self.mul(weight, point) for weight, point in zip(weights, points, strict=True)]
        return reduce(self.add, terms) if terms else self.identity

    def hash_to_group(self, data: bytes) -> Point:
        """Returns a point whose discrete logarithm nobody knows: the one-way map of SHA-512(data)."""
        ...

    def is_point(self, data: bytes) -> bool:
        """Returns whether `data` is the canonical encoding of a point; the identity is one. Never raises."""
        ...

    @cached_property
    def H(self) -> Point:
        """The second generator of Pedersen commitments, hashed to the group from a fixed label."""
        return self.hash_to_group(PEDERSEN_LABEL)

    @cached_property
    def doublings(self) -> tuple[Point, ...]:
        """2^i*H for i = 0..63: the weights of the bits of an amount."""
        points = [self.H]
        while len(points) < DOUBLINGS:
            points.append(self.add(points[-1], points[-1]))
        return tuple(points)

    def fixed_point(self, data: bytes) -> Point:
        """Returns `hash_to_group(data)`, cached: for generators, and points that stand for a value."""
        if data not in self._fixed_points:
            self._fixed_points[data] = self.hash_to_group(data)
        return self._fixed_points[data]

    @cached_property
    def _fixed_points(self) -> dict[bytes, Point]:
        return {}

    def decode_point(self, data: bytes) -> Point:
        """Reads a point from the wire. Raises BadPoint unless it is canonical, valid and not the identity."""
        if not self.is_point(data):
            raise BadPoint("not the canonical encoding of a point")
        if data == self.identity:
            raise BadPoint("the identity must not travel as a point")
        return data

    def encode_scalar(self, s: int) -> bytes:
        """Returns the 32 little-endian bytes of s modulo the order."""
        return (s % self.order).to_bytes(SCALAR_SIZE, "little")

    def decode_scalar(self, data: bytes) -> int:
        """Reads a scalar from the wire. Raises BadScalar unless it is 32 bytes and below the order."""
        if len(data) != SCALAR_SIZE:
            raise BadScalar(f"a scalar is {SCALAR_SIZE} bytes, not {len(data)}")
        scalar = int.from_bytes(data, "little")
        if scalar >= self.order:
            raise BadScalar("a scalar is not below the group's order")
        return scalar
