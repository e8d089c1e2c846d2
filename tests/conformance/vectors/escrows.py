"""Vectors of what a seat that leaves leaves behind."""

from __future__ import annotations

from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.encoding import pack
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.seats import BAD_POINT, MODIFIED, SEEDS, key
from tests.conformance.vectors.values import GAME, elsewhere, flipped


def escrows() -> Book:
    guilt = "The seat that left is guilty, at the slot in which it left: see M-LEA-2 and section 16."
    book = Book(
        "escrows",
        "14.11",
        "What a seat leaves behind, under the bag keys of all that remain.",
        {
            "OtherContext": ("It was made for another game, step, stage or seat.", guilt),
            "OtherKey": ("A key is another than the one it was left under.", guilt),
            "Missing": ("Not all that remained have given their key.", "It stays closed."),
            "Modified": (MODIFIED[0], guilt),
            "Length": ("Not 32 + 32*seats + 4096*k + 16 bytes.", guilt),
            "BadPoint": (BAD_POINT[0], guilt),
        },
    )
    where, secret = Context(GAME, 7, 1, 2), pack((SEEDS[2], (1, "two", ())))
    bags = [(seat, key(seat, "bag")) for seat in range(2)]
    given = {"seed": SEEDS[2], "context": where, "secret": secret}
    given["publics"] = [(seat, bag.public) for seat, bag in bags]
    good = {**given, **book.add("leave_behind", "", given), "secrets": [(seat, bag.secret) for seat, bag in bags]}
    book.add("open_together", "", good)
    long = {**given, "secret": bytes(4092)}
    book.add("leave_behind", "as long as one block takes", long)
    book.add("leave_behind", "one byte longer", {**long, "secret": bytes(4093)})
    left, secrets = good["left"], good["secrets"]
    for name, other in elsewhere(where).items():
        book.add("open_together", name, {**good, "context": other}, "OtherContext")
    book.add("open_together", "", {**good, "secrets": [secrets[0], (1, 9)]}, "OtherKey")
    book.add("open_together", "", {**good, "secrets": secrets[:1]}, "Missing", "Length")
    for at in (32, 64, 96, -1):
        book.add("open_together", "", {**good, "left": flipped(left, at)}, "Modified")
    for cut in (b"", left[:-1], left + b"\0", left[:112]):
        book.add("open_together", "", {**good, "left": cut}, "Length")
    book.add("open_together", "", {**good, "left": bytes(32) + left[32:]}, "BadPoint")
    return book
