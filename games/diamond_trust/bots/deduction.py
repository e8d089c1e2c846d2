"""What follows for a seat from what it was told and from what is public: bounds on hidden totals, and what is certain.

Nothing here is part of the rules: a seat draws these conclusions for itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, cast

from kimberley.games.diamond_trust.angola import AGENTS, HOME, START_MONEY, other
from kimberley.games.diamond_trust.knowledge import UNKNOWN, AtLeast, Estimate, Exact, Knowledge, Unknown
from kimberley.games.diamond_trust.position import RoundStep, TrustPosition
from kimberley.games.table import Hidden


@dataclass(frozen=True)
class AtMost:
    """The amount can be no more: its payer has spent its money elsewhere."""

    amount: int

    def __str__(self) -> str:
        return f"≤ {self.amount}"


Deduced: TypeAlias = Estimate | AtMost
"""What is known of an amount, or follows."""


class TotalRange(NamedTuple):
    """The least and the greatest that a total can be, in dollars."""

    least: int
    most: int

    def estimate(self) -> Deduced:
        """Returns what is worth showing of the bounds: the lower one if both say something."""
        if self.least == self.most:
            return Exact(self.least)
        if self.least:
            return AtLeast(self.least)
        return AtMost(self.most) if self.most < START_MONEY else UNKNOWN


def salary_bounds(state: TrustPosition, viewer: int, agent: int) -> TotalRange:
    """Returns the bounds of the salary of an agent of the side opposite `viewer`."""
    rival, known = other(viewer), _known(state, viewer)
    estimate, paying = known.salaries[agent], state.step is RoundStep.PAY_TOLD
    if isinstance(estimate, Exact) and not (paying and state.agents[rival][agent].at == HOME):
        return TotalRange(estimate.amount, estimate.amount)
    least = 0 if isinstance(estimate, Unknown) else estimate.amount
    # An agent that can reveal something and does not has a salary that one’s bribes do not exceed.
    if state.met[rival][agent] and not known.turned[agent] and not paying:
        least = max(least, cast(int, state.bribes[rival][agent]))
    return _bounds(least, state.most_salary[rival][agent], known)


def known_cash(state: TrustPosition, viewer: int, seat: int) -> Deduced:
    """Returns what `viewer` knows of the dollars of `seat`: at most its limit, less the most that it is known to have
    paid.
    """
    seen, known = state.cash_seen(viewer, seat), state.known[viewer]
    if seen is not None:
        return Exact(seen)
    if isinstance(known, Hidden):
        return UNKNOWN
    totals = [bounds(state, viewer, agent) for bounds in (salary_bounds, bribe_bounds) for agent in range(AGENTS)]
    spent, told = TotalRange(*map(sum, zip(*totals, strict=True))), known.spent_before
    pays = state.step is RoundStep.PAY_TOLD and state.slots(seat)
    if isinstance(told, Exact) and not pays:
        return Exact(state.limit[seat] - told.amount)
    least = spent.least if isinstance(told, Unknown) else max(spent.least, told.amount)
    if least >= spent.most:
        return Exact(state.limit[seat] - least)
    if least == state.limit[seat]:
        return Exact(0)
    return AtMost(state.limit[seat] - least) if least else UNKNOWN


def bribe_bounds(state: TrustPosition, seat: int, agent: int) -> TotalRange:
    """Returns the bounds of the bribes to one of a seat’s own agents."""
    known = _known(state, seat)
    estimate = known.bribes[agent]
    least, place = 0 if isinstance(estimate, Unknown) else estimate.amount, state.agents[seat][agent].at
    meets = state.step is RoundStep.PAY_TOLD and place != HOME and place in state.places(other(seat))
    if not meets and not known.unseen[agent]:
        return TotalRange(least, least)
    return _bounds(least, state.most_bribes[seat][agent], known)


def is_turned(state: TrustPosition, seat: int, agent: int) -> bool | None:
    """Returns whether one of a seat’s own agents is turned; None where that is open."""
    bounds, salary = bribe_bounds(state, seat, agent), cast(int, state.salary[seat][agent])
    if bounds.least > salary:
        return True
    return False if bounds.most <= salary else None


def may_adjust(state: TrustPosition, seat: int) -> bool | None:
    """Returns whether the other side can change its plan of this move, since an agent of `seat` told it something; None
    where that is open.
    """
    turned = [is_turned(state, seat, agent) for agent in range(AGENTS)]
    if True in turned:
        return True
    return None if None in turned else False


def reported_offer(state: TrustPosition, seat: int, region: int) -> int | None:
    """Returns the dollars that the other side plans to offer in a region, as `seat` was told in this move; None where
    that is not known.
    """
    plans = _known(state, seat).plans
    offers = [plan[1] for plan in plans if plan is not None and plan[0] == region]
    return offers[0] if offers else None if None in plans else 0


def reported_bribe(state: TrustPosition, seat: int) -> int | None:
    """Returns the dollars with which the other side plans to bribe the Inspector, as `seat` was told in this move; None
    where that is not known.
    """
    plans = _known(state, seat).plans
    bribes = [plan[2] for plan in plans if plan is not None and plan[0] == state.inspector]
    return bribes[0] if bribes else None if None in plans else 0


def _known(state: TrustPosition, seat: int) -> Knowledge:
    known = state.known[seat]
    assert isinstance(known, Knowledge), "a seat’s own knowledge is never hidden from it"
    return known


def _bounds(least: int, most: int, known: Knowledge) -> TotalRange:
    # In some months, the total that the other side has sealed is told.
    most = most if known.spent is None else min(most, known.spent)
    return TotalRange(least, max(least, most))
