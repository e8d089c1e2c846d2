"""Canonical msgpack: one encoding for every plain value (SPEC.md, "Canonical encoding").

A plain value is None, a bool, an integer in -2**63..2**64-1, text, bytes, or an array of plain values. There are no
maps, floats or extension types. Integers, text, bytes and arrays have their shortest msgpack form, text is valid UTF-8,
arrays nest at most `MAX_DEPTH` deep and a message holds at most `MAX_ITEMS` values in all, arrays included. So equal
values have equal bytes, and the packing can be hashed and signed.

https://github.com/msgpack/msgpack/blob/master/spec.md
"""

from dataclasses import dataclass
from typing import Any, Final, cast

import msgpack

from kimberley.games.table import Plain

MAX_DEPTH: Final = 16  # SPEC: depth of arrays
MAX_ITEMS: Final = 1 << 17  # SPEC: values in one message
LEAST_INT: Final = -(2**63)
GREATEST_INT: Final = 2**64 - 1

TOO_MANY: Final = f"more than {MAX_ITEMS} values in one message, or more than its file may hold"

_LENGTHS: Final = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4, 0xDC: 2, 0xDD: 4}
"""The size in bytes of the length of bytes, text and arrays, by their first byte. Short values have their length in the
first byte itself.
"""
_ARRAYS: Final = (*range(0x90, 0xA0), 0xDC, 0xDD)


def _size(head: int) -> int:
    """Returns the size in bytes of a value with this first byte; 0 if the size depends on later bytes, or entries
    follow.
    """
    if head in _LENGTHS or head in _ARRAYS:
        return 0
    if 0xCC <= head <= 0xD3:
        return 1 + (1 << (head & 3))
    return 1 + (head & 0x1F) if 0xA0 <= head <= 0xBF else 1


_SIZES: Final = tuple(map(_size, range(256)))


class Malformed(ValueError):
    """A value without a canonical packing, or bytes that are not a canonical packing; the message says why."""


@dataclass
class Budget:
    """The number of `values` that may still be built from messages that belong together, such as a record's envelopes.

    A value of one byte can use 64 bytes of memory.
    """

    values: int


def pack(value: object) -> bytes:
    """Returns the canonical bytes of a plain value; a list is packed as the tuple with the same entries.

    Raises Malformed if the value contains anything but plain values, or exceeds a bound.
    """
    _check(value, MAX_DEPTH, MAX_ITEMS)
    return _pack(value)


def unpack(data: bytes | memoryview, budget: Budget | None = None) -> Plain:
    """Returns the plain value that packs to exactly `data`, arrays as tuples. Its values are taken from the `budget`.

    Raises Malformed, and nothing else, on any other bytes. Time and memory stay proportional to `len(data)`. No value
    is built if there are more than `MAX_ITEMS`, or more than the budget has.
    """
    most = MAX_ITEMS if budget is None else min(MAX_ITEMS, budget.values)
    try:
        # A first pass builds nothing. It refuses an array that claims more entries than there are bytes for, before the
        # second pass allocates room for the claim. No value is shorter than a byte, so short data need not be counted.
        if len(data) > most:
            _count(data, most)
        else:
            scanner = msgpack.Unpacker(max_buffer_size=len(data) + 1)
            scanner.feed(data)
            scanner.skip()
        value = msgpack.unpackb(data, use_list=False, raw=False, max_map_len=0, max_ext_len=0)
    except Malformed:
        raise
    except (ValueError, RecursionError, msgpack.UnpackException) as error:
        # What the library says of them means nothing to players.
        raise Malformed("not one complete msgpack value") from error
    left = _check(value, MAX_DEPTH, most)
    if _pack(value) != data:
        raise Malformed("not the shortest spelling of its value")
    if budget is not None:
        budget.values -= most - left
    return cast(Plain, value)


def _pack(value: object) -> bytes:
    try:
        return cast(bytes, msgpack.packb(value, use_bin_type=True))
    except UnicodeEncodeError as error:
        raise Malformed("text holds a lone surrogate, which UTF-8 cannot carry") from error


def _count(data: bytes | memoryview, most: int) -> None:
    """Raises Malformed if the arrays in `data` announce more than `most` values in all."""
    at, due, values, end = 0, 1, 1, len(data)
    while due and at < end:
        due -= 1
        if size := _SIZES[data[at]]:
            at += size
            continue
        head = data[at]
        start = at + 1
        at = start + _LENGTHS.get(head, 0)
        length = int.from_bytes(data[start:at]) if head in _LENGTHS else head & 0x0F
        if head in _ARRAYS:
            due += length
            values += length
            if values > most:
                raise Malformed(TOO_MANY)
        else:
            at += length


def _check(value: Any, depth: int, room: int) -> int:
    """Returns the rest of the `room` values after `value`; Malformed if it is not plain."""
    if not room:
        raise Malformed(TOO_MANY)
    kind = type(value)
    if kind is tuple or kind is list:
        if not depth:
            raise Malformed(f"arrays nest more than {MAX_DEPTH} deep")
        room -= 1
        for entry in value:
            # Most entries are bytes: without a call for each, this takes half as long.
            room = room - 1 if type(entry) is bytes and room else _check(entry, depth - 1, room)
        return room
    if kind is int:
        if not LEAST_INT <= value <= GREATEST_INT:
            raise Malformed("an integer is outside -2**63..2**64-1")
    elif kind is not bytes and kind is not str and kind is not bool and value is not None:
        raise Malformed(f"{kind.__name__} is not a plain value: use None, bool, int, str, bytes or a tuple of them")
    return room - 1
