"""ChaCha20-Poly1305 in pure Python (RFC 8439): encryption where neither `cryptography` nor libsodium is installed."""

import hmac
import struct
from typing import Final

TAG_SIZE: Final = 16
BLOCK_SIZE: Final = 64
CONSTANTS: Final = struct.unpack("<4L", b"expand 32-byte k")
MASK: Final = 2**32 - 1
CLAMP: Final = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
PRIME: Final = 2**130 - 5

COLUMNS: Final = tuple((i, i + 4, i + 8, i + 12) for i in range(4))
DIAGONALS: Final = tuple((i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12) for i in range(4))
ROUNDS: Final = (COLUMNS + DIAGONALS) * 10


def encrypt(key: bytes, nonce: bytes, plain: bytes, associated: bytes) -> bytes:
    """Returns the ciphertext and its tag, 16 bytes more than the plain text, under a key of 32 and a nonce of 12
    bytes.
    """
    cipher = _xor_stream(key, nonce, plain)
    return cipher + _tag(key, nonce, cipher, associated)


def decrypt(key: bytes, nonce: bytes, sealed: bytes, associated: bytes) -> bytes | None:
    """Returns the plain text, or None if `sealed` was not encrypted with these arguments."""
    cipher, tag = sealed[:-TAG_SIZE], sealed[-TAG_SIZE:]
    if len(sealed) < TAG_SIZE or not hmac.compare_digest(_tag(key, nonce, cipher, associated), tag):
        return None
    return _xor_stream(key, nonce, cipher)


def _xor_stream(key: bytes, nonce: bytes, data: bytes) -> bytes:
    blocks = -(-len(data) // BLOCK_SIZE)
    stream = b"".join(_block(key, nonce, counter) for counter in range(1, blocks + 1))[: len(data)]
    return (int.from_bytes(data, "little") ^ int.from_bytes(stream, "little")).to_bytes(len(data), "little")


def _block(key: bytes, nonce: bytes, counter: int) -> bytes:
    """Returns 64 bytes of the stream."""
    start = (*CONSTANTS, *struct.unpack("<8L", key), counter, *struct.unpack("<3L", nonce))
    state = list(start)
    for i, j, k, m in ROUNDS:
        a, b, c, d = state[i], state[j], state[k], state[m]
        a = a + b & MASK
        d ^= a
        d = (d << 16 | d >> 16) & MASK
        c = c + d & MASK
        b ^= c
        b = (b << 12 | b >> 20) & MASK
        a = a + b & MASK
        d ^= a
        d = (d << 8 | d >> 24) & MASK
        c = c + d & MASK
        b ^= c
        b = (b << 7 | b >> 25) & MASK
        state[i], state[j], state[k], state[m] = a, b, c, d
    return struct.pack("<16L", *(x + y & MASK for x, y in zip(state, start, strict=True)))


def _tag(key: bytes, nonce: bytes, cipher: bytes, associated: bytes) -> bytes:
    """Returns Poly1305 of the associated data, the ciphertext and their lengths, under the first block's key."""
    once = _block(key, nonce, 0)
    r, s = int.from_bytes(once[:16], "little") & CLAMP, int.from_bytes(once[16:32], "little")
    lengths = struct.pack("<2Q", len(associated), len(cipher))
    data = b"".join((associated, bytes(-len(associated) % 16), cipher, bytes(-len(cipher) % 16), lengths))
    total = 0
    for start in range(0, len(data), 16):
        total = (total + int.from_bytes(data[start : start + 16], "little") + (1 << 128)) * r % PRIME
    return (total + s & (1 << 128) - 1).to_bytes(TAG_SIZE, "little")
