"""What a peer's seat can forge an envelope from."""

from __future__ import annotations

from kimberley.conformance.forgeries import DueEnvelope
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.peer import Peer
from tests.support.tables import identity


def due_envelope(peer: Peer, envelope: Envelope) -> DueEnvelope:
    """Returns what a seat that signs this envelope can make of it instead."""
    assert peer.seat is not None
    known = peer.chains[(peer.seat + 1) % len(peer.chains)].known
    heads = {(step, stage): head for (closing, step, stage), head in peer.heads.items() if not closing}
    last = known[max(known)] if known else None
    return DueEnvelope(envelope, identity(peer.seat), len(peer.chains), last, heads)
