"""Watching a table: what a spectator has seen of its games, who the table waits for, and what the record proves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.live_context import awaited, choosing
from kimberley.client.boards.registry import board_of, timeline_of
from kimberley.client.boards.report import Dossier
from kimberley.client.session.interfaces import SpectatedPeer, SpectatorLike
from kimberley.client.session.participants import TELL_SECONDS, elapsed
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.palette import Color
from kimberley.games.phrases import join_names
from kimberley.p2p.base.platform import in_background

if TYPE_CHECKING:
    from kimberley.protocol.audit import AuditedGame


@dataclass(frozen=True, slots=True)
class GameProof:
    """What a watched game leaves behind: the audited game, and its dossier if it has a result."""

    audited: AuditedGame
    dossier: Dossier | None


class GameWatcher:
    """What the spectator has seen of the current game. Call `follow` on every event of the watched table."""

    def __init__(self, watch: SpectatorLike) -> None:
        self.watch = watch
        self.timeline: GameTimeline | None = None
        self.proof: GameProof | None = None
        self._peer: SpectatedPeer | None = None
        self._judged: SpectatedPeer | None = None

    def follow(self) -> bool:
        """Reads what is known so far. Returns True if a game has begun since the last call."""
        peer = self.watch.peer
        if peer is None:
            return False
        new = peer is not self._peer
        if new:
            self._peer, self.proof = peer, None
            roster = peer.table.roster
            self.timeline = timeline_of(roster.game, roster)
        assert self.timeline is not None
        self.timeline.refresh(peer.story, peer.result)
        return new

    @property
    def names(self) -> Sequence[str]:
        return self.timeline.names if self.timeline is not None else ()

    @property
    def over(self) -> bool:
        """Returns whether the current game has a result, or ended because somebody was caught."""
        return self._peer is not None and (self._peer.result is not None or self._peer.caught is not None)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose step is missing."""
        return self._peer.waiting if self._peer is not None else ()

    # -- in words ------------------------------------------------------------------------------------------------------

    def aside(self, now: float, room: int = 28) -> tuple[str, Color]:
        """Says whom the game waits for, or whatever else matters now, in at most `room` cells, with its color."""
        peer = self._peer
        if self.watch.problem is not None:
            return "the table is closed", "warning"
        if self.proof is not None:
            return "check finished", "soft"
        if peer is not None and peer.caught is not None:
            return "caught cheating", "warning"
        if self.watch.away_since is not None:
            return f"connection lost {elapsed(max(0.0, now - self.watch.away_since))}", "warning"
        if peer is None:
            return "", "soft"
        if peer.result is not None:
            return "checking…", "soft"
        waited = now - min(peer.waiting_since.values(), default=now)
        if waited < TELL_SECONDS:
            return awaited(peer.state, peer.waiting, self.names, room), "soft"
        # A spectator does not know who is away.
        whole = f"waiting for {join_names([self.names[seat] for seat in peer.waiting])}: {elapsed(waited)}"
        return whole if cell_width(whole) <= room else f"waiting: {elapsed(waited)}", "soft"

    def next_frame(self, now: float) -> float | None:
        """Returns the time at which the text of `aside` changes by itself."""
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
        step = 1.0 if waited < 60 else 60.0
        return min(starts) + (math.floor(waited / step) + 1) * step

    def choosers(self) -> list[str]:
        """Returns the names of the players whose choice the game waits for."""
        peer = self._peer
        seats = choosing(peer.state, peer.waiting) if peer is not None and not self.over else []
        return [self.names[seat] for seat in seats]

    # -- the end -------------------------------------------------------------------------------------------------------

    def due(self) -> bool:
        """Returns whether to `audit` the current game now, because its record is complete. Returns True once for each
        game.
        """
        peer = self._peer
        if peer is None or peer is self._judged or not (peer.finished or peer.caught is not None):
            return False
        self._judged = peer
        return True

    async def audit(self) -> GameProof | None:
        """Audits the game as the spectator has it and builds its dossier, trusting nobody's word.

        The result becomes `proof`, unless another game has begun in the meantime.
        """
        peer, timeline = self._peer, self.timeline
        audited = await self.watch.audit()
        if audited is None or timeline is None or peer is None:
            return None
        board = board_of(audited.record.table.roster.game) if audited.result is not None else None
        dossier = await in_background(board.dossier, audited, timeline.names, None) if board is not None else None
        proof = GameProof(audited, dossier)
        if peer is self._peer:
            self.proof = proof
        return proof


def verdict_sentence(proof: GameProof) -> str:
    """Says what the audit says, in a sentence."""
    from kimberley.p2p.sentences import verdicts

    verdict = proof.audited.verdict
    return verdicts.verdict_sentence(verdict, verdicts.shown_names(verdict.names))


def audit_lines(proof: GameProof) -> list[str]:
    """Returns a proof in sentences to read aloud."""
    return [*(proof.dossier.lines if proof.dossier is not None else ()), verdict_sentence(proof)]
