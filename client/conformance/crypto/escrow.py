"""What a seat leaves behind for the audit when it leaves (SPEC.md, section 14.11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from kimberley.client.conformance.crypto.group import SIZE, BadElement, Point, base, cut, mul, read_point
from kimberley.client.conformance.crypto.hashing import GROUP, Context, Secrets, digest, message, xor

BLOCK = 4096


def leave_behind(who: Secrets, context: Context, keys: Sequence[tuple[int, Point]], secret: bytes) -> bytes:
    """The secret, sealed for the other seats together. `keys` are the (seat, bag key) of those present, ascending."""
    given = tuple(keys)
    e = who.scalar("escrow", context, 0, given, secret)
    R = base(e)
    shares = [who.derive("escrow share", context, seat, given, secret) for seat, _ in keys]
    boxes = tuple(
        xor(share, _pad(context, R, seat, mul(e, public))) for share, (seat, public) in zip(shares, keys, strict=True)
    )
    plain = len(secret).to_bytes(4, "big") + secret
    plain += bytes(-len(plain) % BLOCK)
    sealed = ChaCha20Poly1305(_joined(shares)).encrypt(bytes(12), plain, _associated(context, R, boxes))
    return R + b"".join(boxes) + sealed


def well_formed(seats: int, left: bytes) -> bool:
    """Whether the length and the point of what a seat left behind are right."""
    body = len(left) - SIZE - SIZE * seats - 16
    try:
        read_point(left[:SIZE])
    except BadElement:
        return False
    return body > 0 and body % BLOCK == 0


def open_together(context: Context, keys: Mapping[int, int], left: bytes) -> bytes | None:
    """The secret, opened with the bag secrets of all seats that it was left to; None if it does not open."""
    R, *boxes = cut(left[: SIZE * (len(keys) + 1)])
    shares = [
        xor(box, _pad(context, R, seat, mul(x, R))) for box, (seat, x) in zip(boxes, sorted(keys.items()), strict=True)
    ]
    sealed = left[SIZE * (len(keys) + 1) :]
    try:
        plain = ChaCha20Poly1305(_joined(shares)).decrypt(bytes(12), sealed, _associated(context, R, tuple(boxes)))
    except InvalidTag:
        return None
    end = 4 + int.from_bytes(plain[:4], "big")
    whole = end <= len(plain) == end + (-end % BLOCK) and not any(plain[end:])
    return plain[4:end] if whole else None


def _pad(context: Context, R: Point, seat: int, shared: Point) -> bytes:
    return digest("escrow pad", GROUP, *context, R, seat, shared)


def _associated(context: Context, R: Point, boxes: tuple[bytes, ...]) -> bytes:
    return message("escrow secret", *context, R, boxes)


def _joined(shares: Sequence[bytes]) -> bytes:
    key = bytes(SIZE)
    for share in shares:
        key = xor(key, share)
    return key
