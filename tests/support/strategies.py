"""How players of Diamond Trust of London mix their choices, as far as that can be asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from kimberley.games.diamond_trust import GAME
from kimberley.games.table import Observation, Plain
from tests.lab.contest import NamedContender
from tests.lab.diamond_trust.opponents import SEARCH, SearchContender

Strategy: TypeAlias = Callable[[Observation], Sequence[tuple[Plain, float]]]
"""At an observation, choices and how likely each is."""
Strategies: TypeAlias = Callable[[int], Strategy]
"""By seed."""


def strategies(name: str) -> Strategies:
    """Returns the strategies of a player by its name in contests: without a search, the choice of each seed."""
    contender = NamedContender.of(GAME, name)
    if contender.kind == SEARCH:
        return lambda seed: SearchContender(contender.level).bot(seed).strategy
    return lambda seed: lambda observation: [(contender.player(seed)(observation), 1.0)]
