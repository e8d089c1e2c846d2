"""Signatures that only careless verifiers accept (SPEC.md, section 5)."""

from __future__ import annotations

import os
from typing import Final

from kimberley.protocol.crypto import signatures
from kimberley.protocol.crypto.eddsa import compress, expand, hashed
from kimberley.protocol.crypto.edwards import added, base_multiple, prepare
from kimberley.protocol.crypto.pure import D, Extended, sqrt_ratio
from kimberley.protocol.crypto.signatures import FIELD, ORDER, ORDER_EIGHT

SMALL: Final = (0, 1, FIELD - 1, ORDER_EIGHT, FIELD - ORDER_EIGHT)
"""The y of every point of small order."""


def encoded(y: int, sign: int = 0) -> bytes:
    """Returns the 32 bytes of a point with this y, canonical or not."""
    return (y | sign << 255).to_bytes(32, "little")


def signed_with_torsion(secret: bytes, purpose: str, data: bytes) -> bytes:
    """Signs so that it verifies with the cofactor but not without it: its R has a component of order 8."""
    a, _ = expand(secret)
    r = int.from_bytes(os.urandom(64), "little") % ORDER
    R = compress(added(base_multiple(r), prepare(_of_order_eight())))
    k = hashed(R, signatures.public(secret), signatures.prefixed(purpose, data))
    return R + ((r + k * a) % ORDER).to_bytes(32, "little")


def larger_scalar(signature: bytes) -> bytes:
    """Returns the same signature with L added to its S."""
    return signature[:32] + (int.from_bytes(signature[32:], "little") + ORDER).to_bytes(32, "little")


def _of_order_eight() -> Extended:
    square = ORDER_EIGHT * ORDER_EIGHT
    _, x = sqrt_ratio(square - 1, D * square + 1)
    return x, ORDER_EIGHT, 1, x * ORDER_EIGHT % FIELD
