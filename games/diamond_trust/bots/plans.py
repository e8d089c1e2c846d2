"""Both sides' plans of a round, as the rows and columns of a matrix game.

A side has too many orders to list, so some are drawn: as its policy moves, with a few changes, or at random.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final, Self

import numpy as np

from kimberley.games.diamond_trust.angola import AGENTS, HOME, SEATS, other
from kimberley.games.diamond_trust.bots.decisions import PARTS, apart
from kimberley.games.diamond_trust.bots.policy import OrderArrays
from kimberley.games.diamond_trust.bots.rollout import Rollout
from kimberley.games.diamond_trust.bots.search import Rows
from kimberley.games.diamond_trust.bots.simulator import PLACES, TRIPS, Games, Index, Real, Truth, Whole

KEY: Final = np.int64(128) ** np.arange(AGENTS * PARTS, dtype=np.int64)
"""The sum of a row's numbers times these is different for all orders of a side."""
ELSEWHERE: Final = 0.3
"""How often a change sends an agent somewhere else; otherwise it moves dollars."""
CHANGES: Final = 6
"""Draft orders are changed fewer times than this."""
DOLLARS: Final = 4
"""The most dollars that a change moves."""
BELOW_ONE: Final = np.float32(0.9999)
"""A random number up to this, added to all cash, never makes a dollar more."""
PAID: Final = 0.6
KEPT: Final = 0.2
"""How often an agent pays anything, and how often something is kept, where cash is spent at random."""


class Plans(ABC):
    """The plans of both sides, in worlds that `seat` believes in. Both adjust them by the `rollout`.

    Orders are rows as in `games.diamond_trust.bots.decisions`.
    """

    def __init__(self, worlds: Games, seat: int, rollout: Rollout) -> None:
        self.worlds = worlds
        self.seat = seat
        self.rollout = rollout
        self._noise = rollout.noise

    def pick(self, worlds: Index) -> Self:
        """Returns the same plans in some of the worlds."""
        return type(self)(self.worlds.pick(worlds), self.seat, self.rollout.pick(worlds))

    def payoffs(self, rows: Rows, replies: Rows) -> Real:
        """Returns what each of these orders reaches against each reply, which is given in its world; from 0 to 1."""
        size = len(replies)
        take = np.tile(np.arange(size), len(rows))
        both = np.empty((SEATS, AGENTS * PARTS, len(take)), np.int16)
        both[self.seat] = np.repeat(rows, size, axis=0).T
        both[other(self.seat)] = replies[take].T
        return self.reached(take, both).reshape(len(rows), size)

    def reached(self, take: Index, both: Whole) -> Real:
        """Returns what the orders `both` bring the seat, from 0 to 1, each pair played in its world by the numbers
        `take`. Orders go by side, then by the numbers of a row, then by pair.
        """
        return self._value(take, OrderArrays(*(both[:, part::PARTS] for part in range(PARTS))))

    @abstractmethod
    def _value(self, take: Index, orders: OrderArrays) -> Real:
        """Returns the value of such orders, by `reached`."""

    def several(self, seat: int, count: int, drawn: int) -> Rows:
        """Returns, by world, `count` legal orders of a side out of `drawn`: different ones first."""
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
        """Returns legal orders of a side, one row for each world: a third as its policy moves, a third like these with
        a few changes, and a third that spend all or some of the cash at random.
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
        """Returns orders with up to a few things changed: where an agent goes, or who pays some of the dollars."""
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
        """Returns random orders that spend all or some of the cash."""
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
        """Returns, by world, which of the amounts can be more than nothing."""
        able: Truth = np.concatenate([to != HOME, to == self.worlds.inspector[:, None]], axis=1)
        return able


def _trips(at: Whole, to: Whole) -> Whole:
    """Returns, by world, the dollars for the trips."""
    trips: Whole = TRIPS.take(at * np.int16(PLACES) + to).sum(axis=1, dtype=np.int16)
    return trips
