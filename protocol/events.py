"""The events of a Peer, which `Peer.take()` hands to its runner.

Events are plain data. The runner journals and sends envelopes, shows what has happened, and asks the player.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kimberley.games.table import Answer, Ask, Plain, Result, Space, State


@dataclass(frozen=True, slots=True)
class Send:
    """A signed envelope of this seat. The runner syncs it to the journal first, then sends it to every other peer."""

    envelope: bytes


@dataclass(frozen=True, slots=True)
class Asked:
    """This seat must choose from `space`. `step` is the ask's number; the answer goes to `Peer.choose`."""

    step: int
    ask: Ask
    space: Space


@dataclass(frozen=True, slots=True)
class Answered:
    """An ask was answered. `answer` is the answer as this seat saw it, `state` its own state after it."""

    step: int
    ask: Ask
    answer: Answer
    state: State


@dataclass(frozen=True, slots=True)
class Waiting:
    """The seats whose envelopes the current stage still lacks; empty when none is missing."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat has resigned."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatDeparted:
    """A seat has left, and the game continues without it. `state` is this seat's own state after it."""

    step: int
    seat: int
    state: State


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over: by its rules, or by resignation. The closing stages follow."""

    result: Result


@dataclass(frozen=True, slots=True)
class SeedShown:
    """A seat has published its seed and its choices; the audit can judge it."""

    seat: int
    choices: tuple[Plain, ...]


@dataclass(frozen=True, slots=True)
class AuditDue:
    """Every seat has shown its seed. The runner can call `Peer.audit`, on another thread if needed."""


@dataclass(frozen=True, slots=True)
class RecordComplete:
    """All stages are complete: every seat has signed the findings of the audit. The record is complete."""


@dataclass(frozen=True, slots=True)
class Caught:
    """A seat's own signature proves that it broke the protocol. This Peer signs nothing more."""

    seat: int
    step: int
    stage: int
    reason: str

    def __str__(self) -> str:
        return f"seat {self.seat + 1}, step {self.step}, stage {self.stage}: {self.reason}"


@dataclass(frozen=True, slots=True)
class OutdatedState:
    """Somebody sent an envelope that this seat has signed but does not know: its state is out of date. It must sign
    nothing more. `number` is that of the envelope in the seat's chain.
    """

    number: int
    envelope: bytes


@dataclass(frozen=True, slots=True)
class Dropped:
    """Bytes that are not an envelope of this table were dropped. They blame nobody; the reason is for a log."""

    reason: str


Event: TypeAlias = (
    Send
    | Asked
    | Answered
    | Waiting
    | Resigned
    | SeatDeparted
    | GameEnded
    | SeedShown
    | AuditDue
    | RecordComplete
    | Caught
    | OutdatedState
    | Dropped
)
