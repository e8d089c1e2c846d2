"""What each ask demands of the seats: bodies, checks and answers (SPEC.md, section 15)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from kimberley.client.conformance.asks.knowledge import (
    Bodies,
    KnownSeat,
    ProtocolViolation,
    PublicFacts,
)
from kimberley.client.conformance.crypto.group import (
    BadElement,
)
from kimberley.client.conformance.crypto.hashing import Context
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.games.table import (
    Space,
    Unreadable,
)


class PendingAsk(ABC):
    """One ask that has been put, up to its answer."""

    stages = 1

    def __init__(self, facts: PublicFacts, step: int) -> None:
        self.facts = facts
        self.step = step

    @abstractmethod
    def owing(self, stage: int) -> Sequence[int]:
        """The seats that owe a body to a stage if none has left."""

    @abstractmethod
    def body(self, stage: int, seat: KnownSeat) -> Plain:
        """The body that a correct seat signs. If the seat was asked, its latest choice is the one for this ask."""

    @abstractmethod
    def check(self, stage: int, seat: int, body: Plain) -> None:
        """Checks a body. Raises ProtocolViolation; ValueError or TypeError if the body has the wrong shape."""

    @abstractmethod
    def complete(self, stage: int, bodies: Bodies, seats: Sequence[KnownSeat]) -> None:
        """A stage is complete. Seats that left have no body in it."""

    def answer(self, seat: KnownSeat | None) -> Any:
        """The answer as a seat sees it, or an onlooker (None)."""
        raise NotImplementedError

    @property
    def answered(self) -> bool:
        """Whether there is an answer."""
        return True

    def context(self, stage: int, seat: int) -> Context:
        return self.facts.context(self.step, stage, seat)


def check_choice(space: Space, choice: Plain) -> None:
    """Checks that a space allows a choice. Raises ProtocolViolation."""
    try:
        reason = space.violation(space.read(choice))
    except Unreadable as error:
        reason = str(error)
    if reason is not None:
        raise ProtocolViolation(reason)


def octets(plain: Plain, size: int | None = None) -> bytes:
    if not isinstance(plain, bytes) or size not in (None, len(plain)):
        raise BadElement("expected bytes of another length" if isinstance(plain, bytes) else "expected bytes")
    return plain


def array(plain: Plain, size: int | None = None) -> tuple[Plain, ...]:
    if not isinstance(plain, tuple) or size not in (None, len(plain)):
        raise BadElement("expected an array of another length" if isinstance(plain, tuple) else "expected an array")
    return plain


def entries(plain: Plain, size: int, each: int) -> list[tuple[Plain, ...]]:
    return [array(entry, each) for entry in array(plain, size)]
