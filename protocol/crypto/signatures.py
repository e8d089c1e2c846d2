"""Ed25519 (RFC 8032) with the strict checks of libsodium and a prefix for every purpose.

`backend` says who does the arithmetic. OpenSSL, which usually does, accepts a public key of small order. Under such a
key one signature fits every message, so a signature would prove nothing. Like libsodium, `verify` refuses keys and R of
small order, keys and R that are not canonical, and S not below the order. Its verdict is the same whoever does the
arithmetic. The signed bytes are the canonical packing of (label, purpose), followed by the message: an envelope's
signature is valid for no other purpose.
"""

from typing import Final

from kimberley.protocol.crypto import backend
from kimberley.protocol.crypto.hashing import message as packed

SECRET_SIZE: Final = 32
PUBLIC_SIZE: Final = 32
SIGNATURE_SIZE: Final = 64

FIELD: Final = 2**255 - 19
ORDER: Final = 2**252 + 27742317777372353535851937790883648493
# The y of a point of order 8. The points of small order have y = 1, -1, 0, ORDER_EIGHT or -ORDER_EIGHT.
ORDER_EIGHT: Final = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
SMALL_ORDER: Final = frozenset({0, 1, FIELD - 1, ORDER_EIGHT, FIELD - ORDER_EIGHT})


def public(secret: bytes) -> bytes:
    """Returns the public key, 32 bytes, of a 32-byte secret key; ValueError if the secret has another length."""
    return backend.primitives().public(_checked(secret))


def sign(secret: bytes, purpose: str, message: bytes) -> bytes:
    """Returns the signature, 64 bytes, of a message for one purpose."""
    return backend.primitives().sign(_checked(secret), prefixed(purpose, message))


def verify(public: bytes, purpose: str, message: bytes, signature: bytes) -> bool:
    """Returns whether the key signed this message for this purpose. Never raises on any bytes."""
    if len(signature) != SIGNATURE_SIZE or not is_public_key(public) or not _is_strict(signature[:32]):
        return False
    if int.from_bytes(signature[32:], "little") >= ORDER:
        return False
    return backend.primitives().verify(public, prefixed(purpose, message), signature)


def is_public_key(data: bytes) -> bool:
    """Returns whether `data` is a canonical public key and not of small order. It may still be no point, and verify
    nothing.
    """
    return len(data) == PUBLIC_SIZE and _is_strict(data)


def _checked(secret: bytes) -> bytes:
    if len(secret) != SECRET_SIZE:
        raise ValueError(f"a secret key is {SECRET_SIZE} bytes, not {len(secret)}")
    return secret


def _is_strict(encoded: bytes) -> bool:
    """Returns whether the 32 bytes encode y canonically, below the field's prime, and y belongs to no point of small
    order.
    """
    y = int.from_bytes(encoded, "little") % 2**255
    return y < FIELD and y not in SMALL_ORDER


def prefixed(purpose: str, message: bytes) -> bytes:
    """Returns the bytes that a signature for this purpose signs."""
    return packed("signature", purpose) + message
