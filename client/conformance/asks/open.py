"""What Open demands of the seats (SPEC.md, section 15.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kimberley.client.conformance.asks.base import PendingAsk, entries, octets
from kimberley.client.conformance.asks.knowledge import (
    Bodies,
    KnownSeat,
    ProtocolViolation,
    PublicFacts,
)
from kimberley.client.conformance.asks.script_memory import NotSpelled, ScriptMemory
from kimberley.client.conformance.asks.suite_ask import SuiteAsk
from kimberley.client.conformance.crypto.group import pedersen, read_scalar, scalar_bytes
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.games.table import Open, Tally


class PendingOpen(PendingAsk):
    """Totals are opened."""

    def __init__(self, facts: PublicFacts, step: int, ask: Open) -> None:
        super().__init__(facts, step)
        self.tallies = ask.tallies
        self.totals: dict[Tally, Plain] = {}

    def owing(self, stage: int) -> Sequence[int]:
        return sorted({tally.seat for tally in self.tallies})

    def body(self, stage: int, seat: KnownSeat) -> Plain:
        opened = [seat.opening(tally) for tally in self._of(seat.number)]
        return tuple((amount, scalar_bytes(blinding)) for amount, blinding in opened)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        tallies = self._of(seat)
        for tally, (amount, blinding) in zip(tallies, entries(body, len(tallies), 2), strict=True):
            if type(amount) is not int or not 0 <= amount < 1 << tally.bits:
                raise ProtocolViolation("a total is out of its bounds")
            if pedersen(amount, read_scalar(octets(blinding))) != self.facts.commitment(tally):
                raise ProtocolViolation("a total does not fit what was sealed")

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[KnownSeat]) -> None:
        for seat, body in bodies.items():
            tallies = self._of(seat)
            for tally, (amount, _) in zip(tallies, entries(body, len(tallies), 2), strict=True):
                self.totals[tally] = amount

    def answer(self, seat: KnownSeat | None) -> Any:
        return tuple(self.totals.get(tally) for tally in self.tallies)

    def _of(self, seat: int) -> list[Tally]:
        return [tally for tally in self.tallies if tally.seat == seat]


def _read(spelled: Plain, memory: ScriptMemory) -> Open | None:
    match spelled:
        case (_, tuple() as tallies, int() as bits):
            named = [(seat, name) for seat, name in map(_seat_and_name, tallies) if memory.alive[seat]]
            return Open(tuple(Tally(seat, name, bits) for seat, name in named)) if named else None
    raise NotSpelled(spelled)


def _seat_and_name(plain: Plain) -> tuple[int, str]:
    match plain:
        case (int() as seat, str() as name):
            return seat, name
    raise ValueError(f"a script has no tally {plain!r}")


OPEN: Final = SuiteAsk(("open",), _read, PendingOpen)
