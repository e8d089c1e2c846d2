"""The envelopes of one seat, as another seat has received them (SPEC.md, "Envelopes and chains")."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from kimberley.protocol.envelope import LEAVE, RESIGN, STAGE, START, Envelope

MOST_EARLY: Final = 16  # SPEC: envelopes kept before the one they follow
"""Envelopes of one seat that are kept although an earlier one is missing; more are dropped."""
MOST_QUEUED: Final = 256  # SPEC: envelopes queued for their stage
"""Envelopes of one seat that wait for their stage; more are dropped."""
MOST_QUEUED_BYTES: Final = 4 << 20  # SPEC: bytes queued
"""Bytes of those envelopes, without their signatures."""

PLAYED: Final = (STAGE, LEAVE, RESIGN)
"""Kinds of envelopes that belong to the game itself: none may follow a resignation, a leave or a closing stage."""


@dataclass
class Chain:
    """The known part of a seat's chain, and its envelopes that wait for their stage.

    It has `stopped` if it holds a resignation or a closing envelope. It is `stuck` if the seat signed a different
    transcript from ours.
    """

    number: int = 0
    previous: bytes = START
    known: dict[int, Envelope] = field(default_factory=dict)
    early: dict[int, Envelope] = field(default_factory=dict)
    queue: deque[Envelope] = field(default_factory=deque)
    loose: list[Envelope] = field(default_factory=list)
    given: Envelope | None = None
    stopped: bool = False
    stuck: bool = False

    def refusal(self, envelope: Envelope) -> str | None:
        """Returns why an envelope cannot be the next one; None if it can."""
        if envelope.previous != self.previous:
            return f"an envelope of seat {envelope.seat + 1} that does not follow its previous one"
        waiting = sum(len(queued.unsigned) for queued in self.queue)
        if len(self.queue) >= MOST_QUEUED or waiting + len(envelope.unsigned) > MOST_QUEUED_BYTES:
            return f"seat {envelope.seat + 1} is too far ahead"
        return None

    def append(self, envelope: Envelope) -> str | None:
        """Adds the next envelope. Returns the violation, if the seat was not allowed to sign it here."""
        self.known[envelope.number] = envelope
        self.number += 1
        self.previous = envelope.hash
        self.queue.append(envelope)
        if self.stopped and envelope.kind in PLAYED:
            return "they played on after they had resigned, left or closed the game"
        self.stopped = self.stopped or envelope.kind != STAGE
        return None
