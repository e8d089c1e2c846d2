"""The seats that the suite plays, and the frames of seating (SPEC.md, section 9)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from kimberley.conformance.errors import Failed, present
from kimberley.conformance.harness.connection import Connection, Frame
from kimberley.conformance.harness.harness import SuiteListener
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.plain import spelled
from kimberley.games.table import Plain
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.crypto.signatures import verify
from kimberley.protocol.roster import BadRoster, Roster, RosterSeat, SignedRoster

NAMES: Final = ("ana", "ben", "cleo", "dan", "eva", "finn")

MutateFrame = Callable[[Frame], Frame]

Person = tuple[bytes, str]
"""Identity and nickname."""


@dataclass
class SuiteSeat:
    """A seat that the suite plays."""

    seat: int
    identity: SuiteIdentity = field(default_factory=lambda: SuiteIdentity(os.urandom(32)))
    seed: bytes = field(default_factory=lambda: os.urandom(32))
    nonce: bytes = field(default_factory=lambda: os.urandom(32))
    nickname: str = ""
    listener: SuiteListener | None = None
    connection: Connection | None = None
    """The connection to the target."""
    early: bool = False
    """Whether it connected and said `have` before the target had all nonces."""

    def __post_init__(self) -> None:
        self.nickname = self.nickname or NAMES[self.seat]

    @property
    def person(self) -> Person:
        return self.identity.public, self.nickname

    @property
    def wire(self) -> Connection:
        """The connection to the target. Raises TypeError if there is none."""
        return present(self.connection)

    @property
    def port(self) -> int:
        return self.listener.port if self.listener is not None else 0

    @property
    def place(self) -> Frame:
        """Its answer to `prepare`, without the kind and the round."""
        return digest("nonce", self.nonce), digest("seed", self.seed)


@dataclass(frozen=True)
class TableDescription:
    """The frame in which a host describes its table."""

    game: str
    rules: int
    options: tuple[tuple[str, Plain], ...]
    seats: int
    people: tuple[Person, ...]
    sitting: tuple[tuple[Plain, ...], ...]

    @classmethod
    def read(cls, frame: Frame) -> TableDescription:
        """Returns the table that a frame describes. Raises Failed."""
        match frame:
            case (
                "table",
                str() as game,
                int() as rules,
                tuple() as options,
                int() as seats,
                tuple() as people,
                tuple() as sitting,
            ):
                named = [(one[0], one[1]) for one in options if isinstance(one, tuple) and isinstance(one[0], str)]
                who = [one for one in people if isinstance(one, tuple) and len(one) == 2]
                there = tuple((key, name) for key, name in who if isinstance(key, bytes) and isinstance(name, str))
                seen = tuple(one for one in sitting if isinstance(one, tuple) and len(one) == 4)
                if len(there) == len(people) == len(seen):
                    return cls(game, rules, tuple((str(name), value) for name, value in named), seats, there, seen)
        raise Failed(f"the host describes its table with {spelled(frame)}")

    def frame(self) -> Frame:
        return "table", self.game, self.rules, self.options, self.seats, self.people, self.sitting


def all_bytes(plain: Sequence[Plain]) -> tuple[bytes, ...]:
    """Returns the values, which must all be bytes. Raises ValueError."""
    strings = tuple(entry for entry in plain if isinstance(entry, bytes))
    if len(strings) != len(plain):
        raise ValueError("expected nothing but bytes")
    return strings


def read_packed(frame: Frame) -> bytes:
    """Returns the bytes of the roster in the host's frame. Raises Failed."""
    match frame:
        case ("roster", _, bytes() as packed):
            return packed
    raise Failed(f"the host sends {spelled(frame)} instead of its roster")


def check_roster(roster: Roster, announced: TableDescription) -> None:
    """Raises Failed unless the target's roster is the one that it announced."""
    if (roster.game, roster.rules, roster.options) != (announced.game, announced.rules, announced.options):
        raise Failed("the target's roster has another game or other options than it announced")
    if tuple((place.identity, place.nickname) for place in roster.seats) != announced.people:
        raise Failed("the target's roster has other people than it announced")


def read_signatures(frame: Frame, number: Plain, roster: Roster) -> tuple[bytes, ...]:
    """Returns the signatures of all seats, which the host passes on. Raises Failed."""
    match frame:
        case ("signatures", n, tuple() as given) if n == number:
            signatures = all_bytes(given)
            if len(signatures) == len(roster.seats) and all(
                verify(place.identity, "roster", roster.packed, one)
                for place, one in zip(roster.seats, signatures, strict=True)
            ):
                return signatures
    raise Failed("the host does not pass on a valid signature of every seat under the roster")


def places(people: tuple[Person, ...], given: dict[bytes, Frame]) -> tuple[RosterSeat, ...]:
    """Returns the seats of a roster: `given` holds each identity's nonce commitment and seed hash."""
    return tuple(RosterSeat(key, name, *all_bytes(given[key])) for key, name in people)


def signed_by_all(roster: Roster, signatures: tuple[bytes, ...], frame: Frame) -> SignedRoster:
    """Returns the signed roster, once all nonces are open. Raises Failed."""
    match frame:
        case ("nonces", _, tuple() as nonces):
            signed = SignedRoster(roster, signatures, all_bytes(nonces))
            with suppress(BadRoster):
                signed.check()
                return signed
    raise Failed("the nonces that the host passes on do not open what the seats committed to")
