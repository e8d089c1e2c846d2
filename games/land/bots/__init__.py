"""The bots and judges of the land game. What they need is imported only when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kimberley.games.bots.levels import twenty_levels

if TYPE_CHECKING:
    from kimberley.games.bots.base import Bot, Level
    from kimberley.games.bots.review import ChoiceJudge


class LandBots:
    """Twenty levels; see `games.land.bots.bot`."""

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels, from the weakest."""
        from kimberley.games.land.bots.bot import about_level

        return twenty_levels(about_level)

    def bot(self, level: int, seed: int) -> Bot:
        """Returns a bot of a level."""
        from kimberley.games.land.bots.bot import LandBot

        return LandBot(level, seed)

    def judge(self, level: int) -> ChoiceJudge:
        """Returns a judge of turns; see `games.bots.review`."""
        from kimberley.games.land.bots.judge import LandJudge

        return LandJudge(level)


BOTS = LandBots()
