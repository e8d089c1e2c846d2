"""Attestations that a step is absent (SPEC.md, section 18.1)."""

from __future__ import annotations

from kimberley.conformance.errors import Failed
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.games.table import Plain
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.encoding import Malformed


def attest(
    identity: SuiteIdentity, game: bytes, slot: tuple[int, int], head: bytes, absent: tuple[int, ...]
) -> Attestation:
    """Signs an attestation as a witness of the suite."""
    return Attestation(identity.public, *slot, head, absent).signed(game, identity.sign)


def expect_attestation(
    plain: Plain, game: bytes, slot: tuple[int, int], head: bytes, absent: tuple[int, ...]
) -> Attestation:
    """Returns what the target attests. Raises Failed unless it names these seats at this slot."""
    try:
        attestation = Attestation.read(plain)
    except Malformed as error:
        raise Failed(f"what the target attests cannot be read: {error}") from error
    if (attestation.slot, attestation.head, attestation.absent) != (slot, head, absent):
        raise Failed(
            f"the target attests that the seats {attestation.absent} are absent at {attestation.slot}, or another head"
        )
    if not attestation.holds(game):
        raise Failed("the signature of the target's attestation does not verify")
    return attestation
