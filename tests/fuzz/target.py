"""What a target of the fuzzers is, and how its inputs are changed.

A target takes any bytes, as if somebody else had sent or kept them. It fails by raising anything at all: an error that
the decoder does not announce, or an AssertionError where something was accepted that must not be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Final, TypeAlias

from kimberley.games.table import Plain
from kimberley.protocol.encoding import Malformed, pack, unpack

Edit: TypeAlias = tuple[str, float, bytes]
"""What is done, one of EDITS, where (0 to 1 of the length), and with which bytes."""

EDITS: Final = ("flip", "cut", "insert", "repeat", "number", "value")
NUMBERS: Final = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
STRANGE: Final[tuple[Plain, ...]] = (
    *(None, True, False, 0, -1, 1, 255, 2**31, 2**63, 2**64 - 1, -(2**63)),
    *("", "x", "\x1b[2J", b"", bytes(32), bytes(64), (), ((),), (b"", b""), (0,) * 7, ((((((((),),),),),),),)),
)
"""Values to stand where others are expected."""


@dataclass(frozen=True)
class Target:
    """`check` is given the bytes; `make` gives inputs that the decoder accepts, to begin with."""

    name: str
    check: Callable[[bytes], None]
    make: Callable[[], Sequence[bytes]]

    @cached_property
    def seeds(self) -> tuple[bytes, ...]:
        return tuple(self.make())


def edited(data: bytes, edits: Sequence[Edit]) -> bytes:
    """Returns the data after a few changes: bits that flip, parts that are cut, inserted, repeated, lengths that lie,
    and other values in a packed one.
    """
    for what, where, more in edits:
        place = int(where * len(data))
        size = len(more)
        match what:
            case "flip":
                flipped = bytes(old ^ new for old, new in zip(data[place:], more, strict=False))
                data = data[:place] + flipped + data[place + len(flipped) :]
            case "cut":
                data = data[:place] + data[place + size * size :]
            case "insert":
                data = data[:place] + more + data[place:]
            case "repeat":
                data = data[:place] + data[place : place + size * size] * 2 + data[place:]
            case "number":
                number = NUMBERS[size % len(NUMBERS)]
                data = data[:place] + number.to_bytes(4, "big") + data[place + 4 :]
            case "value":
                data = revalued(data, Random(f"{where} {more.hex()}"))
    return data


def revalued(data: bytes, rng: Random) -> bytes:
    """Returns data that packs another value, if it packed one; other data stays as it is."""
    try:
        return pack(mangled(unpack(data), rng))
    except Malformed:
        return data


def mangled(plain: Plain, rng: Random) -> Plain:
    """Returns a value with one thing in it changed, also within bytes that pack an array."""
    if isinstance(plain, tuple) and plain and rng.random() < 0.9:
        place = rng.randrange(len(plain))
        within = () if rng.random() < 0.1 else (mangled(plain[place], rng),) * (1 + (rng.random() < 0.1))
        return (*plain[:place], *within, *plain[place + 1 :])
    if isinstance(plain, bytes) and plain and rng.random() < 0.8:
        if plain[0] & 0xF0 == 0x90 and rng.random() < 0.8:
            return revalued(plain, rng)
        place = rng.randrange(len(plain))
        return plain[:place] + bytes([plain[place] ^ 1 << rng.randrange(8)]) + plain[place + 1 :]
    if isinstance(plain, int) and rng.random() < 0.8:
        return plain + rng.choice((-1, 1, 2, 2**32))
    return rng.choice(STRANGE)


def same(one: Plain, other: Plain) -> bool:
    """Returns whether two plain values are one and the same, where 1 and True are not."""
    return repr(one) == repr(other)
