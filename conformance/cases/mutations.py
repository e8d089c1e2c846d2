"""Cases in which a seat of the suite signs a body that public facts forbid, and is guilty at that stage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.scripts import Asks
from kimberley.conformance.errors import typed
from kimberley.conformance.forging import Bend, put
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.games.table import Plain
from kimberley.protocol.crypto.ristretto import RISTRETTO

GUILTY: Final = "the target finds the seat guilty at this stage and signs nothing more, and its record proves the guilt"
AS_GUILT: Final = ("M-STG-3", "M-STG-4", "M-ERR-2")

MutateBody = Callable[[TargetTable, int, Plain], Plain]
"""What a cheat signs instead of the body due, given the table, the cheat's seat and that body."""

NOT_CANONICAL: Final = bytes([0xED, *[0xFF] * 30, 0x7F])
"""2^255 - 19: not the encoding of a field element."""


def entries(plain: Plain) -> tuple[Plain, ...]:
    return typed(plain, tuple)


def octets(plain: Plain) -> bytes:
    return typed(plain, bytes)


def at(plain: Plain, *path: int) -> Plain:
    for place in path:
        plain = entries(plain)[place]
    return plain


def flipped(plain: Plain, byte: int, *path: int) -> Plain:
    """The array, with one bit flipped in the bytes at a path."""
    data = bytearray(octets(at(plain, *path)))
    data[byte] ^= 1
    return put(plain, bytes(data), *path)


def high_bit(data: bytes) -> bytes:
    """A second encoding of a point, which careless decoders accept."""
    return data[:31] + bytes([data[31] | 0x80])


def unreduced(scalar: bytes) -> bytes:
    """Returns a second encoding of a scalar, which is not below L."""
    return (int.from_bytes(scalar, "little") + RISTRETTO.order).to_bytes(32, "little")


def forged(bend: Bend) -> MutateBody:
    """Signs what a bend makes of the body."""
    return lambda table, seat, body: bend(table.play.seats[seat], body)


def forbidden_body(
    id: str,
    title: str,
    covers: Sequence[str],
    asks: Asks,
    slot: tuple[int, int],
    mutate: MutateBody,
    *,
    seat: int = 1,
    seats: int = 2,
    chosen: Plain = None,
) -> None:
    """A case in which a seat of the suite signs what `mutate` makes of the body due at a stage."""

    @case(id, title, covers=(*covers, *AS_GUILT), expect=GUILTY)
    async def _(harness: Harness) -> None:
        async with open_table(harness, asks, seats=seats) as table:
            if chosen is not None:
                table.choices[slot[0], seat] = chosen
            await table.until(*slot)
            await table.expect_caught(seat, mutate(table, seat, table.body(seat)))


def large_scalar(*path: int) -> MutateBody:
    """Replaces the last scalar of a proof by one that is not reduced."""

    def mutate(table: TargetTable, seat: int, body: Plain) -> Plain:
        proof = octets(at(body, *path))
        return put(body, proof[:-32] + unreduced(proof[-32:]), *path)

    return mutate
