"""What the machines of all asks share.

A machine answers one ask. It runs through numbered stages; in each stage some seats owe one body each, and when all are
there the stage is complete. What a body says depends on the seed, the choices and the complete stages before it, never
on the order of arrival.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from games.table import Answer, Plain, Tally, Within
from protocol.crypto import elgamal, ranges
from protocol.crypto.coin import CoinKey
from protocol.crypto.commitments import pedersen
from protocol.crypto.elgamal import BAG, MAILBOX, SeatKey
from protocol.crypto.group import BadPoint, Group
from protocol.crypto.hashing import Context

Pair = tuple[Tally, Tally]
"""The tallies that a disclosure compares: (more, than)."""


class Foul(Exception):
    """A body that no honest seat signs, judged by public facts alone; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Publics:
    """The public keys of one seat."""

    coin: bytes
    bag: bytes
    mailbox: bytes


@dataclass(frozen=True, slots=True)
class Left:
    """The secret keys that a seat published when it left."""

    coin: int
    bag: int


@dataclass
class Desk:
    """What a seat, or an onlooker (`seat` None, `seed` empty), knows of its table besides the states of the game.

    `publics` are the keys of all seats, `left` the secrets of those that left. `tallies` holds the commitment to each
    tally, a point; `openings` this seat's own (total, blinding). `sealed` counts the seals that offered a slot on a
    tally. `padded` remembers at which counts the pads of a pair were last made, `given` the keys this seat put into its
    pads, `taken` the keys it took out of another's. `items` are the masked items by handle, `values` what their points
    stand for, by part.
    """

    group: Group
    game: bytes
    seats: int
    seat: int | None
    seed: bytes
    publics: tuple[Publics, ...] = ()
    left: dict[int, Left] = field(default_factory=dict)
    tallies: dict[Tally, bytes] = field(default_factory=dict)
    openings: dict[Tally, tuple[int, int]] = field(default_factory=dict)
    sealed: dict[Tally, int] = field(default_factory=dict)
    padded: dict[Pair, tuple[int, int]] = field(default_factory=dict)
    given: dict[Pair, bytes] = field(default_factory=dict)
    taken: dict[Pair, bytes] = field(default_factory=dict)
    items: list[elgamal.Item] = field(default_factory=list)
    values: dict[int, dict[bytes, Plain]] = field(default_factory=dict)

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return tuple(seat for seat in range(self.seats) if seat not in self.left)

    @cached_property
    def coin_key(self) -> CoinKey:
        """This seat's own coin key, as it announces it in step 0."""
        return CoinKey.derive(self.group, self.seed, self._announced)

    @cached_property
    def bag_key(self) -> SeatKey:
        """This seat's own bag key."""
        return SeatKey.derive(self.group, self.seed, self._announced, BAG)

    @cached_property
    def mailbox_key(self) -> SeatKey:
        """This seat's own mailbox key."""
        return SeatKey.derive(self.group, self.seed, self._announced, MAILBOX)

    @property
    def _announced(self) -> Context:
        """Where this seat announces its keys."""
        assert self.seat is not None
        return self.context(0, 0, self.seat)

    def commitment(self, tally: Tally) -> bytes:
        return self.tallies.get(tally, self.group.identity)

    def opening(self, tally: Tally) -> tuple[int, int]:
        return self.openings.get(tally, (0, 0))

    def context(self, step: int, stage: int, seat: int) -> Context:
        return Context(self.game, step, stage, seat)


class Machine(ABC):
    """One ask on its way to its answer. The desk is changed only by `complete`."""

    stages: int = 1

    def __init__(self, desk: Desk, step: int) -> None:
        self.desk = desk
        self.step = step

    @abstractmethod
    def owing(self, stage: int) -> tuple[int, ...]:
        """The seats that owe a body in this stage, by public facts, as if none had left."""

    @abstractmethod
    def owed(self, stage: int) -> str:
        """What a seat owes in this stage, for a person: "the opening of its choice"."""

    @abstractmethod
    def body(self, stage: int, choice: Plain) -> Plain:
        """This seat's body. `choice` is what its player chose, where the ask asks it."""

    @abstractmethod
    def check(self, stage: int, seat: int, body: Plain) -> None:
        """Raises Foul if public facts forbid the body. Whatever the data, raises nothing else."""

    @abstractmethod
    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        """All bodies of the stage are there, and checked; of seats that owe one and have left there is none."""

    @abstractmethod
    def answers(self) -> tuple[Answer, Answer]:
        """After the last stage: the answer as an onlooker sees it, and as this seat does."""

    @property
    def answered(self) -> bool:
        """Whether there is an answer after the last stage; not if whoever was to decide has left."""
        return True

    def explain(self, stage: int, given: Plain, due: Plain, choice: Plain) -> str:
        """Why `given` is a deviation: this seat's seed and choices give `due`. Run at the audit, at the desk of the
        seat concerned.
        """
        del given, due, choice
        return f"{self.owed(stage)} is not what its seed and its choices give"

    def context(self, stage: int, seat: int) -> Context:
        return self.desk.context(self.step, stage, seat)


def remainder(desk: Desk, within: Within, taken: bytes, cost: int) -> bytes:
    """The commitment to what is left of a limit: limit - tally - `taken` (a commitment) - `cost` (in the open)."""
    g = desk.group
    whole = pedersen(g, within.limit - cost, 0)
    return g.sub(g.sub(whole, desk.commitment(within.tally)), taken)


def prove_within(desk: Desk, context: Context, within: Within, taken: tuple[int, int], cost: int) -> bytes:
    """The proof that what is left is not negative. `taken` is the (value, blinding) sealed with it."""
    total, blinding = desk.opening(within.tally)
    left = within.limit - cost - total - taken[0]
    hiding = -(blinding + taken[1]) % desk.group.order
    return ranges.prove(desk.group, desk.seed, context, "within", within.tally.bits, left, hiding, 0)


def check_within(desk: Desk, context: Context, within: Within, taken: bytes, cost: int, proof: object) -> None:
    """Raises Foul unless the proof shows that the limit is kept."""
    left = remainder(desk, within, taken, cost)
    if not isinstance(proof, bytes) or not ranges.verify(desk.group, context, "within", within.tally.bits, left, proof):
        raise Foul(f"it does not prove that it stays within its limit of {within.limit}")


def point(desk: Desk, data: object) -> bytes:
    """A point from the wire, not the identity. Raises Foul."""
    if not isinstance(data, bytes):
        raise Foul("a point is missing")
    try:
        return desk.group.decode_point(data)
    except BadPoint as error:
        raise Foul(str(error)) from None
