"""Decide: one seat chooses in the open (SPEC.md, "Decide"). Body: (choice,)."""

from __future__ import annotations

from collections.abc import Mapping

from kimberley.games.table import Answer, Decide, Plain, Space, Unreadable
from kimberley.protocol.asks.base import AskMachine, CryptoContext, ProtocolViolation


def check_choice(space: Space, choice: Plain) -> Plain:
    """Returns the choice as the space reads it. Raises ProtocolViolation if it is unreadable, or breaks a rule by
    public facts.
    """
    try:
        read = space.read(choice)
    except Unreadable as error:
        raise ProtocolViolation(f"their choice cannot be read: {error}") from None
    if reason := space.violation(read):
        raise ProtocolViolation(f"their choice breaks a rule: {reason}")
    return read


class DecideMachine(AskMachine[Decide]):
    """The choice of one seat."""

    def __init__(self, crypto: CryptoContext, step: int, ask: Decide, own: Decide) -> None:
        super().__init__(crypto, step, ask, own)
        self.choice: Plain = None
        self.decided = False

    def owing(self, stage: int) -> tuple[int, ...]:
        return (self.ask.seat,)

    def owed(self, stage: int) -> str:
        return "the choice"

    def body(self, stage: int, choice: Plain) -> Plain:
        return (choice,)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        match body:
            case (choice,):
                check_choice(self.ask.space, choice)
            case _:
                raise ProtocolViolation("it is not one choice")

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        body = bodies.get(self.ask.seat)
        self.decided = body is not None
        if isinstance(body, tuple):
            self.choice = self.ask.space.read(body[0])

    @property
    def answered(self) -> bool:
        return self.decided

    def answers(self) -> tuple[Answer, Answer]:
        return self.choice, self.choice
