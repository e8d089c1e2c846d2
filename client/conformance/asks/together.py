"""What Together demands of the seats (SPEC.md, section 15.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kimberley.client.conformance.asks.base import PendingAsk, array, check_choice, octets
from kimberley.client.conformance.asks.commitments import check_commitment, choice_nonce, commit
from kimberley.client.conformance.asks.knowledge import (
    Bodies,
    KnownSeat,
    ProtocolViolation,
    PublicFacts,
    check_within,
    prove_within,
)
from kimberley.client.conformance.asks.script_memory import SPENT, IntegersBelow, NotSpelled, ScriptMemory
from kimberley.client.conformance.asks.suite_ask import SuiteAsk
from kimberley.client.conformance.crypto.group import (
    IDENTITY,
)
from kimberley.client.conformance.crypto.hashing import digest
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.client.conformance.errors import present
from kimberley.games.table import (
    HIDDEN,
    Tally,
    Together,
    Within,
)


class PendingTogether(PendingAsk):
    """Seats choose at the same time: they commit, then they open."""

    stages = 2

    def __init__(self, facts: PublicFacts, step: int, ask: Together) -> None:
        super().__init__(facts, step)
        self.ask = ask
        self.commitments: dict[int, Plain] = {}
        self.choices: dict[int, Plain] = {}

    def owing(self, stage: int) -> Sequence[int]:
        asked = [seat for seat, space in enumerate(self.ask.spaces) if space is not None]
        return asked if stage == 0 else [seat for seat in asked if seat in self.commitments]

    def body(self, stage: int, seat: KnownSeat) -> Plain:
        choice = seat.choices[-1]
        if stage == 0:
            return commit(seat, self.step, choice)
        within = self.ask.within[seat.number] if self.ask.within else None
        proof = None
        if within is not None:
            proof = prove_within(seat, self.context(1, seat.number), within, (0, 0), self._cost(seat.number, choice))
        return choice_nonce(seat, self.step, choice), choice, proof

    def check(self, stage: int, seat: int, body: Plain) -> None:
        if stage == 0:
            check_commitment(body)
            return
        nonce, choice, proof = array(body, 3)
        due = digest("choice", self.facts.game, self.step, seat, octets(nonce, 32), choice)
        if self.commitments[seat] != (due,):
            raise ProtocolViolation("the opening does not fit the commitment")
        check_choice(present(self.ask.spaces[seat]), choice)
        within = self.ask.within[seat] if self.ask.within else None
        if within is not None:
            check_within(self.facts, self.context(1, seat), within, IDENTITY, self._cost(seat, choice), proof)
        elif proof is not None:
            raise ProtocolViolation("it carries a proof although none is asked for")

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[KnownSeat]) -> None:
        if stage == 0:
            self.commitments = dict(bodies)
        else:
            self.choices = {seat: array(body, 3)[1] for seat, body in bodies.items()}

    def answer(self, seat: KnownSeat | None) -> Any:
        return tuple(self.choices.get(place) for place in range(self.facts.seats))

    def _cost(self, seat: int, choice: Plain) -> int:
        return present(self.ask.spaces[seat]).cost(choice)


def _read(spelled: Plain, memory: ScriptMemory) -> Together | None:
    match spelled:
        case ("within", tuple() as seats, int() as bits, int() as limit):
            return _within(memory, memory.there(seats), bits, limit)
        case ("together" | "look" | "again" as word, tuple() as seats, int() as limit):
            there = memory.there(seats)
            spaces = tuple(
                IntegersBelow(limit, memory.bound(seat) if word == "again" else HIDDEN) if here else None
                for seat, here in enumerate(there)
            )
            stands = (0,) * len(there) if word == "look" else ()
            return Together(spaces, (None,) * len(there), "number", stands) if any(there) else None
    raise NotSpelled(spelled)


def _within(memory: ScriptMemory, there: Sequence[bool], bits: int, limit: int) -> Together | None:
    paying = tuple(
        IntegersBelow(limit + 1, most=memory.left_of(limit, seat), costs=True) if here else None
        for seat, here in enumerate(there)
    )
    within = tuple(Within(Tally(seat, SPENT, bits), limit) if here else None for seat, here in enumerate(there))
    return Together(paying, within, "payment") if any(there) else None


TOGETHER: Final = SuiteAsk(("together", "look", "again", "within"), _read, PendingTogether)
