"""Solves a matrix game in which the side of the columns knows something that the side of the rows does not.

That is a zero-sum Bayesian game with types on one side. Both sides play regret matching+ in turn, and later rounds
count more in the average (Tammelin 2014, "Solving Large Imperfect Information Games Using CFR+", arXiv:1407.5042).
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from kimberley.games.diamond_trust.simulator import Index, Real

Shares: TypeAlias = npt.NDArray[np.float64]


class Equilibrium(NamedTuple):
    """How often each row is played, and each column: each of the two adds up to 1."""

    rows: Shares
    columns: Shares


def equilibrium(payoffs: Real, types: Index, rounds: int) -> Equilibrium:
    """An equilibrium, nearly.

    Args:
        payoffs: By row and column, what the side of the rows gets. The other side wants that to be little.
        types: By column, which type of the other side can choose it: numbers from 0 on that never fall. A type is as
            likely as it has columns.
        rounds: The error falls with the number of rounds, and never by less than with its root.

    """
    paid = payoffs.astype(np.float64)
    begins = np.flatnonzero(np.r_[True, np.diff(types) > 0])
    sizes = np.diff(np.r_[begins, len(types)])
    likely = np.repeat(sizes / len(types), sizes)
    even = np.repeat(1 / sizes, sizes)

    def matched(regrets: Shares) -> Shares:
        """Within each type, each column as often as it is regretted; all alike where none is."""
        sums = np.repeat(np.add.reduceat(regrets, begins), sizes)
        shares: Shares = np.divide(regrets, sums, out=even.copy(), where=sums > 0)
        return shares

    row_regrets, column_regrets = np.zeros(len(paid)), np.zeros(len(types))
    row_total, column_total = np.zeros(len(paid)), np.zeros(len(types))
    mine = np.full(len(paid), 1 / len(paid))
    for number in range(1, rounds + 1):
        loss = mine @ paid
        met = np.repeat(np.add.reduceat(matched(column_regrets) * loss, begins), sizes)
        column_regrets = np.maximum(column_regrets + met - loss, 0)
        theirs = matched(column_regrets) * likely
        gain = paid @ theirs
        row_regrets = np.maximum(row_regrets + gain - mine @ gain, 0)
        if (regretted := row_regrets.sum()) > 0:
            mine = row_regrets / regretted
        row_total += number * mine
        column_total += number * theirs
    return Equilibrium(row_total / row_total.sum(), column_total / column_total.sum())
