"""Plays a batch of games to the end from any step of a round. The games passed in are changed."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.bots.policy import Noise, OrderArrays, ToldOrders
from kimberley.games.diamond_trust.bots.simulator import NOBODY, Games, Index, Truth, Whole


class RolloutPolicy(Protocol):
    """How both sides choose in a batch of games. Neither may see what its side does not know."""

    def pick(self, games: Index) -> RolloutPolicy:
        """Returns the same policy for a batch of these games."""

    def pay(self, games: Games, meetings: Truth, turned: Truth, noise: Noise) -> Whole:
        """Returns, by seat and its own agent, salary at home, abroad a bribe."""

    def move(self, games: Games, noise: Noise, reports: ToldOrders | None = None) -> OrderArrays:
        """Returns orders; `reports` is what each side was told of the other's."""

    def inspect(self, games: Games, mover: Whole, rivals: Whole, noise: Noise) -> Whole:
        """Returns where `mover` sends the Inspector; he stays if nobody may move him. `rivals` is
        `games.rival_payments()`.
        """

    def sale(self, games: Games, noise: Noise) -> Whole:
        """Returns, by seat, how many diamonds are sold."""

    def answer(self, games: Games, planned: Whole) -> Whole:
        """Returns, by seat, how many it sells once it was told the other side's number."""


class Rollout:
    """Plays on by `play` to the end, or until the diamonds of the round with `until` months left are collected."""

    def __init__(self, play: RolloutPolicy, noise: Noise, until: int = 0) -> None:
        self.play = play
        self.noise = noise
        self.until = until

    def pick(self, games: Index) -> Rollout:
        """Returns the same rollout for a batch of these games."""
        return Rollout(self.play.pick(games), self.noise, self.until)

    def from_pay(self, games: Games) -> Games:
        """Plays on from the pay phase of a round."""
        while True:
            meetings = games.meetings()
            games.pay(self.play.pay(games, meetings, games.turned(), self.noise), meetings)
            plan = self.play.move(games, self.noise)
            if games.months_left <= self.until:
                return self.from_plan(games, plan)
            self.month(games, plan)

    def month(self, games: Games, plan: OrderArrays) -> Games:
        """Plays from sealed plans to the next pay phase."""
        turned = games.turned()
        self._reveal(games, self.adjusted(games, plan, turned))
        games.sell(self.final_sale(games, self.play.sale(games, self.noise), turned))
        return games

    def from_plan(self, games: Games, plan: OrderArrays) -> Games:
        """Plays on from sealed plans."""
        return self.from_orders(games, self.adjusted(games, plan, games.turned()))

    def from_orders(self, games: Games, orders: OrderArrays) -> Games:
        """Plays on from final orders."""
        self._reveal(games, orders)
        return self._from_collection(games)

    def from_inspector(self, games: Games, inspector: Whole) -> Games:
        """Plays on from the choice of the side that may send the Inspector."""
        games.collect(inspector, games.rival_payments())
        return self._from_collection(games)

    def from_sale_plan(self, games: Games, planned: Whole) -> Games:
        """Plays on from sealed sales."""
        return self.from_sale(games, self.final_sale(games, planned, games.turned()))

    def from_sale(self, games: Games, numbers: Whole) -> Games:
        """Plays on from final sales."""
        games.sell(numbers)
        return self.from_pay(games)

    def _from_collection(self, games: Games) -> Games:
        if games.months_left <= self.until:
            return games
        return self.from_sale_plan(games, self.play.sale(games, self.noise))

    def _reveal(self, games: Games, orders: OrderArrays) -> None:
        mover = games.move(*orders)
        rivals = games.rival_payments()
        moved = (mover != NOBODY).any()
        games.collect(self.play.inspect(games, mover, rivals, self.noise) if moved else games.inspector, rivals)

    def adjusted(self, games: Games, plan: OrderArrays, turned: Truth) -> OrderArrays:
        """Returns the final orders: sides that are told something plan again."""
        rights = turned[::-1].any(axis=1)
        concerned = np.flatnonzero(rights.any(axis=0))
        if not concerned.size:
            return plan
        reports = ToldOrders(turned.take(concerned, axis=-1), plan.pick(concerned))
        again = self.play.pick(concerned).move(games.pick(concerned), self.noise, reports)
        may = rights.take(concerned, axis=-1)[:, None]
        final = OrderArrays(*(part.copy() for part in plan))
        for part, new, old in zip(final, again, reports.orders, strict=True):
            part[..., concerned] = np.where(may, new, old)
        return final

    def final_sale(self, games: Games, planned: Whole, turned: Truth) -> Whole:
        """Returns the numbers after the last look: sides that are told the other's plan answer it."""
        informed = (turned & (games.at == HOME)).any(axis=1)[::-1]
        return np.where(informed, self.play.answer(games, planned), planned) if informed.any() else planned
