"""Exact solutions of two-player zero-sum games with hidden information.

The sequence form (von Stengel 1996, "Efficient computation of behavior strategies"; Koller, Megiddo, von Stengel 1996):
a sequence is a list of one player's own choices, and a linear program finds the weights of the sequences.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

Plan = npt.NDArray[np.float64]
"""For each sequence of a player: the probability that it makes all its choices, whatever the others do."""

PLAYERS = 2
NONE = 0
"""The empty sequence."""


@dataclass(frozen=True)
class InformationSet:
    """Positions that a player cannot distinguish: the sequence that leads there, and those that continue, one for each
    choice.
    """

    parent: int
    sequences: range


class SequenceForm:
    """A game with perfect recall. Player 0 gets the value of a leaf, and player 1 loses it."""

    def __init__(self) -> None:
        self.sets: tuple[list[InformationSet], list[InformationSet]] = ([], [])
        """By player. Each set comes after those that lead to it."""
        self.count = [1] * PLAYERS
        """By player: the number of sequences."""
        self._known: tuple[dict[Hashable, InformationSet], dict[Hashable, InformationSet]] = ({}, {})
        self._leaves: dict[tuple[int, int], float] = {}

    def enter(self, player: int, parent: int, seen: Hashable, choices: int) -> tuple[InformationSet, bool]:
        """Returns the player's information set after the choices of `parent` and what it has seen since, and whether it
        is new.
        """
        key = parent, seen
        known = self._known[player].get(key)
        if known is not None:
            assert len(known.sequences) == choices
            return known, False
        first = self.count[player]
        self.count[player] += choices
        new = self._known[player][key] = InformationSet(parent, range(first, first + choices))
        self.sets[player].append(new)
        return new, True

    def leaf(self, first: int, second: int, worth: float) -> None:
        """Adds a leaf: both players' sequences, and its value for player 0 times the chance of all dice before it."""
        self._leaves[first, second] = self._leaves.get((first, second), 0.0) + worth

    def matrix(self) -> scipy.sparse.csr_array:
        """Returns the value of each pair of sequences."""
        rows, columns = np.array(list(self._leaves), np.intp).T
        worth = np.array(list(self._leaves.values()))
        return scipy.sparse.csr_array((worth, (rows, columns)), shape=(self.count[0], self.count[1]))

    def solve(self) -> tuple[float, Plan]:
        """Returns the value for player 0, and a plan that guarantees it."""
        own, theirs = self._flow(0), self._flow(1)
        prices = theirs.shape[0]
        start = np.zeros(own.shape[0])
        start[0] = 1
        solved = scipy.optimize.linprog(
            c=np.r_[np.zeros(self.count[0]), -1, np.zeros(prices - 1)],
            A_ub=scipy.sparse.hstack([-self.matrix().T, theirs.T]), b_ub=np.zeros(self.count[1]),
            A_eq=scipy.sparse.hstack([own, scipy.sparse.csr_array((own.shape[0], prices))]), b_eq=start,
            bounds=[(0, None)] * self.count[0] + [(None, None)] * prices,
        )  # fmt: skip
        assert solved.success, solved.message
        return float(-solved.fun), solved.x[: self.count[0]]

    def _flow(self, player: int) -> scipy.sparse.csr_array:
        """Returns a row for the empty sequence and each information set: the flow out of it less the flow into it."""
        entries = [(0, NONE, 1.0)]
        for row, known in enumerate(self.sets[player], 1):
            entries += [(row, known.parent, -1.0), *((row, sequence, 1.0) for sequence in known.sequences)]
        rows, columns, values = zip(*entries, strict=True)
        return scipy.sparse.csr_array((values, (rows, columns)), shape=(len(self.sets[player]) + 1, self.count[player]))

    def least(self, plan: Plan) -> float:
        """Returns the value of a plan of player 0 against the best response."""
        worth = np.asarray(plan @ self.matrix())
        for known in reversed(self.sets[1]):
            worth[known.parent] += worth[known.sequences.start : known.sequences.stop].min()
        return float(worth[NONE])
