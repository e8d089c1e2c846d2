"""The plans of the last round, solved as a matrix game, and what the last round is worth: the game is over after it."""

from __future__ import annotations

from typing import Final

import numpy as np

from kimberley.games.diamond_trust.angola import AGENTS, SEATS, other
from kimberley.games.diamond_trust.bots.decisions import PARTS, winning
from kimberley.games.diamond_trust.bots.double_oracle import ROUNDS, cash_types, solution
from kimberley.games.diamond_trust.bots.equilibrium import equilibrium, values
from kimberley.games.diamond_trust.bots.plans import Plans
from kimberley.games.diamond_trust.bots.policy import OrderArrays
from kimberley.games.diamond_trust.bots.rollout import Rollout
from kimberley.games.diamond_trust.bots.search import MixedStrategy, distinct
from kimberley.games.diamond_trust.bots.simulator import Games, Index, Real

WORLDS: Final = 240
"""The other side has orders in this many worlds, one in each."""
ORDERS: Final = 48
"""This side has this many orders."""
FEW_ORDERS: Final = 24
FEW_REPLIES: Final = 6
"""Where only the value of the round is sought: the orders of this side, and those of the other side in each world."""
ANSWERS: Final = 4
"""How often better answers are looked for."""
TRIES: Final = 8
"""How many replies are then tried in each world."""
KNOWN_ORDERS: Final = (8, 128)
"""Where both sides' cash is known: the fewest and the most orders of each."""
KNOWN_ROUNDS: Final = 60
"""Rounds of regret matching there."""
EACH_DRAWN: Final = 8
"""For this many last rounds that are played, one order is drawn for each side. Where orders are few, many repeat."""
MARGIN: Final = np.float32(0.02)
"""How much the lead in diamonds counts, compared with winning."""


class LastPlans(Plans):
    """The plans of both sides in the last round."""

    def _value(self, take: Index, orders: OrderArrays) -> Real:
        value = winning(self.rollout.pick(take).from_plan(self.worlds.pick(take), orders), MARGIN)
        return value if self.seat == 0 else 1 - value


def last_plan(worlds: Games, seat: int, rollout: Rollout) -> MixedStrategy:
    """Returns orders of `seat`, as likely as an equilibrium has them, for worlds sorted by the other side's cash."""
    plans = LastPlans(worlds, seat, rollout)
    return solution(plans, distinct(plans.some(seat), ORDERS), ORDERS, ANSWERS, TRIES)


def last_values(plans: LastPlans) -> Real:
    """Returns, by world, what the last round is worth to the seat if both sides play the equilibrium of some of their
    orders, from 0 to 1. The worlds must be sorted by the other side's cash.
    """
    wider = plans.pick(np.repeat(np.arange(plans.worlds.size), FEW_REPLIES))
    types = cash_types(wider.worlds, wider.seat)
    payoffs = wider.payoffs(distinct(wider.some(wider.seat), FEW_ORDERS), wider.some(other(wider.seat)))
    mix = equilibrium(payoffs, types, ROUNDS)
    gained = np.bincount(types, mix.columns * (mix.rows @ payoffs)) / np.bincount(types, mix.columns)
    values: Real = gained[types[::FEW_REPLIES]].astype(np.float32)
    return values


def known_values(games: Games, seat: int, rollout: Rollout, played: int) -> Real:
    """Returns, by game, what the last round is worth to the seat if both sides know each other's cash and play the
    equilibrium of some of their orders, from 0 to 1. About `played` last rounds are played in all.
    """
    first, same = games.alike()
    count = int(np.clip((played / len(first)) ** 0.5, *KNOWN_ORDERS))
    drawn = max(count, played // (len(first) * EACH_DRAWN))
    # All follow the numbers of one world: to copy them for each game takes a third of the time.
    plans = LastPlans(games.pick(first), seat, rollout.pick(first[:1]))
    pairs = np.empty((SEATS, len(first), count, count, AGENTS * PARTS), np.int16)
    pairs[seat] = plans.several(seat, count, drawn)[:, :, None]
    pairs[other(seat)] = plans.several(other(seat), count, drawn)[:, None]
    both = np.ascontiguousarray(pairs.reshape(SEATS, -1, AGENTS * PARTS).transpose(0, 2, 1))
    reached = plans.reached(np.repeat(np.arange(len(first)), count * count), both)
    solved: Real = values(reached.reshape(-1, count, count), KNOWN_ROUNDS)[same]
    return solved
