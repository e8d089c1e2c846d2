"""Disclose: owners tell, receivers whose tally is greater can read, and nobody else learns whether (SPEC.md,
"Disclose").

Body of an owner: for each of its tells, in the ask's order, (offer, sealed payload). The offer carries the pads of the
pair of tallies; it is empty where the pads made after the last seal of either tally still stand. All widths are fixed
by public facts.

Whatever fails inside a pad or a payload is NOTHING to the receiver, in silence: what an honest receiver does next must
not depend on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat

from games.table import HIDDEN, NOTHING, Answer, Disclose, Nothing, Plain, Tell, Unreadable
from protocol.asks.base import Desk, Foul, Machine, Pair
from protocol.crypto import disclosure
from protocol.crypto.hashing import derive
from protocol.encoding import Malformed, pack, unpack

LABEL = "tell"


class DiscloseMachine(Machine):
    """A batch of conditional disclosures."""

    def __init__(self, desk: Desk, step: int, ask: Disclose, own: Disclose) -> None:
        super().__init__(desk, step)
        self.tells = ask.tells
        self.says = tuple(tell.says for tell in own.tells)
        self.spaces = tuple(tell.what for tell in own.tells)
        self.told: list[Plain | Nothing] = []
        made = dict(desk.padded)
        padded = []
        for tell in self.tells:
            count = desk.sealed.get(tell.more, 0), desk.sealed.get(tell.than, 0)
            padded.append(made.get(_pair(tell)) != count)
            made[_pair(tell)] = count
        self.padded = tuple(padded)
        """Whether each tell carries pads."""

    def owing(self, stage: int) -> tuple[int, ...]:
        return tuple(sorted({tell.owner for tell in self.tells}))

    def owed(self, stage: int) -> str:
        return "what it discloses"

    def body(self, stage: int, choice: Plain) -> Plain:
        desk = self.desk
        assert desk.seat is not None
        context = self.context(stage, desk.seat)
        keys = dict(desk.given)
        bodies = []
        for index, tell in self._of(desk.seat):
            offer = b""
            if self.padded[index]:
                key = keys[_pair(tell)] = self._key(index, tell)
                total, _ = desk.opening(tell.than)
                more, than = desk.commitment(tell.more), desk.commitment(tell.than)
                label = f"{LABEL} {index}"
                offer = disclosure.offer(desk.group, desk.seed, context, label, tell.more.bits, more, than, total, key)
            sealed = disclosure.seal_payload(
                keys[_pair(tell)], tell.kind, context, index, pack(self.says[index]), tell.size
            )
            bodies.append((offer, sealed))
        return tuple(bodies)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        tells = self._of(seat)
        if not isinstance(body, tuple) or len(body) != len(tells):
            raise Foul(f"it does not tell {len(tells)} things")
        for (index, tell), told in zip(tells, body, strict=True):
            match told:
                case (bytes() as offer, bytes() as sealed) if len(sealed) == disclosure.sealed_size(tell.size):
                    pass
                case _:
                    raise Foul(f"tell {index} is not pads and a payload of {tell.size} bytes")
            if self.padded[index]:
                if not disclosure.well_formed(self.desk.group, tell.more.bits, offer):
                    raise Foul(f"the pads of tell {index} are not well formed")
            elif offer:
                raise Foul(f"tell {index} carries pads although the ones before still stand")

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        desk = self.desk
        answers: list[Plain | Nothing] = []
        nothing = repeat(None)
        told = {seat: iter(body) for seat, body in bodies.items() if isinstance(body, tuple)}
        for index, tell in enumerate(self.tells):
            match next(told.get(tell.owner, nothing)):
                case (bytes() as offer, bytes() as sealed):
                    answers.append(self._open(index, tell, offer, sealed) if tell.receiver == desk.seat else NOTHING)
                case _:
                    answers.append(NOTHING)
                    continue
            if self.padded[index]:
                desk.padded[_pair(tell)] = desk.sealed.get(tell.more, 0), desk.sealed.get(tell.than, 0)
                if tell.owner == desk.seat:
                    desk.given[_pair(tell)] = self._key(index, tell)
        self.told = answers

    def answers(self) -> tuple[Answer, Answer]:
        own = tuple(
            told if tell.receiver == self.desk.seat else HIDDEN
            for tell, told in zip(self.tells, self.told, strict=True)
        )
        return tuple(HIDDEN for _ in self.tells), own

    def explain(self, stage: int, given: Plain, due: Plain, choice: Plain) -> str:
        assert self.desk.seat is not None
        assert isinstance(given, tuple)
        assert isinstance(due, tuple)
        for (index, tell), was, should in zip(self._of(self.desk.seat), given, due, strict=True):
            match was, should:
                case (bytes() as offer, bytes() as sealed), (bytes() as due_offer, bytes() as due_sealed):
                    pass
                case _:
                    continue
            name = f"tell {index} ({tell.kind} of {tell.than.name} to seat {tell.receiver + 1})"
            if offer != due_offer:
                return f"the pads of {name} are not the ones that give the key above the threshold and only there"
            if sealed != due_sealed:
                return f"what it told in {name} is not what it had sealed and chosen"
        return super().explain(stage, given, due, choice)

    def _of(self, owner: int) -> list[tuple[int, Tell]]:
        return [(index, tell) for index, tell in enumerate(self.tells) if tell.owner == owner]

    def _key(self, index: int, tell: Tell) -> bytes:
        """The key that this seat puts into the pads of a tell: bound to both commitments, so never used for another
        pair of sums.
        """
        desk = self.desk
        assert desk.seat is not None
        statement = (desk.commitment(tell.more), desk.commitment(tell.than))
        return derive(desk.seed, "tell key", self.context(0, desk.seat), index, *statement)

    def _open(self, index: int, tell: Tell, offer: bytes, sealed: bytes) -> Plain | Nothing:
        """What the receiver reads. The same steps are taken whatever comes of them."""
        desk = self.desk
        context = self.context(0, tell.owner)
        if self.padded[index]:
            total, blinding = desk.opening(tell.more)
            more, than = desk.commitment(tell.more), desk.commitment(tell.than)
            label = f"{LABEL} {index}"
            taken = disclosure.accept(desk.group, context, label, tell.more.bits, more, than, total, blinding, offer)
            desk.taken[_pair(tell)] = taken or bytes(32)
        payload = disclosure.open_payload(desk.taken[_pair(tell)], tell.kind, context, index, sealed, tell.size)
        if payload is None:
            return NOTHING
        space = self.spaces[index]
        try:
            told = space.read(unpack(payload))
        except (Malformed, Unreadable):
            return NOTHING
        return NOTHING if space.why_not(told) else told


def _pair(tell: Tell) -> Pair:
    return tell.more, tell.than
