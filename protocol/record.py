r"""The record of a game: one file that anyone can check (SPEC.md, "Records").

    "kimberley record\n" || canonical array (revision, signed roster, envelopes, evidence) || SHA-256 of all before

The array has a fifth entry, attestations, if somebody attests that a seat's step is absent (`protocol.attestation`).

Envelopes are in transcript order; those of an unfinished stage follow, seat by seat. Evidence consists of envelopes
that have no place in the transcript and prove that a seat signed two different things.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from kimberley.games.table import Plain
from kimberley.protocol.attestation import MOST_ATTESTATIONS, Attestation
from kimberley.protocol.encoding import Budget, Malformed, pack, unpack
from kimberley.protocol.envelope import REVISION, Envelope, OtherRevision
from kimberley.protocol.roster import SignedRoster

MAGIC: Final = b"kimberley record\n"
MOST_BYTES: Final = 64 << 20  # SPEC: bytes of a record
MOST_VALUES: Final = 1 << 21  # SPEC: values in a record
"""Values in a whole record: its fields, and those of each envelope."""

NOT_A_RECORD: Final = "this is not a Kimberley record"


class NotARecord(ValueError):
    """The bytes are not a record."""


class Damaged(ValueError):
    """A record that was changed or cut after it was written; the message says where. It blames nobody."""


@dataclass(frozen=True)
class Record:
    """A signed roster with the envelopes that were signed under it."""

    table: SignedRoster
    envelopes: tuple[Envelope, ...]
    evidence: tuple[Envelope, ...] = ()
    attestations: tuple[Attestation, ...] = ()

    def pack(self) -> bytes:
        """Returns the bytes of the file."""
        envelopes = tuple(envelope.pack() for envelope in self.envelopes)
        evidence = tuple(envelope.pack() for envelope in self.evidence)
        attested = tuple(attestation.plain() for attestation in self.attestations)
        more = (attested,) if attested else ()
        return sealed(pack((REVISION, self.table.plain(), envelopes, evidence, *more)))

    @classmethod
    def unpack(cls, data: bytes) -> Record:
        """Reads the bytes of a file. Raises NotARecord, Damaged, or OtherRevision."""
        if not data.startswith(MAGIC):
            raise NotARecord(NOT_A_RECORD)
        if len(data) > MOST_BYTES:
            raise Damaged(f"it has {len(data)} bytes; a record has {MOST_BYTES} at most")
        body, check = memoryview(data)[:-32], data[-32:]
        budget = Budget(MOST_VALUES)
        try:
            fields = unpack(body[len(MAGIC) :], budget)
        except Malformed as error:
            # What the decoder says of them means nothing to players.
            raise Damaged("its bytes are incomplete or not well formed") from error
        if hashlib.sha256(body).digest() != check:
            raise Damaged("its checksum does not match its bytes")
        if isinstance(fields, tuple) and fields and type(fields[0]) is int and fields[0] != REVISION:
            raise OtherRevision(f"the record is of protocol revision {fields[0]}; this program has {REVISION}")
        match fields:
            case (int(), table, tuple() as envelopes, tuple() as evidence):
                attested: tuple[Plain, ...] = ()
            case (int(), table, tuple() as envelopes, tuple() as evidence, tuple() as attested) if attested:
                pass
            case _:
                raise Damaged("it is not a roster with envelopes")
        try:
            signed = SignedRoster.read(table)
        except OtherRevision:
            raise
        except Malformed as error:
            raise Damaged(f"its roster: {error}") from None
        parts = _envelopes(envelopes, "envelope", budget), _envelopes(evidence, "evidence", budget)
        return cls(signed, *parts, _attestations(attested, signed.game_id))


def _attestations(items: tuple[Plain, ...], game: bytes) -> tuple[Attestation, ...]:
    if len(items) > MOST_ATTESTATIONS:
        raise Damaged(f"it has {len(items)} attestations; a record has {MOST_ATTESTATIONS} at most")
    attestations = []
    for number, item in enumerate(items, 1):
        try:
            attestation = Attestation.read(item)
        except Malformed as error:
            raise Damaged(f"attestation {number}: {error}") from None
        if not attestation.holds(game):
            raise Damaged(f"attestation {number}: its witness has not signed it for this table")
        attestations.append(attestation)
    if len({attestation.witness for attestation in attestations}) < len(attestations):
        raise Damaged("one witness attests twice")
    return tuple(attestations)


def _envelopes(items: tuple[Plain, ...], name: str, budget: Budget) -> tuple[Envelope, ...]:
    envelopes = []
    for number, item in enumerate(items, 1):
        if not isinstance(item, bytes):
            raise Damaged(f"{name} {number} is not bytes")
        try:
            envelopes.append(Envelope.unpack(item, budget))
        except OtherRevision:
            raise
        except Malformed as error:
            raise Damaged(f"{name} {number}: {error}") from None
    return tuple(envelopes)


def sealed(contents: bytes) -> bytes:
    """Returns the file of a record with these packed contents."""
    data = MAGIC + contents
    return data + hashlib.sha256(data).digest()
