"""What Seal, Disclose and Open demand of the seats (SPEC.md, sections 15.3 to 15.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kimberley.client.conformance.crypto.disclosure import offer, seal, take, tell_key, unseal
from kimberley.client.conformance.crypto.group import pedersen, read_point, read_scalar, scalar_bytes, total
from kimberley.client.conformance.crypto.proofs import check_range, prove_range
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.client.conformance.errors import typed
from kimberley.client.conformance.table.asks import (
    PendingAsk,
    array,
    check_choice,
    check_commitment,
    commit,
    entries,
    octets,
)
from kimberley.client.conformance.table.knowledge import (
    Bodies,
    KnownSeat,
    ProtocolViolation,
    PublicFacts,
    TallyPair,
    check_within,
    prove_within,
)
from kimberley.games.table import HIDDEN, NOTHING, Amounts, Disclose, Open, Seal, Space, Tally, Tell


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


class PendingDisclose(PendingAsk):
    """Owners tell receivers."""

    def __init__(self, facts: PublicFacts, step: int, ask: Disclose) -> None:
        super().__init__(facts, step)
        self.tells = ask.tells
        self.read: dict[int, list[Any]] = {}
        made = dict(facts.padded)
        self.padded = []
        for tell in self.tells:
            self.padded.append(made.get(_pair(tell)) != facts.counts(_pair(tell)))
            made[_pair(tell)] = facts.counts(_pair(tell))

    def owing(self, stage: int) -> Sequence[int]:
        return sorted({tell.owner for tell in self.tells})

    def owned(self, seat: int) -> list[tuple[int, Tell]]:
        return [(index, tell) for index, tell in enumerate(self.tells) if tell.owner == seat]

    def body(self, stage: int, seat: KnownSeat) -> Plain:
        keys, told = dict(seat.given), []
        own = typed(seat.state.ask(), Disclose)
        for index, tell in self.owned(seat.number):
            pads = b""
            if self.padded[index]:
                keys[_pair(tell)] = self.key(seat, index, tell)
                pads = self.offered(seat, index, tell, seat.opening(tell.than))
            says = own.tells[index].says
            if says is HIDDEN:
                raise ValueError("the suite tells what this seat does not know")
            context = seat.secrets.context(self.step)
            told.append((pads, seal(keys[_pair(tell)], tell.kind, context, index, tell.size, _plain(says))))
        return tuple(told)

    def key(self, seat: KnownSeat, index: int, tell: Tell) -> bytes:
        more, than = self.facts.commitment(tell.more), self.facts.commitment(tell.than)
        return tell_key(seat.secrets, self.step, index, more, than)

    def offered(self, seat: KnownSeat, index: int, tell: Tell, than: tuple[int, int]) -> bytes:
        """The pads of a tell, as if `than` were the opening of the owner's tally."""
        more = self.facts.commitment(tell.more)
        return offer(seat.secrets, self.step, index, tell.more.bits, more, than, self.key(seat, index, tell))

    def check(self, stage: int, seat: int, body: Plain) -> None:
        owned = self.owned(seat)
        for (index, tell), (pads, sealed) in zip(owned, entries(body, len(owned), 2), strict=True):
            octets(sealed, tell.size + 20)
            if self.padded[index]:
                read_point(octets(pads, 32 + (32 << tell.more.bits))[:32])
            elif pads != b"":
                raise ProtocolViolation("it carries pads although earlier ones are still valid")

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[KnownSeat]) -> None:
        by_number = {seat.number: seat for seat in seats}
        self.read = {number: [HIDDEN] * len(self.tells) for number in by_number}
        places = {number: iter(array(body)) for number, body in bodies.items()}
        for index, tell in enumerate(self.tells):
            if tell.owner not in places:
                for number in by_number:
                    if number == tell.receiver:
                        self.read[number][index] = NOTHING
                continue
            pads, sealed = array(next(places[tell.owner]), 2)
            pair, context = _pair(tell), self.context(0, tell.owner)
            if tell.receiver in by_number:
                receiver = by_number[tell.receiver]
                if self.padded[index]:
                    more, than = map(self.facts.commitment, pair)
                    opening = receiver.opening(tell.more)
                    receiver.taken[pair] = take(context, index, tell.more.bits, more, than, opening, octets(pads))
                payload = unseal(receiver.taken[pair], tell.kind, context, index, tell.size, octets(sealed))
                self.read[tell.receiver][index] = _told(tell.what, payload)
            if self.padded[index]:
                self.facts.padded[pair] = self.facts.counts(pair)
                if tell.owner in by_number:
                    by_number[tell.owner].given[pair] = self.key(by_number[tell.owner], index, tell)

    def answer(self, seat: KnownSeat | None) -> Any:
        return tuple(self.read[seat.number]) if seat is not None else tuple(HIDDEN for _ in self.tells)


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


def _told(space: Space, payload: tuple[Plain] | None) -> Any:
    """What a payload tells its receiver."""
    try:
        if payload is not None:
            check_choice(space, payload[0])
            return payload[0]
    except ProtocolViolation:
        pass
    return NOTHING


def _pair(tell: Tell) -> TallyPair:
    return tell.more, tell.than


def _plain(value: Any) -> Plain:
    plain: Plain = value
    return plain
