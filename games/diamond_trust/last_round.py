"""The plans of the last round, solved as a matrix game: both sides choose at once, and the game is over.

Neither side's orders can all be listed. As in a double oracle (McMahan, Gordon, Blum 2003, "Planning in the Presence of
Cost Functions Controlled by an Adversary"), the game of some orders of both sides is solved; then better answers to
what the other side mixes take the place of those that nobody chose, and it is solved again. The other side is taken to
know both sides' cash, its own and this one's.
"""

from __future__ import annotations

from typing import Final, Self

import numpy as np

from kimberley.games.diamond_trust.angola import AGENTS, HOME, SEATS, other
from kimberley.games.diamond_trust.decisions import PARTS, apart, winning
from kimberley.games.diamond_trust.equilibrium import Shares, equilibrium, values
from kimberley.games.diamond_trust.policy import OrderArrays
from kimberley.games.diamond_trust.rollout import Rollout
from kimberley.games.diamond_trust.search import MixedStrategy, Rows, distinct
from kimberley.games.diamond_trust.simulator import PLACES, TRIPS, Games, Index, Real, Truth, Whole

WORLDS: Final = 240
"""The other side has orders in as many worlds as this, one in each."""
ORDERS: Final = 48
"""This side has so many."""
FEW_ORDERS: Final = 24
FEW_REPLIES: Final = 6
"""Where only the value of the round is sought, this side has so many orders, and the other side in each world."""
ANSWERS: Final = 4
"""How often better answers are looked for."""
TRIES: Final = 8
"""How many replies are then tried in each world."""
ROUNDS: Final = 100
"""After so many, neither side could win a hundredth of a game more in any of 295 games of real last rounds, and a
thousandth on average.
"""
KNOWN_ORDERS: Final = (8, 128)
"""Where both sides' cash is known, each has so many orders, at least and at most."""
KNOWN_ROUNDS: Final = 60
"""Of regret matching there."""
EACH_DRAWN: Final = 8
"""For so many last rounds that are played, an order is drawn for each side. Many are the same where there are few."""
KEY: Final = 128 ** np.arange(AGENTS * PARTS)
"""The sum of its numbers times these is another one for all orders of a side."""
RARE: Final = 0.01
"""What is chosen less often than this is not chosen at all."""
USED: Final = 0.1
"""The same of a reply, in columns."""
MARGIN: Final = np.float32(0.02)
"""How much the lead in diamonds counts, next to winning."""
ELSEWHERE: Final = 0.3
"""How often a change sends an agent somewhere else; otherwise it moves dollars."""
CHANGES: Final = 6
"""Draft orders are changed fewer times than this."""
DOLLARS: Final = 4
"""How many are moved at most."""
BELOW_ONE: Final = np.float32(0.9999)
"""Added to all cash, a chance of so much at most never makes a dollar more."""
PAID: Final = 0.6
KEPT: Final = 0.2
"""How often an agent pays anything, and how often something is kept, where cash is spent somehow."""


