"""Records and attestations (SPEC.md, section 18)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.client.conformance.crypto.hashing import Identity, verifies
from kimberley.client.conformance.documents.roster import REVISION, Roster, SignedRoster
from kimberley.client.conformance.encoding.codec import pack, unpack
from kimberley.client.conformance.encoding.plain import Plain

MAGIC: Final = b"kimberley record\n"
CHECK: Final = 32


@dataclass(frozen=True)
class Record:
    """The contents of a record, with envelopes as bytes. Most records have no `attestations`."""

    signed: SignedRoster
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
        """The record in a file. Raises ValueError."""
        if not data.startswith(MAGIC) or hashlib.sha256(data[:-CHECK]).digest() != data[-CHECK:]:
            raise ValueError("the record does not begin or end as section 18 says it does")
        match unpack(data[len(MAGIC) : -CHECK]):
            case (
                2,
                (bytes() as roster, tuple() as signatures, tuple() as nonces),
                tuple() as sent,
                tuple() as loose,
                *more,
            ):
                attestations = more[0] if more and isinstance(more[0], tuple) else ()
                signed = SignedRoster(Roster.read(roster), roster, all_bytes(signatures), all_bytes(nonces))
                return cls(signed, all_bytes(sent), all_bytes(loose), attestations)
        raise ValueError("the contents of the record do not have the form of section 18")


def sealed(body: bytes) -> bytes:
    """The file of a record with these packed contents."""
    data = MAGIC + body
    return data + hashlib.sha256(data).digest()


def all_bytes(plain: Sequence[Plain]) -> tuple[bytes, ...]:
    """The values, which must all be bytes. Raises ValueError."""
    found = tuple(entry for entry in plain if isinstance(entry, bytes))
    if len(found) != len(plain):
        raise ValueError("expected nothing but bytes")
    return found


def attest(identity: Identity, game: bytes, slot: tuple[int, int], head: bytes, absent: tuple[int, ...]) -> Plain:
    """An attestation that these seats are absent, signed by a witness."""
    said = (identity.public, *slot, head, absent)
    return (*said, identity.sign("attest", pack((game, *said))))


def verifies_attestation(game: bytes, plain: Plain) -> bool:
    """Whether the signature of an attestation verifies."""
    match plain:
        case (bytes() as witness, int(), int(), bytes(), tuple(), bytes() as signature):
            return verifies(witness, "attest", pack((game, *plain[:-1])), signature)
    return False
