"""Conditional disclosure: the receiver learns a key iff its sealed sum exceeds the owner's sum.

The owner never learns whether the receiver did.

The receiver's sealed amounts sum to R = b*H + r*G, the owner's to S = s*H + t*G; both sums are proven to lie in
0..2^bits-1. The owner picks a fresh a, and sends A = a*G and, for every v = 0..2^bits-1, the pad

    pad(v) = K(v) XOR (key if v > s else random bytes),    K(v) = hash(context, R, S, A, v, a*(R - v*H)).

The receiver can compute exactly one of all the K(v): a*(R - b*H) = a*r*G = r*A. Another would give it a*(v - b)*H from
(A, H), a Diffie-Hellman problem. So it can open pad(b) alone, and the choice of b cannot differ from what was sealed.
pad(b) holds the key iff b > s, and otherwise bytes that open no payload. Nothing travels back.

It is a 1-of-n oblivious transfer whose choice is the commitment itself; compare Chou and Orlandi, "The Simplest
Protocol for Oblivious Transfer" (LATINCRYPT 2015), and Blake and Kolesnikov, "Strong Conditional Oblivious Transfer"
(ASIACRYPT 2004). The audit checks that the owner filled the pads honestly: it makes them again from the owner's seed.

The work, the size and the sequence of operations are the same whatever b, s and the outcome are.

The owner then sends payloads of fixed width under subkeys of the key. Other bytes open nothing.
"""

import hashlib
import hmac
from typing import Final

from kimberley.protocol.crypto import backend
from kimberley.protocol.crypto.group import POINT_SIZE, BadPoint, Group, Point
from kimberley.protocol.crypto.hashing import PREFIX, Context, derive_scalar, derive_stream, digest, message

KEY_SIZE: Final = 32
MAX_BITS: Final = 16  # SPEC: bits of a disclosure
LENGTH_SIZE: Final = 4
TAG_SIZE: Final = 16
# A subkey serves one message, so its nonce need not vary.
NONCE: Final = bytes(12)
# Its first byte differs from that of every message, which begins as a msgpack array.
PAD_PREFIX: Final = (PREFIX + "pad").encode()


def offer_size(bits: int) -> int:
    """Returns the size in bytes of every offer over sums of `bits` bits: A and 2^bits pads."""
    return POINT_SIZE + (KEY_SIZE << bits)


def offer(g: Group, seed: bytes, ctx: Context, label: str, bits: int, R: Point, S: Point, s: int, key: bytes) -> bytes:
    """Returns the owner's A || pad(0) || ... || pad(2^bits-1), which give `key` to a receiver whose sum is more than s.

    Raises ValueError if `bits`, `s` or `key` is not as described here.

    Args:
        g: The group.
        seed: The owner's secret seed, 32 bytes.
        ctx: The owner's context.
        label: Distinguishes the offers of one context.
        bits: The width of both sums, 1 to 16.
        R: The commitment to the receiver's sum.
        S: The commitment to the owner's sum.
        s: The owner's sum, 0 to 2^bits-1.
        key: The offered key, 32 bytes.

    """
    if not 1 <= bits <= MAX_BITS:
        raise ValueError(f"an offer has 1 to {MAX_BITS} bits, not {bits}")
    if not 0 <= s < 1 << bits:
        raise ValueError(f"the owner's sum {s} does not fit {bits} bits")
    if len(key) != KEY_SIZE:
        raise ValueError(f"the key is {KEY_SIZE} bytes, not {len(key)}")
    count = 1 << bits
    statement = (bits, R, S, s, key)
    a = derive_scalar(g, seed, "disclosure exponent " + label, ctx, 0, *statement)
    decoys = derive_stream(seed, "disclosure decoys " + label, ctx, 0, count * KEY_SIZE, *statement)
    A = g.base(a)
    bound = _bound(g, ctx, label, bits, R, S, A)
    shared, stride = g.mul(a, R), g.mul(a, g.H)
    masks = bytearray()
    for v in range(count):
        masks += _mask(bound, v, shared)
        shared = g.sub(shared, stride)
    hidden = decoys[: (s + 1) * KEY_SIZE] + key * (count - s - 1)
    return A + _xor(masks, hidden)


def well_formed(g: Group, bits: int, offered: bytes) -> bool:
    """Returns whether an offer passes the public checks: its length, and that A is a point, not the identity. Never
    raises.
    """
    if not 1 <= bits <= MAX_BITS or len(offered) != offer_size(bits):
        return False
    try:
        g.decode_point(offered[:POINT_SIZE])
    except BadPoint:
        return False
    return True