class LastPlans:
    """The last plans of both sides, in worlds that `seat` believes in. Both adjust them by the `rollout`.

    Orders are rows as in `games.diamond_trust.decisions`.
    """

    def __init__(self, worlds: Games, seat: int, rollout: Rollout) -> None:
        self.worlds = worlds
        self.seat = seat
        self.rollout = rollout
        self._noise = rollout.noise

    def pick(self, worlds: Index) -> Self:
        """The same in some of the worlds."""
        return type(self)(self.worlds.pick(worlds), self.seat, self.rollout.pick(worlds))

    def payoffs(self, rows: Rows, replies: Rows) -> Real:
        """What each of these orders reaches against each reply, which is given in its world; from 0 to 1."""
        size = len(replies)
        take = np.tile(np.arange(size), len(rows))
        both = np.empty((SEATS, AGENTS * PARTS, len(take)), np.int16)
        both[self.seat] = np.repeat(rows, size, axis=0).T
        both[other(self.seat)] = replies[take].T
        orders = OrderArrays(*(both[:, part::PARTS] for part in range(PARTS)))
        return self.reached(take, orders).reshape(len(rows), size)

    def reached(self, take: Index, orders: OrderArrays) -> Real:
        """What each of these orders of both sides brings the seat, played in the world of that number; from 0 to 1."""
        value = winning(self.rollout.pick(take).from_plan(self.worlds.pick(take), orders), MARGIN)
        return value if self.seat == 0 else 1 - value

    def several(self, seat: int, count: int, drawn: int) -> Rows:
        """By world, so many legal orders of a side out of `drawn`: different ones first."""
        size = self.worlds.size
        rows = self.pick(np.repeat(np.arange(size), drawn)).some(seat).reshape(size, drawn, -1)
        keys = rows.astype(np.int64) @ KEY
        order = np.argsort(keys, axis=1, kind="stable")
        ordered = np.take_along_axis(keys, order, axis=1)
        again = np.zeros(keys.shape, bool)
        np.put_along_axis(again, order[:, 1:], ordered[:, 1:] == ordered[:, :-1], axis=1)
        picked = np.argsort(again, axis=1, kind="stable")[:, :count]
        return np.take_along_axis(rows, picked[..., None], axis=1)

    def some(self, seat: int) -> Rows:
        """Legal orders of a side, one row for each world: a third of them as its policy moves, a third such with a few
        changes, and a third that spend all cash somehow.
        """
        orders = self.rollout.play.move(self.worlds, self._noise)
        to, *paid = (part[seat].T for part in orders)
        amounts = np.concatenate(paid, axis=1)
        kind = self._noise.uniform(self.worlds.size) * 3
        changed_to, changed = self._changed(seat, to, amounts)
        spent_to, spent = self._spent(seat)
        to = np.where((kind < 1)[:, None], to, np.where((kind < 2)[:, None], changed_to, spent_to))
        amounts = np.where((kind < 1)[:, None], amounts, np.where((kind < 2)[:, None], changed, spent))
        rows = np.stack([to, amounts[:, :AGENTS], amounts[:, AGENTS:]], axis=2).reshape(-1, AGENTS * PARTS)
        return rows.astype(np.int16)

    # Below, `to` is by world and agent. `amounts` is by world: what each agent pays, and what each bribes the Inspector
    # with.

    def _changed(self, seat: int, to: Whole, amounts: Whole) -> tuple[Whole, Whole]:
        """Orders with up to a few things changed: where an agent goes, or who pays some of the dollars."""
        noise, size = self._noise, self.worlds.size
        at, cash, line = self.worlds.at[seat].T, self.worlds.cash[seat], np.arange(self.worlds.size)
        changes = (noise.uniform(size) * CHANGES).astype(np.intp)
        to, amounts = to.copy(), amounts.copy()
        for number in range(CHANGES - 1):
            agent = (noise.uniform(size) * AGENTS).astype(np.intp)
            moved, kept = to.copy(), amounts.copy()
            moved[line, agent] = (noise.uniform(size) * PLACES).astype(np.int16)
            kept[line, agent] = kept[line, agent + AGENTS] = 0
            goes = (noise.uniform(size) < ELSEWHERE) & (changes > number)
            goes &= apart(moved) & (_trips(at, moved) + kept.sum(axis=1) <= cash)
            to, amounts = np.where(goes[:, None], moved, to), np.where(goes[:, None], kept, amounts)
            # Unspent dollars are the last purse.
            purses = np.column_stack([amounts, cash - _trips(at, to) - amounts.sum(axis=1)])
            able = np.column_stack([self._able(to), np.ones(size, bool)])
            taken, given = (noise.uniform(2, *purses.shape) * [purses > 0, able]).argmax(axis=2)
            dollars = np.minimum(purses[line, taken], 1 + (noise.uniform(size) * DOLLARS).astype(np.int16))
            dollars = dollars * (~goes & (changes > number))
            purses[line, taken] -= dollars
            purses[line, given] += dollars
            amounts = purses[:, :-1]
        return to, amounts

    def _spent(self, seat: int) -> tuple[Whole, Whole]:
        """Any orders that spend all cash, or some of it."""
        noise, size = self._noise, self.worlds.size
        at, cash = self.worlds.at[seat].T, self.worlds.cash[seat]
        anywhere = (noise.uniform(size, AGENTS) * PLACES).astype(np.int16)
        to = np.where(noise.uniform(size, AGENTS) < ELSEWHERE, anywhere, at)
        to = np.where((apart(to) & (_trips(at, to) <= cash))[:, None], to, at)
        able = np.column_stack([self._able(to), np.ones(size, bool)])
        weights = able * (noise.uniform(*able.shape) < [PAID] * 2 * AGENTS + [KEPT]) * noise.uniform(*able.shape) ** 2
        weights[:, -1] += weights.sum(axis=1) == 0
        sums = np.cumsum(weights, axis=1)
        due = sums / sums[:, -1:] * (cash - _trips(at, to))[:, None]
        # Systematic sampling: of its share, each gets the whole dollars below or above, and the sum is exact.
        paid = np.floor(due + noise.uniform(size)[:, None] * BELOW_ONE).astype(np.int16)
        return to, np.diff(paid, axis=1, prepend=np.int16(0))[:, :-1]

    def _able(self, to: Whole) -> Truth:
        """By world, which of the amounts can be more than nothing."""
        able: Truth = np.concatenate([to != HOME, to == self.worlds.inspector[:, None]], axis=1)
        return able


def last_plan(worlds: Games, seat: int, rollout: Rollout) -> MixedStrategy:
    """Orders of `seat`, as likely as an equilibrium has them. The worlds must be sorted by the other side's cash."""
    plans = LastPlans(worlds, seat, rollout)
    return solution(plans, distinct(plans.some(seat), ORDERS), ORDERS, ANSWERS, TRIES)


