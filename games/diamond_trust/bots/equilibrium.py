"""Solves matrix games by regret matching+: both sides play in turn, and later rounds count more in the average
(Tammelin 2014, "Solving Large Imperfect Information Games Using CFR+", arXiv:1407.5042).
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from kimberley.games.diamond_trust.bots.simulator import Index, Real

Shares: TypeAlias = npt.NDArray[np.float64]


class Equilibrium(NamedTuple):
    """How often each row is played, and each column: each of the two adds up to 1."""

    rows: Shares
    columns: Shares


def equilibrium(payoffs: Real, types: Index, rounds: int) -> Equilibrium:
    """Returns an approximate equilibrium of a game in which the column player knows something that the row player does
    not: a zero-sum Bayesian game with types on one side.

    Args:
        payoffs: By row and column, what the row player gets. The column player minimizes that.
        types: By column, which type of the column player can choose it: numbers from 0 that never decrease. A type's
            probability is its share of the columns.
        rounds: The error falls with the number of rounds, at least as fast as its inverse square root.

    """
    paid = payoffs.astype(np.float64)
    begins = np.flatnonzero(np.r_[True, np.diff(types) > 0])
    sizes = np.diff(np.r_[begins, len(types)])
    likely = np.repeat(sizes / len(types), sizes)
    even = np.repeat(1 / sizes, sizes)

    def matched(regrets: Shares) -> Shares:
        """Returns, within each type, each column in proportion to its regret; all alike where none is regretted."""
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


def values(payoffs: Real, rounds: int) -> Real:
    """Returns, by game, approximately what the row player gets in an equilibrium; neither player knows more than the
    other.

    Args:
        payoffs: By game, row and column.
        rounds: The error falls with the number of rounds, at least as fast as its inverse square root.

    """
    count, height, width = payoffs.shape
    turned = np.ascontiguousarray(payoffs.transpose(0, 2, 1))

    def matched(regrets: Real) -> Real:
        sums = regrets.sum(axis=1, keepdims=True)
        even = np.full_like(regrets, 1 / regrets.shape[1])
        shares: Real = np.divide(regrets, sums, out=even, where=sums > 0)
        return shares

    row_regrets, column_regrets = np.zeros((count, height), np.float32), np.zeros((count, width), np.float32)
    row_total, column_total = np.zeros_like(row_regrets), np.zeros_like(column_regrets)
    mine = matched(row_regrets)
    for number in range(1, rounds + 1):
        loss = (turned @ mine[..., None])[..., 0]
        met = (matched(column_regrets) * loss).sum(axis=1, keepdims=True)
        column_regrets = np.maximum(column_regrets + met - loss, 0)
        theirs = matched(column_regrets)
        gain = (payoffs @ theirs[..., None])[..., 0]
        row_regrets = np.maximum(row_regrets + gain - (mine * gain).sum(axis=1, keepdims=True), 0)
        mine = matched(row_regrets)
        row_total += number * mine
        column_total += number * theirs
    loss = (turned @ row_total[..., None])[..., 0]
    total = row_total.sum(axis=1) * column_total.sum(axis=1)
    value: Real = (loss * column_total).sum(axis=1) / total
    return value
