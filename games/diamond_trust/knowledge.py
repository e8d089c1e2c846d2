"""What one side was told by agents that it turned, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from kimberley.games.diamond_trust.angola import AGENTS, HOME, Order
from kimberley.games.table import NOTHING, evolve


@dataclass(frozen=True)
class Unknown:
    """Nothing is known of an amount."""

    def __str__(self) -> str:
        return "?"


@dataclass(frozen=True)
class Exact:
    """The amount is known."""

    amount: int

    def __str__(self) -> str:
        return str(self.amount)


@dataclass(frozen=True)
class AtLeast:
    """The amount was known once and may have grown since."""

    amount: int

    def __str__(self) -> str:
        return f"≥ {self.amount}"


Estimate: TypeAlias = Unknown | Exact | AtLeast
"""What is known of an amount; `str` shows it as a player writes it: ?, 3 or ≥ 3."""

UNKNOWN: Final = Unknown()


def may_have_grown(estimate: Estimate) -> Estimate:
    """Returns what remains known of an amount after it may have grown unseen."""
    return AtLeast(estimate.amount) if isinstance(estimate, Exact) else estimate


@dataclass(frozen=True)
class Knowledge:
    """What a side knows of hidden things, by agent index where it is a tuple.

    `turned`, `salaries` and `plans` are of the other side's agents: whether the agent told something when it last could
    have, its total salary, its planned orders of this round. `bribes`, `bribers` and `told_bribes` are of one's own:
    the bribes paid to the agent, the agent of the other side that last bribed it, the total told in this round. `spent`
    is the total that the other side has sealed, which gives its cash; `sale` its planned sale: both as told in this
    round. `spent_before` is what it had sealed when that was last told, in an earlier round. `unseen` lists for each of
    one's own agents, in order, the agents of the other side that have met it and may have bribed it beyond what is
    known in `bribes`: where it is empty, nothing was added.
    """

    turned: tuple[bool, ...] = (False,) * AGENTS
    salaries: tuple[Estimate, ...] = (UNKNOWN,) * AGENTS
    bribes: tuple[Estimate, ...] = (UNKNOWN,) * AGENTS
    bribers: tuple[int | None, ...] = (None,) * AGENTS
    told_bribes: tuple[int | None, ...] = (None,) * AGENTS
    spent: int | None = None
    plans: tuple[Order | None, ...] = (None,) * AGENTS
    sale: int | None = None
    unseen: tuple[tuple[int, ...], ...] = ((),) * AGENTS
    spent_before: Estimate = UNKNOWN

    def above(self, agent: int, salary: int) -> bool | None:
        """Returns whether the bribes to one's own agent are known to exceed its salary; None where that is unknown."""
        estimate = self.bribes[agent]
        if isinstance(estimate, Unknown):
            return None
        if estimate.amount > salary:
            return True
        return False if isinstance(estimate, Exact) else None

    def new_round(self) -> Knowledge:
        """Returns what is still known when a round begins: plans, sale and cash are of their round alone."""
        before = self.spent_before if self.spent is None else Exact(self.spent)
        return evolve(
            self, told_bribes=(None,) * AGENTS, spent=None, spent_before=before, plans=(None,) * AGENTS, sale=None
        )

    def after_pay_tells(
        self, payloads: tuple[Any, ...], limit: int, own: tuple[int, ...], others: tuple[int, ...], paid: bool
    ) -> Knowledge:
        """Returns what is known after the other side's agents told of the pay phase, or did not.

        `payloads` holds a `PayTellSpace` payload or NOTHING for each of them; `limit` is their side's public limit;
        `own` and `others` are the places of both sides' agents, and `paid` says that the pay phase was not skipped.
        """
        turned = tuple(payload is not NOTHING for payload in payloads)
        salaries, bribes, bribers = list(self.salaries), list(self.bribes), list(self.bribers)
        told_bribes: list[int | None] = [None] * AGENTS
        spent, unseen = self.spent, [list(by) for by in self.unseen]
        could_pay = paid and any(place == HOME or place in own for place in others)
        before = may_have_grown(self.spent_before) if could_pay else self.spent_before
        for agent, place in enumerate(others):
            if not turned[agent]:
                if paid and place == HOME:
                    salaries[agent] = may_have_grown(salaries[agent])
                if paid and place != HOME and place in own:
                    met = own.index(place)
                    bribes[met] = may_have_grown(bribes[met])
            if paid and place != HOME and place in own:
                unseen[own.index(place)].append(agent)
        for briber, payload in enumerate(payloads):
            if payload is NOTHING:
                continue
            salary, totals, cash = payload
            salaries[briber] = Exact(salary)
            for agent, total in enumerate(totals):
                if total is not None:
                    bribes[agent], bribers[agent], told_bribes[agent] = Exact(total), briber, total
                    unseen[agent] = []
            if cash is not None:
                spent = limit - cash
        for by in unseen:
            # An agent that tells and names no bribe was not the last to pay one.
            while by and turned[by[-1]]:
                by.pop()
        return evolve(
            self,
            turned=turned,
            salaries=tuple(salaries),
            bribes=tuple(bribes),
            bribers=tuple(bribers),
            told_bribes=tuple(told_bribes),
            spent=spent,
            unseen=tuple(map(tuple, unseen)),
            spent_before=before,
        )

    def after_plan_tells(self, payloads: tuple[Any, ...]) -> Knowledge:
        """Returns what is known after the other side's agents told their planned orders, or NOTHING."""
        return evolve(
            self,
            turned=tuple(payload is not NOTHING for payload in payloads),
            plans=tuple(None if payload is NOTHING else payload for payload in payloads),
        )

    def after_sale_tells(self, payloads: tuple[Any, ...], limit: int) -> Knowledge:
        """Returns what is known after the other side's agents told the planned sale (None away from home), or
        NOTHING.
        """
        spent, sale = self.spent, self.sale
        for payload in payloads:
            if payload is not NOTHING and payload is not None:
                spent, sale = limit - payload[0], payload[1]
        return evolve(self, turned=tuple(payload is not NOTHING for payload in payloads), spent=spent, sale=sale)
