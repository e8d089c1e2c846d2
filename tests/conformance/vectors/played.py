"""Scripts that honest seats have played, and envelopes that are signed anew."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from kimberley.conformance.script import SCRIPT
from kimberley.games.table import Plain
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import STAGE, Envelope
from tests.support.tables import Wire, identity, peer_of, signed_roster

SALT: Final = "vectors"
DECK: Final = (("heart", 1), ("spade", 2), ("spade", 1), ("heart", 2))
ASKS: Final = (
    ("shuffle", "deck", DECK),
    ("show", (2, 0), ((0, None), (1, 1), (1, 0))),
    ("together", (0, 1, 2), 9),
    ("decide", 2, 9),
    ("shuffle", "deck", (0, 3, ("club", 3))),
    ("show", (4,), ((0, None), (1, None))),
    ("seal", (0, 1), 9),
    ("roll", (6, 6)),
)
LEAVES: Final = 4
"""The step, a decision of the last of three seats, in which it leaves."""


class Played:
    """A script played by honest seats. With three of them the last leaves."""

    def __init__(self, seats: int, asks: Plain) -> None:
        self.table = signed_roster(SCRIPT, seats, SALT, {"asks": asks})
        self.table.check()
        peers = [peer_of(SCRIPT, self.table, seat, SALT) for seat in range(seats)]
        wire = Wire(peers, [lambda peer, _: peer.play.step + (peer.seat or 0)] * seats)
        wire.start()
        if seats > 2:
            wire.run(lambda: peers[2].play.step == LEAVES)
            peers[2].resign()
        wire.run()
        assert all(peer.finished for peer in peers)
        self.record = peers[0].record()
        self.envelopes = peers[0].transcript

    def until(self, slot: tuple[int, int], seat: int, kind: int = STAGE) -> tuple[list[Envelope], Envelope]:
        """Returns the envelopes before one of the transcript, and that one."""
        for number, envelope in enumerate(self.envelopes):
            if (envelope.slot, envelope.seat, envelope.kind) == (slot, seat, kind):
                return self.envelopes[:number], envelope
        raise LookupError((slot, seat, kind))


def signed(envelope: Envelope, **changes: Any) -> Envelope:
    """Returns the envelope with other fields, signed anew by its seat."""
    names = ("game", "seat", "number", "previous", "step", "stage", "head", "kind", "body")
    fields = {name: getattr(envelope, name) for name in names}
    return Envelope(**{**fields, **changes}).signed(partial(signatures.sign, identity(envelope.seat)))


def fields_of(envelope: Envelope) -> tuple[Any, ...]:
    """Returns the entries of a body."""
    assert isinstance(envelope.body, tuple)
    return envelope.body


def next_of(envelope: Envelope, **changes: Any) -> Envelope:
    """Returns an envelope that follows this one in the chain of its seat."""
    return signed(envelope, number=envelope.number + 1, previous=envelope.hash, **changes)


def bare(fields: tuple[object, ...]) -> bytes:
    """Returns bytes in the shape of an envelope of seat 0, whatever the fields."""
    unsigned = pack(fields)
    return pack((unsigned, signatures.sign(identity(0), "envelope", unsigned)))
