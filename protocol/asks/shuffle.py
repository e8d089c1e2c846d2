"""Shuffle: seats put items into an order that nobody knows (SPEC.md, "Shuffle").

One stage for each seat, in seat order. Body: (items, proof): the items with new masks and in the seat's own order, and
the proof that they are the items of the previous stage. A seat that has left is skipped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kimberley.games.table import HIDDEN, Answer, Item, Plain, Shuffle
from kimberley.protocol.asks.base import AskMachine, CryptoContext, ProtocolViolation
from kimberley.protocol.crypto import elgamal, shuffle
from kimberley.protocol.crypto.elgamal import Pair
from kimberley.protocol.crypto.group import Point
from kimberley.protocol.crypto.shares import open_share


class ShuffleMachine(AskMachine[Shuffle]):
    """The items of a bag as they pass through all seats."""

    def __init__(self, crypto: CryptoContext, step: int, ask: Shuffle, own: Shuffle) -> None:
        super().__init__(crypto, step, ask, own)
        self.stages = crypto.seats
        self.bag = ask.bag
        self.key: Point = elgamal.joint_key(crypto.group, (public.bag for public in crypto.public_keys))
        self.known = tuple(item for item in ask.items if isinstance(item, tuple))
        self.items: tuple[elgamal.Item, ...] = tuple(
            elgamal.known_item(crypto.group, self.key, item) if isinstance(item, tuple) else crypto.items[item]
            for item in ask.items
        )
        self.first = len(crypto.items)

    def owing(self, stage: int) -> tuple[int, ...]:
        return (stage,)

    def owed(self, stage: int) -> str:
        return "the shuffle"

    def body(self, stage: int, choice: Plain) -> Plain:
        crypto = self.crypto
        g, context = crypto.group, self.context(stage, stage)
        shuffled = shuffle.shuffle(g, crypto.seed, context, self.bag, self.key, self.items)
        proof = shuffle.prove(g, crypto.seed, context, self.bag, self.key, self.items, shuffled)
        return elgamal.encode_items(shuffled.items), proof

    def check(self, stage: int, seat: int, body: Plain) -> None:
        match body:
            case (bytes() as items, bytes() as proof):
                context = self.context(stage, seat)
                if shuffle.verify(self.crypto.group, context, self.bag, self.key, self.items, items, proof) is None:
                    raise ProtocolViolation("their shuffle does not prove that it changed only the order and the masks")
            case _:
                raise ProtocolViolation("it does not consist of shuffled items and a proof")

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        crypto = self.crypto
        match bodies.get(stage):
            case (bytes() as items, _):
                self.items = elgamal.decode_items(crypto.group, items, len(self.items), len(self.items[0]))
        if stage == self.stages - 1:
            crypto.items += self.items
            for item in self.known:
                for part, value in enumerate(item):
                    point = elgamal.value_point(crypto.group, part, value)
                    crypto.values.setdefault(part, {})[point] = value

    def answers(self) -> tuple[Answer, Answer]:
        parts = len(self.items[0])
        masked = tuple(Item(self.first + place, (HIDDEN,) * parts, (0,) * parts) for place in range(len(self.items)))
        return masked, masked

    @classmethod
    def true_answer(cls, seen: Sequence[Answer], contexts: Sequence[CryptoContext]) -> Answer:
        """Returns the items with their parts, opened by the bag keys of all seats together; as they were seen if one of
        these keys is not known.
        """
        crypto = contexts[0]
        keys = {seat: left.bag for seat, left in crypto.departed.items()}
        keys |= {own.seat: own.bag_key.secret for own in contexts if own.seat is not None}
        if len(keys) < crypto.seats:
            return seen[0]
        joint_secret = sum(keys.values())

        def value(part: int, pair: Pair) -> Plain:
            point = elgamal.plaintext(crypto.group, pair, open_share(crypto.group, joint_secret, [pair]))
            return crypto.values[part][point]

        return tuple(
            Item(item.handle, tuple(value(*part) for part in enumerate(crypto.items[item.handle])), item.seen)
            for item in seen[0]
        )

    def explain(self, stage: int, given: Plain, due: Plain, choice: Plain) -> str:
        return "their shuffle is not the one that their seed gives"
