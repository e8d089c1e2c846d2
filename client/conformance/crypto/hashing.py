"""Hashes, derived secrets and signatures (SPEC.md, sections 4 and 5)."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from kimberley.client.conformance.crypto.group import L
from kimberley.client.conformance.encoding.codec import pack

GROUP: Final = "ristretto255"

Context = tuple[bytes, int, int, int]
"""Game id, step, stage, seat."""


def message(label: str, *parts: Any) -> bytes:
    return pack((f"kimberley/1 {label}", *parts))


def digest(label: str, *parts: Any) -> bytes:
    return hashlib.sha256(message(label, *parts)).digest()


def wide(label: str, *parts: Any) -> bytes:
    return hashlib.sha512(message(label, *parts)).digest()


def challenge(label: str, context: Context, *parts: Any) -> int:
    return int.from_bytes(wide(label, GROUP, *context, *parts), "little") % L


def xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


@dataclass(frozen=True)
class Secrets:
    """The secrets of a seat at one table, all derived from its seed."""

    game: bytes
    seat: int
    seed: bytes

    def context(self, step: int, stage: int = 0) -> Context:
        return self.game, step, stage, self.seat

    def derive(self, label: str, context: Context, index: int, *statement: Any) -> bytes:
        return hmac.digest(self.seed, message(label, *context, index, *statement), "sha256")

    def stream(self, label: str, context: Context, index: int, size: int, *statement: Any) -> bytes:
        return hashlib.shake_256(self.derive(label, context, index, *statement)).digest(size)

    def scalars(self, label: str, context: Context, index: int, count: int, *statement: Any) -> list[int]:
        data = self.stream(label, context, index, 64 * count, *statement)
        return [1 + int.from_bytes(data[at : at + 64], "little") % (L - 1) for at in range(0, 64 * count, 64)]

    def scalar(self, label: str, context: Context, index: int, *statement: Any) -> int:
        return self.scalars(label, context, index, 1, *statement)[0]

    def key(self, purpose: str) -> int:
        """The secret of the coin, bag or mailbox key (section 14.7)."""
        return self.scalar(f"key {purpose}", self.context(0), 0)


@dataclass(frozen=True)
class Identity:
    """An Ed25519 key pair; `secret` has 32 bytes."""

    secret: bytes

    @property
    def public(self) -> bytes:
        return self._key.public_key().public_bytes_raw()

    @property
    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.secret)

    def sign(self, purpose: str, data: bytes) -> bytes:
        return self._key.sign(message("signature", purpose) + data)


def verifies(public: bytes, purpose: str, data: bytes, signature: bytes) -> bool:
    """Whether a signature verifies."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message("signature", purpose) + data)
    except (InvalidSignature, ValueError):
        return False
    return True
