"""What a seat may believe: sampled worlds in which everything that it has observed could have happened.

Hidden from a seat is what the other side paid and to whom: its cash, its agents' salaries, the bribes on one's own
agents and who handed the last of them. A world is one history of such payments. It is drawn payment by payment, within
bounds that follow from what was seen later: money spent since, agents that told something or did not, changed orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

import numpy as np

from kimberley.games.diamond_trust.angola import AGENTS, MOST_MONEY, SEATS, other
from kimberley.games.diamond_trust.bots.history import History, ObservedRound, PossiblePayment
from kimberley.games.diamond_trust.bots.simulator import NOBODY, Games, Real, Whole
from kimberley.games.diamond_trust.position import TrustPosition

SPARE: Final = (2, 8, 32)
"""How many worlds are drawn for each that is wanted, since some contradict what was seen; the next number is tried only
if all do.
"""
SALARY_FIRST: Final = 0.7
SALARY_MORE: Final = 0.25
BRIBE: Final = 0.4
"""How likely a payment is: a salary to an agent that has none, to one that has some, a bribe."""
LITTLE: Final = 8
"""Where a side had fewer dollars than this after its public costs, it is less likely to have paid, in proportion."""
TYPICAL: Final = 2.5
"""Dollars of a payment beyond the first, on average."""


class Bounds:
    """By round, the least and greatest value of a total after the round's pay phase."""

    def __init__(self, rounds: int) -> None:
        self.least = [0] * rounds
        self.most = [MOST_MONEY] * rounds

    def exactly(self, number: int, amount: int) -> None:
        """Notes that the total after the pay phase of round `number` is known: `amount` dollars."""
        self.least[number] = self.most[number] = min(max(amount, 0), MOST_MONEY)

    def close(self) -> None:
        """Lowers upper bounds to later ones, since totals never fall. Where bounds contradict each other, the later one
        counts.
        """
        for number in range(len(self.most) - 2, -1, -1):
            self.most[number] = min(self.most[number], self.most[number + 1])
        self.least = [min(low, high) for low, high in zip(self.least, self.most, strict=True)]


class Evidence:
    """All bounds that a history sets: `salary` by agent of the other side, `bribes` by one's own agent, and `spent`."""

    def __init__(self, rounds: Sequence[ObservedRound]) -> None:
        self.rounds = rounds
        length = len(rounds)
        self.salary = [Bounds(length) for _ in range(AGENTS)]
        self.bribes = [Bounds(length) for _ in range(AGENTS)]
        self.spent = Bounds(length)
        self.last: list[tuple[int, int, int, bool]] = []
        """(round, one's own agent, agent of the other side, whether that one was the last to bribe it)."""
        self.never: set[tuple[int, PossiblePayment]] = set()
        """Payments that were nothing: (round, slot)."""
        for number, seen in enumerate(rounds):
            self._read(number, seen)
        for bounds in (*self.salary, *self.bribes, self.spent):
            bounds.close()
        self.binding: list[tuple[int, Whole]] = []
        """The rounds at which some total must have grown, with the least of all totals: salaries, then bribes."""
        before = [0] * (2 * AGENTS)
        for number in range(length):
            least = [bounds.least[number] for bounds in (*self.salary, *self.bribes)]
            if any(now > then for now, then in zip(least, before, strict=True)):
                self.binding.append((number, np.array(least, np.int16)[:, None]))
                before = least

    def _read(self, number: int, seen: ObservedRound) -> None:
        self.spent.most[number] = max(seen.room, 0)
        if seen.spent is not None:
            self.spent.exactly(number, seen.spent)
        for agent, payload in seen.told.items():
            if payload is None:
                self.salary[agent].least[number] = seen.own_bribes[agent]
                continue
            salary, totals, _ = payload
            self.salary[agent].exactly(number, salary)
            for own, total in enumerate(totals):
                self.last.append((number, own, agent, total is not None))
                if total is not None:
                    self.bribes[own].exactly(number, total)
                self._rule_out(number, own, agent, total is not None)

    def _rule_out(self, number: int, own: int, agent: int, was_last: bool) -> None:
        """Notes that the latest payments were nothing: those of the others if the agent bribed last, else its own."""
        for before in range(number, -1, -1):
            for slot in self.rounds[before].slots:
                if slot.bribe and slot.agent == own:
                    if (slot.by == agent) == was_last:
                        return
                    self.never.add((before, slot))


