"""Together: seats choose at the same time, commit, then open (SPEC.md, "Together").

Stage 0, body (commitment,): 32 bytes. Stage 1, body (nonce, choice, proof): 32 bytes, the choice, and the proof that
its cost is within the limit, or None if the ask has no limit.
"""

from __future__ import annotations

from collections.abc import Mapping

from kimberley.games.table import Answer, Plain, Together, Within
from kimberley.protocol.asks.base import (
    AskMachine,
    CryptoContext,
    Machine,
    ProtocolViolation,
    check_within,
    prove_within,
)
from kimberley.protocol.asks.decide import check_choice
from kimberley.protocol.crypto.commitments import commit_choice
from kimberley.protocol.crypto.hashing import derive

COMMIT, OPEN = 0, 1


def choice_nonce(machine: Machine, choice: Plain) -> bytes:
    """Returns the nonce under which this seat commits to `choice` in this step."""
    crypto = machine.crypto
    assert crypto.seat is not None
    return derive(crypto.seed, "choice nonce", machine.context(COMMIT, crypto.seat), 0, choice)


def check_commitment(body: Plain) -> None:
    """Raises ProtocolViolation unless the body is one hash commitment."""
    match body:
        case (bytes() as commitment,) if len(commitment) == 32:
            return
    raise ProtocolViolation("it is not a commitment of 32 bytes")


class TogetherMachine(AskMachine[Together]):
    """The choices of several seats, shown to all at once."""

    stages = 2

    def __init__(self, crypto: CryptoContext, step: int, ask: Together, own: Together) -> None:
        super().__init__(crypto, step, ask, own)
        self.commitments: Mapping[int, Plain] = {}
        self.choices: dict[int, Plain] = {}

    def owing(self, stage: int) -> tuple[int, ...]:
        asked = tuple(seat for seat, space in enumerate(self.ask.spaces) if space is not None)
        return asked if stage == COMMIT else tuple(seat for seat in asked if seat in self.commitments)

    def owed(self, stage: int) -> str:
        return ("the choice", "the opening of the choice")[stage]

    def body(self, stage: int, choice: Plain) -> Plain:
        crypto = self.crypto
        assert crypto.seat is not None
        context = self.context(stage, crypto.seat)
        nonce = choice_nonce(self, choice)
        if stage == COMMIT:
            return (commit_choice(context, nonce, choice),)
        within = self._within(crypto.seat)
        cost = self._cost(crypto.seat, choice)
        return nonce, choice, prove_within(crypto, context, within, (0, 0), cost) if within else None

    def check(self, stage: int, seat: int, body: Plain) -> None:
        if stage == COMMIT:
            check_commitment(body)
            return
        match body:
            case (bytes() as nonce, choice, proof) if len(nonce) == 32:
                pass
            case _:
                raise ProtocolViolation("it is not an opening: a nonce, a choice and a proof")
        context = self.context(stage, seat)
        if self.commitments[seat] != (commit_choice(context, nonce, choice),):
            raise ProtocolViolation("the opening does not match the commitment")
        space = self.ask.spaces[seat]
        assert space is not None
        check_choice(space, choice)
        within = self._within(seat)
        if within:
            check_within(self.crypto, context, within, self.crypto.group.identity, self._cost(seat, choice), proof)
        elif proof is not None:
            raise ProtocolViolation("it carries a proof that nobody asked for")

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        if stage == COMMIT:
            self.commitments = dict(bodies)
            return
        for seat, body in bodies.items():
            space = self.ask.spaces[seat]
            assert isinstance(body, tuple)
            assert space is not None
            self.choices[seat] = space.read(body[1])

    def answers(self) -> tuple[Answer, Answer]:
        answer = tuple(self.choices.get(seat) for seat in range(self.crypto.seats))
        return answer, answer

    def explain(self, stage: int, given: Plain, due: Plain, choice: Plain) -> str:
        if stage == COMMIT:
            return "they committed to a different choice than they showed at the audit"
        return super().explain(stage, given, due, choice)

    def _within(self, seat: int) -> Within | None:
        return self.ask.within[seat] if self.ask.within else None

    def _cost(self, seat: int, choice: Plain) -> int:
        space = self.ask.spaces[seat]
        assert space is not None
        return space.cost(choice)
