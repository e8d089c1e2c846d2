"""Vectors of frames: bytes of a connection, cut."""

from __future__ import annotations

from typing import Final

from kimberley.p2p.transport.frames import MOST_FRAME, MOST_HELLO
from kimberley.protocol.encoding import pack
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.values import GAME

ENDS: Final = "End the connection."


def framed(*bodies: bytes) -> bytes:
    return b"".join(len(body).to_bytes(4, "big") + body for body in bodies)


def frames() -> Book:
    book = Book(
        "frames",
        "7",
        "Bytes of a connection, cut into frames. `limit` is what a frame may have at most.",
        {
            "TooLong": ("The length is above the limit.", "End the connection before the body is read."),
            "NoFrame": ("The body is not canonical, or no array that starts with text.", ENDS),
        },
    )
    beat, ready = pack(("beat", GAME, 3, 0, bytes(32))), pack(("vote", "ready", True))
    for comment, data in {
        "two frames": framed(beat, ready),
        "a frame and the beginning of another": framed(beat) + framed(ready)[:7],
        "the beginning of a length": bytes(3),
        "nothing": b"",
    }.items():
        book.add("cut", comment, {"data": data, "limit": MOST_FRAME})
    largest = pack(("x", bytes(MOST_HELLO - 6)))
    assert len(largest) == MOST_HELLO
    book.add("cut", "the largest before the hello", {"data": framed(largest), "limit": MOST_HELLO})
    longer = {"data": (MOST_HELLO + 1).to_bytes(4, "big"), "limit": MOST_HELLO}
    book.add("cut", "one byte longer, of which only the length is there", longer, "TooLong")
    longer = {"data": (MOST_FRAME + 1).to_bytes(4, "big"), "limit": MOST_FRAME}
    book.add("cut", "one byte longer, after the hello", longer, "TooLong")
    for comment, body in {
        "no bytes": b"",
        "an empty array": pack(()),
        "an array that starts with bytes": pack((b"beat",)),
        "no array": pack("beat"),
        "text that is spelled too long": b"\x91\xd9\x04beat",
        "bytes behind the array": beat + b"\xc0",
    }.items():
        book.add("cut", comment, {"data": framed(body), "limit": MOST_FRAME}, "NoFrame")
    return book
