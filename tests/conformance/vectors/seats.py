"""The keys of seats and what they hold, and what many vectors change in them."""

from __future__ import annotations

from typing import Final

from kimberley.protocol.crypto.elgamal import SeatKey
from kimberley.protocol.crypto.hashing import Context
from tests.conformance.vectors.values import GAME, UNFIT, g

SEEDS: Final = tuple(bytes([value]) * 32 for value in (1, 2, 3))
KEYS: Final = tuple(Context(GAME, 0, 0, seat) for seat in range(3))
VALUES: Final = (("heart", 12), ("spade", 3), ("spade", 12))
SHORT: Final = ("A length is wrong; one part more or less is as wrong.", UNFIT)
MODIFIED: Final = ("A bit is changed.", UNFIT)
BAD_POINT: Final = ("A point is the identity, or no canonical encoding.", UNFIT)
BAD_SCALAR: Final = ("A scalar is not below the order.", UNFIT)


def key(seat: int, purpose: str) -> SeatKey:
    return SeatKey.derive(g, SEEDS[seat], KEYS[seat], purpose)


def beyond(scalar: bytes) -> bytes:
    """Returns the same scalar, with the order added."""
    return (int.from_bytes(scalar, "little") + g.order).to_bytes(32, "little")
