"""The common parts of the machines of all asks (SPEC.md, "Asks").

A machine answers one ask. It runs through numbered stages. In each stage some seats owe one body each; when all bodies
are there, the stage is complete. A body depends on the seed, the choices and the complete stages before it, never on
the order of arrival.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Generic, TypeVar

from kimberley.games.table import HIDDEN, Answer, Ask, Plain, Tally, Within
from kimberley.protocol.crypto import elgamal, ranges
from kimberley.protocol.crypto.coin import CoinKey
from kimberley.protocol.crypto.commitments import pedersen
from kimberley.protocol.crypto.elgamal import BAG, MAILBOX, SeatKey
from kimberley.protocol.crypto.group import BadPoint, Group
from kimberley.protocol.crypto.hashing import Context

TallyPair = tuple[Tally, Tally]
"""The two tallies that a disclosure compares: (more, than)."""


class ProtocolViolation(Exception):
    """Public facts show that no honest seat signs this body; the message says why."""


@dataclass(frozen=True, slots=True)
class PublicKeys:
    """The public keys of one seat."""

    coin: bytes
    bag: bytes
    mailbox: bytes


@dataclass(frozen=True, slots=True)
class PublishedKeys:
    """The secret keys that a seat published when it left."""

    coin: int
    bag: int


@dataclass
class CryptoContext:
    """The keys, commitments and items of one table, as a seat or a spectator (`seat` None, `seed` empty) knows them.

    `public_keys` are the public keys of all seats, `departed` the published secrets of those that left. `tallies` holds
    the commitment to each tally, a point; `openings` this seat's own (total, blinding). `sealed` counts the seals that
    offered a slot on a tally. `padded` holds the counts at which the pads of a pair were last made, `given` the keys
    that this seat put into its pads, `taken` the keys that it took from another seat's pads. `items` are the masked
    items by handle, `values` the values of their points, by part.
    """

    group: Group
    game: bytes
    seats: int
    seat: int | None
    seed: bytes
    public_keys: tuple[PublicKeys, ...] = ()
    departed: dict[int, PublishedKeys] = field(default_factory=dict)
    tallies: dict[Tally, bytes] = field(default_factory=dict)
    openings: dict[Tally, tuple[int, int]] = field(default_factory=dict)
    sealed: dict[Tally, int] = field(default_factory=dict)
    padded: dict[TallyPair, tuple[int, int]] = field(default_factory=dict)
    given: dict[TallyPair, bytes] = field(default_factory=dict)
    taken: dict[TallyPair, bytes] = field(default_factory=dict)
    items: list[elgamal.Item] = field(default_factory=list)
    values: dict[int, dict[bytes, Plain]] = field(default_factory=dict)

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return tuple(seat for seat in range(self.seats) if seat not in self.departed)

    @cached_property
    def coin_key(self) -> CoinKey:
        """This seat's own coin key, which it announces in step 0."""
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
        """The context in which this seat announces its keys."""
        assert self.seat is not None
        return self.context(0, 0, self.seat)

    def commitment(self, tally: Tally) -> bytes:
        """Returns the commitment to a tally, a point; the identity as long as nothing is sealed."""
        return self.tallies.get(tally, self.group.identity)

    def opening(self, tally: Tally) -> tuple[int, int]:
        """Returns this seat's own (total, blinding) of a tally."""
        return self.openings.get(tally, (0, 0))

    def context(self, step: int, stage: int, seat: int) -> Context:
        """Returns the context of a proof by a seat in a stage of this table."""
        return Context(self.game, step, stage, seat)


