"""From the players at a table to a roster that all of them have signed (SPEC.md, "Seating"). Sans-IO.

The host asks, collects and distributes. It is also a seat like the others, and takes part through the same machine.

    host to all   ("prepare", round)             each seat to the host   ("place", round, nonce commitment, seed hash)
                  ("roster", round, roster)                              ("signature", round, signature)
                  ("signatures", round, all)                             ("nonce", round, nonce)
                  ("nonces", round, all)

No seat opens its nonce before it has seen every signature under the same roster. Rounds are numbered, so that late
frames of an abandoned round can be recognized.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kimberley.games.table import Plain
from kimberley.p2p.base.platform import random_bytes
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.frames import Frame
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import pack
from kimberley.protocol.roster import BadRoster, Roster, RosterSeat, SignedRoster, nonce_commitment, seed_hash

SECRET_SIZE: Final = 32

ASKING: Final = ("prepare", "roster", "signatures", "nonces")
"""Kinds of the host's frames, in order."""
ANSWERING: Final = ("place", "signature", "nonce")
"""Kinds of the frames that answer them, in order."""

Person = tuple[bytes, str]
"""An identity key and its nickname."""

RandomSource = Callable[[int], bytes]
"""Returns that many secret random bytes."""


class SeatingParticipant:
    """One seat's part in one round. It draws a new seed and a new nonce for each round."""

    def __init__(
        self,
        identity: Identity,
        terms: tuple[str, int, tuple[tuple[str, Plain], ...]],
        people: Sequence[Person],
        round: int,
        begins: int | None = None,
        draw: RandomSource = random_bytes,
    ) -> None:
        """Draws the seed and the nonce.

        Args:
            identity: The own identity.
            terms: The announced game, revision of its rules, and options.
            people: The players, in seat order.
            round: The number of the round.
            begins: The seat whose turn it is to begin, if an earlier game at this table has settled it.
            draw: The source of the seed and the nonce.

        """
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
        """Returns this seat's answer to a frame of the host; None after the last one, when `signed` is set.

        Raises:
            BadRoster: The host asks for something that must not be signed.
            Malformed: The bytes are not a roster.

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
        """Whether this seat has opened its nonce: from then on a seat that has all of them knows the words."""
        return bool(self._signatures)

    def _check(self, roster: Roster) -> None:
        """Raises BadRoster unless the roster holds what was announced, and this seat's own place unchanged."""
        if pack((roster.game, roster.rules, roster.options)) != pack(self._terms):
            raise BadRoster("the host has changed the game or its options")
        if tuple((place.identity, place.nickname) for place in roster.seats) != self.people:
            raise BadRoster("the host has changed who sits at the table")
        if roster.begins not in (None, self._begins):
            raise BadRoster("the host lets the wrong seat begin")
        own = RosterSeat(
            self._identity.public,
            dict(self.people).get(self._identity.public, ""),
            nonce_commitment(self._nonce),
            seed_hash(self.seed),
        )
        if own not in roster.seats:
            raise BadRoster("the host has changed what this seat gave")


class SeatingCoordinator:
    """The host's part in one round: collects the answers of the seats and says what to ask next."""

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
        self._signatures: tuple[bytes, ...] = ()

    def result(self, nonces: Frame) -> SignedRoster:
        """Returns the roster that all have signed, with the last frame to all."""
        assert self._roster is not None
        return SignedRoster(self._roster, self._signatures, _all_bytes(nonces[2]))

    @property
    def missing(self) -> tuple[bytes, ...]:
        """The identities whose answers are missing."""
        return tuple(identity for identity, _ in self._people if identity not in self._given)

    def ask(self) -> Frame:
        """Returns the first frame to all."""
        return "prepare", self._round

    def on_answer(self, identity: bytes, frame: Frame) -> Frame | None:
        """Takes a seat's answer. Returns the next frame for all once everybody has answered.

        Raises:
            BadRoster: The seat's answer is not an honest one.

        """
        kind = ANSWERING[self._stage] if self._stage < len(ANSWERING) else None
        if frame[:2] != (kind, self._round) or identity not in self.missing:
            raise BadRoster("your program does not follow the order of seating")
        self._given[identity] = self._read(identity, frame)
        if self.missing:
            return None
        given = tuple(self._given[identity] for identity, _ in self._people)
        self._given.clear()
        self._stage += 1
        asking = ASKING[self._stage]
        if asking == "signatures":
            self._signatures = _all_bytes(given)
        if asking == "roster":
            game, rules, options = self._terms
            places = tuple(
                RosterSeat(identity, nickname, *_all_bytes(part))
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
                    raise BadRoster("your program opened a different nonce from the one it committed to")
                return nonce
        raise BadRoster("your program gave an answer that no seat gives")

    def _place(self, identity: bytes) -> RosterSeat:
        assert self._roster is not None
        return next(place for place in self._roster.seats if place.identity == identity)


def check_signature(roster: Roster, place: RosterSeat, signature: bytes) -> None:
    """Raises BadRoster unless the seat at this place has signed the roster."""
    if not signatures.verify(place.identity, "roster", roster.packed, signature):
        raise BadRoster(f"{place.nickname} has not signed the list of players")


def _all_bytes(items: Plain) -> tuple[bytes, ...]:
    """Raises BadRoster."""
    parts = tuple(item for item in items if isinstance(item, bytes)) if isinstance(items, tuple) else ()
    if not isinstance(items, tuple) or len(parts) != len(items):
        raise BadRoster("the host does not pass on what the seats gave")
    return parts
