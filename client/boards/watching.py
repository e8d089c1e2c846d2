"""Watching a table: what an onlooker has seen of its games, who is waited for, and what the record proves."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from client.board import Dossier
from client.glyphs import width
from client.moments import Moments, Onlooker, awaited, board_of, choosing, moments_of
from client.palette import Colour
from client.people import TELL_SECONDS, in_a_row, lasting
from client.seats import Stop
from games import lookup
from games.table import Game, Leave

if TYPE_CHECKING:
    from protocol.audit import Verdict
    from protocol.events import Caught
    from protocol.record import Record


class Seen(Onlooker, Protocol):
    """An onlooker's view of a game that may still run (`p2p.runner.View`)."""

    @property
    def waiting_since(self) -> dict[int, float]: ...
    @property
    def finished(self) -> bool: ...
    @property
    def caught(self) -> Caught | None: ...


class WatchLike(Protocol):
    """A table that is watched (`p2p.watch.Watch`). All of it lives on one event loop."""

    @property
    def game(self) -> Game | None: ...
    @property
    def peer(self) -> Seen | None:
        """What is known of the game; one object for each game; None before the first."""

    @property
    def problem(self) -> str | None: ...
    @property
    def away_since(self) -> float | None: ...
    def subscribe(self, callback: Callable[[Any], None]) -> Stop: ...
    async def record(self) -> Record | None: ...
    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Proof:
    """What a finished game has left behind: its record, who had left before, what the audit says, what it all tells."""

    record: Record
    packed: bytes
    gone: Sequence[int]
    verdict: Verdict
    dossier: Dossier | None


class Onlooking:
    """What has been seen of the game at hand. `follow` is to be called with everything that the watch tells."""

    def __init__(self, watch: WatchLike) -> None:
        self.watch = watch
        self.moments: Moments | None = None
        self.proof: Proof | None = None
        self._peer: Seen | None = None
        self._judged: Seen | None = None

    def follow(self) -> bool:
        """Takes up what there is by now. True if a game has begun since the last call."""
        peer = self.watch.peer
        if peer is None:
            return False
        new = peer is not self._peer
        if new:
            self._peer, self.proof = peer, None
            roster = peer.table.roster
            self.moments = moments_of(roster.game, roster)
        assert self.moments is not None
        self.moments.take(peer.story, peer.result)
        return new

    @property
    def names(self) -> Sequence[str]:
        return self.moments.names if self.moments is not None else ()

    @property
    def over(self) -> bool:
        """Whether the game at hand has its result, or somebody was caught, which ends it."""
        return self._peer is not None and (self._peer.result is not None or self._peer.caught is not None)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose step is missing."""
        return self._peer.waiting if self._peer is not None else ()

    # -- in words ------------------------------------------------------------------------------------------------------

    def aside(self, now: float, room: int = 28) -> tuple[str, Colour]:
        """Who is waited for, or what else there is to know now, in so many cells, and its colour."""
        peer = self._peer
        if self.watch.problem is not None:
            return "the table is closed", "warning"
        if self.proof is not None:
            return "the audit is done", "soft"
        if peer is not None and peer.caught is not None:
            return "caught cheating", "warning"
        if self.watch.away_since is not None:
            return f"connection lost {lasting(max(0.0, now - self.watch.away_since))}", "warning"
        if peer is None:
            return "", "soft"
        if peer.result is not None:
            return "the audit runs…", "soft"
        waited = now - min(peer.waiting_since.values(), default=now)
        time = f" {lasting(waited)}" if waited >= TELL_SECONDS else ""
        said = awaited(peer.state, peer.waiting, self.names, room - width(time))
        if not said and time:
            names = in_a_row([self.names[seat] for seat in peer.waiting])
            said = f"waiting for {names}" if width(names) + 12 + width(time) <= room else "waiting"
        return f"{said}{time}" if said else "", "soft"

    def next_frame(self, now: float) -> float | None:
        """When what `aside` says changes by itself."""
        peer = self._peer
        if self.watch.away_since is not None:
            starts = [self.watch.away_since]
        elif peer is not None and peer.result is None:
            starts = list(peer.waiting_since.values())
        else:
            starts = []
        if not starts or self.proof is not None or self.watch.problem is not None:
            return None
        waited = now - min(starts)
        if self.watch.away_since is None and waited < TELL_SECONDS:
            return min(starts) + TELL_SECONDS
        step = (1.0 if self.watch.away_since is not None else TELL_SECONDS) if waited < 60 else 60.0
        return min(starts) + (math.floor(waited / step) + 1) * step

    def choosers(self) -> list[str]:
        """The names of those whose choice is waited for."""
        peer = self._peer
        seats = choosing(peer.state, peer.waiting) if peer is not None and not self.over else []
        return [self.names[seat] for seat in seats]

    # -- the end -------------------------------------------------------------------------------------------------------

    def due(self) -> bool:
        """Whether it is time to `judge` the game at hand: nothing is added to its record any more. True once a game."""
        peer = self._peer
        if peer is None or peer is self._judged or not (peer.finished or peer.caught is not None):
            return False
        self._judged = peer
        return True

    async def judge(self) -> Proof | None:
        """Runs the audit on the onlooker's own record, and reads what it tells; nobody's word is taken for it.

        It becomes `proof`, unless another game has begun meanwhile.
        """
        from protocol.audit import verify

        peer, moments = self._peer, self.moments
        record = await self.watch.record()
        if record is None or moments is None or peer is None:
            return None
        gone = sorted(ask.seat for ask, _ in peer.story if isinstance(ask, Leave))
        told = peer.result is not None

        def read() -> Proof:
            packed = record.pack()
            verdict = verify(packed, lookup.find)
            board = board_of(record.table.roster.game) if told else None
            dossier = board.dossier(record, moments.names, None) if board is not None else None
            return Proof(record, packed, gone, verdict, dossier)

        proof = await asyncio.to_thread(read)
        if peer is self._peer:
            self.proof = proof
        return proof


def judged(proof: Proof) -> str:
    """What the audit says, in a sentence."""
    from client.verify import in_words

    return in_words(proof.verdict)[0]


def in_sentences(proof: Proof) -> list[str]:
    """A proof for the ear."""
    return [*(proof.dossier.lines if proof.dossier is not None else ()), judged(proof)]