class Draw:
    """Worlds in the making: by agent and world, what the other side has paid so far; by world, how often that
    contradicts the evidence.
    """

    def __init__(self, evidence: Evidence, size: int, rng: np.random.Generator) -> None:
        self.evidence = evidence
        self.size = size
        self.rng = rng
        self.totals: Whole = np.zeros((2 * AGENTS, size), np.int16)
        self.salary, self.bribes = self.totals[:AGENTS], self.totals[AGENTS:]
        self.last: Whole = np.full((AGENTS, size), NOBODY, np.int16)
        self.spent: Whole = np.zeros(size, np.int16)
        self.misfits: Whole = np.zeros(size, np.int16)
        for number, seen in enumerate(evidence.rounds):
            self._pay(number, seen)
            self._check(number, seen)

    def _pay(self, number: int, seen: ObservedRound) -> None:
        wealth: Real = np.clip(seen.room - self.spent, 0, LITTLE).astype(np.float32) / np.float32(LITTLE)
        amounts = {slot: self._amount(number, slot, wealth) for slot in seen.slots}
        if seen.spent is not None and seen.slots:
            self._meet(number, amounts)
        for slot, amount in amounts.items():
            if slot.bribe:
                self.last[slot.agent][amount > 0] = slot.by

    def _total(self, slot: PossiblePayment) -> Whole:
        total: Whole = (self.bribes if slot.bribe else self.salary)[slot.agent]
        return total

    def _owed(self, number: int, slot: PossiblePayment) -> list[Whole]:
        """Returns what the totals of other slots must still rise by, for each round whose bounds bind."""
        own = slot.agent + AGENTS * slot.bribe
        owed = []
        for _, least in self._binding(number):
            missing = np.maximum(least - self.totals, 0)
            owed.append(missing.sum(axis=0, dtype=np.int16) - missing[own])
        return owed

    def _binding(self, number: int) -> list[tuple[int, Whole]]:
        return [(bound, least) for bound, least in self.evidence.binding if bound >= number]

    def _bounds(self, slot: PossiblePayment) -> Bounds:
        return (self.evidence.bribes if slot.bribe else self.evidence.salary)[slot.agent]

    def _range(self, number: int, slot: PossiblePayment) -> tuple[Whole, Whole]:
        """Returns the least and the most that may still be added to a slot's total in this round."""
        bounds, total = self._bounds(slot), self._total(slot)
        spent = self.evidence.spent
        room = np.minimum(bounds.most[number] - total, spent.most[number] - self.spent)
        for (bound, _), owed in zip(self._binding(number), self._owed(number, slot), strict=True):
            room = np.minimum(room, spent.most[bound] - self.spent - owed)
        most = np.zeros_like(room) if (number, slot) in self.evidence.never else np.maximum(room, 0)
        return np.minimum(np.maximum(bounds.least[number] - total, 0), most), most

    def _amount(self, number: int, slot: PossiblePayment, wealth: Real) -> Whole:
        least, most = self._range(number, slot)
        likely = wealth * (BRIBE if slot.bribe else np.where(self._total(slot) == 0, SALARY_FIRST, SALARY_MORE))
        drawn = 1 + self.rng.exponential(TYPICAL, self.size).astype(np.int16)
        wanted = np.where(self.rng.random(self.size) < likely, drawn, 0)
        amount: Whole = np.clip(wanted, least, most).astype(np.int16)
        self._add(slot, amount)
        return amount

    def _add(self, slot: PossiblePayment, amount: Whole) -> None:
        self._total(slot)[:] += amount
        self.spent += amount

    def _meet(self, number: int, amounts: dict[PossiblePayment, Whole]) -> None:
        """Changes the round's amounts so that the total sealed is what was told."""
        bounds = self.evidence.spent
        for place in self.rng.permutation(len(amounts)):
            slot = list(amounts)[place]
            self._add(slot, -amounts[slot])
            least, most = self._range(number, slot)
            amounts[slot] = np.clip(bounds.least[number] - self.spent, least, most).astype(np.int16)
            self._add(slot, amounts[slot])

    def _check(self, number: int, seen: ObservedRound) -> None:
        evidence = self.evidence
        for totals, bounds in ((self.salary, evidence.salary), (self.bribes, evidence.bribes)):
            for total, bound in zip(totals, bounds, strict=True):
                if bound.least[number]:
                    self.misfits += total < bound.least[number]
        self.misfits += (self.spent < evidence.spent.least[number]) | (self.spent > evidence.spent.most[number])
        for told_in, own, agent, was_last in evidence.last:
            if told_in == number:
                self.misfits += (self.last[own] == agent) != was_last
        if seen.adjusted:
            self.misfits += (self.bribes <= np.array(seen.own_salary)[:, None]).all(axis=0)


