"""Records and attestations (SPEC.md, section 18)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from client.conformance.codec import pack, unpack
from client.conformance.hashing import Identity, verifies
from client.conformance.plain import Plain
from client.conformance.roster import REVISION, Roster, Signed

MAGIC: Final = b"kimberley record\n"
CHECK: Final = 32


@dataclass(frozen=True)
class Record:
    """What a record holds; envelopes as bytes. `attestations` are there where somebody attests."""

    signed: Signed
    envelopes: tuple[bytes, ...]
    evidence: tuple[bytes, ...] = ()
    attestations: tuple[Plain, ...] = ()

    @property
    def packed(self) -> bytes:
        signed = self.signed
        table: Plain = (signed.packed, signed.signatures, signed.nonces)
        more: tuple[Plain, ...] = (self.attestations,) if self.attestations else ()
        return sealed(pack((REVISION, table, self.envelopes, self.evidence, *more)))

    @classmethod
    def read(cls, data: bytes) -> Record:
        """Raises ValueError."""
        if not data.startswith(MAGIC) or hashlib.sha256(data[:-CHECK]).digest() != data[-CHECK:]:
            raise ValueError("the record does not begin or end as section 18 says")
        match unpack(data[len(MAGIC) : -CHECK]):
            case (
                2,
                (bytes() as roster, tuple() as signatures, tuple() as nonces),
                tuple() as sent,
                tuple() as loose,
                *more,
            ):
                attestations = more[0] if more and isinstance(more[0], tuple) else ()
                signed = Signed(Roster.read(roster), roster, all_bytes(signatures), all_bytes(nonces))
                return cls(signed, all_bytes(sent), all_bytes(loose), attestations)
        raise ValueError("the record does not hold what section 18 says")


def sealed(body: bytes) -> bytes:
    """A record file around its packed contents."""
    data = MAGIC + body
    return data + hashlib.sha256(data).digest()


def all_bytes(plain: Sequence[Plain]) -> tuple[bytes, ...]:
    """Raises ValueError where something else stands among them."""
    found = tuple(entry for entry in plain if isinstance(entry, bytes))
    if len(found) != len(plain):
        raise ValueError("expected bytes only")
    return found


def attest(identity: Identity, game: bytes, slot: tuple[int, int], head: bytes, absent: tuple[int, ...]) -> Plain:
    """An attestation of these absent seats."""
    said = (identity.public, *slot, head, absent)
    return (*said, identity.sign("attest", pack((game, *said))))


def attests(game: bytes, plain: Plain) -> bool:
    """Whether an attestation is signed by its witness."""
    match plain:
        case (bytes() as witness, int(), int(), bytes(), tuple(), bytes() as signature):
            return verifies(witness, "attest", pack((game, *plain[:-1])), signature)
    return False
