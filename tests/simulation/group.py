"""The group that most simulated tables play over: it proves and verifies as ristretto255 does, and is fast.

The integers modulo the prime 2^127 - 1 under addition. Whoever divides reads every secret of it; no simulated seat
does. A Schnorr group of 64 bits would be safe from that too, and no faster than ristretto255 through libsodium: an
exponentiation takes Python as long as libsodium's multiplication.
"""

from __future__ import annotations

from typing import Final

from protocol.crypto.group import Group, Point
from tests.support.groups import Additive

GENERATOR: Final = 0x243F6A8885A308D313198A2E03707344
"""Not 1, so that no public key is spelled like its secret: digits of pi."""


class Small(Additive):
    """2^127 - 1 points, the identity among them, in 32 bytes, little-endian."""

    name = "small"
    order = 2**127 - 1

    def base(self, s: int) -> Point:
        return self._point(s * GENERATOR)


SMALL: Final[Group] = Small()
