"""Vectors of what everything else is made of: encoding, hashes, signatures, commitments, proofs about amounts."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

import msgpack
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kimberley.games.table import Plain
from kimberley.protocol.crypto.commitments import pedersen
from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.crypto.pure import P
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.crypto.signatures import ORDER_EIGHT
from kimberley.protocol.encoding import MAX_DEPTH, MAX_ITEMS, pack
from tests.conformance.vectors.book import Book

g: Final = RISTRETTO
SEED: Final = bytes([1]) * 32
GAME: Final = bytes([2]) * 32
HERE: Final = Context(GAME, 300, 1, 2)
PARTS: Final = ("text", b"bytes", -5, True, None, (1, ()))
REFUSE: Final = "Refuse the bytes; nobody is blamed for them."
UNFIT: Final = "Refuse. Signed in a stage, it is the guilt of its seat."
OTHER_CONTEXT: Final = ("It was made for another game, step, stage or seat.", UNFIT)


def flipped(data: bytes, at: int = -1) -> bytes:
    """The bytes with one bit changed."""
    changed = bytearray(data)
    changed[at] ^= 1
    return bytes(changed)


def elsewhere(where: Context) -> dict[str, Context]:
    """Contexts that differ from this one in one thing each."""
    return {
        "another game": Context(bytes(32), where.step, where.stage, where.seat),
        "another step": Context(where.game, where.step + 1, where.stage, where.seat),
        "another stage": Context(where.game, where.step, where.stage + 1, where.seat),
        "another seat": Context(where.game, where.step, where.stage, where.seat + 1),
    }


def encoding() -> Book:
    book = Book(
        "encoding",
        "3",
        "Plain values, and the only bytes that stand for them.",
        {
            "NotShortest": ("A shorter spelling of the value exists.", REFUSE),
            "NotPlain": ("Maps, floats, extensions and unused bytes stand for no plain value.", REFUSE),
            "Truncated": ("The bytes end before the value does, or claim more entries than can follow.", REFUSE),
            "Trailing": ("Bytes follow the value.", REFUSE),
            "BadText": ("Text is not UTF-8, or holds a surrogate.", REFUSE),
            "TooDeep": ("Arrays nest more than 16 deep.", REFUSE),
            "TooMany": ("More than 131072 values, arrays counted.", REFUSE),
        },
    )
    edges = [0, 1, 127, 128, 255, 256, 2**16 - 1, 2**16, 2**32 - 1, 2**32, 2**53, 2**63, 2**64 - 1]
    edges += [-1, -32, -33, -128, -129, -(2**15), -(2**15) - 1, -(2**31), -(2**31) - 1, -(2**63)]
    values: list[Plain] = [
        None,
        False,
        True,
        *edges,
        "",
        "a" * 31,
        "a" * 32,
        "\u00e4\u20ac\U0001f48e",
        "b" * 255,
        "b" * 256,
    ]
    values += [b"", b"\0" * 255, b"\0" * 256, (), (1, (2, (3,))), (0,) * 15, (0,) * 16, PARTS]
    for value in values:
        packed = book.add("encode", "", {"value": value})["packed"]
        book.add("decode", "", {"packed": packed})
    deep: tuple[object, ...] = ()
    for _ in range(MAX_DEPTH - 1):
        deep = (deep,)
    book.add("encode", "as deep as arrays may nest", {"value": deep})
    for comment, spelled in {
        "127 in two bytes": "cc7f",
        "255 in three bytes": "cd00ff",
        "65535 in five bytes": "ce0000ffff",
        "1 in nine bytes": "cf0000000000000001",
        "-32 in two bytes": "d0e0",
        "1 as a signed integer": "d001",
        "-1 in nine bytes": "d3ffffffffffffffff",
        "text of 1 byte with a length byte": "d90161",
        "bytes with a length of two bytes": "c5000100",
        "an array of 1 with a length of two bytes": "dc000100",
    }.items():
        book.add("decode", comment, {"packed": bytes.fromhex(spelled)}, "NotShortest")
    for comment, spelled in {
        "an empty map": "80",
        "a map": "810102",
        "a float": "ca3f800000",
        "a double": "cb3ff0000000000000",
        "an extension": "d40100",
        "a timestamp": "d6ff00000000",
        "the unused byte": "c1",
        "a map inside an array": "9180",
    }.items():
        book.add("decode", comment, {"packed": bytes.fromhex(spelled)}, "NotPlain")
    for spelled in ("", "cd00", "9201", "a261", "c403aabb", "dd00020000", "ddffffffff", "c6ffffffff00"):
        book.add("decode", "", {"packed": bytes.fromhex(spelled)}, "Truncated")
    for spelled in ("0000", "c0c0", "9000", "a16100"):
        book.add("decode", "", {"packed": bytes.fromhex(spelled)}, "Trailing")
    for spelled in ("a1ff", "a2c080", "a3eda080", "a4f4908080"):
        book.add("decode", "", {"packed": bytes.fromhex(spelled)}, "BadText")
    book.add("decode", "17 arrays", {"packed": b"\x91" * MAX_DEPTH + b"\x90"}, "TooDeep")
    many = b"\xdd" + struct.pack(">I", MAX_ITEMS // 2) + b"\x90"
    book.add("decode", "many claimed, one there", {"packed": many}, "Truncated")
    rows = msgpack.packb([[0] * 15] * (MAX_ITEMS // 16))
    book.add("decode", "131073 values", {"packed": rows}, "TooMany")
    return book


def hashing() -> Book:
    book = Book("hashing", "4", "What is hashed, challenges, and what a seed gives.")
    book.add("hashes", "", {"label": "label", "parts": PARTS})
    book.add("hashes", "no parts", {"label": "seed", "parts": ()})
    for where in (HERE, *elsewhere(HERE).values()):
        book.add("challenged", "", {"label": "label", "context": where, "parts": PARTS})
        given = {"seed": SEED, "label": "label", "context": where, "index": 7, "parts": PARTS, "size": 80, "count": 3}
        book.add("derived", "", given)
    return book


def group() -> Book:
    book = Book(
        "group",
        "14.1",
        "Points and scalars from the wire, and hashing to the group; RFC 9496 has vectors of the arithmetic.",
        {
            "Identity": ("The identity is no point for the wire.", UNFIT),
            "NotCanonical": (
                "Not the canonical encoding of a point: not below the prime, negative, or no square.",
                UNFIT,
            ),
            "HighBit": ("The top bit of a point is set.", UNFIT),
            "NotBelowOrder": ("A scalar is not below the order of the group.", UNFIT),
            "Length": ("Not 32 bytes.", UNFIT),
        },
    )
    for data in (b"", b"kimberley", b"kimberley/1 pedersen H"):
        book.add("hash_to_group", "", {"data": data})
    base = g.base(1)
    book.add("point_from_wire", "the generator", {"data": base})
    book.add("point_from_wire", "", {"data": bytes(32)}, "Identity")
    book.add("point_from_wire", "", {"data": base[:31] + bytes([base[31] | 0x80])}, "HighBit")
    book.add("point_from_wire", "", {"data": base[:31]}, "Length")
    book.add("point_from_wire", "", {"data": base + b"\0"}, "Length")
    book.add("point_from_wire", "the prime", {"data": P.to_bytes(32, "little")}, "NotCanonical")
    book.add("point_from_wire", "a negative field element", {"data": (1).to_bytes(32, "little")}, "NotCanonical")
    book.add("point_from_wire", "", {"data": (P - 1).to_bytes(32, "little")}, "NotCanonical")
    for scalar in (0, 1, g.order - 1):
        book.add("scalar_from_wire", "", {"data": scalar.to_bytes(32, "little")})
    for scalar in (g.order, g.order + 1, 2**256 - 1):
        book.add("scalar_from_wire", "", {"data": scalar.to_bytes(32, "little")}, "NotBelowOrder")
    book.add("scalar_from_wire", "", {"data": bytes(31)}, "Length")
    book.add("scalar_from_wire", "", {"data": bytes(33)}, "Length")
    return book


def signing() -> Book:
    refuse = "Refuse the signature; what it stands under blames nobody."
    book = Book(
        "signatures",
        "5",
        "Signatures for a purpose, and those that some libraries take and this protocol does not.",
        {
            "OtherMessage": ("The message, or a bit of the signature, is another.", refuse),
            "OtherPurpose": ("It was made for another purpose.", refuse),
            "NoPurpose": ("It was made over the message alone.", refuse),
            "SmallOrder": ("The key or R is of small order: one signature would fit many messages.", refuse),
            "NotCanonical": ("The key or R has a second spelling, with y not below the prime.", refuse),
            "NotBelowOrder": ("S is not below the order: the signature would have a second spelling.", refuse),
            "Length": ("A key has 32 bytes, a signature 64.", refuse),
        },
    )
    given = {"secret": SEED, "purpose": "envelope", "message": b"message"}
    made = book.add("sign", "", given)
    empty = book.add("sign", "", {"secret": SEED, "purpose": "roster", "message": b""})
    good = {**given, **made}
    book.add("verify_signature", "", good)
    book.add("verify_signature", "an empty message", {"purpose": "roster", "message": b"", **empty})
    signature, public = made["signature"], made["public"]
    book.add("verify_signature", "", {**good, "message": b"Message"}, "OtherMessage")
    for at in (0, 31, 32, 62):
        book.add("verify_signature", f"byte {at}", {**good, "signature": flipped(signature, at)}, "OtherMessage")
    book.add("verify_signature", "", {**good, "purpose": "roster"}, "OtherPurpose")
    bare = Ed25519PrivateKey.from_private_bytes(SEED).sign(b"message")
    book.add("verify_signature", "", {**good, "signature": bare}, "NoPurpose")
    small = [0, 1, P - 1, ORDER_EIGHT, P - ORDER_EIGHT]
    for y in small:
        key = y.to_bytes(32, "little")
        book.add("verify_signature", "the key", {**good, "public": key, "signature": key + bytes(32)}, "SmallOrder")
        book.add("verify_signature", "R", {**good, "signature": key + signature[32:]}, "SmallOrder")
    for y in (P, P + 1, 2**255 - 1):
        key = y.to_bytes(32, "little")
        book.add("verify_signature", "the key", {**good, "public": key}, "NotCanonical")
        book.add("verify_signature", "R", {**good, "signature": key + signature[32:]}, "NotCanonical")
    high = int.from_bytes(signature[32:], "little") + g.order
    respelled = signature[:32] + high.to_bytes(32, "little")
    book.add("verify_signature", "", {**good, "signature": respelled}, "NotBelowOrder")
    book.add("verify_signature", "", {**good, "signature": signature[:63]}, "Length")
    book.add("verify_signature", "", {**good, "signature": signature + b"\0"}, "Length")
    book.add("verify_signature", "", {**good, "public": public[:31]}, "Length")
    return book


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


def books() -> Iterator[Book]:
    yield from (encoding(), hashing(), group(), signing(), commitments(), ranges(), disclosures())
