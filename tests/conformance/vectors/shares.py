"""Vectors of shares and mail, and of the values that they open."""

from __future__ import annotations

from kimberley.protocol.crypto import elgamal
from kimberley.protocol.crypto.hashing import Context
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.seats import BAD_POINT, BAD_SCALAR, MODIFIED, SEEDS, SHORT, VALUES, beyond, key
from tests.conformance.vectors.values import GAME, OTHER_CONTEXT, UNFIT, elsewhere, g


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
