"""Canonical msgpack: one spelling for every plain value (SPEC.md, "Encoding").

A plain value is None, a bool, an integer in -2**63..2**64-1, text, bytes, or an array of plain values. There are no
maps, floats or extension types. Integers, text, bytes and arrays take their shortest msgpack form, text is valid
UTF-8, arrays nest at most `MAX_DEPTH` deep and a message holds at most `MAX_ITEMS` values in all, arrays included.
So equal values have equal bytes, and hashes and signatures can be taken over the packing.

https://github.com/msgpack/msgpack/blob/master/spec.md
"""

from typing import Final, cast

import msgpack

from games.table import Plain

MAX_DEPTH: Final = 16
MAX_ITEMS: Final = 1 << 17
LEAST_INT: Final = -(2**63)
GREATEST_INT: Final = 2**64 - 1


class Malformed(ValueError):
    """A value that has no canonical packing, or bytes that are not one; the message says why."""


def pack(value: object) -> bytes:
    """The canonical bytes of a plain value; a list is packed as the tuple with the same entries.

    Raises Malformed if the value holds anything else than plain values, or exceeds a bound.
    """
    _check(value, MAX_DEPTH, MAX_ITEMS)
    try:
        return cast(bytes, msgpack.packb(value, use_bin_type=True))
    except UnicodeEncodeError as error:
        raise Malformed("text holds a lone surrogate, which UTF-8 cannot carry") from error


def unpack(data: bytes) -> Plain:
    """The plain value that packs to exactly `data`, arrays as tuples.

    Raises Malformed, and nothing else, on any other bytes. Time and memory stay proportional to `len(data)`.
    """
    try:
        # The first pass builds nothing. It refuses an array that claims more entries than there are bytes for,
        # before the second allocates room for the claim.
        scanner = msgpack.Unpacker(max_buffer_size=len(data) + 1)
        scanner.feed(data)
        scanner.skip()
        value = msgpack.unpackb(data, use_list=False, raw=False, max_map_len=0, max_ext_len=0)
    except (ValueError, RecursionError, msgpack.UnpackException) as error:
        raise Malformed(f"not one complete msgpack value: {error or type(error).__name__}") from error
    if pack(value) != data:
        raise Malformed("not the shortest spelling of its value")
    return cast(Plain, value)


def _check(value: object, depth: int, room: int) -> int:
    """How many of the `room` values are left after `value`; Malformed if it is not plain."""
    if not room:
        raise Malformed(f"more than {MAX_ITEMS} values in one message")
    kind = type(value)
    if kind is tuple or kind is list:
        if not depth:
            raise Malformed(f"arrays nest more than {MAX_DEPTH} deep")
        room -= 1
        for entry in cast("tuple[object, ...]", value):
            room = _check(entry, depth - 1, room)
        return room
    if kind is int:
        if not LEAST_INT <= cast(int, value) <= GREATEST_INT:
            raise Malformed("an integer is outside -2**63..2**64-1")
    elif kind is not bytes and kind is not str and kind is not bool and value is not None:
        raise Malformed(f"{kind.__name__} is not a plain value: use None, bool, int, str, bytes or a tuple of them")
    return room - 1
