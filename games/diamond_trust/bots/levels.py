"""The levels of the bot, from a first-timer's opponent to the strongest, and how each of them plays.

The lower ones follow rules of thumb (`heuristic`), the higher ones search. docs/bots.md says how often each beats
the one below.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from kimberley.games.bots.base import Level
from kimberley.games.diamond_trust.bots.effort import Effort, effort
from kimberley.games.diamond_trust.bots.heuristic import FEWEST, MOST, Skill


class TrustLevel(NamedTuple):
    """A level, and how it plays: by rules of thumb of some skill, or by a search of some effort."""

    level: Level
    plays: Skill | Effort


def _searching(name: str, tried: Effort) -> TrustLevel:
    about = f"Plays out {tried.simulations:,} games to compare up to {tried.candidates} choices."
    return TrustLevel(Level(name, about), tried)


LADDER: Final = (
    TrustLevel(
        Level("First-timer", "Takes what it sees, forgets what it learned, and rarely bribes your agents."),
        Skill(5, 2, recalls=False, adjusts=False, bribes=0.2),
    ),
    TrustLevel(
        Level("Beginner", "Weighs a few plans, but forgets what it learned, and rarely bribes your agents."),
        FEWEST._replace(recalls=False, adjusts=False, bribes=0.2),
    ),
    TrustLevel(
        Level("Apprentice", "Uses what double agents reveal, but still rarely bribes your agents."),
        FEWEST._replace(bribes=0.3),
    ),
    TrustLevel(Level("Regular", "Bribes when it can, and weighs a few plans against a few of yours."), FEWEST),
    TrustLevel(Level("Trader", "Weighs many plans against many of yours."), MOST),
    _searching("Dealer", Effort(32, 4, 32)),
    _searching("Broker", Effort(128, 4, 40)),
    _searching("Expert", effort(1)),
    _searching("Veteran", effort(2)),
    _searching("Master", effort(4)),
    _searching("Grandmaster", effort(20)),
)
"""From the weakest."""

RULES_OF_THUMB: Final = sum(isinstance(rung.plays, Skill) for rung in LADDER)
"""This many of the lowest levels follow rules of thumb. They need no numpy."""
