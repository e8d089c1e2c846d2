"""Seating, with the target as host or as one who joins; a case may bend what the suite sends (SPEC.md, section 9)."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from client.conformance.case import Failed, present
from client.conformance.hashing import Identity, digest, verifies
from client.conformance.plain import Plain, spelled
from client.conformance.record import all_bytes
from client.conformance.roster import Person, Place, Roster, Signed
from client.conformance.wire import Frame, Line

if TYPE_CHECKING:
    from client.conformance.bench import Door

NAMES: Final = ("ana", "ben", "cleo", "dan", "eva", "finn")

BendFrame = Callable[[Frame], Frame]


@dataclass
class Chair:
    """A seat that the suite plays."""

    seat: int
    identity: Identity = field(default_factory=lambda: Identity(os.urandom(32)))
    seed: bytes = field(default_factory=lambda: os.urandom(32))
    nonce: bytes = field(default_factory=lambda: os.urandom(32))
    nickname: str = ""
    door: Door | None = None
    line: Line | None = None
    """To the target."""
    early: bool = False
    """Whether it connected before the target had all nonces, and has said `have`."""

    def __post_init__(self) -> None:
        self.nickname = self.nickname or NAMES[self.seat]

    @property
    def person(self) -> Person:
        return self.identity.public, self.nickname

    @property
    def wire(self) -> Line:
        """The connection to the target, which must be there."""
        return present(self.line)

    @property
    def port(self) -> int:
        return self.door.port if self.door is not None else 0

    @property
    def place(self) -> Frame:
        """What it answers to `prepare`, but for the kind and the round."""
        return digest("nonce", self.nonce), digest("seed", self.seed)


@dataclass(frozen=True)
class TableFrame:
    """What a host says of its table."""

    game: str
    rules: int
    options: tuple[tuple[str, Plain], ...]
    seats: int
    people: tuple[Person, ...]
    sitting: tuple[tuple[Plain, ...], ...]

    @classmethod
    def read(cls, frame: Frame) -> TableFrame:
        """Raises Failed."""
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
        raise Failed(f"the host says {spelled(frame)} of its table")

    def frame(self) -> Frame:
        return "table", self.game, self.rules, self.options, self.seats, self.people, self.sitting


def read_packed(frame: Frame) -> bytes:
    """The roster as the host packed it. Raises Failed."""
    match frame:
        case ("roster", _, bytes() as packed):
            return packed
    raise Failed(f"the host says {spelled(frame)} where its roster is due")


def check_roster(roster: Roster, announced: TableFrame) -> None:
    """Raises Failed where a target's roster is not the announced one."""
    if (roster.game, roster.rules, roster.options) != (announced.game, announced.rules, announced.options):
        raise Failed("the roster of the target holds another game or other options than it announced")
    if tuple((place.identity, place.nickname) for place in roster.places) != announced.people:
        raise Failed("the roster of the target holds other people than it announced")


def read_signatures(frame: Frame, number: Plain, roster: Roster, packed: bytes) -> tuple[bytes, ...]:
    """All signatures, as the host passes them on. Raises Failed."""
    match frame:
        case ("signatures", n, tuple() as given) if n == number:
            signatures = all_bytes(given)
            if len(signatures) == len(roster.places) and all(
                verifies(place.identity, "roster", packed, one)
                for place, one in zip(roster.places, signatures, strict=True)
            ):
                return signatures
    raise Failed("the host does not pass on every seat's signature under the roster")


def places(people: tuple[Person, ...], given: dict[bytes, Frame]) -> tuple[Place, ...]:
    """The places of a roster from what the seats gave."""
    return tuple(Place(key, name, *all_bytes(given[key])) for key, name in people)


def signed_by_all(roster: Roster, packed: bytes, signatures: tuple[bytes, ...], frame: Frame) -> Signed:
    """The table, when the nonces are open. Raises Failed."""
    match frame:
        case ("nonces", _, tuple() as nonces):
            signed = Signed(roster, packed, signatures, all_bytes(nonces))
            if signed.holds:
                return signed
    raise Failed("the nonces that the host passes on do not open what the seats committed to")
