"""Vectors of shuffles: items as they enter a bag, and the proofs of those who shuffle it."""

from __future__ import annotations

from typing import Any

from kimberley.protocol.crypto.hashing import Context
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.seats import BAD_POINT, BAD_SCALAR, MODIFIED, SEEDS, SHORT, VALUES, beyond, key
from tests.conformance.vectors.values import GAME, OTHER_CONTEXT, UNFIT, elsewhere, flipped, g


def shuffles() -> Book:
    book = Book(
        "shuffles",
        "14.8, 14.9",
        "Items that all know, as they enter a bag, and shuffles with their proofs.",
        {
            "OtherContext": OTHER_CONTEXT,
            "OtherBag": ("The proof is of another bag, or under another joint key.", UNFIT),
            "OtherItems": ("The items before are others than the proof is of.", UNFIT),
            "Doubled": ("An item stands twice, another is lost.", UNFIT),
            "Swapped": ("Items, or parts of them, were exchanged after the proof was made.", UNFIT),
            "Replayed": ("The seat sends on what another had sent.", UNFIT),
            "Unchanged": ("The items go on as they came, under a proof of a shuffle.", UNFIT),
            "Modified": MODIFIED,
            "Length": SHORT,
            "BadPoint": BAD_POINT,
            "BadScalar": BAD_SCALAR,
        },
    )
    publics = [key(seat, "bag").public for seat in range(2)]
    made: list[dict[str, Any]] = []
    for values in (VALUES, (("only",),)):
        known = book.add("known_items", "", {"publics": publics, "values": values})
        items = known["items"]
        for seat in range(2):
            shape = {"bag": "deck", "joint": known["joint"], "count": len(values), "parts": len(values[0])}
            given = {"seed": SEEDS[seat], "context": Context(GAME, 300, seat, seat), "items": items, **shape}
            made.append({**given, **book.add("make_shuffle", "", given)})
            book.add("verify_shuffle", "", made[-1])
            items = made[-1]["shuffled"]
    first, good = made[:2]
    proof, shuffled = good["proof"], good["shuffled"]
    item = [shuffled[start : start + 128] for start in range(0, 384, 128)]
    for name, other in elsewhere(good["context"]).items():
        book.add("verify_shuffle", name, {**good, "context": other}, "OtherContext")
    book.add("verify_shuffle", "", {**good, "bag": "other"}, "OtherBag")
    book.add("verify_shuffle", "", {**good, "joint": g.base(9)}, "OtherBag")
    book.add("verify_shuffle", "", {**good, "items": first["items"]}, "OtherItems")
    book.add("verify_shuffle", "", {**good, "shuffled": item[0] + item[0] + item[2]}, "Doubled")
    book.add("verify_shuffle", "two items", {**good, "shuffled": item[1] + item[0] + item[2]}, "Swapped")
    parts = item[0][:64] + item[1][64:] + item[1][:64] + item[0][64:] + item[2]
    book.add("verify_shuffle", "the second parts of two items", {**good, "shuffled": parts}, "Swapped")
    sent = {"shuffled": first["shuffled"], "proof": first["proof"]}
    book.add("verify_shuffle", "", {**good, **sent}, "Replayed")
    book.add("verify_shuffle", "", {**good, "shuffled": good["items"]}, "Unchanged")
    for at in range(0, len(proof), 32):
        changed = proof[:at] + (g.add(proof[at : at + 32], g.base(1)) if at < 128 else flipped(proof[at : at + 32], 0))
        book.add("verify_shuffle", f"byte {at}", {**good, "proof": changed + proof[at + 32 :]}, "Modified")
    for cut in (b"", proof[:-1], proof[:-32], proof + bytes(32)):
        book.add("verify_shuffle", "", {**good, "proof": cut}, "Length")
    book.add("verify_shuffle", "one output too many", {**good, "shuffled": shuffled + item[0]}, "Length")
    book.add("verify_shuffle", "one output too few", {**good, "shuffled": shuffled[:-128]}, "Length")
    book.add("verify_shuffle", "", {**good, "shuffled": bytes(32) + shuffled[32:]}, "BadPoint")
    book.add("verify_shuffle", "", {**good, "proof": bytes(32) + proof[32:]}, "BadPoint")
    book.add("verify_shuffle", "", {**good, "proof": proof[:-32] + beyond(proof[-32:])}, "BadScalar")
    return book
