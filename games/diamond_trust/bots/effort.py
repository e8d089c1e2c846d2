"""How much the bot's search tries for a decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SIMULATIONS: Final = 512
"""Games that a search of size 1 plays out for a decision."""
CANDIDATES: Final = 4
"""Candidates that it tries, where there are more to choose from."""
WORLDS: Final = 40
MOST_WORLDS: Final = 400
REFINING: Final = 16
"""From this size on, a search refines."""


@dataclass(frozen=True)
class Effort:
    """How much is tried for one decision.

    Where it `solves`, the decisions of the last round, and some before it, are solved as well or instead
    (`games.diamond_trust.bots.searcher`). Where it `refines`, half of the games and of the candidates are for
    variations of what was best in the other half.
    """

    simulations: int
    candidates: int
    worlds: int
    solves: bool = False
    refines: bool = False


def effort(size: int) -> Effort:
    """Returns what a search of size n tries: n times as many games as one of size 1, and n to the power of 1.5 times as
    many candidates.

    A few candidates are soon ranked; more games serve to rank more candidates, and the largest searches also vary the
    best of them.
    """
    return Effort(
        SIMULATIONS * size,
        round(CANDIDATES * size**1.5),
        min(WORLDS * size, MOST_WORLDS),
        solves=True,
        refines=size >= REFINING,
    )
