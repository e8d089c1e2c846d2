"""Ed25519 and ChaCha20-Poly1305 by OpenSSL, which the package `cryptography` contains."""

from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

_read: Final = lru_cache(maxsize=16)(Ed25519PrivateKey.from_private_bytes)
"""The key of a secret. Reading one takes as long as signing, and a seat signs hundreds of messages with its own."""


def public(secret: bytes) -> bytes:
    """Returns the public key, 32 bytes, of a 32-byte secret key."""
    return _read(secret).public_key().public_bytes_raw()


def sign(secret: bytes, message: bytes) -> bytes:
    """Returns the signature, 64 bytes, of the message alone."""
    return _read(secret).sign(message)


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Returns whether the key signed the message. Never raises."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def encrypt(key: bytes, nonce: bytes, plain: bytes, associated: bytes) -> bytes:
    """Returns the ciphertext and its tag, 16 bytes more than the plain text."""
    return ChaCha20Poly1305(key).encrypt(nonce, plain, associated)


def decrypt(key: bytes, nonce: bytes, sealed: bytes, associated: bytes) -> bytes | None:
    """Returns the plain text, or None if `sealed` was not encrypted with these arguments."""
    try:
        return ChaCha20Poly1305(key).decrypt(nonce, sealed, associated)
    except InvalidTag:
        return None
