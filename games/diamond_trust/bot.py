"""The bot for Diamond Trust of London. It knows only what its seat knows.

It believes (`beliefs`): worlds that fit all that its seat has observed are sampled. It searches (`search`,
`decisions`): candidates for the pending choice are played out on these worlds to the end of the game, both sides by a
policy that was tuned by self-play (`policy`, `tuning`), the better half of them again on more. It mixes: near-tied
choices are as likely as each is to be the best. Level n plays out n times as many games as level 1.

All of this needs numpy. Where there is none, the bot follows rules of thumb (`heuristic`), and says so.
"""

from __future__ import annotations

from typing import Final

from kimberley.games.diamond_trust.heuristic import LEVELS as HEURISTIC_LEVELS
from kimberley.games.diamond_trust.heuristic import HeuristicBot
from kimberley.games.table import Bot

LEVELS: Final = range(1, 21)


def practice(level: int, seed: int) -> Bot:
    """A player of level 1 to 20; other values are clamped to that range."""
    level = min(max(level, LEVELS[0]), LEVELS[-1])
    try:
        import numpy  # noqa: F401
    except ImportError:
        return BotWithoutNumpy(level, seed)
    from kimberley.games.diamond_trust.searcher import Searcher, effort
    from kimberley.games.diamond_trust.strategist import DiamondTrustBot

    return DiamondTrustBot(Searcher(effort(level)), seed)


class BotWithoutNumpy(HeuristicBot):
    """Follows rules of thumb. Of its levels it takes the one that corresponds to a level from 1 to 20."""

    def __init__(self, level: int, seed: int) -> None:
        own = 1 + (level - 1) * len(HEURISTIC_LEVELS) // len(LEVELS)
        super().__init__(own, seed)
        self.remark = (
            f"The computer plays by rules of thumb, at level {own} of {len(HEURISTIC_LEVELS)}: "
            "for all twenty levels it needs the package numpy."
        )
