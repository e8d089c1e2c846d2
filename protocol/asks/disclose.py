"""Disclose: a receiver whose tally is greater can read the owner's payload, and nobody else learns whether it can
(SPEC.md, "Disclose").

Body of an owner: for each of its tells, in the ask's order, (offer, sealed payload). The offer carries the pads of the
pair of tallies; it is empty if the pads made after the last seal of either tally are still valid. Public facts fix all
widths.

Any failure inside a pad or a payload silently gives the receiver NOTHING: the next action of an honest receiver must
not depend on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat

from kimberley.games.table import HIDDEN, NOTHING, Answer, Disclose, Nothing, Plain, Tell, Unreadable
from kimberley.protocol.asks.base import AskMachine, CryptoContext, ProtocolViolation, TallyPair
from kimberley.protocol.crypto import disclosure
from kimberley.protocol.crypto.hashing import derive
from kimberley.protocol.encoding import Malformed, pack, unpack

LABEL = "tell"


class DiscloseMachine(AskMachine[Disclose]):
    """A batch of conditional disclosures."""

    def __init__(self, crypto: CryptoContext, step: int, ask: Disclose, own: Disclose) -> None:
        super().__init__(crypto, step, ask, own)
        self.tells = ask.tells
        self.says = tuple(tell.says for tell in self.own_ask.tells)
        self.spaces = tuple(tell.what for tell in self.own_ask.tells)
        self.payloads: list[Plain | Nothing] = []
        made = dict(crypto.padded)
        padded = []
        for tell in self.tells:
            count = crypto.sealed.get(tell.more, 0), crypto.sealed.get(tell.than, 0)
            padded.append(made.get(_pair(tell)) != count)
            made[_pair(tell)] = count
        self.padded = tuple(padded)
        """Whether each tell carries pads."""

    def owing(self, stage: int) -> tuple[int, ...]:
        return tuple(sorted({tell.owner for tell in self.tells}))

    def owed(self, stage: int) -> str:
        return "the disclosure"

    def body(self, stage: int, choice: Plain) -> Plain:
        crypto = self.crypto
        assert crypto.seat is not None
        context = self.context(stage, crypto.seat)
        keys = dict(crypto.given)
        bodies = []
        for index, tell in self.tells_of(crypto.seat):
            offer = b""
            if self.padded[index]:
                key = keys[_pair(tell)] = self.key(index, tell)
                total, _ = crypto.opening(tell.than)
                more, than = crypto.commitment(tell.more), crypto.commitment(tell.than)
                label = f"{LABEL} {index}"
                offer = disclosure.offer(
                    crypto.group, crypto.seed, context, label, tell.more.bits, more, than, total, key
                )
            sealed = disclosure.seal_payload(
                keys[_pair(tell)], tell.kind, context, index, pack(self.says[index]), tell.size
            )
            bodies.append((offer, sealed))
        return tuple(bodies)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        tells = self.tells_of(seat)
        if not isinstance(body, tuple) or len(body) != len(tells):
            raise ProtocolViolation(f"it does not disclose {len(tells)} things")
        for (index, tell), disclosed in zip(tells, body, strict=True):
            match disclosed:
                case (bytes() as offer, bytes() as sealed) if len(sealed) == disclosure.sealed_size(tell.size):
                    pass
                case _:
                    raise ProtocolViolation(f"tell {index} does not consist of pads and a payload of {tell.size} bytes")
            if self.padded[index]:
                if not disclosure.well_formed(self.crypto.group, tell.more.bits, offer):
                    raise ProtocolViolation(f"the pads of tell {index} are not well formed")
            elif offer:
                raise ProtocolViolation(f"tell {index} carries pads although the earlier ones still stand")

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        crypto = self.crypto
        answers: list[Plain | Nothing] = []
        nothing = repeat(None)
        parts = {seat: iter(body) for seat, body in bodies.items() if isinstance(body, tuple)}
        for index, tell in enumerate(self.tells):
            match next(parts.get(tell.owner, nothing)):
                case (bytes() as offer, bytes() as sealed):
                    answers.append(self._open(index, tell, offer, sealed) if tell.receiver == crypto.seat else NOTHING)
                case _:
                    answers.append(NOTHING)
                    continue
            if self.padded[index]:
                crypto.padded[_pair(tell)] = crypto.sealed.get(tell.more, 0), crypto.sealed.get(tell.than, 0)
                if tell.owner == crypto.seat:
                    crypto.given[_pair(tell)] = self.key(index, tell)
        self.payloads = answers

    def answers(self) -> tuple[Answer, Answer]:
        own = tuple(
            payload if tell.receiver == self.crypto.seat else HIDDEN
            for tell, payload in zip(self.tells, self.payloads, strict=True)
        )
        return tuple(HIDDEN for _ in self.tells), own

    def explain(self, stage: int, given: Plain, due: Plain, choice: Plain) -> str:
        assert self.crypto.seat is not None
        assert isinstance(given, tuple)
        assert isinstance(due, tuple)
        for (index, tell), was, should in zip(self.tells_of(self.crypto.seat), given, due, strict=True):
            match was, should:
                case (bytes() as offer, bytes() as sealed), (bytes() as due_offer, bytes() as due_sealed):
                    pass
                case _:
                    continue
            name = f"tell {index} ({tell.kind} of {tell.than.name} to seat {tell.receiver + 1})"
            if offer != due_offer:
                return f"the pads of {name} are not the ones that give the key above the threshold and only there"
            if sealed != due_sealed:
                return f"what they told in {name} is not what they sealed and chose"
        return super().explain(stage, given, due, choice)

    def tells_of(self, owner: int) -> list[tuple[int, Tell]]:
        """Returns what a seat tells in this step: each tell with its place in the ask."""
        return [(index, tell) for index, tell in enumerate(self.tells) if tell.owner == owner]

    def key(self, index: int, tell: Tell) -> bytes:
        """Returns the key that this seat puts into the pads of a tell. It is bound to both commitments, so it is never
        used for another pair of sums.
        """
        crypto = self.crypto
        assert crypto.seat is not None
        statement = (crypto.commitment(tell.more), crypto.commitment(tell.than))
        return derive(crypto.seed, "tell key", self.context(0, crypto.seat), index, *statement)

    def _open(self, index: int, tell: Tell, offer: bytes, sealed: bytes) -> Plain | Nothing:
        """Returns the payload that the receiver reads. The steps are the same whatever the outcome."""
        crypto = self.crypto
        context = self.context(0, tell.owner)
        if self.padded[index]:
            total, blinding = crypto.opening(tell.more)
            more, than = crypto.commitment(tell.more), crypto.commitment(tell.than)
            label = f"{LABEL} {index}"
            taken = disclosure.accept(crypto.group, context, label, tell.more.bits, more, than, total, blinding, offer)
            crypto.taken[_pair(tell)] = taken or bytes(32)
        payload = disclosure.open_payload(crypto.taken[_pair(tell)], tell.kind, context, index, sealed, tell.size)
        if payload is None:
            return NOTHING
        space = self.spaces[index]
        try:
            opened = space.read(unpack(payload))
        except (Malformed, Unreadable):
            return NOTHING
        return NOTHING if space.violation(opened) else opened


def _pair(tell: Tell) -> TallyPair:
    return tell.more, tell.than
