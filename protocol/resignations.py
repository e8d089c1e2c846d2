"""Resignations, and whether a seat leaves instead while the others play on (SPEC.md, section 13).

The seats' chains and the seats still present decide which of the two it is, and when it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from kimberley.games.table import Game, Result, SupportsLeave
from kimberley.protocol.chain import Chain
from kimberley.protocol.envelope import CLOSING, RESIGN, Envelope
from kimberley.protocol.log import StageLog
from kimberley.protocol.play import LEAST_TO_LEAVE, Play

Slot = tuple[int, int]


class Resignations:
    """Judges resignations by the chains; changes nothing. `head_of` returns the head that an envelope must name."""

    def __init__(
        self,
        play: Play,
        chains: Sequence[Chain],
        log: Sequence[StageLog],
        head_of: Callable[[Envelope], bytes],
    ) -> None:
        self._play = play
        self._chains = chains
        self._log = log
        self._head_of = head_of

    def can_leave(self, slot: Slot) -> bool:
        """Returns whether enough seats were present before a stage for a seat to leave while the others play on."""
        left = sum(len(entry.left) for entry in self._log if (entry.step, entry.stage) < slot)
        return len(self._chains) - left >= LEAST_TO_LEAVE and isinstance(self._play.public, SupportsLeave)

    def resigners(self, now: Slot) -> tuple[int, ...]:
        """Returns the seats whose resignation is in their chain, even if they owe envelopes that belong before it.

        A resignation from a later stage than the current one has to wait: by then another seat may have left.
        """
        return tuple(
            seat
            for seat, chain in enumerate(self._chains)
            if chain.stopped
            and any(
                envelope.kind == RESIGN and self._counts(envelope, now) for envelope in (*chain.loose, *chain.queue)
            )
        )

    def _counts(self, resignation: Envelope, now: Slot) -> bool:
        slot = resignation.slot
        return slot <= now and resignation.head == self._head_of(resignation) and not self.can_leave(slot)

    def stopped(self, seat: int | None, resigned: Collection[int]) -> bool:
        """Returns whether the current stage can no longer complete at this seat (None: a spectator), so that a
        resignation counts.

        A seat that did not resign stops when it learns of a resignation. Everybody else waits for its envelope: it may
        have signed the stage before.
        """
        present, owing = self._play.crypto.present, self._play.owing
        if seat is not None and seat in present and seat not in resigned:
            lacking = any(self._chains[other].given is None for other in resigned if other in owing)
            return self._chains[seat].given is None or seat not in owing or lacking
        return all(
            other in resigned or any(envelope.kind == CLOSING for envelope in chain.queue)
            for other, chain in enumerate(self._chains)
            if other in present
        )


def resignation_result(game: Game, play: Play, resigned: Sequence[int]) -> Result:
    """Returns the result of the game after these resignations."""
    state = play.public
    for seat in (*play.leaving, *resigned):
        if isinstance(state, SupportsLeave) and not isinstance(state.ask(), Result):
            state = state.leave(seat)
    result = state.ask()
    if not isinstance(result, Result):
        return game.resignation_result(state, resigned)
    if len(resigned) < 2:
        return result
    # The last two resigned after the same stage: neither won.
    places = tuple(1 if seat in resigned else place for seat, place in enumerate(result.places))
    return Result(places, result.scores, "the last two resigned", result.counts)
