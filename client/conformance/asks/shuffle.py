"""What Shuffle demands of the seats (SPEC.md, section 15.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kimberley.client.conformance.asks.base import PendingAsk, array, octets
from kimberley.client.conformance.asks.knowledge import Bodies, KnownSeat, ProtocolViolation, PublicFacts
from kimberley.client.conformance.asks.script_memory import NotSpelled, ScriptMemory
from kimberley.client.conformance.asks.suite_ask import SuiteAsk
from kimberley.client.conformance.crypto.bags import (
    check_shuffle,
    known_item,
    shuffle,
    split_items,
    value_point,
)
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.games.table import HIDDEN, Item, Shuffle


class PendingShuffle(PendingAsk):
    """Every seat shuffles in turn."""

    def __init__(self, facts: PublicFacts, step: int, ask: Shuffle) -> None:
        super().__init__(facts, step)
        self.stages = facts.seats
        self.bag, self.asked = ask.bag, ask.items
        self.joint = facts.joint
        self.items = tuple(
            known_item(self.joint, item) if isinstance(item, tuple) else facts.items[item] for item in ask.items
        )
        self.first = len(facts.items)

    def owing(self, stage: int) -> Sequence[int]:
        return (stage,)

    def body(self, stage: int, seat: KnownSeat) -> Plain:
        return shuffle(seat.secrets, self.context(stage, stage), self.bag, self.joint, self.items)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        moved, proof = map(octets, array(body, 2))
        if check_shuffle(self.context(stage, seat), self.bag, self.joint, self.items, moved, proof) is None:
            raise ProtocolViolation("its shuffle is not proven")

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[KnownSeat]) -> None:
        if stage in bodies:
            self.items = split_items(octets(array(bodies[stage], 2)[0]), len(self.items[0]))
        if stage == self.stages - 1:
            self.facts.items += self.items
            for item in self.asked:
                for part, value in enumerate(item if isinstance(item, tuple) else ()):
                    self.facts.values[part, value_point(part, value)] = value

    def answer(self, seat: KnownSeat | None) -> Any:
        parts = len(self.items[0])
        return tuple(Item(self.first + at, (HIDDEN,) * parts, (0,) * parts) for at in range(len(self.items)))


def _read(spelled: Plain, memory: ScriptMemory) -> Shuffle:
    match spelled:
        case (_, str() as bag, tuple() as items):
            return Shuffle(bag, tuple(item for item in items if isinstance(item, (int, tuple))))
    raise NotSpelled(spelled)


SHUFFLE: Final = SuiteAsk(("shuffle",), _read, PendingShuffle)