def accept(
    g: Group, ctx: Context, label: str, bits: int, R: Point, S: Point, b: int, r: int, offered: bytes
) -> bytes | None:
    """Returns the receiver's candidate: the key if b > s and the owner is honest, else 32 bytes that open nothing.

    None only if the offer is not well formed, which everyone can check, or `b` is not in 0..2^bits-1, which the range
    proof of R excludes. Never raises on any bytes.

    Args:
        g: The group.
        ctx: The owner's context.
        label: The label of the offer.
        bits: The width of both sums.
        R: The commitment to the receiver's sum, pedersen(g, b, r).
        S: The commitment to the owner's sum.
        b: The receiver's sum.
        r: The blinding of R.
        offered: The offer, `offer_size(bits)` bytes.

    """
    if not well_formed(g, bits, offered) or not 0 <= b < 1 << bits:
        return None
    A = offered[:POINT_SIZE]
    start = POINT_SIZE + b * KEY_SIZE
    mask = _mask(_bound(g, ctx, label, bits, R, S, A), b, g.mul(r, A))
    return _xor(mask, offered[start : start + KEY_SIZE])


def sealed_size(size: int) -> int:
    """Returns the size in bytes of a sealed payload of up to `size` bytes."""
    return LENGTH_SIZE + size + TAG_SIZE


def seal_payload(key: bytes, label: str, ctx: Context, index: int, payload: bytes, size: int) -> bytes:
    """Returns `sealed_size(size)` bytes that open under `key` alone, in this context, for this kind and index.

    The payload is preceded by its length and followed by zeros up to `size`, then encrypted by ChaCha20-Poly1305
    (RFC 8439) under a subkey that serves this label, context and index only. Raises ValueError if it is too long.

    Args:
        key: The key, 32 bytes.
        label: The kind of the payload.
        ctx: The sealer's context.
        index: Distinguishes payloads with the same label and context.
        payload: The bytes to seal.
        size: The fixed width, in bytes: the most that a payload may have.

    """
    if len(payload) > size:
        raise ValueError(f"a payload of {len(payload)} bytes does not fit the fixed width of {size}")
    plain = len(payload).to_bytes(LENGTH_SIZE, "big") + payload.ljust(size, b"\0")
    subkey, associated = subkey_of(key, label, ctx, index, size)
    return backend.primitives().encrypt(subkey, NONCE, plain, associated)


def open_payload(key: bytes, label: str, ctx: Context, index: int, sealed: bytes, size: int) -> bytes | None:
    """Returns the payload, or None if `sealed` was not sealed with these arguments. Never raises on any bytes.

    Args:
        key: The key, 32 bytes.
        label: The kind of the payload.
        ctx: The sealer's context.
        index: The index of the payload.
        sealed: The sealed payload from the wire.
        size: The fixed width, in bytes: the most that a payload may have.

    """
    if len(key) != KEY_SIZE or len(sealed) != sealed_size(size):
        return None
    subkey, associated = subkey_of(key, label, ctx, index, size)
    plain = backend.primitives().decrypt(subkey, NONCE, sealed, associated)
    if plain is None:
        return None
    end = LENGTH_SIZE + int.from_bytes(plain[:LENGTH_SIZE], "big")
    if end > len(plain) or any(plain[end:]):
        return None
    return plain[LENGTH_SIZE:end]


def _bound(g: Group, ctx: Context, label: str, bits: int, R: Point, S: Point, A: Point) -> bytes:
    """Returns the hash that binds all masks to one offer."""
    return digest("disclosure " + label, g.name, *ctx.parts(), bits, R, S, A)


def _mask(bound: bytes, v: int, shared: Point) -> bytes:
    """Returns K(v) over parts of fixed width: 32 bytes, 4, 32."""
    return hashlib.sha256(PAD_PREFIX + bound + v.to_bytes(4, "big") + shared).digest()


def _xor(left: bytes | bytearray, right: bytes) -> bytes:
    return (int.from_bytes(left, "big") ^ int.from_bytes(right, "big")).to_bytes(len(right), "big")


def subkey_of(key: bytes, label: str, ctx: Context, index: int, size: int) -> tuple[bytes, bytes]:
    """Returns the key for one payload, and the associated data."""
    associated = message("payload " + label, *ctx.parts(), index, size)
    return hmac.digest(key, associated, "sha256"), associated
