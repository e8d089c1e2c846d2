"""Attestations that a seat fell silent (SPEC.md, "Attestations").

A seat that vanishes leaves a record that ends at its step. The record alone does not show which seat fell silent: its
owner may have left the rest out. So each remaining seat, or a spectator, signs which envelopes it lacks, and where.
That is a claim under its own key; it convicts nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kimberley.games.table import Plain
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import Malformed, pack
from kimberley.protocol.roster import MOST_SEATS

PURPOSE: Final = "attest"
MOST_ATTESTATIONS: Final = 32  # SPEC: attestations of a record
"""The most attestations in one record."""


@dataclass(frozen=True)
class Attestation:
    """A claim by `witness`, an identity key.

    The claim: in the stage at (`step`, `stage`), before which the head was `head`, I have what every seat owes except
    the seats `absent`, ascending.
    """

    witness: bytes
    step: int
    stage: int
    head: bytes
    absent: tuple[int, ...]
    signature: bytes = b""

    def message(self, game: bytes) -> bytes:
        """Returns the bytes to sign, for the table of this game id."""
        return pack((game, self.witness, self.step, self.stage, self.head, self.absent))

    def signed(self, game: bytes, sign: Callable[[str, bytes], bytes]) -> Attestation:
        """Returns the same attestation with its signature, for the table of this game id."""
        signature = sign(PURPOSE, self.message(game))
        return Attestation(self.witness, self.step, self.stage, self.head, self.absent, signature)

    def holds(self, game: bytes) -> bool:
        """Returns whether the witness signed this attestation for this table."""
        return signatures.verify(self.witness, PURPOSE, self.message(game), self.signature)

    @property
    def slot(self) -> tuple[int, int]:
        """(step, stage)."""
        return self.step, self.stage

    def plain(self) -> Plain:
        """Returns the attestation in the form used on the wire and in a record."""
        return self.witness, self.step, self.stage, self.head, self.absent, self.signature

    @classmethod
    def of_witness(cls, witness: bytes, game: bytes, plain: Plain) -> Attestation:
        """Reads an attestation that the witness itself sent, for the table of this game id. Raises Malformed."""
        attestation = cls.read(plain)
        if attestation.witness != witness or not attestation.holds(game):
            raise Malformed("not an attestation of its own for this table")
        return attestation

    @classmethod
    def read(cls, plain: Plain) -> Attestation:
        """Reads an attestation, without checking its signature. Raises Malformed."""
        match plain:
            case (
                bytes() as witness,
                int() as step,
                int() as stage,
                bytes() as head,
                tuple() as absent,
                bytes() as signature,
            ) if len(witness) == len(head) == 32 and len(signature) == 64 and _is_count(step) and _is_count(stage):
                seats = tuple(seat for seat in absent if isinstance(seat, int) and _is_count(seat))
                if absent and seats == absent == tuple(sorted(set(seats))) and seats[-1] < MOST_SEATS:
                    return cls(witness, step, stage, head, seats, signature)
        raise Malformed("not an attestation: expected a witness, a step, a stage, a head, absent seats and a signature")


def _is_count(number: int) -> bool:
    return type(number) is int and number >= 0
