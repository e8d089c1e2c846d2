"""The players of Diamond Trust of London in contests that need no numpy: they follow rules of thumb."""

from __future__ import annotations

from functools import partial
from typing import Final, cast

from kimberley.games.diamond_trust.bot import practice
from kimberley.games.diamond_trust.heuristic import MOST, HeuristicBot
from kimberley.games.diamond_trust.levels import RULES_OF_THUMB
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Chooser, Observation
from tests.lab.contest import LEVEL, LeveledOpponent, Opponents
from tests.lab.diamond_trust.rivals import RIVALS


def heuristic(seed: int) -> Chooser:
    """Simple rules that draft moves one round deep."""
    return HeuristicBot(MOST, seed).choose


def rival(name: str, seed: int) -> Chooser:
    """A rival that took no part in the tuning."""
    return RIVALS[name](seed).choose


def of_level(level: int, seed: int) -> Chooser:
    """The bot of a level."""
    return practice(level, seed).choose


def is_bound(observation: Observation) -> bool:
    """Returns whether the seat has only one choice: its plan, without the right to adjust it."""
    state = cast(State, observation.state)
    return state.step in (RoundStep.MOVE, RoundStep.SALE) and state.right[observation.seat] is False


PLAIN_OPPONENTS: Final = Opponents(
    {"heuristic": heuristic, **{name: partial(rival, name) for name in RIVALS}},
    {LEVEL: LeveledOpponent(RULES_OF_THUMB, of_level)},
    unit="diamonds",
    is_forced=is_bound,
    others_need="numpy",
)
"""Those that there are without numpy."""
