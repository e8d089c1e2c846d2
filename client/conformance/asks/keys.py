"""What step 0 demands of the seats: their keys (SPEC.md, section 14.7)."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.conformance.asks.base import PendingAsk, entries, octets
from kimberley.client.conformance.asks.knowledge import (
    PURPOSES,
    Bodies,
    KnownSeat,
    ProtocolViolation,
    SeatKeys,
)
from kimberley.client.conformance.crypto.group import (
    base,
    read_point,
)
from kimberley.client.conformance.crypto.proofs import check_dleq, prove_dleq
from kimberley.client.conformance.encoding.plain import Plain


class PendingKeys(PendingAsk):
    """Step 0: all seats announce their keys."""

    def owing(self, stage: int) -> Sequence[int]:
        return range(self.facts.seats)

    def body(self, stage: int, seat: KnownSeat) -> Plain:
        secrets = seat.secrets
        return tuple(
            (base(x), prove_dleq(secrets, f"key {purpose}", secrets.context(0), 0, x, ()))
            for purpose, x in ((purpose, secrets.key(purpose)) for purpose in PURPOSES)
        )

    def check(self, stage: int, seat: int, body: Plain) -> None:
        for purpose, (key, proof) in zip(PURPOSES, entries(body, 3, 2), strict=True):
            if not check_dleq(f"key {purpose}", self.context(0, seat), read_point(key), (), (), octets(proof)):
                raise ProtocolViolation(f"its {purpose} key is not proven")

    def complete(self, stage: int, bodies: Bodies, seats: Sequence[KnownSeat]) -> None:
        for seat, body in bodies.items():
            keys = [octets(key) for key, _ in entries(body, 3, 2)]
            self.facts.keys[seat] = SeatKeys(*keys)

    @property
    def answered(self) -> bool:
        return False
