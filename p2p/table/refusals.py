"""What a table answers to somebody whom it does not let in, and the error that it becomes in that player's program."""

from __future__ import annotations

from typing import Final

from kimberley.p2p.table.admission import ADDRESS_REMOVED, CLOSED, REMOVED
from kimberley.p2p.table.invitation import ONLY_PAIRED
from kimberley.p2p.table.spectators import NO_SPECTATORS
from kimberley.p2p.transport.handshake import ConnectionRejected, RefusedForGood

FOR_GOOD: Final = frozenset({REMOVED, ADDRESS_REMOVED, CLOSED, ONLY_PAIRED, NO_SPECTATORS})
"""What a table answers to those whom it does not let in later either."""


def rejection(reason: str) -> ConnectionRejected:
    """Returns the error for what a table has answered."""
    return RefusedForGood(reason) if reason in FOR_GOOD else ConnectionRejected(reason)
