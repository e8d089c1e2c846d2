"""Rosters, game ids and the four words (SPEC.md, section 9)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from kimberley.client.conformance.crypto.hashing import digest, verifies
from kimberley.client.conformance.encoding.codec import pack, unpack
from kimberley.client.conformance.encoding.plain import Plain

REVISION: Final = 2

Person = tuple[bytes, str]
"""Identity and nickname."""


@dataclass(frozen=True)
class RosterSeat:
    """One seat of a roster."""

    identity: bytes
    nickname: str
    nonce_commitment: bytes
    seed_hash: bytes


@dataclass(frozen=True)
class Roster:
    """What all seats sign before a game."""

    game: str
    rules: int
    options: tuple[tuple[str, Plain], ...]
    places: tuple[RosterSeat, ...]
    begins: int | None = None

    @property
    def packed(self) -> bytes:
        seats = tuple((one.identity, one.nickname, one.nonce_commitment, one.seed_hash) for one in self.places)
        return pack((REVISION, self.game, self.rules, self.options, seats, self.begins))

    @classmethod
    def read(cls, data: bytes) -> Roster:
        """Raises ValueError."""
        match unpack(data):
            case (2, str() as game, int() as rules, tuple() as options, tuple() as seats, (int() | None) as begins):
                named: list[tuple[str, Plain]] = []
                for option in options:
                    match option:
                        case (str() as name, value):
                            named.append((name, value))
                        case _:
                            raise ValueError("an option of the roster is not a name and a value")
                return cls(game, rules, tuple(named), tuple(map(_place, seats)), begins)
        raise ValueError("the roster does not have the form of section 9.2")


def _place(plain: Plain) -> RosterSeat:
    match plain:
        case (bytes() as identity, str() as nickname, bytes() as commitment, bytes() as seed_hash):
            return RosterSeat(identity, nickname, commitment, seed_hash)
    raise ValueError("a seat of the roster does not have the form of section 9.2")


@dataclass(frozen=True)
class SignedRoster:
    """A roster with all signatures and the opened nonces. `packed` holds the bytes that were signed."""

    roster: Roster
    packed: bytes
    signatures: tuple[bytes, ...]
    nonces: tuple[bytes, ...]

    @property
    def game_id(self) -> bytes:
        return digest("game", self.packed, self.nonces)

    @property
    def words(self) -> tuple[str, ...]:
        number = int.from_bytes(digest("phrase", self.packed, self.nonces)[:6], "big") >> 4
        return tuple(word_list()[number >> shift & 2047] for shift in (33, 22, 11, 0))

    @property
    def holds(self) -> bool:
        """Whether all signatures verify and all nonces open their commitments."""
        places = self.roster.places
        return len(self.signatures) == len(self.nonces) == len(places) and all(
            verifies(place.identity, "roster", self.packed, signature)
            and digest("nonce", nonce) == place.nonce_commitment
            for place, signature, nonce in zip(places, self.signatures, self.nonces, strict=True)
        )


@cache
def word_list() -> tuple[str, ...]:
    """The 2048 words of section 26."""
    return tuple((resources.files("kimberley.client.conformance") / "words.txt").read_text("utf-8").split())
