"""Cases in which a seat of the suite signs a body that public facts forbid: whoever does is guilty at its stage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import case, typed
from client.conformance.cases.scripts import Script
from client.conformance.group import L
from client.conformance.plain import Plain
from client.conformance.table import Table

GUILTY: Final = "the seat is found guilty at this stage, the target signs nothing more, and its record proves it"
AS_GUILT: Final = ("M-STG-3", "M-STG-4", "M-ERR-2")

Foul = Callable[[Table, int, Plain], Plain]
"""What a cheat makes of the body due; the seat is the cheat's."""

NOT_CANONICAL: Final = bytes([0xED, *[0xFF] * 30, 0x7F])
"""2^255 - 19: no field element is spelled so."""


def entries(plain: Plain) -> tuple[Plain, ...]:
    return typed(plain, tuple)


def octets(plain: Plain) -> bytes:
    return typed(plain, bytes)


def put(plain: Plain, value: Plain, *path: int) -> Plain:
    """The array with the entry at a path replaced."""
    if not path:
        return value
    rows = list(entries(plain))
    rows[path[0]] = put(rows[path[0]], value, *path[1:])
    return tuple(rows)


def at(plain: Plain, *path: int) -> Plain:
    for place in path:
        plain = entries(plain)[place]
    return plain


def flipped(plain: Plain, byte: int, *path: int) -> Plain:
    """One bit of the bytes at a path is another one."""
    data = bytearray(octets(at(plain, *path)))
    data[byte] ^= 1
    return put(plain, bytes(data), *path)


def high_bit(data: bytes) -> bytes:
    """A second spelling of a point, that careless decoders take."""
    return data[:31] + bytes([data[31] | 0x80])


def foul(
    id: str,
    title: str,
    covers: Sequence[str],
    asks: Script,
    slot: tuple[int, int],
    bend: Foul,
    *,
    seat: int = 1,
    seats: int = 2,
    chosen: Plain = None,
) -> None:
    """A case in which a seat of the suite signs what `bend` makes of the body due at a stage."""

    @case(id, title, covers=(*covers, *AS_GUILT), expect=GUILTY)
    async def _(bench: Bench) -> None:
        async with bench.table(asks, seats=seats) as table:
            if chosen is not None:
                table.choices[slot[0], seat] = chosen
            await table.until(*slot)
            await table.catches(seat, bend(table, seat, table.body(seat)))


def large_scalar(*path: int) -> Foul:
    """The last scalar of a proof is not reduced."""

    def bend(table: Table, seat: int, body: Plain) -> Plain:
        proof = octets(at(body, *path))
        return put(body, proof[:-32] + (int.from_bytes(proof[-32:], "little") + L).to_bytes(32, "little"), *path)

    return bend
