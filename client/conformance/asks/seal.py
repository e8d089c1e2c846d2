"""What Seal demands of the seats (SPEC.md, section 15.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kimberley.client.conformance.asks.base import PendingAsk, array, octets
from kimberley.client.conformance.asks.commitments import check_commitment, commit
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
from kimberley.client.conformance.crypto.group import pedersen, read_point, total
from kimberley.client.conformance.crypto.proofs import check_range, prove_range
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.games.table import HIDDEN, Amounts, Answer, Seal, Tally, Within, evolve


class PendingSeal(PendingAsk):
    """Seats choose, and do not open their choices."""

    def __init__(self, facts: PublicFacts, step: int, ask: Seal) -> None:
        super().__init__(facts, step)
        self.ask = ask
        self.gave: frozenset[int] = frozenset()

    def owing(self, stage: int) -> Sequence[int]:
        return [seat for seat, space in enumerate(self.ask.spaces) if space is not None]

    def body(self, stage: int, seat: KnownSeat) -> Plain:
        space, choice = self.ask.spaces[seat.number], seat.choices[-1]
        if not isinstance(space, Amounts):
            return commit(seat, self.step, choice)
        amounts = [amount for amount in choice if isinstance(amount, int)] if isinstance(choice, tuple) else []
        return self.amounts_body(seat, space, amounts)

    def amounts_body(self, seat: KnownSeat, space: Amounts, amounts: Sequence[int]) -> Plain:
        """The body that seals these amounts, whether they are allowed or not."""
        context = seat.secrets.context(self.step)
        drawn = self.blindings(seat, space, amounts)
        proofs = tuple(
            prove_range(seat.secrets, "amount", context, index, slot.bits, amount % (1 << slot.bits), r)
            for index, (slot, amount, r) in enumerate(zip(space.slots, amounts, drawn, strict=True))
        )
        within = prove_within(seat, context, space.within, (sum(amounts), sum(drawn)), 0)
        return tuple(map(pedersen, amounts, drawn)), proofs, within

    def blindings(self, seat: KnownSeat, space: Amounts, amounts: Sequence[int]) -> list[int]:
        context = seat.secrets.context(self.step)
        return [
            seat.secrets.scalar("blinding", context, index, slot.name, slot.bits, amount)
            for index, (slot, amount) in enumerate(zip(space.slots, amounts, strict=True))
        ]

    def check(self, stage: int, seat: int, body: Plain) -> None:
        space = self.ask.spaces[seat]
        if not isinstance(space, Amounts):
            check_commitment(body)
            return
        commitments, proofs, within = array(body, 3)
        count, context = len(space.slots), self.context(0, seat)
        points = [read_point(point) for point in array(commitments, count)]
        for slot, point, proof in zip(space.slots, points, array(proofs, count), strict=True):
            if not check_range("amount", context, slot.bits, point, octets(proof)):
                raise ProtocolViolation("a sealed amount is not proven")
        check_within(self.facts, context, space.within, total(points), 0, within)

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[KnownSeat]) -> None:
        facts, self.gave = self.facts, frozenset(bodies)
        for number, body in bodies.items():
            space = self.ask.spaces[number]
            if not isinstance(space, Amounts):
                continue
            for slot, point in zip(space.slots, array(array(body, 3)[0], len(space.slots)), strict=True):
                for tally in (slot, space.within.tally):
                    facts.tallies[tally] = total((facts.commitment(tally), octets(point)))
                facts.sealed[slot] = facts.sealed.get(slot, 0) + 1
        for seat in seats:
            space = self.ask.spaces[seat.number]
            if not isinstance(space, Amounts) or seat.number not in bodies:
                continue
            choice = seat.choices[-1]
            amounts = [amount for amount in choice if isinstance(amount, int)] if isinstance(choice, tuple) else []
            for slot, amount, r in zip(space.slots, amounts, self.blindings(seat, space, amounts), strict=True):
                seat.add(slot, amount, r)
                seat.add(space.within.tally, amount, r)

    def answer(self, seat: KnownSeat | None) -> Any:
        return tuple(
            None
            if place not in self.gave
            else seat.choices[-1]
            if seat is not None and seat.number == place
            else HIDDEN
            for place in range(self.facts.seats)
        )


def _read(spelled: Plain, memory: ScriptMemory) -> Seal | None:
    match spelled:
        case ("seal", tuple() as seats, int() as limit):
            there = memory.there(seats)
            numbers = tuple(IntegersBelow(limit) if here else None for here in there)
            return Seal(numbers, "number") if any(there) else None
        case ("amounts", tuple() as seats, tuple() as names, int() as bits, int() as limit):
            there = memory.there(seats)
            amounts = tuple(
                Amounts(
                    tuple(Tally(seat, str(name), bits) for name in names),
                    Within(Tally(seat, SPENT, bits), limit),
                    memory.left_of(limit, seat),
                )
                if here
                else None
                for seat, here in enumerate(there)
            )
            return Seal(amounts, "amounts") if any(there) else None
    raise NotSpelled(spelled)


def _remember(memory: ScriptMemory, ask: Seal, answer: Answer) -> ScriptMemory:
    if not any(isinstance(space, Amounts) for space in ask.spaces):
        return evolve(memory, sealed=answer)
    totals = {(seat, name): total for seat, name, total in memory.totals}
    for space, choice in zip(ask.spaces, answer, strict=True):
        if not isinstance(space, Amounts) or choice is None:
            continue
        for at, slot in enumerate(space.slots):
            for tally in (slot, space.within.tally):
                before = totals.get((tally.seat, tally.name), 0)
                known = isinstance(before, int) and choice is not HIDDEN
                totals[tally.seat, tally.name] = before + choice[at] if known else HIDDEN
    return memory.with_totals(totals)


SEAL: Final = SuiteAsk(("seal", "amounts"), _read, PendingSeal, _remember)
