"""The group of all commitments and proofs, and ristretto255 through libsodium.

A group here has prime order, so every point but the identity generates it. Points travel as 32 canonical bytes and stay
bytes in memory; scalars are integers modulo the order and travel as 32 bytes, little-endian.

Points from the wire pass `decode_point`, which refuses the identity. Computed points may be the identity: sums that
cancel are never an error.

ristretto255: RFC 9496. libsodium: https://doc.libsodium.org/advanced/point-arithmetic/ristretto
"""

import hashlib
import os
import warnings
from contextlib import suppress
from functools import cached_property
from typing import Any, Final, Protocol, TypeAlias

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
        """s*G, G the group's standard generator; any integer s."""
        ...

    def mul(self, s: int, p: Point) -> Point:
        """s*P; any integer s."""
        ...

    def add(self, p: Point, q: Point) -> Point:
        """P + Q."""
        ...

    def sub(self, p: Point, q: Point) -> Point:
        """P - Q."""
        ...

    def hash_to_group(self, data: bytes) -> Point:
        """A point whose discrete logarithm nobody knows: the one-way map of SHA-512(data)."""
        ...

    def is_point(self, data: bytes) -> bool:
        """Whether `data` is the canonical encoding of a point; the identity is one. Never raises."""
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
        """`hash_to_group(data)`, cached: for generators, and points that stand for a value."""
        if data not in self._fixed_points:
            self._fixed_points[data] = self.hash_to_group(data)
        return self._fixed_points[data]

    @cached_property
    def _fixed_points(self) -> dict[bytes, Point]:
        return {}

    def decode_point(self, data: bytes) -> Point:
        """A point from the wire; BadPoint unless it is canonical, valid and not the identity."""
        if not self.is_point(data):
            raise BadPoint("not the canonical encoding of a point")
        if data == self.identity:
            raise BadPoint("the identity must not travel as a point")
        return data

    def encode_scalar(self, s: int) -> bytes:
        """The 32 little-endian bytes of s modulo the order."""
        return (s % self.order).to_bytes(SCALAR_SIZE, "little")

    def decode_scalar(self, data: bytes) -> int:
        """A scalar from the wire; BadScalar unless it is 32 bytes and below the order."""
        if len(data) != SCALAR_SIZE:
            raise BadScalar(f"a scalar is {SCALAR_SIZE} bytes, not {len(data)}")
        scalar = int.from_bytes(data, "little")
        if scalar >= self.order:
            raise BadScalar("a scalar is not below the group's order")
        return scalar


def _import_rbcl() -> Any:
    """rbcl, without the copy of libsodium that each import leaves in the temporary folder."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        import rbcl
    with suppress(OSError):  # Windows does not unlink a library in use.
        os.unlink(rbcl._sodium._name)
    return rbcl


_rbcl = _import_rbcl()


class Ristretto(Group):
    """ristretto255 through rbcl, a wheel that contains libsodium.

    libsodium reports a product that is the identity as a failure, returns the identity's bytes for a failed sum, and
    reduces scalars silently. This class reduces scalars first, treats the identity like any other result, and raises
    BadPoint for operands that decode to no point.
    """

    name = "ristretto255"
    order = 2**252 + 27742317777372353535851937790883648493
    identity = bytes(POINT_SIZE)

    def base(self, s: int) -> Point:
        product: bytes = _rbcl.crypto_scalarmult_ristretto255_base_allow_scalar_zero(self.encode_scalar(s))
        return product

    def mul(self, s: int, p: Point) -> Point:
        try:
            product: bytes = _rbcl.crypto_scalarmult_ristretto255(self.encode_scalar(s), p)
        except (RuntimeError, ValueError):
            return self._identity_from(p)
        return product

    def add(self, p: Point, q: Point) -> Point:
        total: bytes = _rbcl.crypto_core_ristretto255_add(p, q)
        return total if total != self.identity else self._identity_from(p, q)

    def sub(self, p: Point, q: Point) -> Point:
        difference: bytes = _rbcl.crypto_core_ristretto255_sub(p, q)
        return difference if difference != self.identity else self._identity_from(p, q)

    def hash_to_group(self, data: bytes) -> Point:
        point: bytes = _rbcl.crypto_core_ristretto255_from_hash(hashlib.sha512(data).digest())
        return point

    def is_point(self, data: bytes) -> bool:
        # libsodium 1.0.18, which rbcl contains, ignores the highest bit: each point would have a second encoding.
        return len(data) == POINT_SIZE and data[-1] < 0x80 and bool(_rbcl.crypto_core_ristretto255_is_valid_point(data))

    def _identity_from(self, *operands: Point) -> Point:
        """The identity; raises BadPoint if libsodium returned it because an operand is not a point."""
        for operand in operands:
            if not self.is_point(operand):
                raise BadPoint("an operand is not the canonical encoding of a point")
        return self.identity


RISTRETTO: Final[Group] = Ristretto()
