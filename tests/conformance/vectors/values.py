"""What many vectors are made of: contexts, values, what is changed in them, and what a peer does then."""

from __future__ import annotations

from typing import Final

from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.crypto.ristretto import RISTRETTO

g: Final = RISTRETTO
SEED: Final = bytes([1]) * 32
GAME: Final = bytes([2]) * 32
HERE: Final = Context(GAME, 300, 1, 2)
PARTS: Final = ("text", b"bytes", -5, True, None, (1, ()))
REFUSE: Final = "Refuse the bytes; nobody is blamed for them."
UNFIT: Final = "Refuse. Signed in a stage, it is the guilt of its seat."
OTHER_CONTEXT: Final = ("It was made for another game, step, stage or seat.", UNFIT)


def flipped(data: bytes, at: int = -1) -> bytes:
    """Returns the bytes with one bit changed."""
    changed = bytearray(data)
    changed[at] ^= 1
    return bytes(changed)


def elsewhere(where: Context) -> dict[str, Context]:
    """Contexts that differ from this one in one thing each."""
    return {
        "another game": Context(bytes(32), where.step, where.stage, where.seat),
        "another step": Context(where.game, where.step + 1, where.stage, where.seat),
        "another stage": Context(where.game, where.step, where.stage + 1, where.seat),
        "another seat": Context(where.game, where.step, where.stage, where.seat + 1),
    }