def solution(plans: LastPlans, rows: Rows, most: int, answers: int, tries: int) -> MixedStrategy:
    """Orders of the plans' seat, as likely as an equilibrium has them: of `rows` and of better ones, `most` at a time.

    Better orders are looked for so many times, and better replies with so many `tries` in each world. The worlds must
    be sorted by the other side's cash.
    """
    worlds, seat, rival = plans.worlds, plans.seat, other(plans.seat)
    cash, types = worlds.cash[rival], cash_types(worlds, seat)
    replies = plans.some(rival)
    for left in range(answers, -1, -1):
        _, first, same = np.unique(np.column_stack([cash, replies]), axis=0, return_index=True, return_inverse=True)
        same = same.ravel()
        mix = equilibrium(averaged(plans.payoffs(rows, replies), same), types, ROUNDS)
        mine = np.flatnonzero(mix.rows >= RARE)
        if not left:
            break
        # Worlds of the same cash may have the same reply: one of them keeps it.
        shares = np.bincount(same, mix.columns)
        often = shares * len(cash) >= USED
        theirs, weights = first[often], shares[often]
        others = plans.some(seat)
        gains = plans.pick(theirs).payoffs(others, replies[theirs]) @ weights
        replies = answered(plans, rows[mine], mix.rows[mine], replies, theirs, tries)
        rows = distinct(np.concatenate([rows[mine], others[np.argsort(-gains, kind="stable")]]), most)
    shares = mix.rows[mine] / mix.rows[mine].sum()
    return list(zip(rows[mine].tolist(), shares.tolist(), strict=True))


def last_values(plans: LastPlans) -> Real:
    """By world, what the last round is worth to the seat if both sides play the equilibrium of some of their orders,
    from 0 to 1. The worlds must be sorted by the other side's cash.
    """
    wider = plans.pick(np.repeat(np.arange(plans.worlds.size), FEW_REPLIES))
    types = cash_types(wider.worlds, wider.seat)
    payoffs = wider.payoffs(distinct(wider.some(wider.seat), FEW_ORDERS), wider.some(other(wider.seat)))
    mix = equilibrium(payoffs, types, ROUNDS)
    gained = np.bincount(types, mix.columns * (mix.rows @ payoffs)) / np.bincount(types, mix.columns)
    values: Real = gained[types[::FEW_REPLIES]].astype(np.float32)
    return values


def known_values(games: Games, seat: int, rollout: Rollout, played: int) -> Real:
    """By game, what the last round is worth to the seat if both sides know each other's cash and play the equilibrium
    of some of their orders, from 0 to 1. About so many last rounds are `played` in all.
    """
    first, same = games.alike()
    count = int(np.clip((played / len(first)) ** 0.5, *KNOWN_ORDERS))
    drawn = max(count, played // (len(first) * EACH_DRAWN))
    # All follow the numbers of one world: to copy them for each game takes a third of the time.
    plans = LastPlans(games.pick(first), seat, rollout.pick(first[:1]))
    pairs = np.empty((SEATS, len(first), count, count, AGENTS * PARTS), np.int16)
    pairs[seat] = plans.several(seat, count, drawn)[:, :, None]
    pairs[other(seat)] = plans.several(other(seat), count, drawn)[:, None]
    both = pairs.reshape(SEATS, -1, AGENTS * PARTS).transpose(0, 2, 1)
    orders = OrderArrays(*(np.ascontiguousarray(both[:, part::PARTS]) for part in range(PARTS)))
    reached = plans.reached(np.repeat(np.arange(len(first)), count * count), orders)
    solved: Real = values(reached.reshape(-1, count, count), KNOWN_ROUNDS)[same]
    return solved


def cash_types(worlds: Games, seat: int) -> Index:
    """By world, which type of the other side it has: one for each amount of its cash, by which the worlds must be
    sorted.
    """
    types: Index = np.cumsum(np.r_[False, np.diff(worlds.cash[other(seat)]) > 0])
    return types


def answered(plans: LastPlans, rows: Rows, weights: Shares, replies: Rows, kept: Index, tries: int) -> Rows:
    """The replies that are kept, and in the other worlds the best answers of some to how often the rows are chosen."""
    best, least = replies, np.full(len(replies), np.inf)
    for _ in range(tries):
        others = plans.some(other(plans.seat))
        reached = weights @ plans.payoffs(rows, others)
        better = reached < least
        best, least = np.where(better[:, None], others, best), np.where(better, reached, least)
    best[kept] = replies[kept]
    return best


def averaged(payoffs: Real, same: Index) -> Real:
    """By column, the average of all columns of the same number: some of what differs in them is luck."""
    sums = np.zeros((same.max() + 1, len(payoffs)), np.float32)
    np.add.at(sums, same, payoffs.T)
    means: Real = (sums / np.bincount(same)[:, None])[same].T.astype(np.float32)
    return means


def _trips(at: Whole, to: Whole) -> Whole:
    """By world, the dollars for the trips."""
    trips: Whole = TRIPS.take(at * np.int16(PLACES) + to).sum(axis=1, dtype=np.int16)
    return trips
