"""The bot for the piecepack game. It knows only what its seat knows.

At first sight it does what promises most by simple reckoning (`drafts`, `goals`). To look ahead it imagines worlds that
fit what it knows, plays its turn on in each of them after each of its first few candidates, by what it would do at
first sight, and judges where the turn ends (`worth`). All candidates meet the same worlds and the same luck, and the
better half of them continues (sequential halving: Karnin, Koren, Somekh, "Almost Optimal Exploration in Multi-Armed
Bandits", 2013). A higher level imagines more, looks ahead more often, and sees more at first sight. Level 1 does not
look ahead.
"""

from __future__ import annotations

from random import Random
from statistics import fmean
from typing import Final, cast

from kimberley.games.bots.base import Stopped
from kimberley.games.piecepack.bots.drafts import at_first_sight, drafts
from kimberley.games.piecepack.bots.guess import imagine
from kimberley.games.piecepack.bots.playouts import is_clear, most_promising
from kimberley.games.piecepack.rules import State
from kimberley.games.table import Decide, Observation, Plain, space_for

LEVELS: Final = range(1, 21)
FEWEST: Final = 10
"""Turns that level 2 plays on in its mind for a choice."""
GROWTH: Final = 1.28
"""The factor from each level to the next."""
CARELESS: Final = 0.5
"""How often level 2 acts at first sight."""
CAREFUL: Final = 10
"""The level from which it always looks ahead."""
OVERLOOKED: Final = 0.5
"""How likely level 1 is to overlook what promises most at first sight. Each level up to `CAREFUL` halves that."""
CONSIDERED: Final = 5
"""How many candidates it compares. It compares all places for a tile, since none promises more at first sight."""
SEARCHED: Final = ("place", "act", "path", "defend")
"""The phases in which it looks ahead; the rest follows simple rules."""


class PiecepackBot:
    """Chooses from an observation alone; the same seed and observation give the same choice.

    `level` is 1 to 20.
    """

    progress: float = 0.0
    """The progress on the pending choice, from 0 to 1. Any thread may read it."""
    so_far: Plain | None = None
    """The best option for the choice that it thinks about, or thought about last. Any thread may read it."""

    def __init__(self, level: int, seed: int) -> None:
        self._level = level
        self._seed = seed
        self._runner_up: Plain | None = None
        self._stopped = False

    @property
    def playouts(self) -> int:
        """Returns how many turns it plays on in its mind for a choice; none at level 1."""
        return round(FEWEST * GROWTH ** (self._level - 2)) if self._level > 1 else 0

    @property
    def slips(self) -> float:
        """Returns how often it acts at first sight."""
        return 1.0 if self._level == 1 else CARELESS * max(0, CAREFUL - self._level) / (CAREFUL - 2)

    @property
    def sight(self) -> float:
        """Returns how likely it is to see what promises most at first sight; failing that, the next, and so on."""
        return 1 - OVERLOOKED / 2 ** (self._level - 1) if self._level < CAREFUL else 1.0

    def choose(self, observation: Observation) -> Plain:
        """Returns a legal choice. Raises ValueError if nothing is asked of the observation's seat."""
        state, seat = cast(State, observation.state), observation.seat
        ask = state.ask()
        if not isinstance(ask, Decide) or space_for(ask, seat) is None:
            raise ValueError(f"seat {seat} has nothing to choose at {state.phase!r}")
        rng = Random(f"{self._seed} {seat} {len(observation.story)}")
        self._runner_up = self.so_far = None
        world = imagine(state, rng)
        if rng.random() < self.slips or state.phase not in SEARCHED:
            return at_first_sight(world, rng, self.sight)
        options = drafts(world)
        if state.phase != "place":
            options = options[:CONSIDERED]
        try:
            best, outcomes = most_promising(
                state, seat, options, self.playouts, rng, report=self._on_progress, lead=self._on_lead
            )
        finally:
            self.progress = 0.0
        # The first promises most at first sight, except among places.
        if state.phase != "place" and not is_clear(outcomes[best], outcomes[options[0]]):
            best = options[0]
        others = [option for option in options if option != best]
        # Those that went on longest were judged best.
        self._runner_up = max(others, key=lambda option: (len(outcomes[option]), fmean(outcomes[option])), default=None)
        return best

    def runner_up(self) -> Plain | None:
        """Returns what turned out best other than the last choice; None if nothing was compared."""
        return self._runner_up

    def stop(self) -> None:
        """Ends the current choice, which then raises Stopped. Any thread may call it."""
        self._stopped = True

    def _on_lead(self, option: Plain) -> None:
        self.so_far = option

    def _on_progress(self, share: float) -> None:
        if self._stopped:
            raise Stopped
        self.progress = share


def about_level(level: int) -> str:
    """Says how a level plays, in a sentence."""
    turns = PiecepackBot(level, 0).playouts
    return f"Plays out up to {turns:,} turns before each choice." if turns else "Acts on impulse and misses a lot."
