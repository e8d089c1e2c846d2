"""From people at a table to a roster that all of them have signed (SPEC.md, "Seating"). Sans-IO.

The host asks, collects and passes on; it is a seat like the others, and takes part through the same machine.

    host to all   ("prepare", round)             each seat to the host   ("place", round, nonce commitment, seed hash)
                  ("roster", round, roster)                              ("signature", round, signature)
                  ("signatures", round, all)                             ("nonce", round, nonce)
                  ("nonces", round, all)

No nonce is opened before its owner has seen every signature under the same roster. Rounds are counted, so that what is
late from a round that was given up is told apart.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Final

from games.table import Plain
from p2p.frames import Frame
from p2p.identity import Identity
from protocol.crypto import signatures
from protocol.encoding import pack
from protocol.roster import BadRoster, Place, Roster, SignedRoster, nonce_commitment, seed_hash

SECRET_SIZE: Final = 32

ASKING: Final = ("prepare", "roster", "signatures", "nonces")
"""Kinds of the host's frames, in order."""
ANSWERING: Final = ("place", "signature", "nonce")
"""Kinds of the frames that answer them, in order."""

Person = tuple[bytes, str]
"""An identity key and the nickname that it goes by."""

Draw = Callable[[int], bytes]
"""Gives so many secret bytes, that nobody else can know."""


class Seating:
    """One seat's part in one round. `terms` are the game, its rules' revision and the options that were announced,
    `begins` the seat whose turn it is to begin, if an earlier game at this table has settled it.

    Its seed and its nonce are drawn for this round alone.
    """

    def __init__(
        self,
        identity: Identity,
        terms: tuple[str, int, tuple[tuple[str, Plain], ...]],
        people: Sequence[Person],
        round: int,
        begins: int | None = None,
        draw: Draw = secrets.token_bytes,
    ) -> None:
        self.seed = draw(SECRET_SIZE)
        self.signed: SignedRoster | None = None
        self._nonce = draw(SECRET_SIZE)
        self._identity = identity
        self._terms = terms
        self.people = tuple(people)
        self._round = round
        self._begins = begins
        self._roster: Roster | None = None
        self._signatures: tuple[bytes, ...] = ()

    def answer(self, frame: Frame) -> Frame | None:
        """What this seat answers to a frame of the host; None after the last, when `signed` is there.

        Raises BadRoster where the host asks for something that must not be signed, Malformed for bytes that are no
        roster.
        """
        match frame:
            case ("prepare", self._round) if self._roster is None:
                return "place", self._round, nonce_commitment(self._nonce), seed_hash(self.seed)
            case ("roster", self._round, bytes() as packed) if self._roster is None:
                roster = Roster.unpack(packed)
                self._check(roster)
                self._roster = roster
                return "signature", self._round, roster.signature(self._identity.sign)
            case ("signatures", self._round, tuple() as signed) if self._roster is not None and not self._signatures:
                own = _all_bytes(signed)
                if len(own) != len(self._roster.seats):
                    raise BadRoster("the host does not pass on every signature")
                for place, signature in zip(self._roster.seats, own, strict=True):
                    check_signature(self._roster, place, signature)
                self._signatures = own
                return "nonce", self._round, self._nonce
            case ("nonces", self._round, tuple() as nonces) if self._roster is not None and self._signatures:
                table = SignedRoster(self._roster, self._signatures, _all_bytes(nonces))
                table.check()
                self.signed = table
                return None
        raise BadRoster("the host does not follow the order of seating")

    @property
    def opened(self) -> bool:
        """Whether this seat has opened its nonce: from then on whoever has all of them knows the words."""
        return bool(self._signatures)

    def _check(self, roster: Roster) -> None:
        """Raises BadRoster unless the roster holds what was announced, and this seat's own place as it gave it."""
        if pack((roster.game, roster.rules, roster.options)) != pack(self._terms):
            raise BadRoster("the host has changed the game or its options")
        if tuple((place.identity, place.nickname) for place in roster.seats) != self.people:
            raise BadRoster("the host has changed who sits at the table")
        if roster.begins not in (None, self._begins):
            raise BadRoster("the host lets a seat begin whose turn it is not")
        own = Place(
            self._identity.public,
            dict(self.people).get(self._identity.public, ""),
            nonce_commitment(self._nonce),
            seed_hash(self.seed),
        )
        if own not in roster.seats:
            raise BadRoster("the host has changed what this seat gave")


class Gathering:
    """The host's part in one round: takes each seat's answers, and says what to ask next."""

    def __init__(
        self,
        terms: tuple[str, int, tuple[tuple[str, Plain], ...]],
        people: Sequence[Person],
        round: int,
        begins: int | None = None,
    ) -> None:
        self._terms = terms
        self._people = tuple(people)
        self._round = round
        self._begins = begins
        self._stage = 0
        self._given: dict[bytes, Plain] = {}
        self._roster: Roster | None = None

    @property
    def missing(self) -> tuple[bytes, ...]:
        """The identities whose answers are awaited."""
        return tuple(identity for identity, _ in self._people if identity not in self._given)

    def ask(self) -> Frame:
        """The first frame to all."""
        return "prepare", self._round

    def take(self, identity: bytes, frame: Frame) -> Frame | None:
        """A seat's answer; returns the next frame to all once everybody has answered.

        Raises BadRoster where that seat gave what no honest one gives.
        """
        kind = ANSWERING[self._stage] if self._stage < len(ANSWERING) else None
        if frame[:2] != (kind, self._round) or identity not in self.missing:
            raise BadRoster("it does not follow the order of seating")
        self._given[identity] = self._read(identity, frame)
        if self.missing:
            return None
        given = tuple(self._given[identity] for identity, _ in self._people)
        self._given.clear()
        self._stage += 1
        asking = ASKING[self._stage]
        if asking == "roster":
            game, rules, options = self._terms
            places = tuple(
                Place(identity, nickname, *_all_bytes(part))
                for (identity, nickname), part in zip(self._people, given, strict=True)
            )
            self._roster = Roster(game, rules, options, places, self._begins)
            return asking, self._round, self._roster.packed
        return asking, self._round, given

    def _read(self, identity: bytes, frame: Frame) -> Plain:
        match frame:
            case ("place", _, bytes() as commitment, bytes() as hashed) if len(commitment) == len(hashed) == 32:
                return commitment, hashed
            case ("signature", _, bytes() as signature) if self._roster is not None:
                check_signature(self._roster, self._place(identity), signature)
                return signature
            case ("nonce", _, bytes() as nonce) if len(nonce) == SECRET_SIZE:
                if nonce_commitment(nonce) != self._place(identity).nonce_commitment:
                    raise BadRoster("its nonce does not fit its commitment")
                return nonce
        raise BadRoster("it does not answer as a seat does")

    def _place(self, identity: bytes) -> Place:
        assert self._roster is not None
        return next(place for place in self._roster.seats if place.identity == identity)


def check_signature(roster: Roster, place: Place, signature: bytes) -> None:
    """Raises BadRoster unless the seat at this place signed the roster."""
    if not signatures.verify(place.identity, "roster", roster.packed, signature):
        raise BadRoster(f"{place.nickname} has not signed this roster")


def _all_bytes(items: Plain) -> tuple[bytes, ...]:
    """Raises BadRoster."""
    parts = tuple(item for item in items if isinstance(item, bytes)) if isinstance(items, tuple) else ()
    if not isinstance(items, tuple) or len(parts) != len(items):
        raise BadRoster("the host does not pass on what the seats gave")
    return parts
