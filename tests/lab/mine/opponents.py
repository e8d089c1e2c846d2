"""The players of Diamond Mine that enter contests besides those that every game has."""

from __future__ import annotations

from typing import Final

from kimberley.games.mine.bots.bot import MineBot
from kimberley.games.table import Chooser
from tests.lab.opponents import Opponents


class GreedyBot(MineBot):
    """Goes where its next trip is worth most. It judges as level 1 does, without errors."""

    def __init__(self, seed: int) -> None:
        super().__init__(1, seed)

    @property
    def blur(self) -> float:
        """It errs in nothing."""
        return 0.0


def greedy(seed: int) -> Chooser:
    """Returns a player that thinks only of its own next trip."""
    return GreedyBot(seed).choose


OPPONENTS: Final = Opponents({"greedy": greedy}, unit="points")
