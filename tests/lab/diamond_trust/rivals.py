"""Rivals of different kinds for Diamond Trust of London: each plays by simple rules, with one strong habit.

None of them took part in the tuning of what ships (`tuning`): they only measure it. The rivals that do take part are
the styles there. docs/bots.md shows how the search does against both.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final, cast

from kimberley.games.diamond_trust.angola import AGENTS, HOME, Order, Orders, other, trip_cost
from kimberley.games.diamond_trust.bots.foresight import draft, outlook, price
from kimberley.games.diamond_trust.bots.heuristic import MOST, HeuristicBot, MoveJudge, cash_of, knowledge_of
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.diamond_trust.spaces import OrdersSpace

SAFE: Final = 6
"""The salary at which a paranoid player trusts an agent."""
LARGE: Final = 4
"""A bribe that turns most agents at once."""
FAILURES: Final = 60
"""Useless changes in a row after which a climber is at the top."""

Value = Callable[[int], float]
"""What going to a region is worth."""


class NeverPays(HeuristicBot):
    """Pays neither salaries nor bribes."""

    def pay(self, state: State, seat: int, rng: Random) -> tuple[int, ...]:
        del rng
        return (0,) * len(state.slots(seat))


class GreedyRival(NeverPays):
    """Goes where most diamonds lie, or home with more than that, and bids half of what they are worth to it."""

    def move(self, state: State, seat: int, space: OrdersSpace, rng: Random) -> Orders:
        del rng
        targets = destinations(state, seat, lambda region: state.diamonds[region], 1.0)
        share = price(state, cash_of(state, seat)) / 2
        return bids(state, space, targets, lambda region: round(share * state.diamonds[region]))


class Hoarding(NeverPays):
    """Brings home whatever it carries, bids a dollar, keeps its diamonds and its money: up to the last month."""

    def move(self, state: State, seat: int, space: OrdersSpace, rng: Random) -> Orders:
        if not state.months_left:
            return super().move(state, seat, space, rng)
        targets = destinations(state, seat, lambda region: state.diamonds[region], 99.0)
        return bids(state, space, targets, lambda region: 1)

    def sale(self, state: State, seat: int, rng: Random) -> int:
        del state, seat, rng
        return 0


class Spendthrift(HeuristicBot):
    """Spends all its money every month, shared by the diamonds where it goes, and sells two diamonds for more."""

    def move(self, state: State, seat: int, space: OrdersSpace, rng: Random) -> Orders:
        planned = super().move(state, seat, space, rng)
        left = cash_of(state, seat) - space.cost(planned)
        stakes = [0 if order[0] == HOME else state.diamonds[order[0]] for order in planned]
        total = max(1, sum(stakes))
        return tuple(
            (to, payment + left * stake // total, bribe)
            for (to, payment, bribe), stake in zip(planned, stakes, strict=True)
        )

    def sale(self, state: State, seat: int, rng: Random) -> int:
        del rng
        return min(2, state.vault[seat])


class Paranoid(HeuristicBot):
    """Pays its agents well before all else, keeps away from the other side, and brings home every diamond at once."""

    def pay(self, state: State, seat: int, rng: Random) -> tuple[int, ...]:
        del rng
        left, amounts = cash_of(state, seat), []
        for slot in state.slots(seat):
            wanted = 0 if slot.bribe else SAFE - cast(int, state.salary[seat][slot.agent])
            amounts.append(min(left // 2, max(0, wanted)))
            left -= amounts[-1]
        return tuple(amounts)

    def move(self, state: State, seat: int, space: OrdersSpace, rng: Random) -> Orders:
        if not state.months_left:
            return super().move(state, seat, space, rng)
        theirs = {agent.at for agent in state.agents[other(seat)]}
        alone: Value = lambda region: state.diamonds[region] * (0.2 if region in theirs else 1.0)  # noqa: E731
        share = price(state, cash_of(state, seat)) / 3
        return bids(
            state, space, destinations(state, seat, alone, 99.0), lambda region: 1 + int(share * state.diamonds[region])
        )


class Bribing(HeuristicBot):
    """Bribes whomever it meets with a lot at once, and pays its own agents nothing."""

    def pay(self, state: State, seat: int, rng: Random) -> tuple[int, ...]:
        del rng
        left, amounts, known = cash_of(state, seat), [], knowledge_of(state, seat)
        for slot in state.slots(seat):
            amounts.append(min(left, LARGE) if slot.bribe and not known.turned[slot.agent] else 0)
            left -= amounts[-1]
        return tuple(amounts)


class Deceiving(HeuristicBot):
    """Once an agent of the other side tells it something, it plans regions other than those to which it goes."""

    def move(self, state: State, seat: int, space: OrdersSpace, rng: Random) -> Orders:
        wanted = super().move(state, seat, space, rng)
        if state.step is not RoundStep.PLAN or not any(knowledge_of(state, seat).turned):
            return wanted
        view = outlook(state, seat)
        decoys = [
            orders for orders in (draft(view, seat, rng) for _ in range(MOST.drafts)) if not space.violation(orders)
        ]
        return min(decoys, key=lambda orders: (_in_common(orders, wanted), -space.cost(orders)), default=wanted)


class Restless(HeuristicBot):
    """Whenever it may adjust its plan, it does something else."""

    def move(self, state: State, seat: int, space: OrdersSpace, rng: Random) -> Orders:
        planned = state.plan[seat]
        if state.step is RoundStep.PLAN or not isinstance(planned, tuple):
            return super().move(state, seat, space, rng)
        judge = MoveJudge(state, seat, MOST.replies, rng)
        drafts = [draft(judge.view, seat, rng) for _ in range(MOST.drafts)]
        legal = [orders for orders in drafts if space.violation(orders) is None] or [space.stay()]
        fewest = min(_in_common(orders, planned) for orders in legal)
        return max((orders for orders in legal if _in_common(orders, planned) == fewest), key=judge)


class Climbing(HeuristicBot):
    """Begins with its plan, or with any draft, and changes one agent's orders at a time as long as that gains."""

    def move(self, state: State, seat: int, space: OrdersSpace, rng: Random) -> Orders:
        judge = MoveJudge(state, seat, MOST.replies, rng)
        planned = state.plan[seat]
        begun = planned if isinstance(planned, tuple) else draft(judge.view, seat, rng)
        best = begun if space.violation(begun) is None else space.stay()
        reached, failures = judge(best), 0
        while failures < FAILURES:
            changed = _changed(best, state.inspector, rng)
            gained = judge(changed) if space.violation(changed) is None else reached
            if gained > reached:
                best, reached, failures = changed, gained, 0
            else:
                failures += 1
        return best


