"""The only way to native cryptography: which libraries do the work on this machine.

The group of the proofs is libsodium's: the copy in the package `rbcl`, or else the system's. Signatures and encryption
are OpenSSL's, through the package `cryptography`, or else libsodium's. A platform that cannot load libraries brings a
copy of libsodium (`bring`). Pure Python does what is missing: it gives the same bytes and the same verdicts, but takes
longer, and its time depends on the secrets.

The environment variable KIMBERLEY_CRYPTO makes one of them do all the work: `libsodium` or `pure`. Each choice is made
once per process, when it is first needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from kimberley.protocol.crypto.group import Group
    from kimberley.protocol.crypto.libsodium import Libsodium

VARIABLE: Final = "KIMBERLEY_CRYPTO"
LIBSODIUM: Final = "libsodium"
PURE: Final = "pure"
PURE_PYTHON: Final = "pure Python"


_brought: Libsodium | None = None
_pulse: Callable[[], None] | None = None


class CryptoUnavailable(Exception):
    """KIMBERLEY_CRYPTO names something unknown, or something that this machine lacks. Its text is for people."""


class Primitives(Protocol):
    """Signatures (Ed25519, RFC 8032) and encryption (ChaCha20-Poly1305, RFC 8439) by one library.

    Secrets, public keys and keys are 32 bytes, signatures 64, nonces 12. `signatures` has the checks that are stricter
    than those of the libraries.
    """

    def public(self, secret: bytes) -> bytes:
        """Returns the public key of a secret key."""
        ...

    def sign(self, secret: bytes, message: bytes) -> bytes:
        """Returns the signature of the message alone."""
        ...

    def verify(self, public: bytes, message: bytes, signature: bytes) -> bool:
        """Returns whether the key signed the message, for a key and an R that are canonical. Never raises."""
        ...

    def encrypt(self, key: bytes, nonce: bytes, plain: bytes, associated: bytes) -> bytes:
        """Returns the ciphertext and its tag, 16 bytes more than the plain text."""
        ...

    def decrypt(self, key: bytes, nonce: bytes, sealed: bytes, associated: bytes) -> bytes | None:
        """Returns the plain text, or None if `sealed` was not encrypted with these arguments."""
        ...


def bring(library: Libsodium | None, pulse: Callable[[], None] | None = None) -> None:
    """Uses this copy of libsodium from now on; None restores what this machine has. `pulse` is called again and again
    by long computations that do not call libsodium because they have remembered its results.
    """
    global _brought, _pulse
    _brought, _pulse = library, pulse
    for choice in (group, primitives, libsodium_or_reasons, openssl_or_reason):
        choice.cache_clear()


def pulse() -> None:
    """Runs what cannot wait for the end of a long computation, on a platform that asks for it (`bring`)."""
    if _pulse is not None:
        _pulse()


def check() -> None:
    """Raises CryptoUnavailable if KIMBERLEY_CRYPTO names something unknown, or something that is missing here."""
    if _forced():
        group()


@cache
def group() -> Group:
    """Returns the group of all proofs. Raises CryptoUnavailable."""
    if sodium := _libsodium():
        return sodium.group
    from kimberley.protocol.crypto.windowed import WINDOWED

    return WINDOWED


@cache
def primitives() -> Primitives:
    """Returns signatures and encryption. Raises CryptoUnavailable."""
    if openssl := _openssl():
        return openssl
    if sodium := _libsodium():
        return sodium
    from kimberley.protocol.crypto import portable

    return portable


def in_use() -> tuple[str, str]:
    """Names the libraries that compute in the group, and that sign and encrypt, such as "libsodium 1.0.18 (rbcl)".
    Raises CryptoUnavailable.
    """
    sodium = _libsodium()
    of_group = f"libsodium {sodium.version} ({sodium.origin})" if sodium else PURE_PYTHON
    if _openssl():
        from cryptography import __version__

        return of_group, f"cryptography {__version__}"
    return of_group, of_group


def _forced() -> str | None:
    """Returns what KIMBERLEY_CRYPTO asks for."""
    name = os.environ.get(VARIABLE) or None
    if name not in (None, LIBSODIUM, PURE):
        # Unprintable characters could change the terminal.
        safe = "".join(c if c.isprintable() else "?" for c in name)
        raise CryptoUnavailable(
            f"{VARIABLE} is '{safe}', but can only be '{LIBSODIUM}' or '{PURE}'. Without it, Kimberley uses the best"
            " that this computer has."
        )
    return name


def why_no_libsodium() -> tuple[str, ...]:
    """Returns why each copy of libsodium is not used, in words; empty if one is, or none may be. Raises
    CryptoUnavailable.
    """
    return libsodium_or_reasons()[1]


def _libsodium() -> Libsodium | None:
    return libsodium_or_reasons()[0]


@cache
def libsodium_or_reasons() -> tuple[Libsodium | None, tuple[str, ...]]:
    """Returns the first copy of libsodium that works, unless only pure Python may run, or else why there is none."""
    forced = _forced()
    if forced == PURE:
        return None, ()
    if _brought is not None:
        return _brought, ()
    reasons = []
    try:
        from kimberley.protocol.crypto import libsodium
    except ImportError as error:
        # A Python built without libffi has no ctypes.
        reasons.append(str(error))
    else:
        for load in (libsodium.from_rbcl, libsodium.from_system):
            try:
                return load(), ()
            except libsodium.LibsodiumMissing as missing:
                reasons.append(str(missing))
    if forced:
        raise CryptoUnavailable(
            f"{VARIABLE} asks for libsodium, which cannot be loaded here ({'; '.join(reasons)}). Install it, or set "
            f"{VARIABLE} to '{PURE}'."
        )
    return None, tuple(reasons)


def passed_over() -> str | None:
    """Returns why the package `cryptography` is not used although it is installed; None if it is used, or not
    installed. Raises CryptoUnavailable.
    """
    outcome = openssl_or_reason()
    return outcome if isinstance(outcome, str) else None


def _openssl() -> Primitives | None:
    """Returns OpenSSL if the package `cryptography` works and nothing else is asked for."""
    outcome = openssl_or_reason()
    return None if isinstance(outcome, str) else outcome


@cache
def openssl_or_reason() -> Primitives | str | None:
    """Returns OpenSSL; a sentence if it does not work; None if it is not installed, or something else is asked for."""
    if _forced():
        return None
    try:
        from kimberley.protocol.crypto import openssl

        public = openssl.public(bytes(32))
        if not openssl.verify(public, b"tried", openssl.sign(bytes(32), b"tried")):
            return "it refuses its own signature"
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        # An old or broken copy fails in its own ways: Rust's panics are not even an Exception.
        module = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
        return None if module in ("cryptography", "kimberley") else str(error) or type(error).__name__
    return openssl
