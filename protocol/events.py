"""What a Peer has to say: the events that `Peer.take()` hands to whoever runs it.

They are plain data. The runner journals and sends what is to be sent, shows what is to be shown, and asks the player.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from games.table import Answer, Ask, Plain, Result, Space, State


@dataclass(frozen=True, slots=True)
class Send:
    """A signed envelope of this seat: to be synced to the journal first, then sent to every other peer."""

    envelope: bytes


@dataclass(frozen=True, slots=True)
class Asked:
    """This seat must choose from `space`. `step` is the ask's number; the answer goes to `Peer.choose`."""

    step: int
    ask: Ask
    space: Space


@dataclass(frozen=True, slots=True)
class Answered:
    """An ask was answered. `answer` is as this seat saw it, `state` its own state after it."""

    step: int
    ask: Ask
    answer: Answer
    state: State


@dataclass(frozen=True, slots=True)
class Waiting:
    """The seats whose envelopes the current stage still lacks. Empty when none is."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """Table talk, free text of a seat (not yet stripped of control characters)."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat has resigned."""

    seat: int


@dataclass(frozen=True, slots=True)
class Gone:
    """A seat has left, and the game goes on without it. `state` is this seat's own state after it."""

    step: int
    seat: int
    state: State


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over: by its rules, or by resignation. The closing stages follow."""

    result: Result


@dataclass(frozen=True, slots=True)
class Shown:
    """A seat has published its seed and its choices; the audit can judge it."""

    seat: int
    choices: tuple[Plain, ...]


@dataclass(frozen=True, slots=True)
class AuditDue:
    """Every seat has shown its seed. `Peer.judge` can be run, on another thread if need be; then `Peer.conclude`."""


@dataclass(frozen=True, slots=True)
class Finished:
    """All stages are complete: every seat has signed what the audit found. The record is whole."""


@dataclass(frozen=True, slots=True)
class Caught:
    """A seat was caught with its own signature under what the protocol forbids. Nothing more will be signed by this
    seat.
    """

    seat: int
    step: int
    stage: int
    reason: str

    def __str__(self) -> str:
        return f"seat {self.seat + 1}, step {self.step}, stage {self.stage}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Forgot:
    """Somebody has shown an envelope that this seat has signed and does not know: its memory is an old one. It must
    sign nothing more.
    """

    step: int


@dataclass(frozen=True, slots=True)
class Dropped:
    """Bytes that were no envelope of this table, and blame nobody: a log line."""

    reason: str


Event: TypeAlias = (
    Send
    | Asked
    | Answered
    | Waiting
    | Said
    | Resigned
    | Gone
    | Ended
    | Shown
    | AuditDue
    | Finished
    | Caught
    | Forgot
    | Dropped
)
