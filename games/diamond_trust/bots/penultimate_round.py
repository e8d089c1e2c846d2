"""The plans of the last round but one, solved as a matrix game among the best of a search.

What a pair of plans is worth follows from the last round after it (`games.diamond_trust.bots.last_round`), in which
both sides are taken to know each other's cash. The sale between them is played by the policy.
"""

from __future__ import annotations

from typing import Final

from kimberley.games.diamond_trust.bots.double_oracle import solution
from kimberley.games.diamond_trust.bots.last_round import known_values
from kimberley.games.diamond_trust.bots.plans import Plans
from kimberley.games.diamond_trust.bots.policy import OrderArrays
from kimberley.games.diamond_trust.bots.rollout import Rollout
from kimberley.games.diamond_trust.bots.search import MixedStrategy, Rows
from kimberley.games.diamond_trust.bots.simulator import Games, Index, Real

WORLDS: Final = 24
FINALISTS: Final = 6
ANSWERS: Final = 2
TRIES: Final = 2
PLAYED: Final = 30_000
"""How many last rounds are played each time that pairs of plans are compared."""


class PenultimatePlans(Plans):
    """The plans of both sides with one month left."""

    def _value(self, take: Index, orders: OrderArrays) -> Real:
        rollout = self.rollout.pick(take)
        games = rollout.month(self.worlds.pick(take), orders)
        return known_values(games, self.seat, rollout, PLAYED)


def penultimate_plan(rows: Rows, worlds: Games, seat: int, rollout: Rollout) -> MixedStrategy:
    """Returns orders of `seat`, as likely as an equilibrium has them: of `rows` and of better ones. The worlds must be
    sorted by the other side's cash.
    """
    return solution(PenultimatePlans(worlds, seat, rollout), rows, FINALISTS, ANSWERS, TRIES)