class Machine(ABC):
    """The stages of one step up to its answer. Only `complete` changes the CryptoContext."""

    stages: int = 1

    def __init__(self, crypto: CryptoContext, step: int) -> None:
        self.crypto = crypto
        self.step = step

    @abstractmethod
    def owing(self, stage: int) -> tuple[int, ...]:
        """Returns the seats that owe a body in this stage by public facts, including seats that have left."""

    @abstractmethod
    def owed(self, stage: int) -> str:
        """Says for a person what a seat owes in this stage: "the opening of the choice"."""

    @abstractmethod
    def body(self, stage: int, choice: Plain) -> Plain:
        """Returns the body that this seat owes. `choice` is its player's choice, if the ask asks this seat."""

    @abstractmethod
    def check(self, stage: int, seat: int, body: Plain) -> None:
        """Raises ProtocolViolation if public facts forbid the body, and nothing else whatever the data."""

    @abstractmethod
    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        """Accepts the checked bodies of the complete stage. A seat that owed a body but has left has none."""

    @abstractmethod
    def answers(self) -> tuple[Answer, Answer]:
        """Returns, after the last stage, the answer as a spectator sees it, and as this seat sees it."""

    @property
    def answered(self) -> bool:
        """Returns whether there is an answer after the last stage. There is none if the deciding seat has left."""
        return True

    def explain(self, stage: int, given: Plain, due: Plain, choice: Plain) -> str:
        """Explains why `given` is a deviation: this seat's seed and choices give `due`. The audit calls it, with the
        CryptoContext of that seat.
        """
        del given, due, choice
        return f"{self.owed(stage)} is not what their seed and choices give"

    def context(self, stage: int, seat: int) -> Context:
        return self.crypto.context(self.step, stage, seat)


A = TypeVar("A", bound=Ask)


class AskMachine(Machine, Generic[A]):
    """The machine of one type of ask; the registry is `kimberley.protocol.asks.MACHINES`.

    Args:
        crypto: The keys, commitments and items of the table.
        step: The number of the ask at the table, from 1.
        ask: The ask as a spectator has it. Everything that others check comes from it.
        own: The ask as this seat has it. Only what this seat alone knows comes from it.

    """

    def __init__(self, crypto: CryptoContext, step: int, ask: A, own: A) -> None:
        super().__init__(crypto, step)
        self.ask = ask
        self.own_ask = own

    @classmethod
    def true_answer(cls, seen: Sequence[Answer], contexts: Sequence[CryptoContext]) -> Answer:
        """Returns the answer with everything known, from what each of some seats has `seen` of it. `contexts` are those
        of the same seats, at any time after the answer.
        """
        del contexts
        return reduce(_joined, seen)


def _joined(one: Answer, other: Answer) -> Answer:
    """Returns an answer with everything that two seats together know about it."""
    if one is HIDDEN or one == other:
        return other
    if other is HIDDEN:
        return one
    return tuple(_joined(*pair) for pair in zip(one, other, strict=True))


def remainder(crypto: CryptoContext, within: Within, taken: bytes, cost: int) -> bytes:
    """Returns the commitment to the rest of a limit: limit - tally - `taken` (a commitment) - `cost` (public)."""
    g = crypto.group
    whole = pedersen(g, within.limit - cost, 0)
    return g.sub(g.sub(whole, crypto.commitment(within.tally)), taken)


def prove_within(crypto: CryptoContext, context: Context, within: Within, taken: tuple[int, int], cost: int) -> bytes:
    """Returns the proof that the rest of a limit is not negative. `taken` is the (value, blinding) sealed in this
    stage.
    """
    total, blinding = crypto.opening(within.tally)
    left = within.limit - cost - total - taken[0]
    hiding = -(blinding + taken[1]) % crypto.group.order
    return ranges.prove(crypto.group, crypto.seed, context, "within", within.tally.bits, left, hiding, 0)


def check_within(
    crypto: CryptoContext, context: Context, within: Within, taken: bytes, cost: int, proof: object
) -> None:
    """Raises ProtocolViolation unless the proof shows that the limit is kept."""
    left = remainder(crypto, within, taken, cost)
    if not isinstance(proof, bytes) or not ranges.verify(
        crypto.group, context, "within", within.tally.bits, left, proof
    ):
        raise ProtocolViolation(f"it does not prove that it stays within its limit of {within.limit}")


def decode_point(crypto: CryptoContext, data: object) -> bytes:
    """Returns a point from the wire, which must not be the identity. Raises ProtocolViolation."""
    if not isinstance(data, bytes):
        raise ProtocolViolation("a point is missing")
    try:
        return crypto.group.decode_point(data)
    except BadPoint as error:
        raise ProtocolViolation(str(error)) from None
