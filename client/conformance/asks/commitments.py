"""Commitments to choices (SPEC.md, section 14.3)."""

from __future__ import annotations

from kimberley.client.conformance.asks.base import array, octets
from kimberley.client.conformance.asks.knowledge import (
    KnownSeat,
)
from kimberley.client.conformance.crypto.hashing import digest
from kimberley.client.conformance.encoding.plain import Plain


def choice_nonce(seat: KnownSeat, step: int, choice: Plain) -> bytes:
    return seat.secrets.derive("choice nonce", seat.secrets.context(step), 0, choice)


def commit(seat: KnownSeat, step: int, choice: Plain) -> tuple[bytes]:
    """The body that commits to a choice."""
    return (digest("choice", seat.secrets.game, step, seat.number, choice_nonce(seat, step, choice), choice),)


def check_commitment(body: Plain) -> None:
    """Checks the body that commits to a choice. Raises BadElement."""
    octets(array(body, 1)[0], 32)
