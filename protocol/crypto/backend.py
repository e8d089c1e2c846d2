"""The one door to native cryptography: which libraries do the work on this machine.

The group of the proofs is libsodium's: the copy in the package `rbcl`, or else the system's. Signatures and encryption
are OpenSSL's by the package `cryptography`, or else libsodium's. What is missing, pure Python does: it gives the same
bytes and the same verdicts, but takes longer, and its time depends on the secrets.

The environment variable KIMBERLEY_CRYPTO lets one do all the work: `libsodium` or `pure`. Each choice is made once per
process, when it is first needed.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from kimberley.protocol.crypto.group import Group
    from kimberley.protocol.crypto.libsodium import Libsodium

VARIABLE: Final = "KIMBERLEY_CRYPTO"
LIBSODIUM: Final = "libsodium"
PURE: Final = "pure"
PURE_PYTHON: Final = "pure Python"


class CryptoUnavailable(Exception):
    """KIMBERLEY_CRYPTO names something unknown, or something that this machine lacks. Its text is for people."""


class Primitives(Protocol):
    """Signatures (Ed25519, RFC 8032) and encryption (ChaCha20-Poly1305, RFC 8439) by one library.

    Secrets, public keys and keys are 32 bytes, signatures 64, nonces 12. `signatures` has the checks that are stricter
    than those of the libraries.
    """

    def public(self, secret: bytes) -> bytes:
        """The public key of a secret key."""
        ...

    def sign(self, secret: bytes, message: bytes) -> bytes:
        """The signature of the message alone."""
        ...

    def verify(self, public: bytes, message: bytes, signature: bytes) -> bool:
        """Whether the key signed the message, for a key and an R that are canonical. Never raises."""
        ...

    def encrypt(self, key: bytes, nonce: bytes, plain: bytes, associated: bytes) -> bytes:
        """The ciphertext and its tag, 16 bytes more than the plain text."""
        ...

    def decrypt(self, key: bytes, nonce: bytes, sealed: bytes, associated: bytes) -> bytes | None:
        """The plain text, or None if `sealed` was not encrypted with these arguments."""
        ...


def check() -> None:
    """Raises CryptoUnavailable if KIMBERLEY_CRYPTO names something unknown, or something that is missing here."""
    if _forced():
        group()


@cache
def group() -> Group:
    """The group of all proofs. Raises CryptoUnavailable."""
    if sodium := _libsodium():
        return sodium.group
    from kimberley.protocol.crypto.windowed import WINDOWED

    return WINDOWED


@cache
def primitives() -> Primitives:
    """Signatures and encryption. Raises CryptoUnavailable."""
    if openssl := _openssl():
        return openssl
    if sodium := _libsodium():
        return sodium
    from kimberley.protocol.crypto import portable

    return portable


def in_use() -> tuple[str, str]:
    """Who computes in the group, and who signs and encrypts, in words: such as "libsodium 1.0.18 (rbcl)". Raises
    CryptoUnavailable.
    """
    sodium = _libsodium()
    of_group = f"libsodium {sodium.version} ({sodium.origin})" if sodium else PURE_PYTHON
    if _openssl():
        from importlib.metadata import version

        return of_group, f"cryptography {version('cryptography')}"
    return of_group, of_group


def _forced() -> str | None:
    """What KIMBERLEY_CRYPTO asks for."""
    name = os.environ.get(VARIABLE) or None
    if name not in (None, LIBSODIUM, PURE):
        raise CryptoUnavailable(
            f"{VARIABLE} is '{name}', but can only be '{LIBSODIUM}' or '{PURE}'. Without it, Kimberley uses the best"
            " that this machine has."
        )
    return name


@cache
def _libsodium() -> Libsodium | None:
    """The first copy of libsodium that works, unless only pure Python may run."""
    forced = _forced()
    if forced == PURE:
        return None
    from kimberley.protocol.crypto import libsodium

    reasons = []
    for load in (libsodium.from_rbcl, libsodium.from_system):
        try:
            return load()
        except libsodium.LibsodiumMissing as missing:
            reasons.append(str(missing))
    if forced:
        raise CryptoUnavailable(
            f"{VARIABLE} asks for libsodium, which cannot be loaded here ({'; '.join(reasons)}). Install it, or set "
            f"{VARIABLE} to '{PURE}'."
        )
    return None


@cache
def _openssl() -> Primitives | None:
    """OpenSSL, if the package `cryptography` is installed and nothing else is asked for."""
    if _forced():
        return None
    try:
        from kimberley.protocol.crypto import openssl
    except ImportError:
        return None
    return openssl
