"""Envelopes: everything that a seat signs and sends in a game (SPEC.md, "Envelopes and chains").

An envelope is the canonical encoding of its fields followed by a signature over those very bytes. Hashes cover the
unsigned bytes, so that a second signature over the same bytes is the same envelope.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from kimberley.games.table import Plain
from kimberley.protocol.crypto import signatures
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.encoding import Budget, Malformed, pack, unpack

REVISION: Final = 3
"""The revision of the protocol. Envelopes and records of another revision cannot be judged."""

STAGE: Final = 0
"""Kind of an envelope that a seat owes to a stage of a step. Body: see the step's ask."""
RESIGN: Final = 2
"""Kind of a resignation. Body: none."""
CLOSING: Final = 3
"""Kind of an envelope that a seat owes to a closing stage. Body: see the stage."""
LEAVE: Final = 4
"""Kind of the envelope that a leaving seat sends instead of what it owes. Body: see SPEC.md, "Leaving"."""

MOST_BYTES: Final = (1 << 20) - 1024  # SPEC: bytes of an envelope
"""Bytes of one envelope, which then fits a frame with its overhead."""

Sign = Callable[[str, bytes], bytes]
"""Signs a message for a purpose with the identity key of a seat."""


@dataclass(frozen=True)
class Envelope:
    """One signed message of one seat.

    `number` counts the seat's own envelopes from 0. `previous` is the hash of the previous one (32 zero bytes for the
    first), so that everything a seat signs at a table is one chain. `head` is the hash of the whole transcript before
    the stage in which the envelope was made.
    """

    game: bytes
    seat: int
    number: int
    previous: bytes
    step: int
    stage: int
    head: bytes
    kind: int
    body: Plain
    signature: bytes = b""

    @cached_property
    def unsigned(self) -> bytes:
        """The canonical bytes that are signed and hashed."""
        return pack(
            (
                REVISION,
                self.game,
                self.seat,
                self.number,
                self.previous,
                self.step,
                self.stage,
                self.head,
                self.kind,
                self.body,
            )
        )

    @cached_property
    def hash(self) -> bytes:
        """The digest of the unsigned bytes, 32 bytes, which the next envelope of the seat names."""
        return digest("envelope", self.unsigned)

    @property
    def slot(self) -> tuple[int, int]:
        """(step, stage)."""
        return self.step, self.stage

    def signed(self, sign: Sign) -> Envelope:
        """Returns the same envelope with its signature."""
        return Envelope(
            self.game,
            self.seat,
            self.number,
            self.previous,
            self.step,
            self.stage,
            self.head,
            self.kind,
            self.body,
            sign("envelope", self.unsigned),
        )

    def signed_by(self, identity: bytes) -> bool:
        """Returns whether the signature is by this identity key, 32 bytes."""
        return signatures.verify(identity, "envelope", self.unsigned, self.signature)

    def pack(self) -> bytes:
        """Returns the bytes that travel: the unsigned bytes and the signature."""
        return pack((self.unsigned, self.signature))

    @classmethod
    def unpack(cls, data: bytes, budget: Budget | None = None) -> Envelope:
        """Reads an envelope; its values count against the `budget`.

        Raises Malformed, which blames nobody; OtherRevision if the envelope has another revision.
        """
        if len(data) > MOST_BYTES:
            raise Malformed(f"an envelope of {len(data)} bytes; {MOST_BYTES} at most")
        match unpack(data, budget):
            case (bytes() as unsigned, bytes() as signature) if len(signature) == 64:
                pass
            case _:
                raise Malformed("not an envelope: expected its bytes and a signature of 64 bytes")
        fields = unpack(unsigned, budget)
        if isinstance(fields, tuple) and fields and type(fields[0]) is int and fields[0] != REVISION:
            raise OtherRevision(f"the envelope is of protocol revision {fields[0]}; this program has {REVISION}")
        match fields:
            case (
                int(),
                bytes() as game,
                int() as seat,
                int() as number,
                bytes() as previous,
                int() as step,
                int() as stage,
                bytes() as head,
                int() as kind,
                body,
            ):
                pass
            case _:
                raise Malformed("not an envelope: its fields have the wrong types")
        if any(type(n) is bool for n in (fields[0], seat, number, step, stage, kind)):
            raise Malformed("not an envelope: a truth value in place of a number")
        if min(seat, number, step, stage) < 0 or kind not in (STAGE, RESIGN, CLOSING, LEAVE):
            raise Malformed("not an envelope: a number out of its bounds")
        if not len(game) == len(previous) == len(head) == 32:
            raise Malformed("not an envelope: a hash that is not 32 bytes")
        if kind == RESIGN and body is not None:
            raise Malformed("a resignation has no body")
        envelope = cls(game, seat, number, previous, step, stage, head, kind, body, signature)
        # These bytes are canonical, so packing the fields again would return the same bytes.
        envelope.__dict__["unsigned"] = unsigned
        return envelope


class OtherRevision(Malformed):
    """This program cannot judge the protocol revision."""


START: Final = bytes(32)
"""The previous hash of the first envelope of a chain."""


def first_head(game: bytes) -> bytes:
    """Returns the head before any stage."""
    return digest("head", game)


def next_head(head: bytes, step: int, stage: int, hashes: tuple[bytes, ...]) -> bytes:
    """Returns the head after a stage: `hashes` of its envelopes in seat order, each seat's resignation before the
    envelope that it owed.
    """
    return digest("head", head, step, stage, hashes)
