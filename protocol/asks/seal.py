"""Seal: seats choose, and open nothing before the audit (SPEC.md, "Seal").

For a space of amounts the body is (commitments, proofs, proof): a Pedersen commitment for each slot, a range proof for
each, and the proof that the rest of the limit is not negative. For any other space it is (commitment,), a hash
commitment of 32 bytes.
"""

from __future__ import annotations

from collections.abc import Mapping

from kimberley.games.table import HIDDEN, Amounts, Answer, Plain, Seal
from kimberley.protocol.asks.base import (
    AskMachine,
    CryptoContext,
    ProtocolViolation,
    check_within,
    decode_point,
    prove_within,
)
from kimberley.protocol.asks.together import check_commitment, choice_nonce
from kimberley.protocol.crypto import ranges
from kimberley.protocol.crypto.commitments import commit_choice, pedersen
from kimberley.protocol.crypto.hashing import derive_scalar


class SealMachine(AskMachine[Seal]):
    """Choices that stay sealed. Sealed amounts are added to their tallies."""

    def __init__(self, crypto: CryptoContext, step: int, ask: Seal, own: Seal) -> None:
        super().__init__(crypto, step, ask, own)
        self.own: Plain = None
        self.sealed_by: frozenset[int] = frozenset()

    def owing(self, stage: int) -> tuple[int, ...]:
        return tuple(seat for seat, space in enumerate(self.ask.spaces) if space is not None)

    def owed(self, stage: int) -> str:
        return "the sealed amounts"

    def body(self, stage: int, choice: Plain) -> Plain:
        crypto = self.crypto
        assert crypto.seat is not None
        context = self.context(stage, crypto.seat)
        space = self.ask.spaces[crypto.seat]
        if not isinstance(space, Amounts):
            return (commit_choice(context, choice_nonce(self, choice), choice),)
        sealed = self._sealed(space, choice)
        g = crypto.group
        commitments = tuple(pedersen(g, amount, blinding) for amount, blinding in sealed)
        proofs = tuple(
            ranges.prove(g, crypto.seed, context, "amount", slot.bits, amount, blinding, index)
            for index, (slot, (amount, blinding)) in enumerate(zip(space.slots, sealed, strict=True))
        )
        taken = sum(amount for amount, _ in sealed), sum(blinding for _, blinding in sealed)
        return commitments, proofs, prove_within(crypto, context, space.within, taken, 0)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        space = self.ask.spaces[seat]
        if not isinstance(space, Amounts):
            check_commitment(body)
            return
        match body:
            case (tuple() as commitments, tuple() as proofs, proof) if (
                len(commitments) == len(proofs) == len(space.slots)
            ):
                pass
            case _:
                raise ProtocolViolation(f"it is not {len(space.slots)} sealed amounts with their proofs")
        crypto = self.crypto
        context = self.context(stage, seat)
        for number, (slot, commitment, range_proof) in enumerate(zip(space.slots, commitments, proofs, strict=True), 1):
            sealed = decode_point(crypto, commitment)
            if not isinstance(range_proof, bytes) or not ranges.verify(
                crypto.group, context, "amount", slot.bits, sealed, range_proof
            ):
                raise ProtocolViolation(
                    f"sealed amount {number} ({slot.name}) is not proven to be from 0 to {2**slot.bits - 1}"
                )
        check_within(crypto, context, space.within, self._sum(commitments), 0, proof)

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        crypto = self.crypto
        self.sealed_by = frozenset(bodies)
        for seat, body in bodies.items():
            space = self.ask.spaces[seat]
            if not isinstance(space, Amounts):
                continue
            match body:
                case (tuple() as commitments, _, _):
                    pass
                case _:
                    raise AssertionError("unchecked body")
            tally = space.within.tally
            crypto.tallies[tally] = crypto.group.add(crypto.commitment(tally), self._sum(commitments))
            for slot, commitment in zip(space.slots, commitments, strict=True):
                assert isinstance(commitment, bytes)
                crypto.tallies[slot] = crypto.group.add(crypto.commitment(slot), commitment)
                crypto.sealed[slot] = crypto.sealed.get(slot, 0) + 1
        if crypto.seat is not None and crypto.seat in bodies:
            self.own = choice
            space = self.ask.spaces[crypto.seat]
            if isinstance(space, Amounts):
                for slot, (amount, blinding) in zip(space.slots, self._sealed(space, choice), strict=True):
                    for tally in (slot, space.within.tally):
                        total, hiding = crypto.opening(tally)
                        crypto.openings[tally] = total + amount, (hiding + blinding) % crypto.group.order

    def answers(self) -> tuple[Answer, Answer]:
        def seen(seat: int | None) -> Answer:
            return tuple(
                None if chooser not in self.sealed_by else self.own if chooser == seat else HIDDEN
                for chooser in range(self.crypto.seats)
            )

        return seen(None), seen(self.crypto.seat)

    def explain(self, stage: int, given: Plain, due: Plain, choice: Plain) -> str:
        return "they sealed a different choice than they showed at the audit"

    def _sealed(self, space: Amounts, choice: Plain) -> list[tuple[int, int]]:
        """Returns (amount, blinding) for each slot of this seat's choice."""
        crypto = self.crypto
        assert crypto.seat is not None
        assert isinstance(choice, tuple)
        context = self.context(0, crypto.seat)
        sealed = []
        for index, (slot, amount) in enumerate(zip(space.slots, choice, strict=True)):
            assert isinstance(amount, int)
            statement = (slot.name, slot.bits, amount)
            sealed.append((amount, derive_scalar(crypto.group, crypto.seed, "blinding", context, index, *statement)))
        return sealed

    def _sum(self, commitments: tuple[Plain, ...]) -> bytes:
        total = self.crypto.group.identity
        for commitment in commitments:
            assert isinstance(commitment, bytes)
            total = self.crypto.group.add(total, commitment)
        return total
