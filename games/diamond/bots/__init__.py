"""The bots and judges of Diamond. What they need is imported only when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kimberley.games.bots.levels import twenty_levels

if TYPE_CHECKING:
    from kimberley.games.bots.base import Bot, Level
    from kimberley.games.bots.review import ChoiceJudge


class DiamondBots:
    """Twenty levels; see `games.diamond.bots.bot`."""

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels, from the weakest."""
        from kimberley.games.diamond.bots.bot import about_level

        return twenty_levels(about_level)

    def bot(self, level: int, seed: int) -> Bot:
        """Returns a bot of a level."""
        from kimberley.games.diamond.bots.bot import DiamondBot

        return DiamondBot(level, seed)

    def judge(self, level: int) -> ChoiceJudge:
        """Returns a judge of turns; see `games.bots.review`."""
        from kimberley.games.diamond.bots.judge import DiamondJudge

        return DiamondJudge(level)


BOTS = DiamondBots()
