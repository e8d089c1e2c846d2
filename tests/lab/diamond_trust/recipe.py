"""The method of the original program's computer player, rebuilt as a benchmark.

At its level N it drafts 4N moves, plays each out 200 times on worlds that fit what it knows, two rounds deep, both
sides moving by the same drafts, and takes the best on average. A draft weighs destinations by the diamonds there,
spreads the money by diamonds, more or less, bribes the Inspector by what is at risk, sells none, one or two, and pays
agents at random. What is reached is judged by the diamonds of both sides.
"""

from __future__ import annotations

from random import Random
from typing import Final, cast

import numpy as np

from kimberley.games.diamond_trust.angola import AGENTS, HOME, SEATS, other
from kimberley.games.diamond_trust.bots.beliefs import worlds
from kimberley.games.diamond_trust.bots.decisions import Decision
from kimberley.games.diamond_trust.bots.history import History
from kimberley.games.diamond_trust.bots.policy import Noise, OrderArrays, ToldOrders, affordable, trip_total
from kimberley.games.diamond_trust.bots.rollout import Rollout
from kimberley.games.diamond_trust.bots.search import MixedStrategy, Report
from kimberley.games.diamond_trust.bots.simulator import NOBODY, PLACES, Games, Index, Real, Truth, Whole
from kimberley.games.diamond_trust.rules import State

DRAFTS_A_LEVEL: Final = 4
SIMULATIONS: Final = 200
ROUNDS: Final = 2
DIAMONDS: Final = 80
"""More than there ever are."""

_SPREAD: Final = np.float32(1.7)
_REACH: Final = 3
"""Dollars: the spread of a payment about what seems right, and how far it goes."""
_NUMBERS: Final[Whole] = np.arange(PLACES, dtype=np.int16)[:, None]
_NEVER: Final = np.float32(-1e9)


def draft_payments(games: Games, meetings: Truth, noise: Noise) -> Whole:
    """Returns random amounts by seat and own agent, below a limit that is drawn first."""
    payable = games.payable(meetings)
    limit = (noise.uniform(SEATS, games.size) * (games.cash + np.float32(1))).astype(np.int16)
    drawn = (noise.uniform(SEATS, AGENTS, games.size) * (limit[:, None] + np.float32(1))).astype(np.int16) * payable
    total = drawn.sum(axis=1, dtype=np.int16)
    over = np.minimum(np.float32(1), limit / np.maximum(total, np.float32(1)))
    return cast(Whole, (drawn * over[:, None]).astype(np.int16))


def draft_orders(games: Games, noise: Noise) -> OrderArrays:
    """Returns orders of both sides."""
    size = games.size
    risk = games.carries.sum(axis=1, dtype=np.int16)
    at_risk = (risk[0] + risk[1]).astype(np.float32)
    weights = np.zeros((SEATS, AGENTS, PLACES, size), np.float32)
    weights[:, :, :HOME] = games.diamonds[:HOME] * np.float32(4)
    weights[:, :, :HOME] += (games.inspector == _NUMBERS[:HOME]) * (np.float32(4) + at_risk)
    short = np.where(games.vault < 2, np.float32(8), np.float32(4))
    weights[:, :, HOME] = games.carries * short[:, None]
    weights += (games.at[:, :, None] == _NUMBERS) * np.float32(2)
    scores = np.log(np.maximum(weights, np.float32(1e-9))) + noise.gumbel(SEATS, AGENTS, PLACES, size)
    to = np.empty((SEATS, AGENTS, size), np.int16)
    for agent in range(AGENTS):
        best = scores[:, agent] == scores[:, agent].max(axis=1)[:, None]
        to[:, agent] = (best * _NUMBERS).max(axis=1)
        scores[:, agent + 1 :, :HOME] += (best[:, :HOME] * _NEVER)[:, None]
    poor = (trip_total(games, to) >= games.cash)[:, None]
    to = np.where(poor, games.at, to)
    return _draft_spending(games, noise, to, at_risk)


