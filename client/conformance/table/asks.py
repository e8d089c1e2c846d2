"""What each ask demands of the seats: bodies, checks and answers (SPEC.md, section 15; other asks have own modules)."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from kimberley.client.conformance.crypto.group import (
    IDENTITY,
    BadElement,
    base,
    hash_to_group,
    mul,
    read_point,
    total,
)
from kimberley.client.conformance.crypto.hashing import GROUP, Context, digest, message
from kimberley.client.conformance.crypto.proofs import check_dleq, prove_dleq
from kimberley.client.conformance.encoding.plain import Plain
from kimberley.client.conformance.errors import present
from kimberley.client.conformance.table.knowledge import (
    PURPOSES,
    Bodies,
    KnownSeat,
    ProtocolViolation,
    PublicFacts,
    SeatKeys,
    check_within,
    prove_within,
)
from kimberley.games.table import (
    Decide,
    Roll,
    Space,
    Together,
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


class PendingKeys(PendingAsk):
    """Step 0: all seats announce their keys."""

    def owing(self, stage: int) -> Sequence[int]:
        return range(self.facts.seats)

    def body(self, stage: int, seat: KnownSeat) -> Plain:
        secrets = seat.secrets
        return tuple(
            (base(x), prove_dleq(secrets, f"key {purpose}", secrets.context(0), 0, x, ()))
            for purpose, x in ((purpose, secrets.key(purpose)) for purpose in PURPOSES)
        )

    def check(self, stage: int, seat: int, body: Plain) -> None:
        for purpose, (key, proof) in zip(PURPOSES, entries(body, 3, 2), strict=True):
            if not check_dleq(f"key {purpose}", self.context(0, seat), read_point(key), (), (), octets(proof)):
                raise ProtocolViolation(f"its {purpose} key is not proven")

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[KnownSeat]) -> None:
        for seat, body in bodies.items():
            keys = [octets(key) for key, _ in entries(body, 3, 2)]
            self.facts.keys[seat] = SeatKeys(*keys)

    @property
    def answered(self) -> bool:
        return False


class PendingDecide(PendingAsk):
    """One seat chooses."""

    def __init__(self, facts: PublicFacts, step: int, ask: Decide) -> None:
        super().__init__(facts, step)
        self.ask = ask
        self.choice: tuple[Plain, ...] = ()

    def owing(self, stage: int) -> Sequence[int]:
        return (self.ask.seat,)

    def body(self, stage: int, seat: KnownSeat) -> Plain:
        return (seat.choices[-1],)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        (choice,) = array(body, 1)
        check_choice(self.ask.space, choice)

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[KnownSeat]) -> None:
        self.choice = tuple(entry for body in bodies.values() for entry in array(body, 1))

    def answer(self, seat: KnownSeat | None) -> Any:
        return self.choice[0]

    @property
    def answered(self) -> bool:
        return bool(self.choice)


class PendingTogether(PendingAsk):
    """Seats choose at the same time: they commit, then they open."""

    stages = 2

    def __init__(self, facts: PublicFacts, step: int, ask: Together) -> None:
        super().__init__(facts, step)
        self.ask = ask
        self.commitments: dict[int, Plain] = {}
        self.choices: dict[int, Plain] = {}

    def owing(self, stage: int) -> Sequence[int]:
        asked = [seat for seat, space in enumerate(self.ask.spaces) if space is not None]
        return asked if stage == 0 else [seat for seat in asked if seat in self.commitments]

    def body(self, stage: int, seat: KnownSeat) -> Plain:
        choice = seat.choices[-1]
        if stage == 0:
            return commit(seat, self.step, choice)
        within = self.ask.within[seat.number] if self.ask.within else None
        proof = None
        if within is not None:
            proof = prove_within(seat, self.context(1, seat.number), within, (0, 0), self._cost(seat.number, choice))
        return choice_nonce(seat, self.step, choice), choice, proof

    def check(self, stage: int, seat: int, body: Plain) -> None:
        if stage == 0:
            check_commitment(body)
            return
        nonce, choice, proof = array(body, 3)
        due = digest("choice", self.facts.game, self.step, seat, octets(nonce, 32), choice)
        if self.commitments[seat] != (due,):
            raise ProtocolViolation("the opening does not fit the commitment")
        check_choice(present(self.ask.spaces[seat]), choice)
        within = self.ask.within[seat] if self.ask.within else None
        if within is not None:
            check_within(self.facts, self.context(1, seat), within, IDENTITY, self._cost(seat, choice), proof)
        elif proof is not None:
            raise ProtocolViolation("it carries a proof although none is asked for")

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[KnownSeat]) -> None:
        if stage == 0:
            self.commitments = dict(bodies)
        else:
            self.choices = {seat: array(body, 3)[1] for seat, body in bodies.items()}

    def answer(self, seat: KnownSeat | None) -> Any:
        return tuple(self.choices.get(place) for place in range(self.facts.seats))

    def _cost(self, seat: int, choice: Plain) -> int:
        return present(self.ask.spaces[seat]).cost(choice)


class PendingRoll(PendingAsk):
    """All seats roll."""

    def __init__(self, facts: PublicFacts, step: int, ask: Roll) -> None:
        super().__init__(facts, step)
        self.ask = ask
        self.rolled: tuple[int, ...] = ()
        self.point = hash_to_group(message("coin point", facts.game, step, 0))

    def owing(self, stage: int) -> Sequence[int]:
        return range(self.facts.seats)

    def body(self, stage: int, seat: KnownSeat) -> Plain:
        y, context = seat.secrets.key("coin"), seat.secrets.context(self.step)
        return (mul(y, self.point) + prove_dleq(seat.secrets, "coin share", context, 0, y, (self.point,)),)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        share = octets(array(body, 1)[0], 96)
        public, context = self.facts.keys[seat].coin, self.context(0, seat)
        if not check_dleq("coin share", context, public, (self.point,), (share[:32],), share[32:]):
            raise ProtocolViolation("its share of the roll is not proven")

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[KnownSeat]) -> None:
        points = [
            octets(array(bodies[seat], 1)[0])[:32] if seat in bodies else mul(self.facts.left[seat][0], self.point)
            for seat in range(self.facts.seats)
        ]
        self.rolled = roll_dice(points, self.ask.sides)

    def answer(self, seat: KnownSeat | None) -> Any:
        return self.rolled


# -- what they share ---------------------------------------------------------------------------------------------------


def roll_dice(points: Sequence[bytes], sides: Sequence[int]) -> tuple[int, ...]:
    """The dice that follow from all shares of a roll."""
    material = digest("coin", GROUP, total(points))
    words: list[int] = []
    counter = 0
    shown = []
    for n in sides:
        while True:
            if not words:
                block = hashlib.sha256(message("dice", material, counter)).digest()
                words = [int.from_bytes(block[at : at + 8], "big") for at in range(0, 32, 8)]
                counter += 1
            word = words.pop(0)
            if word < 2**64 - 2**64 % n:
                break
        shown.append(word % n)
    return tuple(shown)


def choice_nonce(seat: KnownSeat, step: int, choice: Plain) -> bytes:
    return seat.secrets.derive("choice nonce", seat.secrets.context(step), 0, choice)


def commit(seat: KnownSeat, step: int, choice: Plain) -> tuple[bytes]:
    """The body that commits to a choice."""
    return (digest("choice", seat.secrets.game, step, seat.number, choice_nonce(seat, step, choice), choice),)


def check_commitment(body: Plain) -> None:
    """Checks the body that commits to a choice. Raises BadElement."""
    octets(array(body, 1)[0], 32)


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
