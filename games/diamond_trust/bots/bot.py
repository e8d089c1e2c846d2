"""The bot for Diamond Trust of London. It knows only what its seat knows.

It believes (`beliefs`): worlds that fit all that its seat has observed are sampled. It searches (`search`,
`decisions`): candidates for the pending choice are played out on these worlds to the end of the game, both sides by a
policy that was tuned by self-play (`policy`, `parameters`), the better half of them again on more. It mixes: of two
nearly tied choices, each is made as often as it is likely to be the better one, and which numbers the policy has is
drawn for each game (`parameters`). It solves the end of the game (`penultimate_round`, `last_sale`, `last_payments`,
`last_round`). A higher level plays out more games (`levels`).

All of this needs numpy. The lowest levels do without it: they follow rules of thumb (`heuristic`). Where there is no
numpy, the higher levels play like the highest of these, and say so.
"""

from __future__ import annotations

from kimberley.games.bots.base import Bot
from kimberley.games.diamond_trust.bots.heuristic import MOST, HeuristicBot, Skill
from kimberley.games.diamond_trust.bots.levels import LADDER, RULES_OF_THUMB


def practice(level: int, seed: int) -> Bot:
    """Returns a player of a level of the `LADDER`, from 1 on."""
    plays = LADDER[level - 1].plays
    if isinstance(plays, Skill):
        return HeuristicBot(plays, seed)
    try:
        import numpy  # noqa: F401
    except ImportError:
        return BotWithoutNumpy(seed)
    from kimberley.games.diamond_trust.bots.parameters import shipped_mix
    from kimberley.games.diamond_trust.bots.searcher import Searcher
    from kimberley.games.diamond_trust.bots.strategist import DiamondTrustBot

    return DiamondTrustBot(Searcher(plays, shipped_mix().models(seed)), seed)


class BotWithoutNumpy(HeuristicBot):
    """Plays in place of every level that searches."""

    remark = f"The computer plays at level {RULES_OF_THUMB}: higher levels need the package numpy."

    def __init__(self, seed: int) -> None:
        super().__init__(MOST, seed)
