"""The roster: the seats of a table, signed by all of them before the game (SPEC.md, "The round").

Each seat first sends a commitment to a nonce and the hash of its seed. All seats sign the roster that contains them;
only then do they open the nonces. The game's id and the table's four words are hashes of the roster with the opened
nonces. So no seat could choose either, and nothing in the roster may change afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from kimberley.games.table import Plain
from kimberley.protocol.crypto import signatures
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.encoding import Malformed, pack, unpack
from kimberley.protocol.envelope import REVISION, OtherRevision, Sign
from kimberley.protocol.words import phrase

MOST_SEATS: Final = 6  # SPEC: most seats
MOST_NICKNAME: Final = 24  # SPEC: characters of a nickname
MOST_OPTIONS: Final = 32  # SPEC: options


class BadRoster(ValueError):
    """A roster that must not be used for a game; the message says why."""


def nonce_commitment(nonce: bytes) -> bytes:
    """Returns the commitment, 32 bytes, to a seat's nonce of 32 bytes."""
    return digest("nonce", nonce)


def seed_hash(seed: bytes) -> bytes:
    """Returns the hash, 32 bytes, that binds a seat to its seed of 32 bytes until the audit."""
    return digest("seed", seed)


@dataclass(frozen=True, slots=True)
class RosterSeat:
    """One seat of a roster. All but the nickname are 32 bytes."""

    identity: bytes
    nickname: str
    nonce_commitment: bytes
    seed_hash: bytes


@dataclass(frozen=True)
class Roster:
    """The values that all seats sign. `game` is the game's id, `rules` the revision of its rules, `options` the options
    of the table and the game, by name. `begins` is the seat that begins, if an earlier game at the table decided it.
    """

    game: str
    rules: int
    options: tuple[tuple[str, Plain], ...]
    seats: tuple[RosterSeat, ...]
    begins: int | None = None

    def option(self, name: str, default: Plain = None) -> Plain:
        """Returns the value of an option by name."""
        return dict(self.options).get(name, default)

    @cached_property
    def packed(self) -> bytes:
        """The canonical bytes that all seats sign."""
        seats = tuple((p.identity, p.nickname, p.nonce_commitment, p.seed_hash) for p in self.seats)
        return pack((REVISION, self.game, self.rules, self.options, seats, self.begins))

    def signature(self, sign: Sign) -> bytes:
        """Returns the signature of one seat, 64 bytes."""
        return sign("roster", self.packed)

    @classmethod
    def unpack(cls, data: bytes) -> Roster:
        """Reads the packed roster. Raises Malformed, or OtherRevision."""
        fields = unpack(data)
        if isinstance(fields, tuple) and fields and type(fields[0]) is int and fields[0] != REVISION:
            raise OtherRevision(f"the table is of protocol revision {fields[0]}; this program has {REVISION}")
        match fields:
            case (int(), str() as game, int() as rules, tuple() as options, tuple() as seats, int() | None as begins):
                pass
            case _:
                raise Malformed("not a roster")
        if any(type(n) is bool for n in (fields[0], rules)) or rules < 0:
            raise Malformed("not a roster: a revision is a number")
        named: list[tuple[str, Plain]] = []
        for option in options:
            match option:
                case (str() as name, value):
                    named.append((name, value))
                case _:
                    raise Malformed("not a roster: an option is a name and a value")
        names = [name for name, _ in named]
        if names != sorted(set(names)) or len(names) > MOST_OPTIONS:
            raise Malformed("not a roster: options are sorted by name, each once")
        if not 2 <= len(seats) <= MOST_SEATS:
            raise Malformed(f"a table has 2 to {MOST_SEATS} seats, this one {len(seats)}")
        if begins is not None and (type(begins) is bool or not 0 <= begins < len(seats)):
            raise Malformed("not a roster: the seat that begins is none of its seats")
        places = tuple(_place(seat) for seat in seats)
        if len({place.identity for place in places}) != len(places):
            raise Malformed("one identity sits at two seats")
        return cls(game, rules, tuple(named), places, begins)


def _place(plain: Plain) -> RosterSeat:
    match plain:
        case (bytes() as identity, str() as nickname, bytes() as nonce, bytes() as seed) if (
            len(identity) == len(nonce) == len(seed) == 32 and 0 < len(nickname) <= MOST_NICKNAME
        ):
            return RosterSeat(identity, nickname, nonce, seed)
    raise Malformed("not a roster: a seat is an identity, a nickname, a nonce's commitment and a seed's hash")


@dataclass(frozen=True)
class SignedRoster:
    """A roster with every seat's signature and opened nonce, in seat order."""

    roster: Roster
    signatures: tuple[bytes, ...]
    nonces: tuple[bytes, ...]

    @cached_property
    def game_id(self) -> bytes:
        """32 bytes that name this one table in every envelope and proof."""
        return digest("game", self.roster.packed, self.nonces)

    @cached_property
    def phrase(self) -> tuple[str, str, str, str]:
        """The four words that all players at the table compare once."""
        return phrase(digest("phrase", self.roster.packed, self.nonces))

    def check(self) -> None:
        """Raises BadRoster unless every seat signed exactly this roster and every nonce matches its commitment."""
        seats = self.roster.seats
        if not len(seats) == len(self.signatures) == len(self.nonces):
            raise BadRoster("a signature or a nonce is missing")
        for number, (place, signature, nonce) in enumerate(zip(seats, self.signatures, self.nonces, strict=True), 1):
            if not signatures.verify(place.identity, "roster", self.roster.packed, signature):
                raise BadRoster(f"seat {number} has not signed this roster")
            if len(nonce) != 32 or nonce_commitment(nonce) != place.nonce_commitment:
                raise BadRoster(f"the nonce of seat {number} does not match its commitment")

    def plain(self) -> Plain:
        """Returns the signed roster in the form used in a record."""
        return self.roster.packed, self.signatures, self.nonces

    @classmethod
    def read(cls, plain: Plain) -> SignedRoster:
        """Reads a signed roster, which must still be checked. Raises Malformed."""
        match plain:
            case (bytes() as roster, tuple() as signed, tuple() as nonces):
                pass
            case _:
                raise Malformed("not a signed roster")
        signed_bytes = tuple(item for item in signed if isinstance(item, bytes))
        nonce_bytes = tuple(item for item in nonces if isinstance(item, bytes))
        if len(signed_bytes) != len(signed) or len(nonce_bytes) != len(nonces):
            raise Malformed("not a signed roster: signatures and nonces are bytes")
        return cls(Roster.unpack(roster), signed_bytes, nonce_bytes)
