"""Vectors of rolls: shares of the joint coin, and the dice that they make."""

from __future__ import annotations

from kimberley.protocol.crypto import coin
from kimberley.protocol.crypto.hashing import Context
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.seats import BAD_POINT, MODIFIED, SEEDS, SHORT, key
from tests.conformance.vectors.values import GAME, OTHER_CONTEXT, UNFIT, elsewhere, flipped, g


def rolls() -> Book:
    book = Book(
        "rolls",
        "14.7",
        "Shares of the joint coin, and the dice that they make.",
        {
            "OtherContext": OTHER_CONTEXT,
            "OtherKey": ("The share is under another key than the one announced.", UNFIT),
            "OtherShare": ("The share is another point than the key fixes.", UNFIT),
            "Modified": MODIFIED,
            "Length": SHORT,
            "BadPoint": BAD_POINT,
        },
    )
    points = []
    for seat in range(2):
        where, coin_key = Context(GAME, 300, 0, seat), key(seat, "coin")
        given = {"seed": SEEDS[seat], "context": where, "secret": coin_key.secret}
        made = {**given, "public": coin_key.public, **book.add("share_roll", "", given)}
        book.add("verify_roll_share", "", made)
        points.append(made["share"][:32])
    share = made["share"]
    for name, other in elsewhere(where).items():
        book.add("verify_roll_share", name, {**made, "context": other}, "OtherContext")
    book.add("verify_roll_share", "", {**made, "public": key(0, "coin").public}, "OtherKey")
    book.add("verify_roll_share", "", {**made, "share": g.base(9) + share[32:]}, "OtherShare")
    for at in (32, 64):
        book.add("verify_roll_share", "", {**made, "share": flipped(share, at)}, "Modified")
    book.add("verify_roll_share", "", {**made, "share": share[:-1]}, "Length")
    book.add("verify_roll_share", "", {**made, "share": share + bytes(32)}, "Length")
    book.add("verify_roll_share", "", {**made, "share": bytes(32) + share[32:]}, "BadPoint")
    order = tuple(range(12, 0, -1))
    for comment, sides in (("", (6,)), ("", (6, 52, 2**63 + 1, 2**63 + 1, 1, 2**64)), ("an order of 12", order)):
        book.add("roll", comment, {"points": points, "sides": sides})
    book.add(
        "roll", "the seat that left published its key", {"points": [coin.open_share(g, where, 5, 0)], "sides": (6,)}
    )
    book.add("roll", "shares that cancel", {"points": [g.base(1), g.base(-1)], "sides": (6,)})
    return book
