"""What Show demands of the seats (SPEC.md, section 15.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kimberley.client.conformance.asks.base import PendingAsk, array, octets
from kimberley.client.conformance.asks.knowledge import Bodies, KnownSeat, ProtocolViolation, PublicFacts
from kimberley.client.conformance.asks.script_memory import NotSpelled, ScriptMemory
from kimberley.client.conformance.asks.suite_ask import SuiteAsk
from kimberley.client.conformance.crypto.bags import (
    MaskedPair,
    check_mail,
    check_shares,
    mail,
    read_mail,
    share_to_all,
)
from kimberley.client.conformance.crypto.group import cut, mul, sub, total
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.games.table import HIDDEN, Show


class PendingShow(PendingAsk):
    """Parts of items are shown."""

    def __init__(self, facts: PublicFacts, step: int, ask: Show) -> None:
        super().__init__(facts, step)
        self.ask = ask
        self.receivers = sorted({to for _, to in ask.parts if to is not None} if ask.items else ())
        self.shown: dict[tuple[int | None, int, int], Plain] = {}

    def owing(self, stage: int) -> Sequence[int]:
        return [
            seat
            for seat in range(self.facts.seats)
            if self.pairs(None) or any(receiver != seat for receiver in self.receivers)
        ]

    def places(self, to: int | None) -> list[tuple[int, int]]:
        return [(item, part) for item in self.ask.items for part, receiver in self.ask.parts if receiver == to]

    def pairs(self, to: int | None) -> list[MaskedPair]:
        return [self.facts.items[item][part] for item, part in self.places(to)]

    def body(self, stage: int, seat: KnownSeat) -> Plain:
        context, x = seat.secrets.context(self.step), seat.secrets.key("bag")
        to_all = share_to_all(seat.secrets, context, x, self.pairs(None)) if self.pairs(None) else b""
        return to_all, tuple(
            (to, mail(seat.secrets, context, x, self.facts.keys[to].mailbox, self.pairs(to)))
            for to in self.receivers
            if to != seat.number
        )

    def check(self, stage: int, seat: int, body: Plain) -> None:
        to_all, mails = array(body, 2)
        context, public = self.context(0, seat), self.facts.keys[seat].bag
        if self.pairs(None):
            if not check_shares(context, public, self.pairs(None), octets(to_all)):
                raise ProtocolViolation("its shares are not proven")
        elif to_all != b"":
            raise ProtocolViolation("it carries shares for everybody although nothing is shown to everybody")
        due = [to for to in self.receivers if to != seat]
        for to, entry in zip(due, array(mails, len(due)), strict=True):
            named, sent = array(entry, 2)
            if type(named) is not int or named != to:
                raise ProtocolViolation("its mail is for another seat than the one due")
            if check_mail(context, public, self.facts.keys[to].mailbox, self.pairs(to), octets(sent)) is None:
                raise ProtocolViolation("its mail is not proven")

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[KnownSeat]) -> None:
        if pairs := self.pairs(None):
            self._open(None, pairs, [self._shares(seat, bodies, pairs) for seat in range(self.facts.seats)])
        for seat in seats:
            if pairs := self.pairs(seat.number):
                given = [self._mailed(place, seat, bodies, pairs) for place in range(self.facts.seats)]
                self._open(seat.number, pairs, given)

    def answer(self, seat: KnownSeat | None) -> Any:
        def value(item: int, part: int, to: int | None) -> Any:
            open_here = to is None or (seat is not None and to == seat.number)
            return self.shown[to, item, part] if open_here else HIDDEN

        return tuple(tuple(value(item, part, to) for part, to in self.ask.parts) for item in self.ask.items)

    def _open(self, to: int | None, pairs: Sequence[MaskedPair], given: Sequence[Sequence[bytes]]) -> None:
        for (item, part), (_, b), shares in zip(self.places(to), pairs, zip(*given, strict=True), strict=True):
            self.shown[to, item, part] = self.facts.values[part, sub(b, total(shares))]

    def _shares(self, seat: int, bodies: Bodies, pairs: Sequence[MaskedPair]) -> Sequence[bytes]:
        if seat in bodies:
            return cut(octets(array(bodies[seat], 2)[0]))[: len(pairs)]
        return [mul(self.facts.left[seat][1], a) for a, _ in pairs]

    def _mailed(self, seat: int, to: KnownSeat, bodies: Bodies, pairs: Sequence[MaskedPair]) -> Sequence[bytes]:
        if seat == to.number:
            x = to.secrets.key("bag")
            return [mul(x, a) for a, _ in pairs]
        if seat not in bodies:
            return [mul(self.facts.left[seat][1], a) for a, _ in pairs]
        mails = [array(entry, 2) for entry in array(array(bodies[seat], 2)[1])]
        sent = next(octets(one) for whom, one in mails if whom == to.number)
        points = cut(sent)[: 2 * len(pairs)]
        return read_mail(to.secrets.key("mailbox"), list(zip(points[::2], points[1::2], strict=True)))


def _read(spelled: Plain, memory: ScriptMemory) -> Show:
    match spelled:
        case (_, tuple() as items, tuple() as parts):
            return Show(tuple(item for item in items if isinstance(item, int)), tuple((part, to) for part, to in parts))
    raise NotSpelled(spelled)


SHOW: Final = SuiteAsk(("show",), _read, PendingShow)