def _draft_spending(games: Games, noise: Noise, to: Whole, at_risk: Real) -> OrderArrays:
    left = games.cash - trip_total(games, to)
    away = to != HOME
    diamonds = games.diamonds.reshape(-1).take(games.flat(to)) * away
    total = diamonds.sum(axis=1, dtype=np.int16)
    watched = (to == games.inspector) & away
    bribe = at_risk * np.float32(0.5) - (total // 3)[:, None]
    bribe = np.clip(bribe + (diamonds + games.carries) * np.float32(0.5), 0, left[:, None])
    sought = (bribe * watched).sum(axis=1)
    ideal = diamonds * (left / np.maximum(total, 1))[:, None] - (sought / 3)[:, None]

    def about(amount: Real) -> Whole:
        off = np.clip(noise.gumbel(*amount.shape) * _SPREAD - 1, -_REACH, _REACH)
        return cast(Whole, np.maximum(amount + off + np.float32(0.5), 0).astype(np.int16))

    payment = about(np.maximum(ideal, 0)) * away
    inspector = about(bribe) * watched
    payment, inspector = affordable(np.maximum(left, 0), [payment, inspector])
    return OrderArrays(to, payment, inspector)


def draft_sale(games: Games, noise: Noise) -> Whole:
    """Returns none, one or two, by what the other side could sell."""
    drawn = noise.uniform(SEATS, games.size)
    theirs = games.vault[::-1]
    number = np.where(
        theirs == 0, 1, np.where(theirs == 1, 1 + (drawn * 2).astype(np.int16), (drawn * 3).astype(np.int16))
    )
    return cast(Whole, np.where(number > games.vault, 0, number).astype(np.int16))


def send(games: Games, mover: Whole, rivals: Whole) -> Whole:
    """Returns where the other side loses most, confiscated and blocked, less what one's own agent there would lose."""
    won = games.payment > rivals
    harm = games.carries + won * games.diamonds.reshape(-1).take(games.flat(games.at))
    gain = np.zeros((SEATS, PLACES, games.size), np.float32)
    where = games.flat(games.at)
    for seat in range(SEATS):
        for agent in range(AGENTS):
            gain[seat].reshape(-1)[where[seat, agent]] += harm[seat, agent]
            gain[other(seat)].reshape(-1)[where[seat, agent]] -= games.carries[seat, agent]
    wanted = np.where(mover == 0, gain[1], gain[0])[:HOME]
    return np.where(mover == NOBODY, games.inspector, wanted.argmax(axis=0)).astype(np.int16)


def ahead(games: Games) -> Real:
    """Returns seat 0's lead in diamonds, in vaults and carried, by game: from 0 to 1, 0.5 if both have as many."""
    owned = games.vault + games.carries.sum(axis=1, dtype=np.int16)
    return cast(Real, np.clip((owned[0] - owned[1]) / np.float32(DIAMONDS * 2) + np.float32(0.5), 0, 1))


class DraftPolicy:
    """Both sides move by drafts (`games.diamond_trust.bots.rollout.RolloutPolicy`)."""

    def pick(self, games: Index) -> DraftPolicy:
        del games
        return self

    def pay(self, games: Games, meetings: Truth, turned: Truth, noise: Noise) -> Whole:
        del turned
        return draft_payments(games, meetings, noise)

    def move(self, games: Games, noise: Noise, told: ToldOrders | None = None) -> OrderArrays:
        del told  # a draft does not use it, the simulation does
        return draft_orders(games, noise)

    def inspect(self, games: Games, mover: Whole, rivals: Whole, noise: Noise) -> Whole:
        del noise
        return send(games, mover, rivals)

    def sale(self, games: Games, noise: Noise) -> Whole:
        return draft_sale(games, noise)

    def answer(self, games: Games, planned: Whole) -> Whole:
        """Returns the number that earns most; of several, the least."""
        theirs = planned[::-1]
        best = np.where(theirs == 0, 1, 0).astype(np.int16)
        return np.minimum(best, games.vault)


class RecipeThinker:
    """Decides by the recipe at a level (`games.diamond_trust.bots.strategist.Thinker`)."""

    def __init__(self, level: int) -> None:
        self._level = level

    def __call__(self, state: State, seat: int, history: History, rng: Random, report: Report) -> MixedStrategy:
        del report  # nobody waits for it but other programs
        drawn = worlds(history, state, SIMULATIONS, np.random.default_rng(rng.getrandbits(64)))
        until = max(state.months_left - ROUNDS + 1, 0)
        decision = Decision(state, seat, drawn, Rollout(DraftPolicy(), Noise(rng), until), [DraftPolicy()], ahead)
        drafts = decision.drafts(DRAFTS_A_LEVEL * self._level)
        every = np.arange(SIMULATIONS)
        averages = [decision.trial(every, every, np.repeat(row[None], SIMULATIONS, axis=0)).mean() for row in drafts]
        return [(drafts[int(np.argmax(averages))].tolist(), 1.0)]
