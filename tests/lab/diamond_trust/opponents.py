"""The players of Diamond Trust of London that enter contests besides those that every game has."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, cast

from kimberley.games.diamond_trust.bots.effort import effort
from kimberley.games.diamond_trust.bots.heuristic import MOST, HeuristicBot
from kimberley.games.diamond_trust.bots.parameters import Mix, NotTrained, Row, numbers, read_numbers, shipped_mix
from kimberley.games.diamond_trust.bots.searcher import Searcher
from kimberley.games.diamond_trust.bots.strategist import DiamondTrustBot
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Chooser, Observation
from tests.lab.diamond_trust.follower import Follower
from tests.lab.diamond_trust.recipe import RecipeThinker
from tests.lab.diamond_trust.rivals import RIVALS
from tests.lab.diamond_trust.tuning import STYLES
from tests.lab.opponents import LeveledOpponent, Opponents

SEARCH: Final = "search"
MOST_SEARCHED: Final = 20
"""The greatest size of a search that contests offer."""
POPULATION_SIZE: Final = 4
"""The size of the searches of a population when they meet."""


@dataclass(frozen=True)
class SearchContender:
    """A search of a size that follows a mix of players. It `solves` the end of the game."""

    size: int
    mix: Mix = field(default_factory=shipped_mix)
    solves: bool = True

    @classmethod
    def of_trained(cls, found: Any) -> SearchContender:
        """Returns the player that a training found: a response, or what may ship next. Raises KeyError, TypeError or
        ValueError for something else.
        """
        return cls(POPULATION_SIZE, Mix.of_plain(found)) if "players" in found else cls.of_response(found)

    @classmethod
    def of_response(cls, found: Any) -> SearchContender:
        """Returns a response to what ships, from what `train --against` writes. Raises KeyError, TypeError or
        ValueError for something else.
        """
        against = found["against"]
        size = next((size for size in range(1, MOST_SEARCHED + 1) if f"{SEARCH}:{size}" == against), None)
        if size is None:
            raise NotTrained(f"it was not trained against {SEARCH}:N")
        return cls(size).answered(tuple(read_numbers(found["numbers"]).tolist()))

    def answered(self, numbers: Row) -> SearchContender:
        """Returns a search of this size that follows other numbers, and knows which players this one follows."""
        return replace(self, mix=Mix((numbers, *self.mix.players), (1.0,)))

    def bot(self, seed: int) -> DiamondTrustBot:
        """Returns a player, for one game."""
        tried = replace(effort(self.size), solves=self.solves)
        return DiamondTrustBot(Searcher(tried, self.mix.models(seed)), seed)

    def player(self, seed: int) -> Chooser:
        """Returns what a player chooses, for one game."""
        return self.bot(seed).choose


def heuristic(seed: int) -> Chooser:
    """Returns a player by simple rules that draft moves one round deep."""
    return HeuristicBot(MOST, seed).choose


def rival(name: str, seed: int) -> Chooser:
    """Returns a rival that took no part in the tuning."""
    return RIVALS[name](seed).choose


def is_bound(observation: Observation) -> bool:
    """Returns whether the seat has only one choice: its plan, without the right to adjust it."""
    state = cast(State, observation.state)
    return state.step in (RoundStep.MOVE, RoundStep.SALE) and state.right[observation.seat] is False


def policy(seed: int) -> Chooser:
    """Returns the tuned policy, without a search."""
    return DiamondTrustBot(Follower(None), seed).choose


def style(name: str, seed: int) -> Chooser:
    """Returns a rival of the tuning, without a search."""
    return DiamondTrustBot(Follower(numbers(STYLES[name])), seed).choose


def search(size: int, seed: int) -> Chooser:
    """Returns a search of a size."""
    return SearchContender(size).player(seed)


def recipe(level: int, seed: int) -> Chooser:
    """Returns the original's computer player, re-created by its recipe."""
    return DiamondTrustBot(RecipeThinker(level), seed).choose


OPPONENTS: Final = Opponents(
    {
        "heuristic": heuristic,
        **{name: partial(rival, name) for name in RIVALS},
        "tuned": policy,
        **{name: partial(style, name) for name in STYLES},
    },
    {"recipe": LeveledOpponent(100, recipe), SEARCH: LeveledOpponent(MOST_SEARCHED, search)},
    unit="diamonds",
    is_forced=is_bound,
    read_trained=SearchContender.of_trained,
)
