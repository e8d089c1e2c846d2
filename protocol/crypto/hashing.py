"""Every hash and every derived secret: labeled, bound to its context, over unambiguous bytes.

The input of a hash is always the canonical packing of one array whose first entry is the label. Arrays, text and bytes
carry their lengths, so two different lists of parts never give the same bytes.
"""

import hashlib
import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kimberley.games.table import Plain
from kimberley.protocol.encoding import pack

if TYPE_CHECKING:
    from kimberley.protocol.crypto.group import Group

PREFIX: Final = "kimberley/1 "
WIDE_SIZE: Final = 64


@dataclass(frozen=True, slots=True)
class Context:
    """The place of a proof: a proof for one context verifies in no other context.

    `game` is the game's id; `step` counts the table's asks, `stage` the rounds of envelopes within one; `seat` is the
    prover's.
    """

    game: bytes
    step: int
    stage: int
    seat: int

    def parts(self) -> tuple[bytes, int, int, int]:
        """Returns the context's entries in a hash."""
        return self.game, self.step, self.stage, self.seat


def message(label: str, *parts: Plain) -> bytes:
    """Returns the bytes to hash for these parts."""
    return pack((PREFIX + label, *parts))


def digest(label: str, *parts: Plain) -> bytes:
    """Returns 32 bytes: SHA-256 of the message."""
    return hashlib.sha256(message(label, *parts)).digest()


def wide(label: str, *parts: Plain) -> bytes:
    """Returns 64 bytes, enough for a scalar or a point without bias: SHA-512 of the message."""
    return hashlib.sha512(message(label, *parts)).digest()


def challenge(g: "Group", label: str, ctx: Context, *statement: Plain) -> int:
    """Returns the Fiat-Shamir challenge of a proof: a scalar from its label, context and whole statement."""
    return int.from_bytes(wide(label, g.name, *ctx.parts(), *statement), "little") % g.order


def derive(seed: bytes, label: str, ctx: Context, index: int, *statement: Plain) -> bytes:
    """Derives 32 secret bytes for one use: HMAC-SHA-256, keyed by the seed, of label, context, index and statement.

    `statement` holds the witness and everything that the secret is used for. So no two statements share randomness, as
    in RFC 6979 for signatures. The audit derives the same bytes again.
    """
    return hmac.digest(seed, message(label, *ctx.parts(), index, *statement), "sha256")


def derive_stream(seed: bytes, label: str, ctx: Context, index: int, size: int, *statement: Plain) -> bytes:
    """Derives `size` secret bytes for one use: SHAKE-256 of the result of `derive`.

    Args:
        seed: The seat's secret seed, 32 bytes.
        label: The use of the bytes.
        ctx: The seat's context.
        index: Distinguishes uses with the same label and context.
        size: The number of bytes.
        statement: The witness and everything that the bytes are used for.

    """
    return hashlib.shake_256(derive(seed, label, ctx, index, *statement)).digest(size)


def derive_scalars(
    g: "Group", seed: bytes, label: str, ctx: Context, index: int, count: int, *statement: Plain
) -> list[int]:
    """Derives `count` secret scalars for one use, each in 1..order-1 from 64 bytes of the stream.

    Args:
        g: The group.
        seed: The seat's secret seed, 32 bytes.
        label: The use of the scalars.
        ctx: The seat's context.
        index: Distinguishes uses with the same label and context.
        count: The number of scalars.
        statement: The witness and everything that the scalars are used for.

    """
    stream = derive_stream(seed, label, ctx, index, count * WIDE_SIZE, *statement)
    return [
        1 + int.from_bytes(stream[start : start + WIDE_SIZE], "little") % (g.order - 1)
        for start in range(0, len(stream), WIDE_SIZE)
    ]


def derive_scalar(g: "Group", seed: bytes, label: str, ctx: Context, index: int, *statement: Plain) -> int:
    """Derives one secret scalar for one use, in 1..order-1.

    Args:
        g: The group.
        seed: The seat's secret seed, 32 bytes.
        label: The use of the scalar.
        ctx: The seat's context.
        index: Distinguishes uses with the same label and context.
        statement: The witness and everything that the scalar is used for.

    """
    return derive_scalars(g, seed, label, ctx, index, 1, *statement)[0]
