"""A bag of three items of two parts gives the bytes in tests/data/bags.json; tests/data/crypto.json holds the rest."""

import json
from typing import Any

import pytest

from kimberley.games.table import Plain
from kimberley.protocol.crypto import coin, elgamal, shares, shuffle
from kimberley.protocol.crypto.elgamal import BAG, MAILBOX, SeatKey
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.crypto.pure import PURE
from kimberley.protocol.crypto.ristretto import RISTRETTO
from tests.support.paths import DATA

VECTORS: dict[str, Any] = json.loads((DATA / "bags.json").read_text())
SEEDS = [bytes([value]) * 32 for value in (1, 2)]
GAME = bytes([3]) * 32
KEYS = [Context(GAME, 0, 0, seat) for seat in range(2)]
SHUFFLES = [Context(GAME, 300, seat, seat) for seat in range(2)]
SHOW = Context(GAME, 301, 0, 1)
VALUES: tuple[tuple[Plain, ...], ...] = (("heart", 12), ("spade", 3), ("spade", 12))
# message("shuffle generator", i), spelled out.
GENERATORS = [b"\x92\xbdkimberley/1 shuffle generator" + bytes([index]) for index in range(4)]


def computed(g: Group) -> dict[str, object]:
    bags = [SeatKey.derive(g, seed, ctx, BAG) for seed, ctx in zip(SEEDS, KEYS, strict=True)]
    box = SeatKey.derive(g, SEEDS[0], KEYS[0], MAILBOX)
    joint = elgamal.joint_key(g, [key.public for key in bags])
    known = items = tuple(elgamal.known_item(g, joint, values) for values in VALUES)
    shuffles = list[dict[str, object]]()
    for seed, ctx in zip(SEEDS, SHUFFLES, strict=True):
        shuffled = shuffle.shuffle(g, seed, ctx, "deck", joint, items)
        shuffles.append(
            {
                "order": list(shuffled.order),
                "masks": [[g.encode_scalar(mask).hex() for mask in row] for row in shuffled.masks],
                "items": elgamal.encode_items(shuffled.items).hex(),
                "proof": shuffle.prove(g, seed, ctx, "deck", joint, items, shuffled).hex(),
            }
        )
        items = shuffled.items
    pairs = [pair for item in items for pair in item]
    own = shares.open_share(g, bags[0].secret, pairs)
    theirs = shares.open_share(g, bags[1].secret, pairs)
    points = [elgamal.plaintext(g, pair, two) for pair, *two in zip(pairs, own, theirs, strict=True)]
    return {
        "bag_publics": [key.public.hex() for key in bags],
        "bag_proofs": [key.proof.hex() for key in bags],
        "mailbox_public": box.public.hex(),
        "mailbox_proof": box.proof.hex(),
        "joint_key": joint.hex(),
        "generators": [g.fixed_point(point).hex() for point in GENERATORS],
        "known_items": elgamal.encode_items(known).hex(),
        "shuffles": shuffles,
        "share": shares.share(g, SEEDS[1], SHOW, bags[1].secret, pairs).hex(),
        "mail": shares.mail(g, SEEDS[1], SHOW, bags[1].secret, box.public, pairs).hex(),
        "points": [point.hex() for point in points],
    }


@pytest.mark.parametrize(
    "g", [pytest.param(RISTRETTO, id="libsodium"), pytest.param(PURE, id="pure", marks=pytest.mark.slow)]
)
def test_vectors(g: Group) -> None:
    assert computed(g) == VECTORS


def test_what_the_vectors_hold_verifies() -> None:
    g = RISTRETTO
    publics = [bytes.fromhex(public) for public in VECTORS["bag_publics"]]
    for public, proof, ctx in zip(publics, VECTORS["bag_proofs"], KEYS, strict=True):
        assert coin.verify_key(g, ctx, BAG, public, bytes.fromhex(proof))
    mailbox = bytes.fromhex(VECTORS["mailbox_public"])
    assert coin.verify_key(g, KEYS[0], MAILBOX, mailbox, bytes.fromhex(VECTORS["mailbox_proof"]))

    joint = bytes.fromhex(VECTORS["joint_key"])
    assert joint == elgamal.joint_key(g, publics)
    items = elgamal.decode_items(g, bytes.fromhex(VECTORS["known_items"]), 3, 2)
    assert items == tuple(elgamal.known_item(g, joint, values) for values in VALUES)
    for ctx, sent in zip(SHUFFLES, VECTORS["shuffles"], strict=True):
        moved, proof = bytes.fromhex(sent["items"]), bytes.fromhex(sent["proof"])
        taken = shuffle.verify(g, ctx, "deck", joint, items, moved, proof)
        assert taken is not None
        items = taken

    pairs = [pair for item in items for pair in item]
    shown = shares.verify_share(g, SHOW, publics[1], pairs, bytes.fromhex(VECTORS["share"]))
    mailed = shares.verify_mail(g, SHOW, publics[1], mailbox, pairs, bytes.fromhex(VECTORS["mail"]))
    assert shown is not None
    assert mailed is not None
    box = SeatKey.derive(g, SEEDS[0], KEYS[0], MAILBOX)
    assert shares.read_mail(g, box.secret, mailed) == shown

    first, second = (sent["order"] for sent in VECTORS["shuffles"])
    tables = [elgamal.value_table(g, part, values) for part, values in enumerate(zip(*VALUES, strict=True))]
    points = [bytes.fromhex(point) for point in VECTORS["points"]]
    opened = [tables[place % 2][point] for place, point in enumerate(points)]
    assert opened == [value for place in second for value in VALUES[first[place]]]
