"""What a seat in a page signs, as its host receives it: everything once."""

from __future__ import annotations

from collections import defaultdict

from kimberley.p2p.transport.signed_channel import unpacked
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.envelope import CLOSING, STAGE, Envelope


def sent_envelope(message: bytes) -> Envelope | None:
    """Returns the envelope in a message of a WebSocket, if there is one."""
    match unpacked(message):
        case ("signed", _, bytes() as packed, _):
            match unpacked(packed):
                case ("envelope", bytes() as envelope):
                    try:
                        return Envelope.unpack(envelope)
                    except Malformed:
                        return None
    return None


class SignedOnce:
    """Gets each message that pages send."""

    def __init__(self) -> None:
        self.messages = 0
        """How many messages there were, heartbeats among them."""
        self._signed: dict[tuple[object, ...], set[bytes]] = defaultdict(set)

    def __call__(self, message: bytes) -> None:
        self.messages += 1
        envelope = sent_envelope(message)
        if envelope is None:
            return
        self._add(envelope, "number", envelope.number)
        if envelope.kind in (STAGE, CLOSING):
            self._add(envelope, envelope.kind, envelope.slot)

    def _add(self, envelope: Envelope, *place: object) -> None:
        self._signed[(envelope.game, envelope.seat, *place)].add(envelope.hash)

    @property
    def twice(self) -> list[tuple[object, ...]]:
        """Where a seat signed two different envelopes: nowhere, or it cheated."""
        return [place for place, hashes in self._signed.items() if len(hashes) > 1]

    @property
    def count(self) -> int:
        """How many envelopes pages have signed."""
        return sum("number" in place for place in self._signed)
