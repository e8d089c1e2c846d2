"""Vectors of signatures."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kimberley.protocol.crypto.pure import P
from kimberley.protocol.crypto.signatures import ORDER_EIGHT
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.values import SEED, flipped, g


def signing() -> Book:
    refuse = "Refuse the signature; what it stands under blames nobody."
    book = Book(
        "signatures",
        "5",
        "Signatures for a purpose, and those that some libraries take and this protocol does not.",
        {
            "OtherMessage": ("The message, or a bit of the signature, is another.", refuse),
            "OtherPurpose": ("It was made for another purpose.", refuse),
            "NoPurpose": ("It was made over the message alone.", refuse),
            "SmallOrder": ("The key or R is of small order: one signature would fit many messages.", refuse),
            "NotCanonical": ("The key or R has a second spelling, with y not below the prime.", refuse),
            "NotBelowOrder": ("S is not below the order: the signature would have a second spelling.", refuse),
            "Length": ("A key has 32 bytes, a signature 64.", refuse),
        },
    )
    given = {"secret": SEED, "purpose": "envelope", "message": b"message"}
    made = book.add("sign", "", given)
    empty = book.add("sign", "", {"secret": SEED, "purpose": "roster", "message": b""})
    good = {**given, **made}
    book.add("verify_signature", "", good)
    book.add("verify_signature", "an empty message", {"purpose": "roster", "message": b"", **empty})
    signature, public = made["signature"], made["public"]
    book.add("verify_signature", "", {**good, "message": b"Message"}, "OtherMessage")
    for at in (0, 31, 32, 62):
        book.add("verify_signature", f"byte {at}", {**good, "signature": flipped(signature, at)}, "OtherMessage")
    book.add("verify_signature", "", {**good, "purpose": "roster"}, "OtherPurpose")
    bare = Ed25519PrivateKey.from_private_bytes(SEED).sign(b"message")
    book.add("verify_signature", "", {**good, "signature": bare}, "NoPurpose")
    small = [0, 1, P - 1, ORDER_EIGHT, P - ORDER_EIGHT]
    for y in small:
        key = y.to_bytes(32, "little")
        book.add("verify_signature", "the key", {**good, "public": key, "signature": key + bytes(32)}, "SmallOrder")
        book.add("verify_signature", "R", {**good, "signature": key + signature[32:]}, "SmallOrder")
    for y in (P, P + 1, 2**255 - 1):
        key = y.to_bytes(32, "little")
        book.add("verify_signature", "the key", {**good, "public": key}, "NotCanonical")
        book.add("verify_signature", "R", {**good, "signature": key + signature[32:]}, "NotCanonical")
    high = int.from_bytes(signature[32:], "little") + g.order
    respelled = signature[:32] + high.to_bytes(32, "little")
    book.add("verify_signature", "", {**good, "signature": respelled}, "NotBelowOrder")
    book.add("verify_signature", "", {**good, "signature": signature[:63]}, "Length")
    book.add("verify_signature", "", {**good, "signature": signature + b"\0"}, "Length")
    book.add("verify_signature", "", {**good, "public": public[:31]}, "Length")
    return book
