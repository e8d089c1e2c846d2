"""The bot for Diamond Trust of London. It knows only what its seat knows.

It believes (`beliefs`): worlds that fit all that its seat has observed are sampled. It searches (`search`,
`decisions`): candidates for the pending choice are played out on these worlds to the end of the game, both sides by a
policy that was tuned by self-play (`policy`, `tuning`), the better half of them again on more. It mixes: near-tied
choices are as likely as each is to be the best. Level n plays out n times as many games as level 1.
"""

from __future__ import annotations

from kimberley.games.diamond_trust.searcher import LEVELS, Searcher, effort
from kimberley.games.diamond_trust.strategist import DiamondTrustBot


def practice(level: int, seed: int) -> DiamondTrustBot:
    """A player of level 1 to 20; other values are clamped to that range."""
    return DiamondTrustBot(Searcher(effort(min(max(level, LEVELS[0]), LEVELS[-1]))), seed)
