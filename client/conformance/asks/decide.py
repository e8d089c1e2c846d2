"""What Decide demands of the seats (SPEC.md, section 15.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kimberley.client.conformance.asks.base import PendingAsk, array, check_choice
from kimberley.client.conformance.asks.knowledge import (
    Bodies,
    KnownSeat,
    PublicFacts,
)
from kimberley.client.conformance.asks.script_memory import IntegersBelow, NotSpelled, ScriptMemory
from kimberley.client.conformance.asks.suite_ask import SuiteAsk
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.games.table import (
    Decide,
)


class PendingDecide(PendingAsk):
    """One seat chooses."""

    def __init__(self, facts: PublicFacts, step: int, ask: Decide) -> None:
        super().__init__(facts, step)
        self.ask = ask
        self.choice: tuple[Plain, ...] = ()

    def owing(self, stage: int) -> Sequence[int]:
        return (self.ask.seat,)

    def body(self, stage: int, seat: KnownSeat) -> Plain:
        return (seat.choices[-1],)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        (choice,) = array(body, 1)
        check_choice(self.ask.space, choice)

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[KnownSeat]) -> None:
        self.choice = tuple(entry for body in bodies.values() for entry in array(body, 1))

    def answer(self, seat: KnownSeat | None) -> Any:
        return self.choice[0]

    @property
    def answered(self) -> bool:
        return bool(self.choice)


def _read(spelled: Plain, memory: ScriptMemory) -> Decide | None:
    match spelled:
        case (_, int() as seat, int() as limit):
            return Decide(seat, IntegersBelow(limit), "number") if memory.alive[seat] else None
    raise NotSpelled(spelled)


DECIDE: Final = SuiteAsk(("decide",), _read, PendingDecide)
