"""What the suite knows about a table: public facts, and what seats know whose secrets it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kimberley.client.conformance.crypto.bags import MaskedItem
from kimberley.client.conformance.crypto.group import IDENTITY, L, Point, base, pedersen, sub, total
from kimberley.client.conformance.crypto.hashing import Context, Secrets
from kimberley.client.conformance.crypto.proofs import check_range, prove_range
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.games.table import State, Tally, Within

PURPOSES = ("coin", "bag", "mailbox")

TallyPair = tuple[Tally, Tally]
"""The tallies (more, than) that a disclosure compares."""


class ProtocolViolation(Exception):
    """Public facts forbid a body. The text is the reason."""


@dataclass(frozen=True)
class SeatKeys:
    """The public keys of one seat."""

    coin: Point
    bag: Point
    mailbox: Point


@dataclass
class KnownSeat:
    """A seat whose secrets the suite has: one of its own, or the target's if they are known or were shown."""

    secrets: Secrets
    state: State
    choices: list[Plain] = field(default_factory=list)
    openings: dict[Tally, tuple[int, int]] = field(default_factory=dict)
    given: dict[TallyPair, bytes] = field(default_factory=dict)
    taken: dict[TallyPair, bytes] = field(default_factory=dict)

    @property
    def number(self) -> int:
        return self.secrets.seat

    def opening(self, tally: Tally) -> tuple[int, int]:
        """The (total, blinding) of a tally."""
        return self.openings.get(tally, (0, 0))

    def add(self, tally: Tally, amount: int, blinding: int) -> None:
        """Adds what was sealed into a tally."""
        before = self.opening(tally)
        self.openings[tally] = before[0] + amount, (before[1] + blinding) % L


@dataclass
class PublicFacts:
    """What is public at a table. `left` holds the coin and bag secrets of the seats that left."""

    game: bytes
    seats: int
    keys: dict[int, SeatKeys] = field(default_factory=dict)
    left: dict[int, tuple[int, int]] = field(default_factory=dict)
    tallies: dict[Tally, Point] = field(default_factory=dict)
    sealed: dict[Tally, int] = field(default_factory=dict)
    padded: dict[TallyPair, tuple[int, int]] = field(default_factory=dict)
    items: list[MaskedItem] = field(default_factory=list)
    values: dict[tuple[int, Point], Plain] = field(default_factory=dict)

    @property
    def present(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.seats) if seat not in self.left)

    @property
    def joint(self) -> Point:
        """The joint bag key X of all seats of the table."""
        return total(self.keys[seat].bag for seat in range(self.seats))

    def context(self, step: int, stage: int, seat: int) -> Context:
        return self.game, step, stage, seat

    def commitment(self, tally: Tally) -> Point:
        return self.tallies.get(tally, IDENTITY)

    def counts(self, pair: TallyPair) -> tuple[int, int]:
        """How many times each of the two tallies was sealed into."""
        return self.sealed.get(pair[0], 0), self.sealed.get(pair[1], 0)


def prove_within(seat: KnownSeat, context: Context, within: Within, taken: tuple[int, int], cost: int) -> bytes:
    """A proof that a limit is kept. `taken` is the (value, blinding) that the same body seals."""
    spent, blinding = seat.opening(within.tally)
    left = within.limit - cost - spent - taken[0]
    return prove_range(seat.secrets, "within", context, 0, within.tally.bits, left, -blinding - taken[1])


def check_within(facts: PublicFacts, context: Context, within: Within, taken: Point, cost: int, proof: object) -> None:
    """Checks a proof that a limit is kept. Raises ProtocolViolation."""
    rest = sub(sub(pedersen(within.limit - cost, 0), facts.commitment(within.tally)), taken)
    if not isinstance(proof, bytes) or not check_range("within", context, within.tally.bits, rest, proof):
        raise ProtocolViolation("it does not prove that it stays within its limit")


def public_keys(secrets: Secrets) -> SeatKeys:
    """The public keys of a seat, derived from its seed."""
    return SeatKeys(*(base(secrets.key(purpose)) for purpose in PURPOSES))


Bodies = Mapping[int, Plain]
