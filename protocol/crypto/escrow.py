"""The secret that a leaving seat leaves behind. Only all remaining seats together can open it.

The leaving seat picks a key share k_j for each remaining seat j; the key is their XOR. With a fresh R = e*G, seat j
finds box_j = k_j XOR hash(context, R, j, e*X_j), X_j = x_j*G being its bag key, and computes the hash from x_j*R. The
secret is encrypted under the key by ChaCha20-Poly1305 (RFC 8439), behind its length and padded to a multiple of 4096
bytes, so that its size reveals almost nothing. A seat that leaves later publishes its bag key; the bag keys of the
others follow from the seeds that they publish at the end. Then anybody can open the secret, and whether it opens
depends on the leaving seat alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Final

from kimberley.protocol.crypto import backend
from kimberley.protocol.crypto.group import POINT_SIZE, BadPoint, Group, Point
from kimberley.protocol.crypto.hashing import Context, derive, derive_scalar, digest, message

KEY_SIZE: Final = 32
TAG_SIZE: Final = 16
LENGTH_SIZE: Final = 4
BLOCK_SIZE: Final = 4096
NONCE: Final = bytes(12)


def leave_behind(g: Group, seed: bytes, ctx: Context, bags: Mapping[int, Point], secret: bytes) -> bytes:
    """Returns R || box_j for each remaining seat in seat order || the encrypted secret. `bags` are their public bag
    keys.
    """
    seats = sorted(bags)
    statement = (tuple((seat, bags[seat]) for seat in seats), secret)
    e = derive_scalar(g, seed, "escrow", ctx, 0, *statement)
    shares = [derive(seed, "escrow share", ctx, seat, *statement) for seat in seats]
    R = g.base(e)
    boxes = [
        _xor(share, _pad(g, ctx, R, seat, g.mul(e, bags[seat]))) for seat, share in zip(seats, shares, strict=True)
    ]
    sealed = backend.primitives().encrypt(reduce(_xor, shares), NONCE, _padded(secret), _bound(ctx, R, boxes))
    return R + b"".join(boxes) + sealed


def well_formed(g: Group, remaining: int, left: bytes) -> bool:
    """Returns whether the bytes pass the checks that anyone can make before the end: the length, and that R is a point
    and not the identity. Never raises.
    """
    size = len(left) - POINT_SIZE - remaining * KEY_SIZE - TAG_SIZE
    if size <= 0 or size % BLOCK_SIZE:
        return False
    try:
        g.decode_point(left[:POINT_SIZE])
    except BadPoint:
        return False
    return True


def open_together(g: Group, ctx: Context, bags: Mapping[int, int], left: bytes) -> bytes | None:
    """Returns the secret, given the secret bag keys of all remaining seats, or None if it cannot be opened. Never
    raises.
    """
    seats = sorted(bags)
    if not seats or not well_formed(g, len(seats), left):
        return None
    R, end = left[:POINT_SIZE], POINT_SIZE + len(seats) * KEY_SIZE
    boxes = [left[start : start + KEY_SIZE] for start in range(POINT_SIZE, end, KEY_SIZE)]
    shares = [_xor(box, _pad(g, ctx, R, seat, g.mul(bags[seat], R))) for seat, box in zip(seats, boxes, strict=True)]
    padded = backend.primitives().decrypt(reduce(_xor, shares), NONCE, left[end:], _bound(ctx, R, boxes))
    if padded is None:
        return None
    secret = padded[LENGTH_SIZE : LENGTH_SIZE + int.from_bytes(padded[:LENGTH_SIZE], "big")]
    return secret if _padded(secret) == padded else None


def _padded(secret: bytes) -> bytes:
    plain = len(secret).to_bytes(LENGTH_SIZE, "big") + secret
    return plain + bytes(-len(plain) % BLOCK_SIZE)


def _pad(g: Group, ctx: Context, R: Point, seat: int, shared: Point) -> bytes:
    return digest("escrow pad", g.name, *ctx.parts(), R, seat, shared)


def _bound(ctx: Context, R: Point, boxes: list[bytes]) -> bytes:
    return message("escrow secret", *ctx.parts(), R, tuple(boxes))


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(left, right, strict=True))
