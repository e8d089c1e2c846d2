"""Envelopes: what a seat signs, and nothing else travels (SPEC.md, "Envelopes").

An envelope is the canonical encoding of its fields followed by a signature over those very bytes. Hashes cover the
unsigned bytes, so that a second signature over the same bytes is the same envelope.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from games.table import Plain
from protocol.crypto import signatures
from protocol.crypto.hashing import digest
from protocol.encoding import Budget, Malformed, pack, unpack

REVISION: Final = 2
"""Of the protocol. Envelopes and records of another revision cannot be judged."""

STAGE: Final = 0
"""Kind of an envelope that is owed: what a seat gives to a stage of a step. Body: as the step's ask says."""
CHAT: Final = 1
"""Kind of free text. Body: the text."""
RESIGN: Final = 2
"""Kind of a resignation. Body: none."""
CLOSING: Final = 3
"""Kind of what is owed to a closing stage. Body: as the stage says."""
LEAVE: Final = 4
"""Kind of what a seat that leaves gives instead of what it owes. Body: as SPEC.md says, "Leaving"."""

MOST_BYTES: Final = (1 << 20) - 1024
"""Of one envelope: with what a frame puts around it, it fits the frame."""
MOST_TEXT: Final = 500
"""Characters of one chat envelope."""

Sign = Callable[[str, bytes], bytes]
"""Signs a message for a purpose with the identity key of a seat."""


@dataclass(frozen=True)
class Envelope:
    """One signed message of one seat.

    `number` counts the seat's own envelopes from 0, `previous` is the hash of the one before (32 zero bytes before the
    first), so that all a seat signs at a table is one chain. `head` is the hash of the whole transcript before the
    stage in which the envelope was made.
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
        return digest("envelope", self.unsigned)

    @property
    def slot(self) -> tuple[int, int]:
        return self.step, self.stage

    def signed(self, sign: Sign) -> Envelope:
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
        return signatures.verify(identity, "envelope", self.unsigned, self.signature)

    def pack(self) -> bytes:
        return pack((self.unsigned, self.signature))

    @classmethod
    def unpack(cls, data: bytes, budget: Budget | None = None) -> Envelope:
        """Takes the values that it builds from the `budget`. Raises Malformed, which blames nobody; OtherRevision where
        the envelope is of another revision.
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
            raise OtherRevision(f"the envelope is of protocol revision {fields[0]}, this is {REVISION}")
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
                raise Malformed("not an envelope: its fields are not of the types they must be")
        if any(type(n) is bool for n in (fields[0], seat, number, step, stage, kind)):
            raise Malformed("not an envelope: a truth value where a number must be")
        if min(seat, number, step, stage) < 0 or kind not in (STAGE, CHAT, RESIGN, CLOSING, LEAVE):
            raise Malformed("not an envelope: a number out of its bounds")
        if not len(game) == len(previous) == len(head) == 32:
            raise Malformed("not an envelope: a hash that is not 32 bytes")
        if kind == CHAT and not (isinstance(body, str) and len(body) <= MOST_TEXT):
            raise Malformed(f"chat must be text of {MOST_TEXT} characters at most")
        if kind == RESIGN and body is not None:
            raise Malformed("a resignation has no body")
        envelope = cls(game, seat, number, previous, step, stage, head, kind, body, signature)
        # They are canonical, so packing the fields once more would give them again.
        envelope.__dict__["unsigned"] = unsigned
        return envelope


class OtherRevision(Malformed):
    """Of a revision that this program cannot judge."""


START: Final = bytes(32)
"""What the first envelope of a chain names as its previous one."""


def first_head(game: bytes) -> bytes:
    """The head before any stage."""
    return digest("head", game)


def next_head(head: bytes, step: int, stage: int, hashes: tuple[bytes, ...]) -> bytes:
    """The head after a stage: `hashes` of its envelopes in seat order, each seat's talk before what it owed."""
    return digest("head", head, step, stage, hashes)
