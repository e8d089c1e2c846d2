"""A self-signed Ed25519 certificate (RFC 5280, RFC 8410), with its key.

Nobody checks what it says. Its few bytes are written here, so that a host needs no certificate library.
"""

from __future__ import annotations

import base64
import ssl
from dataclasses import dataclass
from typing import Final

from kimberley.p2p.base.platform import random_bytes
from kimberley.protocol.crypto import backend

SECRET_SIZE: Final = 32
SERIAL_SIZE: Final = 15
NAME: Final = b"kimberley"
# The clocks of two machines differ. RFC 5280, section 4.1.2.5, has the second date for certificates without an end.
NOT_BEFORE: Final = b"000101000000Z"
NOT_AFTER: Final = b"99991231235959Z"

INTEGER: Final = 0x02
BIT_STRING: Final = 0x03
OCTET_STRING: Final = 0x04
OBJECT_IDENTIFIER: Final = 0x06
UTF8_STRING: Final = 0x0C
UTC_TIME: Final = 0x17
GENERALIZED_TIME: Final = 0x18
SEQUENCE: Final = 0x30
SET: Final = 0x31
VERSION: Final = 0xA0
LONG_LENGTH: Final = 0x80

COMMON_NAME: Final = b"\x55\x04\x03"  # 2.5.4.3
ED25519: Final = b"\x2b\x65\x70"  # 1.3.101.112


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate in DER, and in PEM behind its secret key."""

    der: bytes
    pem: bytes


def make_certificate() -> Certificate:
    """Returns a fresh certificate with a fresh key."""
    secret = random_bytes(SECRET_SIZE)
    algorithm = _der(SEQUENCE, _der(OBJECT_IDENTIFIER, ED25519))
    name = _der(SEQUENCE, _der(SET, _der(SEQUENCE, _der(OBJECT_IDENTIFIER, COMMON_NAME), _der(UTF8_STRING, NAME))))
    to_sign = _der(
        SEQUENCE,
        _der(VERSION, _der(INTEGER, b"\x02")),
        _der(INTEGER, b"\x01" + random_bytes(SERIAL_SIZE)),
        algorithm,
        name,
        _der(SEQUENCE, _der(UTC_TIME, NOT_BEFORE), _der(GENERALIZED_TIME, NOT_AFTER)),
        name,
        _der(SEQUENCE, algorithm, _bits(backend.primitives().public(secret))),
    )
    der = _der(SEQUENCE, to_sign, algorithm, _bits(backend.primitives().sign(secret, to_sign)))
    key = _der(SEQUENCE, _der(INTEGER, b"\x00"), algorithm, _der(OCTET_STRING, _der(OCTET_STRING, secret)))
    lines = b"-----BEGIN PRIVATE KEY-----\n%s-----END PRIVATE KEY-----\n" % base64.encodebytes(key)
    return Certificate(der, lines + ssl.DER_cert_to_PEM_cert(der).encode())


def _der(tag: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    if len(body) < LONG_LENGTH:
        return bytes((tag, len(body))) + body
    size = len(body).to_bytes((len(body).bit_length() + 7) // 8, "big")
    return bytes((tag, LONG_LENGTH | len(size))) + size + body


def _bits(data: bytes) -> bytes:
    """Encodes whole bytes as a string of bits: no bit of the last one is unused."""
    return _der(BIT_STRING, b"\x00", data)
