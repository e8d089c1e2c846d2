"""The bot for Diamond. The higher its level, the further and the more clearly it looks ahead."""

from __future__ import annotations

from random import Random
from typing import Final, cast

from kimberley.games.diamond.board import NEXT, POINTS, SQUARES_AT
from kimberley.games.diamond.bots.search import DECIDED, WIN, Search, SearchResult
from kimberley.games.diamond.notation import OFFER, format_turn
from kimberley.games.diamond.position import Move, Placement, Position, Swap
from kimberley.games.diamond.rules import QUIET, SEATS, State
from kimberley.games.table import Observation, Plain

LEVELS: Final = range(1, 21)
FEWEST: Final = 60
"""Nodes that level 1 may search in a turn."""
GROWTH: Final = 1.47
"""The factor from each level to the next."""
POOREST: Final = 24
"""How much noise level 1 has in its judgment, in the units of a score."""
COMPARING: Final = 2
"""The search for the second best gets one node for this many of the search for the best turn."""
LOST: Final = -30
"""The score at or below which it accepts a draw."""
LONG: Final = 30
"""Quiet turns after which it accepts a draw unless it is ahead."""


class DiamondBot:
    """Chooses from an observation alone; the same seed and observation give the same choice.

    `level` is 1 to 20. It never offers a draw, and accepts one when its position is bad.
    """

    def __init__(self, level: int, seed: int) -> None:
        self._level = level
        self._seed = seed
        self._last: tuple[State, Move | None] | None = None
        self._position: Position | None = None
        """The position of the choice that it is thinking about."""
        self._search: Search | None = None
        """The search of the last choice."""
        self._score = 0
        """What the last choice is worth by its search; 0 if nothing was searched, and for a draw."""
        self._thinking = False

    @property
    def progress(self) -> float:
        """Returns the share of its nodes that it has searched, from 0 to 1. Any thread may read it."""
        return self._search.progress if self._search is not None and self._thinking else 0.0

    @property
    def so_far(self) -> Plain | None:
        """Returns the best turn that its search has found yet; None before it has found any. Any thread may read it."""
        search, position = self._search, self._position
        latest = search.latest if search is not None and position is not None else None
        return format_turn(position, latest.move) if position is not None and latest is not None else None

    @property
    def nodes(self) -> int:
        """Returns how many positions it searches in a turn."""
        return round(FEWEST * GROWTH ** (self._level - 1))

    def choose(self, observation: Observation) -> Plain:
        """Returns a legal turn. Raises ValueError if the observation's seat is not to move."""
        state = cast(State, observation.state)
        position = state.position
        if state.first is None or state.seat(position.turn) != observation.seat:
            raise ValueError(f"seat {observation.seat} is not to move")
        rng = Random(f"{self._seed} {len(observation.story)}")
        opening = _opening(position, rng)
        self._last = None if isinstance(opening, Placement) else (state, opening)
        self._score = 0
        if opening is not None:
            self._search = None
            return format_turn(position, opening)
        noise = 1 + POOREST * (LEVELS[-1] - self._level) // (len(LEVELS) - 1)
        self._search = Search(self.nodes, noise, rng.getrandbits(30), _repeatable(state))
        self._position = position
        best = self._best(self._search, position)
        if state.offered and (best.score <= LOST or (best.score <= 0 and state.quiet >= min(LONG, QUIET))):
            return OFFER
        self._last, self._score = (state, best.move), best.score
        return format_turn(position, best.move)

    @property
    def loses_within(self) -> int | None:
        """Returns in how many turns the opponent can complete a square, whatever is chosen; None if the search has not
        found that.
        """
        return (WIN + self._score) // SEATS if self._score < -DECIDED else None

    def runner_up(self) -> Plain | None:
        """Returns the best turn other than the last choice. None if there is no other, and for the first placement."""
        if self._last is None:
            return None
        state, chosen = self._last
        search = self._search or Search(0, 1, before=_repeatable(state))
        search.allow(self.nodes // COMPARING)
        self._search = search
        try:
            second = self._best(search, state.position, chosen)
        except ValueError:
            return None
        return format_turn(state.position, second.move)

    def stop(self) -> None:
        """Ends the search of the current choice: it has no nodes left. Any thread may call it."""
        if self._search is not None:
            self._search.allow(0)

    def _best(self, search: Search, position: Position, without: Move | None = None) -> SearchResult:
        self._thinking = True
        try:
            return search.best(position, without)
        finally:
            self._thinking = False


def about_level(level: int) -> str:
    """Says how a level plays, in a sentence."""
    return f"Considers up to {DiamondBot(level, 0).nodes:,} positions a turn."


def _repeatable(state: State) -> set[Position]:
    """Returns the earlier positions to avoid: the second occurrence makes the third likely."""
    return set(state.earlier)


def _worth(point: int) -> tuple[int, int]:
    """Returns how good a point is on an empty board."""
    return len(SQUARES_AT[point]), sum(
        NEXT[beside].bit_count() for beside in range(POINTS) if NEXT[point] >> beside & 1
    )


_BY_WORTH: Final = sorted(range(POINTS), key=_worth)
_MIDDLING: Final = _BY_WORTH[POINTS // 3 : 2 * POINTS // 3]
"""Points that are not so good that White would swap, and not so bad that they help White."""


def _opening(position: Position, rng: Random) -> Move | None:
    """Returns Black's first placement, and whether White swaps; None later on."""
    placed = position.pieces[0] | position.pieces[1]
    if not placed:
        return Placement(rng.choice(_MIDDLING))
    if position.may_swap and _BY_WORTH.index(placed.bit_length() - 1) >= POINTS // 2:
        return Swap()
    return None
