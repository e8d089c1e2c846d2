"""Last rounds with few dollars, small enough to solve: all orders of both sides, the winners, and the exact value."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt
import scipy

from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import AGENTS, HOME, Orders
from kimberley.games.diamond_trust.bots.simulator import NOBODY, Games, Whole
from kimberley.games.diamond_trust.position import Agent
from kimberley.games.diamond_trust.rules import RoundStep
from kimberley.games.diamond_trust.spaces import OrdersSpace
from kimberley.games.table import Observation, evolve, space_for
from tests.support.seated_arena import SeatedArena
from tests.support.strategies import Strategies
from tests.support.trust import HUILA, MOXICO, UIGE

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Reduced:
    """A last round: the agents of each side with place and load, the diamonds, the Inspector, the dollars."""

    agents: tuple[tuple[tuple[int, int], ...], ...]
    diamonds: tuple[int, ...]
    inspector: int
    cash: tuple[int, int]
    vault: tuple[int, int] = (5, 5)

    def observation(self, seat: int) -> Observation:
        """Returns the last plan, with nothing paid to agents so far."""
        table = SeatedArena(GAME, 2, Random(0))
        table.apply((self.inspector,))
        state = table.views[seat]
        agents = tuple(tuple(Agent(at, carries) for at, carries in side) for side in self.agents)
        public = {
            "months_left": 0, "agents": agents, "diamonds": self.diamonds, "vault": self.vault,
            "limit": self.cash, "step": RoundStep.PLAN,
        }  # fmt: skip
        return Observation(seat, evolve(state, **public), ())

    def orders(self, seat: int) -> list[Orders]:
        """Returns all legal orders of a side."""
        space = space_for(self.observation(seat).state.ask(), seat)
        assert isinstance(space, OrdersSpace)
        most = self.cash[seat]
        each = []
        for _ in range(AGENTS):
            paid = [
                (to, payment, bribe)
                for to in range(HOME + 1)
                for payment in range(most + 1 if to != HOME else 1)
                for bribe in range(most + 1 - payment if to == self.inspector else 1)
            ]
            each.append(paid)
        return [orders for orders in product(*each) if space.violation(orders) is None]

    def matrix(self) -> tuple[list[Orders], list[Orders], Matrix]:
        """Returns the orders of both sides, and each pair's value for seat 0. The side that sends the Inspector does so
        optimally.
        """
        rows, columns = self.orders(0), self.orders(1)
        first = np.array(rows, np.int16).transpose(1, 2, 0)
        second = np.array(columns, np.int16).transpose(1, 2, 0)
        pairs = len(rows), len(columns)
        orders = np.stack([np.repeat(first, pairs[1], axis=-1), np.tile(second, (1, 1, pairs[0]))])
        outcomes = [self._outcomes(orders, np.int16(region)) for region in range(HOME)]
        mover = outcomes[0][0]
        every = np.stack([values for _, values in outcomes])
        stays = outcomes[self.inspector][1]
        reached = np.where(mover == 0, every.max(axis=0), np.where(mover == 1, every.min(axis=0), stays))
        return rows, columns, reached.reshape(pairs).astype(float)

    def _outcomes(self, orders: Any, region: np.int16) -> tuple[Any, Any]:
        size = orders.shape[-1]
        one = Games(
            0,
            {
                "inspector": np.array([self.inspector], np.int16),
                "diamonds": np.array((*self.diamonds, 0), np.int16)[:, None],
                "at": stacked([[at for at, _ in side] for side in self.agents]),
                "carries": stacked([[carries for _, carries in side] for side in self.agents]),
                "vault": stacked(self.vault),
                "cash": stacked(self.cash),
                "salary": stacked(np.zeros((2, AGENTS), np.int16)),
                "bribes": stacked(np.zeros((2, AGENTS), np.int16)),
                "last_briber": stacked(np.full((2, AGENTS), NOBODY)),
                "payment": stacked(np.zeros((2, AGENTS), np.int16)),
            },
        )
        games = one.pick(np.zeros(size, np.intp))
        mover = games.move(orders[:, :, 0], orders[:, :, 1], orders[:, :, 2])
        games.collect(np.full(size, region), games.rival_payments())
        return mover, games.outcome()


def value(matrix: Matrix) -> float:
    """Returns the value that the row player can guarantee in a matrix game, by a linear program."""
    rows, columns = matrix.shape
    solved = scipy.optimize.linprog(
        c=np.r_[np.zeros(rows), -1],
        A_ub=np.c_[-matrix.T, np.ones(columns)], b_ub=np.zeros(columns),
        A_eq=np.r_[np.ones(rows), 0][None], b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
    )  # fmt: skip
    assert solved.success, solved.message
    return float(-solved.fun)


def exploitability(reduced: Reduced, player: Strategies, tries: int) -> float:
    """Returns how much less than the value seat 0 gets with its strategies for that many seeds, each as likely, against
    an opponent who knows the mix.
    """
    rows, _, matrix = reduced.matrix()
    observation = reduced.observation(0)
    mix = np.zeros(len(rows))
    for seed in range(tries):
        for orders, share in player(seed)(observation):
            mix[rows.index(cast(Orders, orders))] += share / tries
    return value(matrix) - float((mix @ matrix).min())


ONE_EACH: Final = (((HUILA, 0), (HOME, 0), (HOME, 0)),) * 2
TWO_EACH: Final = (((HUILA, 0), (MOXICO, 0), (HOME, 0)),) * 2
LOADED: Final = (((HUILA, 1), (MOXICO, 0), (HOME, 0)),) * 2
LAST_ROUNDS: Final = {
    "one auction, $1 each": Reduced(ONE_EACH, (0, 0, 0, 0, 2, 0), UIGE, (1, 1)),
    "two regions, one agent each, $2": Reduced(ONE_EACH, (0, 0, 0, 1, 2, 0), UIGE, (2, 2)),
    "two agents each, the Inspector on one of the regions, $2": Reduced(LOADED, (0, 0, 0, 1, 2, 0), MOXICO, (2, 2)),
    "three regions, two agents each, $3": Reduced(TWO_EACH, (0, 0, 0, 1, 2, 1), UIGE, (3, 3)),
}
"""By content, with equal sides."""


def stacked(rows: Any) -> Whole:
    """Returns plain numbers, nested by seat and agent, as a batch of one game."""
    return np.array(rows, np.int16)[..., None]
