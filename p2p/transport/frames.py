"""Frames: the units that travel on a connection (SPEC.md, section 7).

A frame is a length of four bytes, big-endian, and that many bytes: the canonical packing of an array whose first entry
is a text, the frame's kind.
"""

from __future__ import annotations

import struct
from typing import Final, TypeAlias

from kimberley.games.table import Plain
from kimberley.protocol.encoding import Malformed, pack, unpack

MOST_FRAME: Final = 1 << 20  # SPEC: bytes of a frame
"""Bytes of one frame, without its length, after the handshake."""
MOST_HELLO: Final = 1 << 12  # SPEC: bytes of a frame before the hello
"""Bytes of one frame before that."""

Frame: TypeAlias = tuple[Plain, ...]

_LENGTH: Final = struct.Struct(">I")


def are_integers(*values: Plain) -> bool:
    """Returns whether all values are integers. `match` accepts True and False as integers, too; a frame's number is
    neither.
    """
    return all(type(value) is int for value in values)


class BadFrame(Exception):
    """Bytes that are not a frame. Their connection can no longer be used."""


def encode(frame: Frame) -> bytes:
    """Returns the bytes of a frame. Raises BadFrame if it is too large to send."""
    body = pack(frame)
    if len(body) > MOST_FRAME:
        raise BadFrame(f"a frame of {len(body)} bytes; {MOST_FRAME} at most")
    return _LENGTH.pack(len(body)) + body


class FrameDecoder:
    """Cuts a stream of bytes into frames. `limit` is the most bytes that the next frame may have."""

    def __init__(self, limit: int = MOST_FRAME) -> None:
        self.limit = limit
        self._buffer = bytearray()

    def __len__(self) -> int:
        """Returns the number of bytes that wait to be decoded."""
        return len(self._buffer)

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def next(self) -> Frame | None:
        """Returns the next whole frame, or None if more bytes are needed.

        Raises:
            BadFrame: The length is above the limit (raised as soon as it is read), or the body is not canonical.

        """
        if len(self._buffer) < _LENGTH.size:
            return None
        (size,) = _LENGTH.unpack_from(self._buffer)
        if size > self.limit:
            raise BadFrame(f"a frame of {size} bytes; {self.limit} at most")
        end = _LENGTH.size + size
        if len(self._buffer) < end:
            return None
        body = bytes(self._buffer[_LENGTH.size : end])
        del self._buffer[:end]
        try:
            frame = unpack(body)
        except Malformed as error:
            raise BadFrame(str(error)) from error
        if not isinstance(frame, tuple) or not frame or not isinstance(frame[0], str):
            raise BadFrame("not an array that starts with the kind of the frame")
        return frame
