"""What Disclose demands of the seats (SPEC.md, section 15.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kimberley.client.conformance.asks.base import PendingAsk, array, check_choice, entries, octets
from kimberley.client.conformance.asks.knowledge import (
    Bodies,
    KnownSeat,
    ProtocolViolation,
    PublicFacts,
    TallyPair,
)
from kimberley.client.conformance.asks.script_memory import IntegersBelow, NotSpelled, ScriptMemory
from kimberley.client.conformance.asks.suite_ask import SuiteAsk
from kimberley.client.conformance.crypto.disclosure import offer, seal, take, tell_key, unseal
from kimberley.client.conformance.crypto.group import read_point
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.client.conformance.errors import typed
from kimberley.games.table import HIDDEN, NOTHING, Answer, Disclose, Hidden, Space, Tally, Tell, evolve


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


SAY: Final = "say"
SAY_SIZE: Final = 4
"""The kind and the size of what seats tell each other in a script."""


def _read(spelled: Plain, memory: ScriptMemory) -> Disclose | None:
    match spelled:
        case (_, tuple() as tells, int() as bits):
            staying = tuple(told for tell in tells if (told := _tell(tell, bits, memory)) is not None)
            return Disclose(staying) if staying else None
    raise NotSpelled(spelled)


def _tell(tell: Plain, bits: int, memory: ScriptMemory) -> Tell | None:
    """The tell (owner, receiver, name of the receiver's tally, name of the owner's): the owner tells its total. None if
    one of them has left.
    """
    match tell:
        case (int() as owner, int() as receiver, str() as more, str() as than):
            tallies = Tally(receiver, more, bits), Tally(owner, than, bits)
            says = memory.total(owner, than)
            there = memory.alive[owner] and memory.alive[receiver]
            return Tell(owner, receiver, *tallies, SAY, SAY_SIZE, IntegersBelow(1 << bits), says) if there else None
    raise ValueError(f"a script has no tell {tell!r}")


def _remember(memory: ScriptMemory, ask: Disclose, answer: Answer) -> ScriptMemory:
    return evolve(memory, told=tuple(_told_anything(seat, ask.tells, answer) for seat in range(len(memory.alive))))


def _told_anything(seat: int, tells: Sequence[Tell], answer: Answer) -> bool | Hidden:
    own = [told for tell, told in zip(tells, answer, strict=True) if tell.receiver == seat]
    return HIDDEN if any(told is HIDDEN for told in own) else any(told is not NOTHING for told in own)


DISCLOSE: Final = SuiteAsk(("disclose",), _read, PendingDisclose, _remember)
