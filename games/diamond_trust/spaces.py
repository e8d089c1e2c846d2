"""The choices and the tells of Diamond Trust of London.

Every space judges only by its own fields. Data of any shape gets a reason from `violation`, never an exception.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, cast

from kimberley.games.diamond_trust.angola import (
    AGENTS,
    HOME,
    MOST_MONEY,
    REGIONS,
    Order,
    Orders,
    order_cost,
    place_name,
    trip_cost,
)
from kimberley.games.table import Plain, Unreadable


def _whole(value: Any) -> bool:
    return type(value) is int


class _Readable:
    """A space whose `violation` calls `read`, then `broken_rule`."""

    def read(self, plain: Plain) -> Plain:
        raise NotImplementedError

    def broken_rule(self, choice: Any) -> str | None:
        raise NotImplementedError

    def violation(self, choice: Plain) -> str | None:
        try:
            read = self.read(choice)
        except Unreadable as error:
            return str(error)
        return self.broken_rule(read)

    def cost(self, choice: Plain) -> int:
        return 0


@dataclass(frozen=True)
class NumberSpace(_Readable):
    """A whole number from 0 to `most`, or `exactly` one where the seat may not change its plan."""

    most: int
    exactly: int | None = None

    @property
    def bound(self) -> bool:
        return self.exactly is not None or self.most == 0

    def read(self, plain: Plain) -> Plain:
        if not _whole(plain):
            raise Unreadable("expected a whole number")
        return plain

    def broken_rule(self, choice: int) -> str | None:
        if not 0 <= choice <= self.most:
            return f"{choice} is not between 0 and {self.most}"
        if self.exactly is not None and choice != self.exactly:
            return f"your choice was {self.exactly} and cannot be changed now"
        return None

    def pick(self, rng: Random) -> Plain:
        return rng.randint(0, self.most) if self.exactly is None else self.exactly


@dataclass(frozen=True)
class RegionSpace(_Readable):
    """A region of Angola: where the Inspector goes, or stays."""

    def read(self, plain: Plain) -> Plain:
        if not _whole(plain):
            raise Unreadable("expected the number of a region")
        return plain

    def broken_rule(self, choice: int) -> str | None:
        return None if 0 <= choice < HOME else f"the Inspector can only be in regions 0 to {HOME - 1}"

    def pick(self, rng: Random) -> Plain:
        return rng.randrange(HOME)


def _read_order(plain: Any) -> Order:
    if type(plain) is not tuple or len(plain) != 3 or not all(map(_whole, plain)):
        raise Unreadable("an agent’s orders are destination, payment and Inspector bribe, three whole numbers")
    return plain


def _order_forbidden(order: Order, seat: int, inspector: int) -> str | None:
    to, payment, bribe = order
    if not 0 <= to <= HOME:
        return f"destinations are the regions 0 to {HOME - 1} and home, {HOME}"
    if payment < 0 or bribe < 0:
        return "a payment cannot be negative"
    if to == HOME and payment:
        return f"there are no diamonds to pay for in {place_name(HOME, seat)}"
    if bribe and to != inspector:
        return f"the Inspector is not in {place_name(to, seat)}"
    return None


@dataclass(frozen=True)
class OrdersSpace(_Readable):
    """Orders for a side's three agents: ((to, payment, inspector_bribe), ...) in the order of the agents.

    `at` is where they stand, `inspector` where he stands. `most` is the cash of the side where that is known, else the
    public limit on it, since what the choice costs is then proven to be within the limit. `exactly` holds the plan
    where the side may not change it.
    """

    seat: int
    at: tuple[int, ...]
    inspector: int
    most: int
    exactly: Orders | None = None

    @property
    def bound(self) -> bool:
        return self.exactly is not None

    def read(self, plain: Plain) -> Plain:
        if type(plain) is not tuple or len(plain) != AGENTS:
            raise Unreadable(f"expected orders for {AGENTS} agents")
        return tuple(_read_order(order) for order in plain)

    def broken_rule(self, choice: Orders) -> str | None:
        if self.exactly is not None:
            return None if choice == self.exactly else "your orders stand: they cannot be changed now"
        taken = 0
        for order in choice:
            forbidden = _order_forbidden(order, self.seat, self.inspector)
            if forbidden:
                return forbidden
            bit = 1 << order[0]
            if order[0] != HOME and taken & bit:
                return f"only one agent of each side can be in {REGIONS[order[0]]}"
            taken |= bit
        cost = self.cost(choice)
        return f"this costs ${cost}; you have ${self.most}" if cost > self.most else None

    def cost(self, choice: Plain) -> int:
        return sum(map(order_cost, self.at, cast(Orders, choice)))

    def stay(self) -> Orders:
        """Returns the orders that cost nothing: everyone stays."""
        return tuple((place, 0, 0) for place in self.at)

    def pick(self, rng: Random) -> Plain:
        if self.exactly is not None:
            return self.exactly
        orders = list(self.stay())
        left = self.most
        for agent in rng.sample(range(AGENTS), AGENTS):
            taken = {order[0] for order in orders} - {HOME, self.at[agent]}
            to = rng.choice([to for to in range(HOME + 1) if to not in taken])
            if trip_cost(self.at[agent], to) > left:
                to = self.at[agent]
            left -= trip_cost(self.at[agent], to)
            payment = rng.randint(0, min(left, rng.choice((3, 8, left)))) if to != HOME else 0
            left -= payment
            bribe = rng.randint(0, min(left, 6)) if to == self.inspector else 0
            left -= bribe
            orders[agent] = (to, payment, bribe)
        return tuple(orders)


def _amount(value: Any, least: int = 0, most: int = MOST_MONEY) -> bool:
    return _whole(value) and least <= value <= most


@dataclass(frozen=True)
class PayTellSpace(_Readable):
    """What a turned agent tells after the pay phase: (salary, (bribes on each agent of the other side), cash).

    `salary` is its own total. A total of bribes stands for each agent that the teller was the last to bribe, None for
    the others. `cash` is its owner's, None unless the teller is at home.
    """

    at_home: bool

    def read(self, plain: Plain) -> Plain:
        match plain:
            case (salary, tuple(bribes), cash) if type(plain) is tuple and type(bribes) is tuple:
                if len(bribes) == AGENTS and _whole(salary) and all(n is None or _whole(n) for n in (*bribes, cash)):
                    return plain
        raise Unreadable("expected a salary, three totals of bribes or none, and cash or none")

    def broken_rule(self, choice: Any) -> str | None:
        salary, bribes, cash = choice
        if not _amount(salary) or not all(total is None or _amount(total, 1) for total in bribes):
            return f"an amount is out of the range 0 to {MOST_MONEY}"
        if not (_amount(cash) if self.at_home else cash is None):
            return "cash is revealed only at home"
        return None

    def pick(self, rng: Random) -> Plain:
        bribes = tuple(rng.choice((None, rng.randint(1, MOST_MONEY))) for _ in range(AGENTS))
        return rng.randint(0, MOST_MONEY), bribes, rng.randint(0, MOST_MONEY) if self.at_home else None


@dataclass(frozen=True)
class PlanTellSpace(_Readable):
    """What a turned agent tells of the planned move: its own orders, (to, payment, inspector_bribe)."""

    owner: int
    inspector: int
    most: int

    def read(self, plain: Plain) -> Plain:
        return _read_order(plain)

    def broken_rule(self, choice: Order) -> str | None:
        if choice[1] + choice[2] > self.most:
            return f"no side can pay more than ${self.most}"
        return _order_forbidden(choice, self.owner, self.inspector)

    def pick(self, rng: Random) -> Plain:
        to = rng.randint(0, HOME)
        payment = rng.randint(0, self.most) if to != HOME else 0
        return to, payment, rng.randint(0, self.most - payment) if to == self.inspector else 0


@dataclass(frozen=True)
class SaleTellSpace(_Readable):
    """What a turned agent tells of the planned sale: its owner's (cash, diamonds to sell), None unless at home."""

    at_home: bool
    vault: int

    def read(self, plain: Plain) -> Plain:
        if plain is None or (type(plain) is tuple and len(plain) == 2 and all(map(_whole, plain))):
            return plain
        raise Unreadable("expected cash and a number of diamonds, or none")

    def broken_rule(self, choice: tuple[int, int] | None) -> str | None:
        if (choice is not None) != self.at_home:
            return "the sale is revealed only at home"
        if choice is not None and not (_amount(choice[0]) and _amount(choice[1], 0, self.vault)):
            return f"cash is from 0 to {MOST_MONEY}, a sale from 0 to {self.vault}"
        return None

    def pick(self, rng: Random) -> Plain:
        return (rng.randint(0, MOST_MONEY), rng.randint(0, self.vault)) if self.at_home else None
