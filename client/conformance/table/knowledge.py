"""What the suite knows of a table: what is public, and what each seat knows whose secrets it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from client.conformance.bags import Item
from client.conformance.group import IDENTITY, L, Point, base, pedersen, sub, total
from client.conformance.hashing import Context, Secrets
from client.conformance.plain import Plain
from client.conformance.proofs import check_range, prove_range
from games.table import State, Tally, Within

PURPOSES = ("coin", "bag", "mailbox")

Pair = tuple[Tally, Tally]
"""The tallies that a disclosure compares: (more, than)."""


class Foul(Exception):
    """A body that public facts forbid."""


@dataclass(frozen=True)
class Keys:
    """Public keys of one seat."""

    coin: Point
    bag: Point
    mailbox: Point


@dataclass
class Seat:
    """A seat whose secrets the suite has: its own, or the target's once it has shown them."""

    secrets: Secrets
    state: State
    choices: list[Plain] = field(default_factory=list)
    openings: dict[Tally, tuple[int, int]] = field(default_factory=dict)
    given: dict[Pair, bytes] = field(default_factory=dict)
    taken: dict[Pair, bytes] = field(default_factory=dict)

    @property
    def number(self) -> int:
        return self.secrets.seat

    def opening(self, tally: Tally) -> tuple[int, int]:
        """(total, blinding)."""
        return self.openings.get(tally, (0, 0))

    def add(self, tally: Tally, amount: int, blinding: int) -> None:
        """Something was sealed into a tally."""
        before = self.opening(tally)
        self.openings[tally] = before[0] + amount, (before[1] + blinding) % L


@dataclass
class Desk:
    """What is public at a table. `left` are the coin and bag secrets of seats that left."""

    game: bytes
    seats: int
    keys: dict[int, Keys] = field(default_factory=dict)
    left: dict[int, tuple[int, int]] = field(default_factory=dict)
    tallies: dict[Tally, Point] = field(default_factory=dict)
    sealed: dict[Tally, int] = field(default_factory=dict)
    padded: dict[Pair, tuple[int, int]] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    values: dict[tuple[int, Point], Plain] = field(default_factory=dict)

    @property
    def present(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.seats) if seat not in self.left)

    @property
    def joint(self) -> Point:
        """X, of all seats of the table."""
        return total(self.keys[seat].bag for seat in range(self.seats))

    def context(self, step: int, stage: int, seat: int) -> Context:
        return self.game, step, stage, seat

    def commitment(self, tally: Tally) -> Point:
        return self.tallies.get(tally, IDENTITY)

    def counts(self, pair: Pair) -> tuple[int, int]:
        """How often a Seal offered each of the two."""
        return self.sealed.get(pair[0], 0), self.sealed.get(pair[1], 0)


def prove_within(seat: Seat, context: Context, within: Within, taken: tuple[int, int], cost: int) -> bytes:
    """That a limit is kept; `taken` is the (value, blinding) that is sealed with it."""
    spent, blinding = seat.opening(within.tally)
    left = within.limit - cost - spent - taken[0]
    return prove_range(seat.secrets, "within", context, 0, within.tally.bits, left, -blinding - taken[1])


def check_within(desk: Desk, context: Context, within: Within, taken: Point, cost: int, proof: object) -> None:
    """Raises Foul."""
    rest = sub(sub(pedersen(within.limit - cost, 0), desk.commitment(within.tally)), taken)
    if not isinstance(proof, bytes) or not check_range("within", context, within.tally.bits, rest, proof):
        raise Foul("it does not prove that it stays within its limit")


def public_keys(secrets: Secrets) -> Keys:
    """The keys of a seat, from its seed."""
    return Keys(*(base(secrets.key(purpose)) for purpose in PURPOSES))


Bodies = Mapping[int, Plain]
