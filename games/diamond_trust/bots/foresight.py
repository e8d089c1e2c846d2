"""What a round of moves is worth: drafts of sensible orders, and what becomes of two sides' orders against each other.

The bot of rules of thumb (`heuristic`) plans with these. Both are quick and rough on purpose: a draft is drawn by
chance, so that many of them together stand for what a side may do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from kimberley.games.diamond_trust.angola import AGENTS, HOME, REGIONS, SEATS, Order, Orders, other, trip_cost
from kimberley.games.diamond_trust.position import Agent, TrustPosition

ROUND_DIAMONDS: Final = 7.5
"""Diamonds that appear in a round, on average."""
ROUND_MONEY: Final = 18
CARRIED: Final = 0.85
"""What a diamond that is still carried is worth, compared with one in the vault."""
BLOCKED: Final = 0.5
"""What it is worth to block a diamond, compared with confiscating it: it stays where it is."""
UNTOLD: Final[tuple[Order | None, ...]] = (None,) * AGENTS


@dataclass(frozen=True)
class Outlook:
    """What a side plans a move with. `cash` is by seat: its own money, and a guess at the other's."""

    agents: tuple[tuple[Agent, ...], ...]
    inspector: int
    diamonds: tuple[int, ...]
    cash: tuple[int, ...]
    price: float
    last: bool


def outlook(position: TrustPosition, seat: int) -> Outlook:
    """Returns the outlook of `seat` from its own state."""
    cash = tuple(guessed_cash(position, seat, side) for side in range(SEATS))
    worth = price(position, cash[seat])
    return Outlook(position.agents, position.inspector, position.diamonds, cash, worth, position.months_left == 0)


def guessed_cash(position: TrustPosition, viewer: int, seat: int) -> int:
    """Returns the cash of a seat where `viewer` knows it; else a guess, some $2 a round having gone to agents."""
    cash = position.cash_seen(viewer, seat)
    return max(0, position.limit[seat] - 2 * position.round()) if cash is None else cash


def price(position: TrustPosition, cash: int) -> float:
    """Returns the dollars that a diamond is worth to a side: all the money it will have, over half of the diamonds to
    come.
    """
    money = cash + ROUND_MONEY * position.months_left
    return money / (1 + (sum(position.diamonds) + ROUND_DIAMONDS * position.months_left) / 2)


def draft(view: Outlook, seat: int, rng: Random, plans: Sequence[Order | None] = UNTOLD) -> Orders:
    """Returns sensible orders for a side, drawn by chance; the `plans` that its agents told are kept, however odd."""
    agents = view.agents[seat]
    orders = list(plans)
    left = view.cash[seat]
    for agent, order in zip(agents, plans, strict=True):
        if order is not None:
            left -= trip_cost(agent.at, order[0]) + order[1] + order[2]
    untold = [index for index in range(AGENTS) if plans[index] is None]
    rng.shuffle(untold)
    taken = {order[0] for order in plans if order is not None} | {agents[index].at for index in untold}
    for index in untold:
        agent = agents[index]
        to = _destination(view, agent, taken, left, rng)
        taken = (taken - {agent.at}) | {to}
        left -= trip_cost(agent.at, to)
        orders[index] = order = _payments(view, to, left, rng)
        left -= order[1] + order[2]
    final = tuple(order for order in orders if order is not None)
    return _all_in(view, final, left) if view.last and not any(plans) else final


def _destination(view: Outlook, agent: Agent, taken: set[int], left: int, rng: Random) -> int:
    places, weights = [], []
    for to in range(HOME + 1):
        trip = trip_cost(agent.at, to)
        if trip > max(left, 0) or (to in taken and to not in (agent.at, HOME)):
            continue
        if to == HOME:
            worth = agent.carries * view.price * 0.3
        else:
            worth = view.diamonds[to] * view.price * 0.6
            if to == view.inspector:
                worth = worth / 2 - agent.carries * view.price * 0.3 + 3
        places.append(to)
        weights.append(max(0.05, worth - trip) ** 1.5)
    return rng.choices(places, weights)[0]


def _payments(view: Outlook, to: int, left: int, rng: Random) -> Order:
    bribe = min(left, int(rng.random() * (3 + view.price))) if to == view.inspector else 0
    left -= bribe
    if left <= 0 or to == HOME or not view.diamonds[to] or (to == view.inspector and not bribe):
        return to, 0, max(0, bribe)
    return to, min(left, 1 + int(rng.random() ** 1.5 * 1.6 * view.price * view.diamonds[to])), bribe


def _all_in(view: Outlook, orders: Orders, left: int) -> Orders:
    """Returns the orders with all money spent, as in the last round, in proportion to the diamonds at stake."""
    stakes = [0 if to == HOME or (to == view.inspector and not bribe) else view.diamonds[to] for to, _, bribe in orders]
    total = sum(stakes)
    if left <= 0 or not total:
        return orders
    return tuple(
        (to, payment + left * stake // total, bribe) for (to, payment, bribe), stake in zip(orders, stakes, strict=True)
    )


def worth(view: Outlook, seat: int, orders: Sequence[Orders]) -> float:
    """Returns what both sides' orders bring to `seat`, in diamonds, less what they bring to the other side."""
    gains = [0.0] * SEATS
    carried = [[0] * (HOME + 1) for _ in range(SEATS)]
    payments = [[0] * (HOME + 1) for _ in range(SEATS)]
    bribes = [0] * SEATS
    for side in range(SEATS):
        money = 0
        for agent, (to, payment, bribe) in zip(view.agents[side], orders[side], strict=True):
            money += trip_cost(agent.at, to) + payment + bribe
            payments[side][to] = payment
            bribes[side] += bribe
            if to == HOME:
                gains[side] += agent.carries
            else:
                carried[side][to] = agent.carries
        if not view.last:
            gains[side] -= money / (view.price + 1)
    collects = [[0] * (HOME + 1) for _ in range(SEATS)]
    for region, diamonds in enumerate(view.diamonds):
        first, second = payments[0][region], payments[1][region]
        if first != second:
            collects[second > first][region] = diamonds
    inspector = view.inspector
    if bribes[0] != bribes[1]:
        mover = int(bribes[1] > bribes[0])
        mine, theirs = carried[mover], carried[other(mover)]
        won, lost = collects[mover], collects[other(mover)]
        inspector = max(range(len(REGIONS)), key=lambda to: theirs[to] - mine[to] + BLOCKED * (lost[to] - won[to]))
    kept = 1.0 if view.last else CARRIED
    for side in range(SEATS):
        held = sum(carried[side]) + sum(collects[side]) - carried[side][inspector] - collects[side][inspector]
        gains[side] += kept * held
    return gains[seat] - gains[other(seat)]
