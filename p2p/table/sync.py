"""How all who follow a game come to the same envelopes: seats, spectators, the referee, whoever comes back. Sans-IO.

    ("have", game id, ((count, hash), ...))    by seat: how many of its envelopes the sender has, and the hash of the
                                               last one, 32 zero bytes before the first
    ("envelope", envelope)                     anybody's: it names its seat and its number itself

`have` is the first frame for a game on a connection, and its heartbeat. Whoever gets one sends what the other side
lacks, and proves a double signature by sending a chain that differs from the other side's (SPEC.md, section 10).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, Protocol, TypeAlias

from kimberley.p2p.transport.frames import Frame
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.peer import Peer

RESEND_SECONDS: Final = 2.0  # SPEC: help
"""Time until what the other side still lacks is sent again on a connection."""
REWIND_SECONDS: Final = 60.0  # SPEC: past
"""Time until a chain that differs is sent again: it is much, and may be lost with its connection."""
MOST_AHEAD: Final = 1 << 20  # SPEC: bytes waiting for a spectator
"""Bytes that wait to be sent to one side. Above this it gets nothing more before its next `have`."""

Have: TypeAlias = tuple[tuple[int, bytes], ...]


def have_of(peer: Peer) -> Have:
    """Returns what a machine has, by seat. To be called when nothing else uses it."""
    return tuple((chain.number, chain.previous) for chain in peer.chains)


def have_frame(game_id: bytes, have: Have) -> Frame:
    return "have", game_id, have


def read_have(frame: Frame, game_id: bytes, seats: int) -> Have | None:
    """Returns what the other side has of this game; None for another game or a malformed frame."""
    match frame:
        case ("have", bytes() as game, tuple() as rows) if game == game_id and len(rows) == seats:
            have = []
            for row in rows:
                match row:
                    case (int() as count, bytes() as last) if type(count) is int and count >= 0 and len(last) == 32:
                        have.append((count, last))
                    case _:
                        return None
            return tuple(have)
    return None


def convicting(peer: Peer) -> list[Envelope]:
    """Returns what proves the guilt of the seat that was caught; nothing if none was."""
    return [*peer.evidence, *peer.chain(peer.caught.seat, 0)] if peer.caught is not None else []


class Wire(Protocol):
    """What carries the frames to the other side: a link or a channel."""

    @property
    def unsent(self) -> int:
        """Bytes that wait to be sent."""

    def send(self, frame: Frame) -> object:
        """Sends a frame, if there is a connection."""


class Sync:
    """One game between this side and another, over any number of connections."""

    def __init__(
        self,
        peer: Peer,
        wire: Wire,
        clock: Callable[[], float],
        *,
        live: Collection[int],
        signer: int | None = None,
    ) -> None:
        """Sends nothing before the other side's first `have`.

        Args:
            peer: The game's machine. It is only read, in calls of the methods.
            wire: The way to the other side.
            clock: Returns the time in seconds.
            live: The seats whose envelopes are sent as they come. Those of other seats follow if the other side does
                not get them elsewhere.
            signer: The other side's seat, if it has one.

        """
        self._peer = peer
        self._wire = wire
        self._clock = clock
        self._live = frozenset(live)
        self._signer = signer
        self._parties = frozenset() if signer is None else self._live | {signer}
        self.theirs: list[int] | None = None
        """By seat: how many envelopes the other side has, or was sent on this connection; None before its `have`."""
        self._last: Have = ()
        self._evident = 0
        self._resent_at = self._rewound_at = -REWIND_SECONDS

    def reset(self) -> None:
        """Starts over on a new connection: what was sent before may be lost."""
        self.theirs, self._last, self._evident, self._rewound_at = None, (), 0, -REWIND_SECONDS

    def lacks_nothing_of(self, seat: int) -> bool:
        """Returns whether this connection has carried everything that a seat has signed."""
        return self.theirs is not None and self.theirs[seat] >= self._peer.chains[seat].number

    def on_have(self, have: Have) -> None:
        """Sends what the other side lacks; on one connection, the same again only after `RESEND_SECONDS`."""
        now, first = self._clock(), self.theirs is None
        last, self._last = self._last, have
        if self.theirs is None:
            self.theirs = [count for count, _ in have]
        late = now - self._resent_at >= RESEND_SECONDS
        due = first or (late and not self._wire.unsent)
        rewinds = late and now - self._rewound_at >= REWIND_SECONDS
        starts: dict[int, int] = {}
        for seat, (count, hash_) in enumerate(have):
            known = self._peer.chains[seat]
            if 0 < count <= known.number and known.known[count - 1].hash != hash_:
                # The other side was shown another chain: both together convict. Whoever signed both knows already.
                if rewinds and seat not in self._parties:
                    starts[seat], self._rewound_at, self._resent_at = 0, now, now
            elif count >= known.number or not due or not (first or have[seat] == last[seat]):
                pass
            elif seat == self._signer:
                # Its last envelope says best how old its journal is.
                starts[seat] = known.number - 1
            elif seat in self._live or not first:
                starts[seat] = count
        if starts and not first:
            self._resent_at = now
        for seat, start in starts.items():
            self.theirs[seat] = start
        self._send_from(self._live | starts.keys())

    def flush(self) -> None:
        """Sends what is new. To be called after each change of the machine."""
        if self.theirs is not None:
            self._send_from(self._live)

    def _send_from(self, seats: Collection[int]) -> None:
        """Sends what is left of these chains, in the order of the transcript: nobody has to keep more than the current
        stage. A spectator then gets the envelopes outside the chains, which prove that a seat signed two things.
        """
        assert self.theirs is not None
        left: list[tuple[tuple[int, int], int, int, Envelope]] = []
        for seat in seats:
            slot = 0, 0
            for envelope in self._peer.chain(seat, self.theirs[seat]):
                slot = max(slot, envelope.slot)
                left.append((slot, seat, envelope.number, envelope))
        for _, seat, number, envelope in sorted(left, key=lambda one: one[:3]):
            if self._wire.unsent > MOST_AHEAD:
                return
            self._wire.send(("envelope", envelope.pack()))
            self.theirs[seat] = number + 1
        if self._signer is None:
            for envelope in self._peer.evidence[self._evident :]:
                self._wire.send(("envelope", envelope.pack()))
            self._evident = len(self._peer.evidence)
