"""Solves the matrix game of both sides' plans, as a double oracle (McMahan, Gordon, Blum 2003, "Planning in the
Presence of Cost Functions Controlled by an Adversary").

The game of some orders of both sides is solved; then better answers to the other side's mixture take the place of
orders that are not chosen, and it is solved again. The other side is taken to know both sides' cash, its own and this
one's.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from kimberley.games.diamond_trust.angola import other
from kimberley.games.diamond_trust.bots.equilibrium import Shares, equilibrium
from kimberley.games.diamond_trust.bots.plans import Plans
from kimberley.games.diamond_trust.bots.search import MixedStrategy, Rows, distinct
from kimberley.games.diamond_trust.bots.simulator import Games, Index, Real

ROUNDS: Final = 100
"""After this many, neither side could win a hundredth of a game more in any of 295 games of real last rounds, and a
thousandth on average.
"""
RARE: Final = 0.01
"""What is chosen less often than this is not chosen at all."""
USED: Final = 0.1
"""The same for a reply, in columns."""


def solution(plans: Plans, rows: Rows, most: int, answers: int, tries: int) -> MixedStrategy:
    """Returns orders of the plans' seat, as likely as an equilibrium has them: of `rows` and of better ones, at most
    `most` at a time.

    Better orders are looked for `answers` times, and better replies with `tries` tries in each world. The worlds must
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


def answered(plans: Plans, rows: Rows, weights: Shares, replies: Rows, kept: Index, tries: int) -> Rows:
    """Returns the replies that are kept, and in the other worlds the best of some answers to the mixture of rows."""
    best, least = replies, np.full(len(replies), np.inf)
    for _ in range(tries):
        others = plans.some(other(plans.seat))
        reached = weights @ plans.payoffs(rows, others)
        better = reached < least
        best, least = np.where(better[:, None], others, best), np.where(better, reached, least)
    best[kept] = replies[kept]
    return best


def averaged(payoffs: Real, same: Index) -> Real:
    """Returns, by column, the average of all columns with the same number in `same`: some of their differences are
    luck.
    """
    sums = np.zeros((same.max() + 1, len(payoffs)), np.float32)
    np.add.at(sums, same, payoffs.T)
    means: Real = (sums / np.bincount(same)[:, None])[same].T.astype(np.float32)
    return means


def cash_types(worlds: Games, seat: int) -> Index:
    """Returns, by world, which type of the other side it has: one for each amount of its cash, by which the worlds must
    be sorted.
    """
    types: Index = np.cumsum(np.r_[False, np.diff(worlds.cash[other(seat)]) > 0])
    return types