def _in_common(one: Orders, another: Orders) -> int:
    """Returns how many agents go to the same place."""
    return sum(first[0] == second[0] for first, second in zip(one, another, strict=True))


def _changed(orders: Orders, inspector: int, rng: Random) -> Orders:
    """Returns the orders with another destination, payment or bribe of one agent."""
    agent = rng.randrange(AGENTS)
    to, payment, bribe = orders[agent]
    what = rng.randrange(3)
    if what == 0:
        to = rng.randrange(HOME + 1)
        payment, bribe = (0 if to == HOME else 1 + rng.randrange(8)), (bribe if to == inspector else 0)
    elif what == 1:
        payment = max(0, payment + rng.choice((-3, -1, 1, 3, 6)))
    else:
        bribe = max(0, bribe + rng.choice((-1, 1, 3)))
    return *orders[:agent], (to, payment, bribe), *orders[agent + 1 :]


def destinations(state: State, seat: int, value: Value, home: float) -> list[int]:
    """Returns where each agent in turn gets most: in a region that is free by its `value`, at home by `home` for each
    diamond that it carries.
    """
    left, targets = cash_of(state, seat), []
    taken = {agent.at for agent in state.agents[seat]}
    for at, carries in state.agents[seat]:
        free = [to for to in range(HOME) if to == at or to not in taken]
        near = [to for to in [*free, HOME] if trip_cost(at, to) <= left]
        best = max(near, key=lambda to: home * carries if to == HOME else value(to) - 0.1 * trip_cost(at, to))
        taken = (taken - {at}) | {best}
        left -= trip_cost(at, best)
        targets.append(best)
    return targets


def bids(state: State, space: OrdersSpace, targets: list[int], bid: Callable[[int], int]) -> Orders:
    """Returns orders to go there with these bids, as far as the money goes; in the last month it is shared out."""
    left = cash_of(state, space.seat) - sum(map(trip_cost, space.at, targets))
    orders: list[Order] = []
    for number, to in enumerate(targets):
        payment = 0
        if to != HOME and state.diamonds[to]:
            payment = min(left, bid(to)) if state.months_left else left // (AGENTS - number)
        left -= payment
        orders.append((to, payment, 0))
    return tuple(orders)


RIVALS: Final[dict[str, Callable[[int], HeuristicBot]]] = {
    "greedy": partial(GreedyRival, MOST),
    "hoarding": partial(Hoarding, MOST),
    "spendthrift": partial(Spendthrift, MOST),
    "paranoid": partial(Paranoid, MOST),
    "trusting": partial(NeverPays, MOST._replace(recalls=False, adjusts=False)),
    "bribing": partial(Bribing, MOST),
    "deceiving": partial(Deceiving, MOST),
    "unmoved": partial(HeuristicBot, MOST._replace(adjusts=False)),
    "restless": partial(Restless, MOST),
    "climbing": partial(Climbing, MOST),
}
"""By name, each made from a seed."""
