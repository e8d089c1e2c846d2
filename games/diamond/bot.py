"""A player for practice at Diamond. How far it looks, and how clearly it sees, grows with its level."""

from __future__ import annotations

from random import Random
from typing import Final, cast

from games.diamond.board import NEXT, POINTS, SQUARES_AT
from games.diamond.notation import OFFER, spelled
from games.diamond.position import Move, Place, Position, Swap
from games.diamond.rules import QUIET, State
from games.diamond.search import Search
from games.table import Observation, Plain

LEVELS: Final = range(1, 21)
FEWEST: Final = 60
"""Nodes for a turn at level 1."""
GROWTH: Final = 1.47
"""By which each level has more."""
POOREST: Final = 24
"""How much level 1 blurs what it judges."""
LOST: Final = -30
"""A score at which it takes a draw."""
LONG: Final = 30
"""Quiet turns after which it takes a draw where it is not ahead."""


class Player:
    """Chooses from an observation alone; the same seed and observation give the same choice.

    `level` is 1 to 20; what is beyond counts as the nearest of them. It never offers a draw, and takes one where it
    stands badly.
    """

    def __init__(self, level: int, seed: int) -> None:
        self._level = min(max(level, LEVELS[0]), LEVELS[-1])
        self._seed = seed

    @property
    def nodes(self) -> int:
        """How many positions it looks at for a turn."""
        return round(FEWEST * GROWTH ** (self._level - 1))

    def choose(self, observation: Observation) -> Plain:
        """A legal turn. Raises ValueError where the observation's seat is not to move."""
        state = cast(State, observation.state)
        position = state.position
        if state.first is None or state.seat(position.turn) != observation.seat:
            raise ValueError(f"seat {observation.seat} is not to move")
        rng = Random(f"{self._seed} {len(observation.story)}")
        opening = _opening(position, rng)
        if opening is not None:
            return spelled(position, opening)
        noise = 1 + POOREST * (LEVELS[-1] - self._level) // (len(LEVELS) - 1)
        found = Search(self.nodes, noise, rng.getrandbits(30), _repeatable(state)).best(position)
        if state.offered and (found.score <= LOST or (found.score <= 0 and state.quiet >= min(LONG, QUIET))):
            return OFFER
        return spelled(position, found.move)


def _repeatable(state: State) -> set[Position]:
    """Earlier positions that must not be gone back to: a second time already makes the third one likely."""
    return set(state.earlier)


def _worth(point: int) -> tuple[int, int]:
    """How good a point is on an empty board."""
    return len(SQUARES_AT[point]), sum(
        NEXT[beside].bit_count() for beside in range(POINTS) if NEXT[point] >> beside & 1
    )


_BY_WORTH: Final = sorted(range(POINTS), key=_worth)
_MIDDLING: Final = _BY_WORTH[POINTS // 3 : 2 * POINTS // 3]
"""Points that are neither so good that White would swap, nor so bad that it helps White."""


def _opening(position: Position, rng: Random) -> Move | None:
    """Black's first placement, and whether White swaps; None later on."""
    placed = position.pieces[0] | position.pieces[1]
    if not placed:
        return Place(rng.choice(_MIDDLING))
    if position.may_swap and _BY_WORTH.index(placed.bit_length() - 1) >= POINTS // 2:
        return Swap()
    return None
