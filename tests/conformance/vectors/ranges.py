"""Vectors of proofs that an amount lies in a range."""

from __future__ import annotations

from kimberley.protocol.crypto.commitments import pedersen
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.values import HERE, OTHER_CONTEXT, SEED, UNFIT, elsewhere, flipped, g


def ranges() -> Book:
    book = Book(
        "ranges",
        "14.5",
        "Proofs that a committed amount lies in 0..2^bits-1.",
        {
            "OtherStatement": ("The commitment, the bits or the name are others.", UNFIT),
            "OtherContext": OTHER_CONTEXT,
            "Modified": ("A bit of the proof is changed.", UNFIT),
            "Length": ("The proof has not 128*bits bytes.", UNFIT),
            "BadPoint": ("A bit's commitment is the identity, or no point.", UNFIT),
            "BadScalar": ("A scalar is not below the order.", UNFIT),
            "OutOfRange": ("The commitment holds an amount outside of the range.", UNFIT),
        },
    )
    good: dict[str, object] = {}
    for bits, value, blinding in ((8, 210, 2**200 + 3), (8, 0, 0), (8, 255, 5), (1, 1, 7), (3, 2, 2**200 + 3)):
        given = {"seed": SEED, "context": HERE, "name": "amount", "bits": bits, "value": value, "index": 7}
        given["blinding"] = blinding
        good = {**given, **book.add("prove_range", "", given)}
        book.add("verify_range", "the identity" if not value + blinding else "", good)
    proof = good["proof"]
    assert isinstance(proof, bytes)
    book.add("verify_range", "", {**good, "name": "within"}, "OtherStatement")
    book.add("verify_range", "", {**good, "commitment": pedersen(g, 3, 2**200 + 3)}, "OtherStatement")
    book.add("verify_range", "", {**good, "commitment": pedersen(g, 10, 2**200 + 3)}, "OutOfRange")
    book.add("verify_range", "minus 1", {**good, "commitment": pedersen(g, -1, 2**200 + 3)}, "OutOfRange")
    for name, where in elsewhere(HERE).items():
        book.add("verify_range", name, {**good, "context": where}, "OtherContext")
    for at in range(64, len(proof), 32):
        book.add("verify_range", f"byte {at}", {**good, "proof": flipped(proof, at)}, "Modified")
    for cut in (b"", proof[:-1], proof[:-32], proof + b"\0", proof + proof[-32:]):
        book.add("verify_range", f"{len(cut)} bytes", {**good, "proof": cut}, "Length")
    book.add("verify_range", "", {**good, "bits": 4}, "Length")
    book.add("verify_range", "", {**good, "proof": bytes(32) + proof[32:]}, "BadPoint")
    book.add("verify_range", "", {**good, "proof": b"\xff" * 32 + proof[32:]}, "BadPoint")
    last = int.from_bytes(proof[-32:], "little") + g.order
    book.add("verify_range", "", {**good, "proof": proof[:-32] + last.to_bytes(32, "little")}, "BadScalar")
    return book
