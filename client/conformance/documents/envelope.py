"""Envelopes and heads (SPEC.md, sections 11 and 12)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from kimberley.client.conformance.crypto.hashing import Identity, digest, verifies
from kimberley.client.conformance.documents.roster import REVISION
from kimberley.client.conformance.encoding.codec import pack, unpack
from kimberley.client.conformance.encoding.plain import Plain

STAGE, CHAT, RESIGN, CLOSING, LEAVE = range(5)
OWED: Final = (STAGE, CLOSING, LEAVE)
FIRST: Final = bytes(32)
"""Stands for the hash of the envelope before the first one."""

Slot = tuple[int, int]


@dataclass(frozen=True)
class Envelope:
    """One envelope; `signature` is empty until it is signed."""

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
    revision: int = REVISION

    @cached_property
    def unsigned(self) -> bytes:
        return pack(
            (
                self.revision,
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

    @property
    def hash(self) -> bytes:
        return digest("envelope", self.unsigned)

    @property
    def packed(self) -> bytes:
        return pack((self.unsigned, self.signature))

    @property
    def slot(self) -> Slot:
        return self.step, self.stage

    def signed(self, identity: Identity) -> Envelope:
        return replace(self, signature=identity.sign("envelope", self.unsigned))

    def holds(self, identity: bytes) -> bool:
        return verifies(identity, "envelope", self.unsigned, self.signature)

    @classmethod
    def read(cls, data: bytes) -> Envelope:
        """The envelope that these bytes encode. Raises ValueError."""
        match unpack(data):
            case (bytes() as unsigned, bytes() as signature) if len(signature) == 64:
                pass
            case _:
                raise ValueError("not an envelope: expected its unsigned bytes and 64 bytes of signature")
        match unpack(unsigned):
            case (
                2,
                bytes() as game,
                int() as seat,
                int() as number,
                bytes() as previous,
                int() as step,
                int() as stage,
                bytes() as head,
                int() as kind,
                body,
            ) if len(game) == len(previous) == len(head) == 32 and 0 <= kind <= LEAVE:
                return cls(game, seat, number, previous, step, stage, head, kind, body, signature)
        raise ValueError("not an envelope: its fields do not have the form of section 11")


def first_head(game: bytes) -> bytes:
    """The head before the first stage."""
    return digest("head", game)


def next_head(head: bytes, slot: Slot, hashes: tuple[bytes, ...]) -> bytes:
    """The head after a stage."""
    return digest("head", head, *slot, hashes)
