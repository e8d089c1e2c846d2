"""Vectors of keys and rolls, of bags, shares and mail, and of what a seat that leaves leaves behind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from kimberley.protocol.crypto import coin, elgamal
from kimberley.protocol.crypto.elgamal import SeatKey
from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.encoding import pack
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.primitives import GAME, OTHER_CONTEXT, UNFIT, elsewhere, flipped

g: Final = RISTRETTO
SEEDS: Final = tuple(bytes([value]) * 32 for value in (1, 2, 3))
KEYS: Final = tuple(Context(GAME, 0, 0, seat) for seat in range(3))
VALUES: Final = (("heart", 12), ("spade", 3), ("spade", 12))
SHORT: Final = ("A length is wrong; one part more or less is as wrong.", UNFIT)
MODIFIED: Final = ("A bit is changed.", UNFIT)
BAD_POINT: Final = ("A point is the identity, or no canonical encoding.", UNFIT)
BAD_SCALAR: Final = ("A scalar is not below the order.", UNFIT)


def key(seat: int, purpose: str) -> SeatKey:
    return SeatKey.derive(g, SEEDS[seat], KEYS[seat], purpose)


def beyond(scalar: bytes) -> bytes:
    """The same scalar, with the order added."""
    return (int.from_bytes(scalar, "little") + g.order).to_bytes(32, "little")


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


def shares() -> Book:
    book = Book(
        "shares",
        "14.8, 14.10",
        "Shares of items to all and to one seat alone, and the values that they open.",
        {
            "OtherContext": OTHER_CONTEXT,
            "OtherItem": ("The shares are of other pairs, or of the same in another order.", UNFIT),
            "OtherKey": ("The shares are under another bag key.", UNFIT),
            "OtherMailbox": ("The mail is for another seat.", UNFIT),
            "OtherShare": ("A share is another point than the key fixes.", UNFIT),
            "Modified": MODIFIED,
            "Length": SHORT,
            "BadPoint": BAD_POINT,
            "BadScalar": BAD_SCALAR,
        },
    )
    bags = [key(seat, "bag") for seat in range(2)]
    joint = elgamal.joint_key(g, [bag.public for bag in bags])
    masked = [
        tuple(elgamal.remask(g, joint, pair, 100 * number + part) for part, pair in enumerate(item))
        for number, item in enumerate((elgamal.known_item(g, joint, values) for values in VALUES), 1)
    ]
    data = elgamal.encode_items(masked)
    where, mailbox = Context(GAME, 301, 0, 1), key(0, "mailbox")
    given = {"seed": SEEDS[1], "context": where, "secret": bags[1].secret, "pairs": data}
    good = {**given, "public": bags[1].public, **book.add("share_to_all", "", given)}
    book.add("verify_shares", "", good)
    sent = good["shares"]
    reordered = data[64:128] + data[:64] + data[128:]
    wrong_share = g.base(9) + sent[32:]

    given = {**given, "mailbox": mailbox.public}
    mailed = {**good, **given, "mailbox_secret": mailbox.secret, **book.add("mail_shares", "", given)}
    read = book.add("read_mail", "", mailed)
    assert read["points"] == [sent[start : start + 32] for start in range(0, 192, 32)]
    mail = mailed["mail"]
    for function, case, name in (("verify_shares", good, "shares"), ("read_mail", mailed, "mail")):
        whole = case[name]
        for comment, other in elsewhere(where).items():
            book.add(function, comment, {**case, "context": other}, "OtherContext")
        book.add(function, "", {**case, "pairs": reordered}, "OtherItem")
        book.add(function, "", {**case, "public": bags[0].public}, "OtherKey")
        for at in range(1, 1 + len(whole) // 32 - 6 * (1 + (name == "mail")), 1):
            changed = bytearray(whole)
            changed[-32 * at] ^= 1
            book.add(function, f"scalar {at} from the end", {**case, name: bytes(changed)}, "Modified")
        for cut in (b"", whole[:-1], whole[:-32], whole + bytes(32)):
            book.add(function, "", {**case, name: cut}, "Length")
        book.add(function, "", {**case, name: bytes(32) + whole[32:]}, "BadPoint")
        book.add(function, "", {**case, name: whole[:-32] + beyond(whole[-32:])}, "BadScalar")
    book.add("verify_shares", "", {**good, "shares": wrong_share}, "OtherShare")
    book.add("read_mail", "", {**mailed, "mail": mail[:32] + g.base(9) + mail[64:]}, "OtherShare")
    box = key(1, "mailbox")
    book.add("read_mail", "", {**mailed, "mailbox": box.public, "mailbox_secret": box.secret}, "OtherMailbox")
    for number, values in enumerate(VALUES):
        for part, value in enumerate(values):
            pair = masked[number][part]
            both = [g.mul(bag.secret, pair[0]) for bag in bags]
            options = tuple(dict.fromkeys(row[part] for row in VALUES))
            opened = {"pair": pair[0] + pair[1], "shares": both, "part": part, "values": options}
            assert book.add("unmask", "", opened)["value"] == value
    return book


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


def books() -> Iterator[Book]:
    yield from (keys(), rolls(), shuffles(), shares(), escrows())
