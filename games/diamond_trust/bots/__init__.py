"""The bots and judges of Diamond Trust of London. What they need is imported only when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kimberley.games.bots.base import Bot, Level
    from kimberley.games.bots.review import ChoiceJudge


class TrustBots:
    """The levels of `games.diamond_trust.bots.levels`."""

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels, from the weakest."""
        from kimberley.games.diamond_trust.bots.levels import LADDER

        return tuple(rung.level for rung in LADDER)

    def bot(self, level: int, seed: int) -> Bot:
        """Returns a bot of a level; see `games.diamond_trust.bots.bot`."""
        from kimberley.games.diamond_trust.bots.bot import practice

        return practice(level, seed)

    def judge(self, level: int) -> ChoiceJudge:
        """Returns a judge of choices whose searches have the size `level`; see `games.bots.review`. Raises CannotReview
        without numpy.
        """
        from kimberley.games.bots.review import CannotReview

        try:
            from kimberley.games.diamond_trust.bots.effort import effort
            from kimberley.games.diamond_trust.bots.judge import TrustJudge
        except ImportError as error:
            raise CannotReview("To review a game of Diamond Trust of London, install the package numpy.") from error
        return TrustJudge(effort(level))


BOTS = TrustBots()
