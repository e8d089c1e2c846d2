"""Conditional disclosure (SPEC.md, section 14.6)."""

from __future__ import annotations

import hashlib
import hmac

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from kimberley.client.conformance.crypto.group import SIZE, H, Point, base, mul, pedersen, sub
from kimberley.client.conformance.crypto.hashing import GROUP, Context, Secrets, digest, message, xor
from kimberley.client.conformance.encoding.codec import Malformed, pack, unpack
from kimberley.client.conformance.encoding.plain import Plain


def tell_key(who: Secrets, step: int, index: int, more: Point, than: Point) -> bytes:
    return who.derive("tell key", who.context(step), index, more, than)


def offer(who: Secrets, step: int, index: int, bits: int, more: Point, than: tuple[int, int], key: bytes) -> bytes:
    """The owner's pads: 32 + 32 * 2^bits bytes. `than` is the (total, blinding) of the owner's tally."""
    context, (s, blinding) = who.context(step), than
    S = pedersen(s, blinding)
    statement = bits, more, S, s, key
    a = who.scalar(f"disclosure exponent tell {index}", context, 0, *statement)
    decoys = who.stream(f"disclosure decoys tell {index}", context, 0, SIZE << bits, *statement)
    A = base(a)
    bound = bound_hash(context, index, bits, more, S, A)
    shared = mul(a, more)
    step_down = mul(a, H)
    pads = [A]
    for v in range(1 << bits):
        under = decoys[SIZE * v : SIZE * v + SIZE] if v <= s else key
        pads.append(xor(mask(bound, v, shared), under))
        shared = sub(shared, step_down)
    return b"".join(pads)


def take(
    context: Context, index: int, bits: int, more: Point, than: Point, opening: tuple[int, int], pads: bytes
) -> bytes:
    """The key that the receiver finds, right or wrong. `opening` is the (total, blinding) of its own tally `more`."""
    b, blinding = opening
    A = pads[:SIZE]
    bound = bound_hash(context, index, bits, more, than, A)
    return xor(pads[SIZE * (b + 1) : SIZE * (b + 2)], mask(bound, b, mul(blinding, A)))


def seal(key: bytes, kind: str, context: Context, index: int, size: int, says: Plain) -> bytes:
    """A payload of size + 20 bytes."""
    return seal_bytes(key, kind, context, index, size, pack(says))


def seal_bytes(key: bytes, kind: str, context: Context, index: int, size: int, payload: bytes) -> bytes:
    plain = len(payload).to_bytes(4, "big") + payload.ljust(size, b"\0")
    return seal_plain(key, kind, context, index, size, plain)


def seal_plain(key: bytes, kind: str, context: Context, index: int, size: int, plain: bytes) -> bytes:
    """A payload whose length, value and padding are given as they are."""
    associated = message(f"payload {kind}", *context, index, size)
    return ChaCha20Poly1305(subkey(key, associated)).encrypt(bytes(12), plain, associated)


def unseal(key: bytes, kind: str, context: Context, index: int, size: int, sealed: bytes) -> tuple[Plain] | None:
    """The value in a payload, in a tuple of one; None if it holds no value."""
    associated = message(f"payload {kind}", *context, index, size)
    try:
        plain = ChaCha20Poly1305(subkey(key, associated)).decrypt(bytes(12), sealed, associated)
        end = 4 + int.from_bytes(plain[:4], "big")
        return None if any(plain[end:]) or end > len(plain) else (unpack(plain[4:end]),)
    except (InvalidTag, Malformed):
        return None


def subkey(key: bytes, associated: bytes) -> bytes:
    """The key of one payload."""
    return hmac.digest(key, associated, "sha256")


def bound_hash(context: Context, index: int, bits: int, more: Point, than: Point, A: Point) -> bytes:
    """What binds the pads to the statement."""
    return digest(f"disclosure tell {index}", GROUP, *context, bits, more, than, A)


def mask(bound: bytes, v: int, shared: Point) -> bytes:
    """What hides pad `v`."""
    return hashlib.sha256(b"kimberley/1 pad" + bound + v.to_bytes(4, "big") + shared).digest()
