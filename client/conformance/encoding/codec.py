"""The canonical encoding (SPEC.md, sections 3 and 7), written for the suite alone."""

from __future__ import annotations

from typing import Final

from kimberley.client.conformance.encoding.plain import Plain

DEPTH: Final = 16
VALUES: Final = 131072

_SIZES: Final = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}
_TEXT: Final = {0xD9: 1, 0xDA: 2, 0xDB: 4}
_BYTES: Final = {0xC4: 1, 0xC5: 2, 0xC6: 4}
_ARRAY: Final = {0xDC: 2, 0xDD: 4}


class Malformed(ValueError):
    """The bytes are not the canonical encoding of one plain value."""


def pack(value: Plain | list[Plain]) -> bytes:
    """The encoding of a plain value. Raises TypeError for any other value."""
    match value:
        case None:
            return b"\xc0"
        case False:
            return b"\xc2"
        case True:
            return b"\xc3"
        case int():
            return _integer(value)
        case str():
            data = value.encode()
            short = bytes([0xA0 | len(data)]) if len(data) < 32 else _length(len(data), (0xD9, 0xDA, 0xDB))
            return short + data
        case bytes():
            return _length(len(value), (0xC4, 0xC5, 0xC6)) + value
        case tuple() | list():
            count = len(value)
            start = bytes([0x90 | count]) if count < 16 else _length(count, (None, 0xDC, 0xDD))
            return start + b"".join(map(pack, value))
    raise TypeError(f"{value!r} is not a plain value")


def unpack(data: bytes) -> Plain:
    """The value that these bytes encode. Raises Malformed."""
    reader = _Reader(data)
    value = reader.value(0)
    if reader.at != len(data):
        raise Malformed(f"{len(data) - reader.at} bytes follow the value")
    return value


def frame(*entries: Plain) -> bytes:
    """A frame as it is sent: its length, and an array."""
    body = pack(entries)
    return len(body).to_bytes(4, "big") + body


def _integer(value: int) -> bytes:
    if 0 <= value < 0x80:
        return bytes([value])
    if -32 <= value < 0:
        return bytes([value & 0xFF])
    signed = value < 0
    for power, size in enumerate((1, 2, 4, 8)):
        try:
            return bytes([(0xD0 if signed else 0xCC) + power]) + value.to_bytes(size, "big", signed=signed)
        except OverflowError:
            continue
    raise TypeError(f"{value} is too large for an integer")


def _length(length: int, heads: tuple[int | None, int, int]) -> bytes:
    for head, size in zip(heads, (1, 2, 4), strict=True):
        if head is not None and length < 1 << (8 * size):
            return bytes([head]) + length.to_bytes(size, "big")
    raise TypeError("too long to be encoded")


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.count = 0

    def take(self, size: int) -> bytes:
        taken = self.data[self.at : self.at + size]
        if len(taken) < size:
            raise Malformed("the bytes end in the middle of a value")
        self.at += size
        return taken

    def value(self, depth: int) -> Plain:
        self.count += 1
        if self.count > VALUES:
            raise Malformed(f"more than {VALUES} values")
        start = self.at
        value = self._read(depth)
        # A value that pack would encode differently is not canonical.
        if not isinstance(value, tuple) and pack(value) != self.data[start : self.at]:
            raise Malformed("a value is not encoded in the shortest way")
        return value

    def _read(self, depth: int) -> Plain:
        head = self.take(1)[0]
        if head < 0x80:
            return head
        if head >= 0xE0:
            return head - 256
        if head in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[head]
        if head in _SIZES:
            return int.from_bytes(self.take(_SIZES[head]), "big", signed=head >= 0xD0)
        if 0xA0 <= head < 0xC0 or head in _TEXT:
            return self._text(head & 0x1F if head < 0xC0 else self._size(_TEXT[head]))
        if head in _BYTES:
            return self.take(self._size(_BYTES[head]))
        if 0x90 <= head < 0xA0 or head in _ARRAY:
            return self._array(head, depth + 1)
        raise Malformed(f"the byte {head:02x} does not begin a plain value")

    def _size(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")

    def _text(self, size: int) -> str:
        try:
            return self.take(size).decode()
        except UnicodeDecodeError as error:
            raise Malformed("text is not UTF-8") from error

    def _array(self, head: int, depth: int) -> tuple[Plain, ...]:
        size = head & 0x0F if head < 0xA0 else self._size(_ARRAY[head])
        if (head == 0xDC and size < 16) or (head == 0xDD and size < 1 << 16):
            raise Malformed("an array's length is not encoded in the shortest way")
        if depth > DEPTH:
            raise Malformed(f"arrays nest more than {DEPTH} deep")
        return tuple(self.value(depth) for _ in range(size))
