"""Just enough of Ed25519 to make signatures that only careless verifiers accept (SPEC.md, section 5)."""

from __future__ import annotations

import hashlib
import os
from typing import Final

from kimberley.client.conformance.crypto.group import L
from kimberley.client.conformance.crypto.hashing import Identity, message

P: Final = 2**255 - 19
D: Final = -121665 * pow(121666, -1, P) % P
ROOT: Final = pow(2, (P - 1) // 4, P)
ORDER_8: Final = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
"""The y of a point of order 8."""
SMALL: Final = (0, 1, P - 1, ORDER_8, P - ORDER_8)
"""The y of every point of small order."""

Affine = tuple[int, int]


def encoded(y: int, sign: int = 0) -> bytes:
    """The 32 bytes of a point with this y, canonical or not."""
    return (y | sign << 255).to_bytes(32, "little")


def signed_with_torsion(identity: Identity, purpose: str, data: bytes) -> bytes:
    """A signature that verifies with the cofactor but not without it: its R has a component of order 8."""
    hashed = hashlib.sha512(identity.secret).digest()
    a = int.from_bytes(hashed[:32], "little") & ~7 & (1 << 255) - 1 | 1 << 254
    a &= (1 << 255) - 1
    r = int.from_bytes(os.urandom(32), "little") % L
    R = _encode(_add(_mul(r, _base()), _point(ORDER_8)))
    whole = message("signature", purpose) + data
    k = int.from_bytes(hashlib.sha512(R + identity.public + whole).digest(), "little") % L
    return R + ((r + k * a) % L).to_bytes(32, "little")


def larger_scalar(signature: bytes) -> bytes:
    """The same signature with L added to its S."""
    return signature[:32] + (int.from_bytes(signature[32:], "little") + L).to_bytes(32, "little")


def _base() -> Affine:
    return _point(4 * pow(5, -1, P) % P)


def _point(y: int) -> Affine:
    """A point with this y; x is even."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    return (x if x % 2 == 0 else P - x), y


def _add(one: Affine, other: Affine) -> Affine:
    (a, b), (c, d) = one, other
    product = D * a * b * c * d % P
    x = (a * d + b * c) * pow(1 + product, -1, P)
    y = (b * d + a * c) * pow(1 - product, -1, P)
    return x % P, y % P


def _mul(scalar: int, point: Affine) -> Affine:
    total: Affine = (0, 1)
    while scalar:
        if scalar & 1:
            total = _add(total, point)
        point, scalar = _add(point, point), scalar >> 1
    return total


def _encode(point: Affine) -> bytes:
    return encoded(point[1], point[0] & 1)
