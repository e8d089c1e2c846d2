"""Vectors of points and scalars from the wire."""

from __future__ import annotations

from kimberley.protocol.crypto.pure import P
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.values import UNFIT, g


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
