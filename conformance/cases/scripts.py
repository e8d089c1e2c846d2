"""Scripts that cases share."""

from __future__ import annotations

from typing import Final

from kimberley.games.table import Plain

Asks = tuple[Plain, ...]

DECK: Final[Plain] = (("heart", 1), ("spade", 2), ("club", 3), ("heart", 4))
"""Four items of two parts."""
TALLIES: Final[Plain] = ("a", "b")
BITS: Final = 4


def all_of(seats: int) -> tuple[Plain, ...]:
    return tuple(range(seats))


def amounts(seats: int, limit: int = 10, bits: int = BITS) -> Plain:
    """Returns the ask that has everybody seal amounts into `a` and `b`."""
    return "amounts", all_of(seats), TALLIES, bits, limit


def tells(seats: int) -> Plain:
    """Returns the ask that has everybody tell everybody else."""
    pairs = tuple((owner, to, "a", "b") for owner in range(seats) for to in range(seats) if owner != to)
    return "disclose", pairs, BITS


def whole(seats: int) -> Asks:
    """Returns a script with every ask."""
    them = all_of(seats)
    return (
        ("roll", (6, 2, 20)),
        ("decide", 0, 9),
        ("decide", seats - 1, 9),
        ("together", them, 9),
        ("seal", them, 5),
        amounts(seats),
        tells(seats),
        ("again", them, 5),
        tells(seats),
        amounts(seats, limit=30, bits=6) if seats == 2 else amounts(seats, limit=12),
        tells(seats),
        ("within", them, BITS, 14),
        ("open", tuple((seat, "spent") for seat in them), BITS),
        ("shuffle", "deck", DECK),
        ("show", (2, 0), ((0, None), (1, 1), (1, 0))),
        ("shuffle", "deck", (0, 1, ("new", 7))),
        ("show", (4, 5), ((1, 1),)),
        ("show", (6,), ((0, None), (1, None))),
        ("roll", (3,)),
    )
