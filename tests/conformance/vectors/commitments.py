"""Vectors of commitments to amounts and to choices."""

from __future__ import annotations

from kimberley.protocol.crypto.hashing import Context
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.values import GAME, HERE, PARTS, SEED, UNFIT, elsewhere, flipped, g


def commitments() -> Book:
    book = Book(
        "commitments",
        "14.2, 14.3",
        "Commitments to amounts and to choices.",
        {
            "OtherChoice": ("The opening is of another choice, or of another spelling of it.", UNFIT),
            "OtherNonce": ("The nonce is another, or has not 32 bytes.", UNFIT),
            "OtherContext": ("The commitment was made at another game, step or seat.", UNFIT),
        },
    )
    for value, blinding in ((0, 0), (0, 1), (1, 0), (210, 2**200 + 3), (255, g.order - 1)):
        book.add("commit_amount", "", {"value": value, "blinding": blinding})
    start = Context(GAME, 300, 0, 2)
    for choice in (1, ((0, 1, 0), (6, 0, 0)), "text", PARTS):
        given = {"seed": SEED, "context": start, "choice": choice}
        made = {**given, **book.add("commit_to_choice", "", given)}
        book.add("open_choice", "", made)
        book.add("open_choice", "the stage does not count", {**made, "context": HERE})
    book.add("open_choice", "", {**made, "choice": PARTS[:-1]}, "OtherChoice")
    book.add(
        "open_choice", "true is not 1", {**made, "choice": ("text", b"bytes", -5, 1, None, (1, ()))}, "OtherChoice"
    )
    book.add("open_choice", "", {**made, "nonce": flipped(made["nonce"])}, "OtherNonce")
    for name in ("another game", "another step", "another seat"):
        book.add("open_choice", name, {**made, "context": elsewhere(start)[name]}, "OtherContext")
    return book
