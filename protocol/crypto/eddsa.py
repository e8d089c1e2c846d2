"""Ed25519 in pure Python (RFC 8032, section 5.1): signatures where neither `cryptography` nor libsodium is installed.

`verify` compares the encoding of s*B - h*A with R, as OpenSSL does, so both give the same verdict on all bytes. This
code does not run in constant time.
"""

import hashlib
from typing import Final

from kimberley.protocol.crypto.edwards import Multiplier, Recent, added, base_multiple, prepare
from kimberley.protocol.crypto.pure import D, Extended, P, sqrt_ratio

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
SIZE: Final = 32
KEPT: Final = 256
"""The number of public keys whose coordinates are remembered: a table has few, and each signs often."""

_negated_keys = Recent[bytes, Multiplier](KEPT)


def public(secret: bytes) -> bytes:
    """Returns the public key, 32 bytes, of a 32-byte secret key."""
    return compress(base_multiple(expand(secret)[0] % ORDER))


def sign(secret: bytes, message: bytes) -> bytes:
    """Returns the signature, 64 bytes, of the message alone."""
    a, prefix = expand(secret)
    r = hashed(prefix, message)
    key, R = compress(base_multiple(a % ORDER)), compress(base_multiple(r))
    return R + ((r + hashed(R, key, message) * a) % ORDER).to_bytes(SIZE, "little")


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Returns whether the key, 32 bytes, signed the message with this signature, 64 bytes. Never raises."""
    R, s = signature[:SIZE], int.from_bytes(signature[SIZE:], "little")
    key = _negated(public)
    if key is None or s >= ORDER:
        return False
    expected = added(base_multiple(s), prepare(key.multiple(hashed(R, public, message))))
    return compress(expected) == R


def expand(secret: bytes) -> tuple[int, bytes]:
    """Returns the secret scalar, and the prefix that the nonces are made from."""
    wide = hashlib.sha512(secret).digest()
    scalar = int.from_bytes(wide[:SIZE], "little")
    return scalar & (1 << 254) - 8 | 1 << 254, wide[SIZE:]


def hashed(*parts: bytes) -> int:
    """Returns the SHA-512 of the joined parts as a scalar."""
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def compress(p: Extended) -> bytes:
    """Returns the 32 bytes of a point."""
    x, y, z, _ = p
    inverse = pow(z, -1, P)
    return ((x * inverse % P & 1) << 255 | y * inverse % P).to_bytes(SIZE, "little")


def _negated(public: bytes) -> Multiplier | None:
    """Returns the point -A of a public key; None if the bytes encode no point."""
    known = _negated_keys.get(public)
    if known is None:
        encoded = int.from_bytes(public, "little")
        y, odd = encoded & (1 << 255) - 1, encoded >> 255
        on_curve, x = sqrt_ratio(y * y - 1, D * y * y + 1)
        if not on_curve or y >= P or (x == 0 and odd):
            return None
        x = x if odd else -x % P
        known = Multiplier((x, y, 1, x * y % P))
        _negated_keys.store(public, known)
    return known
