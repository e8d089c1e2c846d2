"""What Roll demands of the seats (SPEC.md, section 15.6)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

from kimberley.client.conformance.asks.base import PendingAsk, array, octets
from kimberley.client.conformance.asks.knowledge import (
    Bodies,
    KnownSeat,
    ProtocolViolation,
    PublicFacts,
)
from kimberley.client.conformance.asks.script_memory import NotSpelled, ScriptMemory
from kimberley.client.conformance.asks.suite_ask import SuiteAsk
from kimberley.client.conformance.crypto.group import (
    hash_to_group,
    mul,
    total,
)
from kimberley.client.conformance.crypto.hashing import GROUP, digest, message
from kimberley.client.conformance.crypto.proofs import check_dleq, prove_dleq
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.games.table import (
    Roll,
)


class PendingRoll(PendingAsk):
    """All seats roll."""

    def __init__(self, facts: PublicFacts, step: int, ask: Roll) -> None:
        super().__init__(facts, step)
        self.ask = ask
        self.rolled: tuple[int, ...] = ()
        self.point = hash_to_group(message("coin point", facts.game, step, 0))

    def owing(self, stage: int) -> Sequence[int]:
        return range(self.facts.seats)

    def body(self, stage: int, seat: KnownSeat) -> Plain:
        y, context = seat.secrets.key("coin"), seat.secrets.context(self.step)
        return (mul(y, self.point) + prove_dleq(seat.secrets, "coin share", context, 0, y, (self.point,)),)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        share = octets(array(body, 1)[0], 96)
        public, context = self.facts.keys[seat].coin, self.context(0, seat)
        if not check_dleq("coin share", context, public, (self.point,), (share[:32],), share[32:]):
            raise ProtocolViolation("its share of the roll is not proven")

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[KnownSeat]) -> None:
        points = [
            octets(array(bodies[seat], 1)[0])[:32] if seat in bodies else mul(self.facts.left[seat][0], self.point)
            for seat in range(self.facts.seats)
        ]
        self.rolled = roll_dice(points, self.ask.sides)

    def answer(self, seat: KnownSeat | None) -> Any:
        return self.rolled


def roll_dice(points: Sequence[bytes], sides: Sequence[int]) -> tuple[int, ...]:
    """The dice that follow from all shares of a roll."""
    material = digest("coin", GROUP, total(points))
    words: list[int] = []
    counter = 0
    shown = []
    for n in sides:
        while True:
            if not words:
                block = hashlib.sha256(message("dice", material, counter)).digest()
                words = [int.from_bytes(block[at : at + 8], "big") for at in range(0, 32, 8)]
                counter += 1
            word = words.pop(0)
            if word < 2**64 - 2**64 % n:
                break
        shown.append(word % n)
    return tuple(shown)


def _read(spelled: Plain, memory: ScriptMemory) -> Roll:
    match spelled:
        case (_, tuple() as sides):
            return Roll(tuple(side for side in sides if isinstance(side, int)))
    raise NotSpelled(spelled)


ROLL: Final = SuiteAsk(("roll",), _read, PendingRoll)
