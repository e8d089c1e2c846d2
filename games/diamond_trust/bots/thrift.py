"""Spends no dollar more than is needed where a seat knows what the other side does: an offer that is certain to win
nothing is not made, one that is certain to win is no higher than it must be.
"""

from __future__ import annotations

from typing import cast

from kimberley.games.diamond_trust.angola import HOME, Orders
from kimberley.games.diamond_trust.bots.deduction import may_adjust, reported_bribe, reported_offer
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Plain


def spared(state: State, seat: int, choice: Plain) -> Plain:
    """Returns a choice without what it is certain to spend in vain. Only the last plan of a move can be that certain,
    and only if the other side cannot adjust its own.
    """
    if state.step is not RoundStep.MOVE or may_adjust(state, seat) is not False:
        return choice
    bribe = reported_bribe(state, seat)
    return tuple(
        (to, payment if to == HOME else _needed(payment, reported_offer(state, seat, to)), _needed(bribed, bribe))
        for to, payment, bribed in cast(Orders, choice)
    )


def _needed(amount: int, theirs: int | None) -> int:
    """Returns as much of an amount as matters against that of the other side, where that is known. A tie matters: the
    other side does not get what it pays for.
    """
    if theirs is None:
        return amount
    return 0 if amount < theirs else min(amount, theirs + 1)