def worlds(history: History, position: TrustPosition, count: int, rng: np.random.Generator) -> Games:
    """Returns `count` worlds that fit the history of `history.seat`, at its `position`. If nothing fits, because what
    was told was false, the nearest worlds are returned.
    """
    seat, rival = history.seat, other(history.seat)
    evidence = Evidence(history.rounds)
    for spare in SPARE:
        draw = Draw(evidence, spare * count, rng)
        if not draw.misfits.min():
            break
    chosen = np.resize(np.flatnonzero(draw.misfits == draw.misfits.min()), count)

    def by_seat(own: Sequence[int], theirs: Whole) -> Whole:
        rows = np.empty((2, AGENTS, count), np.int16)
        rows[seat] = np.array(own, np.int16)[:, None]
        rows[rival] = theirs
        return rows

    cash = _same(position.limit, count)
    cash[seat] -= cast(int, position.spent[seat])
    cash[rival] = np.maximum(cash[rival] - draw.spent[chosen], 0)
    salary = by_seat(cast(Sequence[int], position.salary[seat]), draw.salary[:, chosen])
    # By seat of the bribed agents: known for the other side's, drawn for one's own.
    bribes = by_seat((0,) * AGENTS, np.array(position.bribes[rival], np.int16)[:, None])
    bribes[seat] = draw.bribes[:, chosen]
    last = by_seat(
        (0,) * AGENTS, np.array([NOBODY if by is None else by for by in position.last_briber[rival]])[:, None]
    )
    last[seat] = draw.last[:, chosen]
    return _games(position, count, cash=cash, salary=salary, bribes=bribes, last_briber=last)


def true_worlds(position: TrustPosition, count: int) -> Games:
    """Returns the one true world `count` times; nothing in `position` may be hidden."""
    briber = [[NOBODY if by is None else by for by in side] for side in position.last_briber]
    cash = [position.cash(seat) for seat in range(SEATS)]
    amounts = {"cash": cash, "salary": position.salary, "bribes": position.bribes, "last_briber": briber}
    return _games(position, count, **{name: _same(amount, count) for name, amount in amounts.items()})


def _same(rows: object, count: int) -> Whole:
    return np.repeat(np.array(rows, np.int16)[..., None], count, axis=-1)


def _games(position: TrustPosition, count: int, **hidden: Whole) -> Games:
    """Returns games at a position; `hidden` has by name what is hidden in it."""
    payment: tuple[tuple[int, ...], ...] = ((0,) * AGENTS,) * SEATS
    if position.moved is not None:
        payment = tuple(tuple(order[1] for order in orders) for orders in position.moved.orders)
    public = {
        "inspector": position.inspector,
        "diamonds": (*position.diamonds, 0),
        "at": [[agent.at for agent in side] for side in position.agents],
        "carries": [[agent.carries for agent in side] for side in position.agents],
        "vault": position.vault,
        "payment": payment,
    }
    return Games(position.months_left, hidden | {name: _same(rows, count) for name, rows in public.items()})
