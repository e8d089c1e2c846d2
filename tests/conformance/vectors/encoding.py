"""Vectors of plain values as bytes."""

from __future__ import annotations

import struct

import msgpack

from kimberley.games.table import Plain
from kimberley.protocol.encoding import MAX_DEPTH, MAX_ITEMS
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.values import PARTS, REFUSE


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
