"""The group that most simulated tables use: it proves and verifies like ristretto255, and is fast.

It is the integers modulo the prime 2^127 - 1 under addition. A seat that divides could read every secret; no simulated
seat does. A Schnorr group of 64 bits would prevent that too, but would be no faster than ristretto255 through
libsodium: an exponentiation in Python takes as long as libsodium's multiplication.
"""

from __future__ import annotations

from typing import Final

from kimberley.protocol.crypto.group import Group, Point
from tests.support.groups import Additive

GENERATOR: Final = 0x243F6A8885A308D313198A2E03707344
"""Not 1, so that no public key is spelled like its secret: digits of pi."""


class Small(Additive):
    """2^127 - 1 points, including the identity, in 32 bytes, little-endian."""

    name = "small"
    order = 2**127 - 1

    def base(self, s: int) -> Point:
        return self._point(s * GENERATOR)


SMALL: Final[Group] = Small()
