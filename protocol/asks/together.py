"""Together: seats choose at the same time, commit, then open (SPEC.md, "Together").

Stage 0, body (commitment,): 32 bytes. Stage 1, body (nonce, choice, proof): 32 bytes, the choice, and the proof that
its cost is within the limit, or None where the ask sets none.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.table import Answer, Plain, Together, Within
from protocol.asks.base import Desk, Foul, Machine, check_within, prove_within
from protocol.asks.decide import check_choice
from protocol.crypto.commitments import commit_choice
from protocol.crypto.hashing import derive

COMMIT, OPEN = 0, 1


def choice_nonce(machine: Machine, choice: Plain) -> bytes:
    """The nonce under which this seat commits to `choice` in this step."""
    desk = machine.desk
    assert desk.seat is not None
    return derive(desk.seed, "choice nonce", machine.context(COMMIT, desk.seat), 0, choice)


def check_commitment(body: Plain) -> None:
    """Raises Foul unless the body is one hash commitment."""
    match body:
        case (bytes() as commitment,) if len(commitment) == 32:
            return
    raise Foul("it is not a commitment of 32 bytes")


class TogetherMachine(Machine):
    """The choices of several seats, shown to all at once."""

    stages = 2

    def __init__(self, desk: Desk, step: int, ask: Together) -> None:
        super().__init__(desk, step)
        self.ask = ask
        self.commitments: Mapping[int, Plain] = {}
        self.choices: dict[int, Plain] = {}

    def owing(self, stage: int) -> tuple[int, ...]:
        asked = tuple(seat for seat, space in enumerate(self.ask.spaces) if space is not None)
        return asked if stage == COMMIT else tuple(seat for seat in asked if seat in self.commitments)

    def owed(self, stage: int) -> str:
        return ("its commitment", "the opening of its choice")[stage]

    def body(self, stage: int, choice: Plain) -> Plain:
        desk = self.desk
        assert desk.seat is not None
        context = self.context(stage, desk.seat)
        nonce = choice_nonce(self, choice)
        if stage == COMMIT:
            return (commit_choice(context, nonce, choice),)
        within = self._within(desk.seat)
        cost = self._cost(desk.seat, choice)
        return nonce, choice, prove_within(desk, context, within, (0, 0), cost) if within else None

    def check(self, stage: int, seat: int, body: Plain) -> None:
        if stage == COMMIT:
            check_commitment(body)
            return
        match body:
            case (bytes() as nonce, choice, proof) if len(nonce) == 32:
                pass
            case _:
                raise Foul("it is not an opening: a nonce, a choice and a proof")
        context = self.context(stage, seat)
        if self.commitments[seat] != (commit_choice(context, nonce, choice),):
            raise Foul("the opening does not fit the commitment")
        space = self.ask.spaces[seat]
        assert space is not None
        check_choice(space, choice)
        within = self._within(seat)
        if within:
            check_within(self.desk, context, within, self.desk.group.identity, self._cost(seat, choice), proof)
        elif proof is not None:
            raise Foul("it carries a proof that nobody asked for")

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
        answer = tuple(self.choices.get(seat) for seat in range(self.desk.seats))
        return answer, answer

    def explain(self, stage: int, given: Plain, due: Plain, choice: Plain) -> str:
        if stage == COMMIT:
            return "its commitment is not to the choice that it showed at the audit"
        return super().explain(stage, given, due, choice)

    def _within(self, seat: int) -> Within | None:
        return self.ask.within[seat] if self.ask.within else None

    def _cost(self, seat: int, choice: Plain) -> int:
        space = self.ask.spaces[seat]
        assert space is not None
        return space.cost(choice)
