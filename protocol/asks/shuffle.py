"""Shuffle: items are put into an order that nobody knows (SPEC.md, "Shuffle").

One stage for each seat, in seat order. Body: (items, proof), the items as the seat leaves them, re-masked and in an
order of its own, and the proof that they are the items it found. A seat that has left is passed over.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.table import HIDDEN, Answer, Item, Plain, Shuffle
from protocol.asks.base import Desk, Foul, Machine
from protocol.crypto import elgamal, shuffle
from protocol.crypto.group import Point


class ShuffleMachine(Machine):
    """The items of a bag on their way through all seats."""

    def __init__(self, desk: Desk, step: int, ask: Shuffle) -> None:
        super().__init__(desk, step)
        self.stages = desk.seats
        self.bag = ask.bag
        self.key: Point = elgamal.joint_key(desk.group, (public.bag for public in desk.publics))
        self.known = tuple(item for item in ask.items if isinstance(item, tuple))
        self.items: tuple[elgamal.Item, ...] = tuple(
            elgamal.known_item(desk.group, self.key, item) if isinstance(item, tuple) else desk.items[item]
            for item in ask.items
        )
        self.first = len(desk.items)

    def owing(self, stage: int) -> tuple[int, ...]:
        return (stage,)

    def owed(self, stage: int) -> str:
        return "its shuffle"

    def body(self, stage: int, choice: Plain) -> Plain:
        desk = self.desk
        g, context = desk.group, self.context(stage, stage)
        shuffled = shuffle.shuffle(g, desk.seed, context, self.bag, self.key, self.items)
        proof = shuffle.prove(g, desk.seed, context, self.bag, self.key, self.items, shuffled)
        return elgamal.encode_items(shuffled.items), proof

    def check(self, stage: int, seat: int, body: Plain) -> None:
        match body:
            case (bytes() as items, bytes() as proof):
                context = self.context(stage, seat)
                if shuffle.verify(self.desk.group, context, self.bag, self.key, self.items, items, proof) is None:
                    raise Foul("its shuffle does not prove that it changed nothing but order and masks")
            case _:
                raise Foul("it is not shuffled items with a proof")

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        desk = self.desk
        match bodies.get(stage):
            case (bytes() as items, _):
                self.items = elgamal.decode_items(desk.group, items, len(self.items), len(self.items[0]))
        if stage == self.stages - 1:
            desk.items += self.items
            for item in self.known:
                for part, value in enumerate(item):
                    point = elgamal.value_point(desk.group, part, value)
                    desk.values.setdefault(part, {})[point] = value

    def answers(self) -> tuple[Answer, Answer]:
        parts = len(self.items[0])
        masked = tuple(Item(self.first + place, (HIDDEN,) * parts, (0,) * parts) for place in range(len(self.items)))
        return masked, masked

    def explain(self, stage: int, given: Plain, due: Plain, choice: Plain) -> str:
        return "its shuffle is not the one that its seed gives"
