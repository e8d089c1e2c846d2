"""The identities of the suite's seats (SPEC.md, section 5)."""

from __future__ import annotations

from dataclasses import dataclass

from kimberley.protocol.crypto import signatures


@dataclass(frozen=True)
class SuiteIdentity:
    """An Ed25519 key pair; `secret` has 32 bytes."""

    secret: bytes

    @property
    def public(self) -> bytes:
        return signatures.public(self.secret)

    def sign(self, purpose: str, data: bytes) -> bytes:
        return signatures.sign(self.secret, purpose, data)
