"""The bots and judges of the piecepack game. What they need is imported only when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kimberley.games.bots.levels import twenty_levels

if TYPE_CHECKING:
    from kimberley.games.bots.base import Bot, Level
    from kimberley.games.bots.review import ChoiceJudge


class PiecepackBots:
    """Twenty levels; see `games.piecepack.bots.bot`."""

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels, from the weakest."""
        from kimberley.games.piecepack.bots.bot import about_level

        return twenty_levels(about_level)

    def bot(self, level: int, seed: int) -> Bot:
        """Returns a bot of a level."""
        from kimberley.games.piecepack.bots.bot import PiecepackBot

        return PiecepackBot(level, seed)

    def judge(self, level: int) -> ChoiceJudge:
        """Returns a judge of choices; see `games.bots.review`."""
        from kimberley.games.piecepack.bots.judge import PiecepackJudge

        return PiecepackJudge(level)


BOTS = PiecepackBots()
