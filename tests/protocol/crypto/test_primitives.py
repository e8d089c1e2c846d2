"""Ed25519 and ChaCha20-Poly1305 by every library: the vectors of their RFCs, and the same answer to all bytes."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kimberley.protocol.crypto import backend, openssl, signatures
from kimberley.protocol.crypto.backend import Primitives
from kimberley.protocol.crypto.hashing import message as packed
from kimberley.protocol.crypto.pure import BASE, P, add, multiply
from tests.protocol.crypto.test_signatures import PUBLIC, SECRET, SMALL, clamped, compress, decompress
from tests.support.backends import PRIMITIVES
from tests.support.computed_once import computed_each_time
from tests.support.effort import spread
from tests.support.paths import DATA

VECTORS: Final[dict[str, Any]] = json.loads((DATA / "primitives.json").read_text())
L: Final = signatures.ORDER
PURPOSE: Final = "envelope"
KEY: Final = bytes(range(32))
NONCE: Final = bytes(range(12))
SEALED: Final = openssl.encrypt(KEY, NONCE, b"a plan", b"to whom")

each_library = pytest.mark.parametrize("library", PRIMITIVES.values(), ids=PRIMITIVES.keys())


def in_bytes(case: dict[str, str]) -> dict[str, bytes]:
    return {name: bytes.fromhex(value) for name, value in case.items()}


def verdict(public: bytes, message: bytes, signature: bytes) -> bool:
    """Returns the verdict of `signatures.verify`, which must be the same with every library."""
    found = {}
    with computed_each_time():
        for name, library in PRIMITIVES.items():
            with patch.object(backend, "primitives", lambda library=library: library):
                found[name] = signatures.verify(public, PURPOSE, message, signature)
    assert len(set(found.values())) == 1, found
    return found["openssl"]


def challenge(R: bytes, public: bytes, message: bytes) -> int:
    hashed = hashlib.sha512(R + public + packed("signature", PURPOSE) + message)
    return int.from_bytes(hashed.digest(), "little") % L


@each_library
@pytest.mark.parametrize("case", VECTORS["ed25519"]["cases"])
def test_signatures_of_rfc_8032(library: Primitives, case: dict[str, str]) -> None:
    known = in_bytes(case)
    assert library.public(known["secret"]) == known["public"]
    assert library.sign(known["secret"], known["message"]) == known["signature"]
    assert library.verify(known["public"], known["message"], known["signature"])
    assert not library.verify(known["public"], known["message"] + b"!", known["signature"])


@each_library
@pytest.mark.parametrize("case", VECTORS["chacha20-poly1305"]["cases"])
def test_ciphertexts_of_rfc_8439(library: Primitives, case: dict[str, str]) -> None:
    known = in_bytes(case)
    use = known["key"], known["nonce"]
    assert library.encrypt(*use, known["plain"], known["associated"]) == known["sealed"]
    assert library.decrypt(*use, known["sealed"], known["associated"]) == known["plain"]


@settings(max_examples=20)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=300))
def test_all_libraries_sign_the_same(secret: bytes, message: bytes) -> None:
    for library in PRIMITIVES.values():
        assert library.public(secret) == openssl.public(secret)
        assert library.sign(secret, message) == openssl.sign(secret, message)


def test_all_libraries_encrypt_the_same() -> None:
    for length in (0, 1, 15, 16, 17, 63, 64, 65, 128, 4097):
        plain, associated = (bytes(range(256)) * 17)[:length], b"\xff" * (length // 3)
        sealed = openssl.encrypt(KEY, NONCE, plain, associated)
        for library in PRIMITIVES.values():
            assert library.encrypt(KEY, NONCE, plain, associated) == sealed, length
            assert library.decrypt(KEY, NONCE, sealed, associated) == plain, length


@each_library
def test_no_spoiled_ciphertext_opens(library: Primitives) -> None:
    for place in range(len(SEALED)):
        spoiled = bytearray(SEALED)
        spoiled[place] ^= 0x40
        assert library.decrypt(KEY, NONCE, bytes(spoiled), b"to whom") is None, place


@each_library
def test_what_else_does_not_open(library: Primitives) -> None:
    assert library.decrypt(KEY, NONCE, SEALED, b"to whom") == b"a plan"
    assert library.decrypt(KEY, NONCE, SEALED, b"to whom else") is None
    assert library.decrypt(KEY[::-1], NONCE, SEALED, b"to whom") is None
    assert library.decrypt(KEY, NONCE[::-1], SEALED, b"to whom") is None
    for length in (0, 1, 15, 16, len(SEALED) - 1):
        assert library.decrypt(KEY, NONCE, SEALED[:length], b"to whom") is None


@pytest.mark.slow
@settings(max_examples=30)
@given(
    st.sampled_from([PUBLIC, *SMALL, bytes(31) + b"\x80"]) | st.binary(min_size=32, max_size=32),
    st.integers(0, 511),
    st.integers(0, 2) | st.just(L),
)
@example(PUBLIC, 0, 0)
def test_all_libraries_judge_all_bytes_alike(public: bytes, bit: int, added: int) -> None:
    signature = bytearray(signatures.sign(SECRET, PURPOSE, b"move"))
    assert verdict(PUBLIC, b"move", bytes(signature))
    s = int.from_bytes(signature[32:], "little") + added
    signature[32:] = s.to_bytes(32, "little")
    assert verdict(public, b"move", bytes(signature)) == (public == PUBLIC and not added)
    signature[bit // 8] ^= 1 << bit % 8
    assert not verdict(public, b"move", bytes(signature))


@pytest.mark.parametrize("small", spread(3, SMALL[1:]), ids=bytes.hex)
def test_a_key_outside_of_the_subgroup_is_judged_alike(small: bytes) -> None:
    """Checks that multiply by the cofactor accept all of these signatures, other checks some: libraries differ."""
    a, r = clamped(SECRET), 12345
    public = compress(add(multiply(a, BASE), decompress(small)))
    R = compress(multiply(r, BASE))
    verdicts = set()
    for number in range(24):
        message = bytes([number])
        h = challenge(R, public, message)
        signature = R + ((r + h * a) % L).to_bytes(32, "little")
        expected = compress(multiply(h % 8, decompress(small))) == SMALL[0]
        assert verdict(public, message, signature) == expected
        verdicts.add(expected)
    assert verdicts == {True, False}


@pytest.mark.parametrize("small", SMALL[1:], ids=bytes.hex)
def test_an_r_outside_of_the_subgroup_is_judged_alike(small: bytes) -> None:
    a, r = clamped(SECRET), 12345
    R = compress(add(multiply(r, BASE), decompress(small)))
    s = (r + challenge(R, PUBLIC, b"move") * a) % L
    assert not verdict(PUBLIC, b"move", R + s.to_bytes(32, "little"))


@pytest.mark.parametrize("y", [2, 5, P - 2])
@pytest.mark.parametrize("sign", [0, 1])
def test_keys_and_r_that_are_no_points_are_judged_alike(y: int, sign: int) -> None:
    encoded = (y | sign << 255).to_bytes(32, "little")
    signature = signatures.sign(SECRET, PURPOSE, b"move")
    assert not verdict(encoded, b"move", signature)
    assert not verdict(PUBLIC, b"move", encoded + signature[32:])
