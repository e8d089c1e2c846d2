"""The last sale, solved as a matrix game: both sides choose at once how many diamonds they sell, and one round is left.

What a pair of numbers is worth follows from the last round after it, in which both sides play the equilibrium of some
of their orders (`games.diamond_trust.bots.last_round`). As there, the other side is taken to know both sides' cash.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from kimberley.games.diamond_trust.angola import SEATS, other
from kimberley.games.diamond_trust.bots.double_oracle import cash_types
from kimberley.games.diamond_trust.bots.equilibrium import equilibrium
from kimberley.games.diamond_trust.bots.last_round import LastPlans, last_values
from kimberley.games.diamond_trust.bots.policy import MOST_SOLD
from kimberley.games.diamond_trust.bots.rollout import Rollout
from kimberley.games.diamond_trust.bots.search import MixedStrategy
from kimberley.games.diamond_trust.bots.simulator import Games, Real

WORLDS: Final = 24
ROUNDS: Final = 300


def last_sale(worlds: Games, seat: int, rollout: Rollout) -> MixedStrategy:
    """Returns how many diamonds `seat` plans to sell, each number as likely as an equilibrium has it. The worlds must
    be sorted by the other side's cash.
    """
    most = [min(int(vault), MOST_SOLD) for vault in worlds.vault[:, 0]]
    own, theirs = most[seat] + 1, most[other(seat)] + 1
    worth = np.empty((own, worlds.size, theirs), np.float32)
    for mine in range(own):
        for reply in range(theirs):
            worth[mine, :, reply] = _after(worlds, seat, rollout, mine, reply)
    types = np.repeat(cash_types(worlds, seat), theirs)
    mix = equilibrium(worth.reshape(own, -1), types, ROUNDS)
    return [([number], share) for number, share in enumerate(mix.rows.tolist())]


def _after(worlds: Games, seat: int, rollout: Rollout, mine: int, reply: int) -> Real:
    """Returns, by world, what the last round is worth to `seat` when the sides have planned to sell these numbers."""
    games = worlds.pick(np.arange(worlds.size))
    planned = np.empty((SEATS, games.size), np.int16)
    planned[seat], planned[other(seat)] = mine, reply
    games.sell(rollout.final_sale(games, planned, games.turned()))
    return last_values(LastPlans(games, seat, rollout))
