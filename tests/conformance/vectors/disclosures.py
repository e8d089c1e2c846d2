"""Vectors of keys that are told above a threshold, and of what travels under them."""

from __future__ import annotations

from kimberley.protocol.crypto.commitments import pedersen
from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.encoding import pack
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.values import GAME, SEED, UNFIT, elsewhere, flipped, g


def disclosures() -> Book:
    nothing = "Take it for NOTHING, in silence; the audit names its owner."
    book = Book(
        "disclosures",
        "14.6",
        "Keys that are told above a threshold only, and what travels under them.",
        {
            "Length": ("An offer has 32 + 32*2^bits bytes.", UNFIT),
            "BadPoint": ("A is the identity, or no point.", UNFIT),
            "OtherKey": ("The key is another: the threshold was not passed, or the pads were dishonest.", nothing),
            "OtherContext": ("The payload is of another kind, index, game, step, stage or seat.", nothing),
            "Modified": ("A bit of the payload is changed.", nothing),
            "Width": ("The payload has not size + 20 bytes.", UNFIT),
        },
    )
    key, blinding = bytes([3]) * 32, 2**200 + 3
    owner = Context(GAME, 300, 0, 2)
    good: dict[str, object] = {}
    for held, threshold in ((2, 1), (1, 1), (0, 3), (3, 0)):
        pair = {"bits": 2, "more": pedersen(g, held, blinding), "than": pedersen(g, threshold, 2**220 + 5)}
        given = {"seed": SEED, "context": owner, "label": "tell 0", "total": threshold, "key": key, **pair}
        offer = book.add("make_offer", f"the threshold is {threshold}", given)
        good = {**given, **offer, "total": held, "blinding": blinding}
        told = "gives the key" if held > threshold else "gives what opens nothing"
        taken = book.add("take_offer", f"{held}, {told}", good)
        assert (taken["candidate"] == key) == (held > threshold)
    offered = good["offer"]
    assert isinstance(offered, bytes)
    for cut in (offered[:-1], offered + b"\0", offered[:-32]):
        book.add("take_offer", "", {**good, "offer": cut}, "Length")
    book.add("take_offer", "", {**good, "offer": bytes(32) + offered[32:]}, "BadPoint")
    book.add("take_offer", "", {**good, "offer": b"\xff" * 32 + offered[32:]}, "BadPoint")
    given = {"key": key, "kind": "pay", "context": owner, "index": 1, "payload": pack((1, None)), "size": 12}
    sealed = {**given, **book.add("seal_payload", "", given)}
    book.add("open_payload", "", sealed)
    book.add("open_payload", "", {**sealed, "key": flipped(key)}, "OtherKey")
    book.add("open_payload", "", {**sealed, "kind": "plan"}, "OtherContext")
    book.add("open_payload", "", {**sealed, "index": 0}, "OtherContext")
    for name, where in elsewhere(owner).items():
        book.add("open_payload", name, {**sealed, "context": where}, "OtherContext")
    for at in (0, 16, -1):
        book.add("open_payload", "", {**sealed, "sealed": flipped(sealed["sealed"], at)}, "Modified")
    book.add("open_payload", "", {**sealed, "sealed": sealed["sealed"][:-1]}, "Width")
    return book
