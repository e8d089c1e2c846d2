import hashlib
from itertools import accumulate, repeat

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from kimberley.protocol.crypto import signatures
from kimberley.protocol.crypto.hashing import message as packed
from kimberley.protocol.crypto.pure import BASE, NEUTRAL, Extended, P, add, multiply, sqrt_ratio
from tests.support.plain import CHARACTERS

# RFC 8032, section 7.1, TEST 1
SECRET = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
PUBLIC = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
D = -121665 * pow(121666, -1, P) % P
L = signatures.ORDER


def compress(point: Extended) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    return ((y * inverse % P) | (x * inverse % P & 1) << 255).to_bytes(32, "little")


def decompress(encoded: bytes) -> Extended:
    y, odd = int.from_bytes(encoded, "little") % 2**255, encoded[31] >> 7
    _, x = sqrt_ratio(y * y - 1, D * y * y + 1)
    x = -x % P if x % 2 != odd else x
    return x, y, 1, x * y % P


def clamped(secret: bytes) -> int:
    """Returns the scalar of a secret key."""
    digest = bytearray(hashlib.sha512(secret).digest()[:32])
    digest[0] &= 248
    digest[31] = digest[31] & 63 | 64
    return int.from_bytes(digest, "little")


def points_of_small_order() -> list[bytes]:
    """Returns the eight multiples of a point of order 8, found as L times a point of the whole curve."""
    for y in range(2, 100):
        on_curve, x = sqrt_ratio(y * y - 1, D * y * y + 1)
        point = multiply(L, (x, y, 1, x * y % P))
        if on_curve and compress(multiply(4, point)) != compress(NEUTRAL):
            return [compress(p) for p in accumulate(repeat(point, 7), add, initial=NEUTRAL)]
    raise AssertionError("no point of order 8 found")


SMALL = points_of_small_order()


def openssl_accepts(public: bytes, purpose: str, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, packed("signature", purpose) + message)
    except Exception:
        return False
    return True


def test_keys_are_those_of_rfc_8032() -> None:
    assert signatures.public(SECRET) == PUBLIC


@given(st.binary(max_size=200), st.text(CHARACTERS, max_size=10))
def test_what_is_signed_verifies(message: bytes, purpose: str) -> None:
    signature = signatures.sign(SECRET, purpose, message)
    assert len(signature) == 64
    assert signatures.verify(PUBLIC, purpose, message, signature)
    assert signature == signatures.sign(SECRET, purpose, message)
    assert not signatures.verify(PUBLIC, purpose + "x", message, signature)
    assert not signatures.verify(PUBLIC, purpose, message + b"x", signature)


def test_purpose_and_message_do_not_run_together() -> None:
    signature = signatures.sign(SECRET, "roster", b"x")
    assert not signatures.verify(PUBLIC, "rosterx", b"", signature)
    assert not signatures.verify(PUBLIC, "", b"rosterx", signature)


def test_every_byte_of_a_signature_counts() -> None:
    signature = signatures.sign(SECRET, "envelope", b"move")
    for place in range(64):
        spoiled = bytearray(signature)
        spoiled[place] ^= 0x10
        assert not signatures.verify(PUBLIC, "envelope", b"move", bytes(spoiled)), place


def test_a_key_of_small_order_under_which_one_signature_fits_all() -> None:
    identity, s = SMALL[0], 5
    signature = compress(multiply(s, BASE)) + s.to_bytes(32, "little")
    for message in (b"one", b"two", b"three"):
        assert openssl_accepts(identity, "envelope", message, signature)
        assert not signatures.verify(identity, "envelope", message, signature)
    assert not signatures.is_public_key(identity)


def test_all_points_of_small_order_are_refused_as_keys() -> None:
    assert len(set(SMALL)) == 8
    spellings = [bytes(encoding[:31]) + bytes([encoding[31] ^ sign]) for encoding in SMALL for sign in (0, 0x80)]
    assert not any(map(signatures.is_public_key, spellings))
    ys = {int.from_bytes(encoding, "little") % 2**255 for encoding in SMALL}
    assert ys == signatures.SMALL_ORDER
    assert signatures.is_public_key(PUBLIC)


def test_r_of_small_order_is_refused() -> None:
    a, R = clamped(SECRET), SMALL[0]
    hashed = hashlib.sha512(R + PUBLIC + packed("signature", "envelope") + b"move").digest()
    signature = R + (int.from_bytes(hashed, "little") * a % L).to_bytes(32, "little")
    assert openssl_accepts(PUBLIC, "envelope", b"move", signature)
    assert not signatures.verify(PUBLIC, "envelope", b"move", signature)


def test_s_is_below_the_order() -> None:
    signature = signatures.sign(SECRET, "envelope", b"move")
    s = int.from_bytes(signature[32:], "little")
    assert not signatures.verify(PUBLIC, "envelope", b"move", signature[:32] + (s + L).to_bytes(32, "little"))


@pytest.mark.parametrize("y", [P, P + 1, P + 3, 2**255 - 1])
@pytest.mark.parametrize("sign", [0, 1])
def test_keys_that_are_not_canonical_are_refused(y: int, sign: int) -> None:
    assert not signatures.is_public_key((y | sign << 255).to_bytes(32, "little"))


@given(st.binary(min_size=30, max_size=34), st.binary(min_size=62, max_size=66))
def test_verification_never_raises(public: bytes, signature: bytes) -> None:
    for key in (public, PUBLIC, bytes(32), b"\xff" * 32, b"\x02" + bytes(31)):
        assert not signatures.verify(key, "envelope", b"move", signature)


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_secret_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="32"):
        signatures.public(bytes(length))
