"""Vectors of the keys of a seat."""

from __future__ import annotations

from tests.conformance.vectors.book import Book
from tests.conformance.vectors.seats import BAD_POINT, BAD_SCALAR, KEYS, MODIFIED, SEEDS, SHORT, beyond
from tests.conformance.vectors.values import OTHER_CONTEXT, UNFIT, elsewhere, flipped, g


def keys() -> Book:
    book = Book(
        "keys",
        "14.4, 14.7",
        "The three keys of a seat, their proofs of possession, and keys that a seat publishes when it leaves.",
        {
            "OtherContext": OTHER_CONTEXT,
            "OtherPurpose": ("The proof is of a key for another purpose.", UNFIT),
            "OtherKey": ("The proof, or the published secret, is of another key.", UNFIT),
            "Modified": MODIFIED,
            "Length": SHORT,
            "BadPoint": BAD_POINT,
            "BadScalar": BAD_SCALAR,
        },
    )
    for seat in range(2):
        for purpose in ("coin", "bag", "mailbox"):
            given = {"seed": SEEDS[seat], "context": KEYS[seat], "purpose": purpose}
            made = {**given, **book.add("make_key", "", given)}
            book.add("verify_key", "", made)
    public, proof, secret = made["public"], made["proof"], g.encode_scalar(made["secret"])
    for name, where in elsewhere(KEYS[1]).items():
        book.add("verify_key", name, {**made, "context": where}, "OtherContext")
    book.add("verify_key", "", {**made, "purpose": "bag"}, "OtherPurpose")
    book.add("verify_key", "", {**made, "public": g.base(9)}, "OtherKey")
    for at in (0, 32):
        book.add("verify_key", "", {**made, "proof": flipped(proof, at)}, "Modified")
    book.add("verify_key", "", {**made, "proof": proof[:-1]}, "Length")
    book.add("verify_key", "", {**made, "proof": proof + bytes(32)}, "Length")
    book.add("verify_key", "the secret is 0", {**made, "public": bytes(32)}, "BadPoint")
    book.add("verify_key", "", {**made, "public": b"\xff" * 32}, "BadPoint")
    book.add("verify_key", "", {**made, "proof": beyond(proof[:32]) + proof[32:]}, "BadScalar")
    book.add("publish_key", "", {"public": public, "secret": secret})
    book.add("publish_key", "", {"public": g.base(9), "secret": secret}, "OtherKey")
    book.add("publish_key", "", {"public": public, "secret": beyond(secret)}, "BadScalar")
    book.add("publish_key", "", {"public": public, "secret": secret[:31]}, "Length")
    return book
