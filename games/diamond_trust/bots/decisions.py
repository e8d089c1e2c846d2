"""Every decision of the game as a search: the candidates, and how one is simulated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, cast

import numpy as np

from kimberley.games.diamond_trust.angola import AGENTS, HOME, SEATS, Order, Orders, other
from kimberley.games.diamond_trust.bots.policy import MOST_SOLD, OrderArrays, ToldOrders, spare
from kimberley.games.diamond_trust.bots.rollout import Rollout, RolloutPolicy
from kimberley.games.diamond_trust.bots.search import Rows, distinct
from kimberley.games.diamond_trust.bots.simulator import PLACES, TRIPS, Games, Index, Real, Truth, Whole
from kimberley.games.diamond_trust.knowledge import Knowledge
from kimberley.games.diamond_trust.position import RoundStep, TrustPosition

MARGIN: Final = np.float32(0.25)
SPREAD: Final = np.float32(8)
"""A lead in diamonds that counts for most of the margin."""
ELSEWHERE: Final = 0.4
"""How often a variation changes where an agent goes."""
REACH: Final = 4
"""The most dollars by which it changes what an agent pays."""
TRIED: Final = 3
"""For each variation that is wanted, this many are made: some are illegal, or the same."""
PARTS: Final = 3
"""How many numbers one agent's orders have."""


Judge: TypeAlias = Callable[[Games], Real]
"""How good games are for seat 0 where their simulation ended, from 0 to 1."""


def winning(games: Games, margin: np.float32 = MARGIN) -> Real:
    """Returns whether seat 0 has won, with a little weight on its lead in diamonds, which tells more where most choices
    win, or none.
    """
    return worth_of(games.outcome(), games.vault[0] - games.vault[1], margin)


def worth_of(outcome: Real, lead: Real | Whole, margin: np.float32 = MARGIN) -> Real:
    """Returns the same for a side, by its outcomes (1 for a win, 0.5 for a tie) and its leads in diamonds."""
    ahead = np.tanh(lead / SPREAD) * np.float32(0.5) + np.float32(0.5)
    value: Real = outcome * (1 - margin) + ahead * margin
    return value


class Decision:
    """One decision of `seat` at `position`, over `worlds` that it believes in.

    Both sides are played on by the `rollout`; candidates are drafted by each of the `drafters` in turn. Where they are
    `varied`, every other one of a payment or a move is a draft with something changed. `answer` is what the other side
    chooses in the same step, where that is known, as a row (`games.diamond_trust.bots.strategist.row_of_choice`).
    """

    def __init__(
        self,
        position: TrustPosition,
        seat: int,
        worlds: Games,
        rollout: Rollout,
        drafters: Sequence[RolloutPolicy],
        judge: Judge = winning,
        varied: bool = False,
        answer: Sequence[int] | None = None,
    ) -> None:
        self.position = position
        self.seat = seat
        self.worlds = worlds
        self.rollout = rollout
        self.drafters = drafters
        self.judge = judge
        self.varied = varied
        self.answer = None if answer is None else np.array(answer, np.int16)

    def drafts(self, most: int) -> Rows:
        """Returns at most `most` different candidates for the pending step, one in each row."""
        return {
            RoundStep.PAY: self._payments,
            RoundStep.PLAN: self._moves,
            RoundStep.MOVE: self._moves,
            RoundStep.INSPECT: self._regions,
            RoundStep.SALE_PLAN: self._sales,
            RoundStep.SALE: self._sales,
        }[self.position.step](most)

    @property
    def can_vary(self) -> bool:
        """Returns whether there are variations of a candidate: of payments and moves. All else is listed anyway."""
        return self.position.step in (RoundStep.PAY, RoundStep.PLAN, RoundStep.MOVE)

    def variations(self, rows: Rows, most: int) -> Rows:
        """Returns the candidates in `rows`, then others that differ from one of them in one thing: at most `most`."""
        repeated = np.resize(rows, (TRIED * most, rows.shape[1]))
        if self.position.step is RoundStep.PAY:
            games, _ = self._some(len(repeated))
            varied = self._other_payments(repeated, games.payable(games.meetings())[self.seat].T)
        else:
            varied = self._other_moves(repeated)
        return distinct(np.concatenate([rows, varied]), most)

    def trial(self, picked: Index, take: Index, rows: Rows) -> Real:
        """Plays choices out: see `games.diamond_trust.bots.search.Trial`."""
        tries = {
            RoundStep.PAY: self._try_payments,
            RoundStep.PLAN: self._try_plan,
            RoundStep.MOVE: self._try_orders,
            RoundStep.INSPECT: self._try_region,
            RoundStep.SALE_PLAN: self._try_sale_plan,
            RoundStep.SALE: self._try_sale,
        }[self.position.step]
        base, rollout = self.worlds.pick(picked), self.rollout.pick(picked)
        value = self.judge(tries(base, rollout, rollout.pick(take), take, rows))
        return value if self.seat == 0 else 1 - value

    def habit(self) -> list[int]:
        """Returns what the first drafter does, without a search."""
        play, noise, games, seat = self.drafters[0], self.rollout.noise, self.worlds, self.seat
        match self.position.step:
            case RoundStep.INSPECT:
                mover = np.full(games.size, seat, np.int16)
                row = play.inspect(games, mover, games.rival_payments(), noise)[:1]
            case RoundStep.SALE_PLAN:
                row = play.sale(games, noise)[seat, :1]
            case RoundStep.SALE if (rival_sale := self._known().sale) is not None:
                planned = np.full((SEATS, games.size), min(rival_sale, self.position.vault[other(seat)]), np.int16)
                row = play.answer(games, planned)[seat, :1]
            case RoundStep.SALE:
                row = np.array([self.position.sale_plan[seat]])
            case RoundStep.PAY:
                row = play.pay(games, games.meetings(), games.turned(), noise)[seat, :, 0]
            case _:
                orders = play.move(games, noise, self._told(games.size))
                row = np.stack([part[seat, :, 0] for part in orders], axis=1).reshape(-1)
        habit: list[int] = row.tolist()
        return habit

    # -- candidates ----------------------------------------------------------------------------------------------------

    def _some(self, count: int) -> tuple[Games, Index]:
        picked = np.arange(count) % self.worlds.size
        return self.worlds.pick(picked), picked

    def _payments(self, most: int) -> Rows:
        """Returns payments by one's own agents: salary at home, bribe abroad. Paying nothing is always among them."""
        rows = [np.zeros((1, AGENTS), np.int16)]
        games, picked = self._some(2 * most)
        meetings, turned = games.meetings(), games.turned()
        for drafter in self.drafters:
            drafts = drafter.pick(picked).pay(games, meetings, turned, self.rollout.noise)[self.seat].T
            rows.append(drafts)
            if self.varied:
                rows.append(self._other_payments(drafts, games.payable(meetings)[self.seat].T))
        return distinct(_interleaved(rows), most)

    def _other_payments(self, drafts: Rows, payable: Truth) -> Rows:
        """Returns the drafts with one payment changed, where that is legal."""
        count, noise = len(drafts), self.rollout.noise
        rows = drafts.copy()
        line = np.arange(count)
        agent = (noise.uniform(count) * AGENTS).astype(np.intp)
        rows[line, agent] = self._a_little_else(rows[line, agent])
        most = spare(self.worlds)[self.seat, 0]
        allowed: Rows = rows[payable[line, agent] & (rows.sum(axis=1) <= most)]
        return allowed

    def _moves(self, most: int) -> Rows:
        """Returns orders, three numbers for each agent; a plan that may be adjusted is among them."""
        rows = [_row(plan)] if (plan := self.position.plan[self.seat]) is not None else []
        games, picked = self._some(2 * most)
        reports = self._told(games.size)
        for drafter in self.drafters:
            orders = drafter.pick(picked).move(games, self.rollout.noise, reports)
            drafts = np.stack([part[self.seat] for part in orders], axis=1).reshape(AGENTS * PARTS, -1).T
            rows.append(drafts)
            if self.varied:
                rows.append(self._other_moves(drafts))
        return distinct(_interleaved(rows), most)

    def _other_moves(self, drafts: Rows) -> Rows:
        """Returns the drafts with one thing changed, what one agent pays or where it goes, where that is legal."""
        count, noise, position, seat = len(drafts), self.rollout.noise, self.position, self.seat
        rows = drafts.copy()
        line = np.arange(count)
        agent = (noise.uniform(count) * AGENTS).astype(np.intp) * PARTS
        moves = noise.uniform(count) < ELSEWHERE
        paid = self._a_little_else(rows[line, agent + 1])
        places = np.where(moves, (noise.uniform(count) * (HOME + 1)).astype(np.int16), rows[line, agent])
        rows[line, agent] = places
        rows[line, agent + 1] = np.where(places == HOME, 0, paid)
        rows[line, agent + 2] *= places == position.inspector
        to = rows[:, ::PARTS]
        at = np.array(position.places(seat), np.int16)
        costs = TRIPS.take(at * np.int16(PLACES) + to) + rows[:, 1::PARTS] + rows[:, 2::PARTS]
        legal = (costs.sum(axis=1) <= cast(int, position.cash(seat))) & apart(to)
        allowed: Rows = rows[legal]
        return allowed

    def _a_little_else(self, amounts: Rows) -> Rows:
        """Returns amounts of dollars, each changed by up to `REACH`; none below zero."""
        noise = self.rollout.noise
        change = np.sign(noise.uniform(amounts.size) - np.float32(0.5)) * (1 + noise.uniform(amounts.size) * REACH)
        changed: Rows = np.maximum(amounts + change.astype(np.int16), 0)
        return changed

    def _regions(self, _most: int) -> Rows:
        return np.arange(HOME, dtype=np.int16)[:, None]

    def _sales(self, _most: int) -> Rows:
        return np.arange(min(self.position.vault[self.seat], MOST_SOLD) + 1, dtype=np.int16)[:, None]

    # -- trials: the first answers of the other side are drawn once for each world, and shared ------------------------

    def _try_payments(self, base: Games, first: Rollout, rest: Rollout, take: Index, rows: Rows) -> Games:
        meetings = base.meetings()
        amounts = self._answered(first.play.pay(base, meetings, base.turned(), first.noise)).take(take, axis=-1)
        amounts[self.seat] = rows.T
        games = base.pick(take)
        games.pay(amounts, games.meetings())
        return rest.from_plan(games, rest.play.move(games, rest.noise))

    def _try_plan(self, base: Games, first: Rollout, rest: Rollout, take: Index, rows: Rows) -> Games:
        plan = self._ordered(first.play.move(base, first.noise))
        return rest.from_plan(base.pick(take), self._with_own(plan, take, rows))

    def _try_orders(self, base: Games, first: Rollout, rest: Rollout, take: Index, rows: Rows) -> Games:
        plan = first.play.move(base, first.noise)
        self._impose(plan)
        final = self._ordered(first.adjusted(base, plan, base.turned()))
        return rest.from_orders(base.pick(take), self._with_own(final, take, rows))

    def _try_region(self, base: Games, _first: Rollout, rest: Rollout, take: Index, rows: Rows) -> Games:
        return rest.from_inspector(base.pick(take), rows[:, 0])

    def _try_sale_plan(self, base: Games, first: Rollout, rest: Rollout, take: Index, rows: Rows) -> Games:
        planned = self._answered(first.play.sale(base, first.noise)).take(take, axis=-1)
        planned[self.seat] = rows[:, 0]
        return rest.from_sale_plan(base.pick(take), planned)

    def _try_sale(self, base: Games, first: Rollout, rest: Rollout, take: Index, rows: Rows) -> Games:
        planned = first.play.sale(base, first.noise)
        rival_sale = self._known().sale
        if rival_sale is not None:
            planned[other(self.seat)] = np.minimum(rival_sale, base.vault[other(self.seat)])
        planned[self.seat] = cast(int, self.position.sale_plan[self.seat])
        numbers = self._answered(first.final_sale(base, planned, base.turned())).take(take, axis=-1)
        numbers[self.seat] = rows[:, 0]
        return rest.from_sale(base.pick(take), numbers)

    # -- what is known of the other side's plan ------------------------------------------------------------------------

    def _known(self) -> Knowledge:
        return cast(Knowledge, self.position.known[self.seat])

    def _told(self, size: int) -> ToldOrders | None:
        """Returns what the other side's agents told of its plan, for a batch of that size."""
        plans: Sequence[Order | None] = self._known().plans
        if self.answer is not None:
            plans = _orders(self.answer)
        elif self.position.step is not RoundStep.MOVE or not any(plans):
            return None
        talks = np.zeros((2, AGENTS, size), bool)
        orders = OrderArrays(*(np.zeros((2, AGENTS, size), np.int16) for _ in range(PARTS)))
        for agent, order in enumerate(plans):
            if order is not None:
                talks[other(self.seat), agent] = True
                for part, number in zip(orders, order, strict=True):
                    part[other(self.seat), agent] = number
        return ToldOrders(talks, orders)

    def _answered(self, amounts: Whole) -> Whole:
        """Returns the amounts by seat, with what the other side chooses where that is known."""
        if self.answer is not None:
            amounts[other(self.seat)] = self.answer[:, None]
        return amounts

    def _ordered(self, orders: OrderArrays) -> OrderArrays:
        """Returns the orders by seat, with those of the other side where they are known."""
        if self.answer is not None:
            for agent, order in enumerate(_orders(self.answer)):
                _set(orders, other(self.seat), agent, order)
        return orders

    def _impose(self, plan: OrderArrays) -> None:
        """Puts the seat's own sealed plan, and what it was told of the other side's, into drawn plans."""
        for agent, order in enumerate(cast(tuple[Order, ...], self.position.plan[self.seat])):
            _set(plan, self.seat, agent, order)
        rival = other(self.seat)
        orders = {agent: order for agent, order in enumerate(self._known().plans) if order is not None}
        taken = [order[0] for order in orders.values() if order[0] != HOME]
        for agent in range(AGENTS):
            if agent in orders:
                _set(plan, rival, agent, orders[agent])
                continue
            clash = np.isin(plan.to[rival, agent], taken)
            plan.to[rival, agent][clash] = HOME
            plan.payment[rival, agent][clash] = 0
            plan.bribe[rival, agent][clash] = 0

    def _with_own(self, orders: OrderArrays, take: Index, rows: Rows) -> OrderArrays:
        taken = orders.pick(take)
        for number, part in enumerate(taken):
            part[self.seat] = rows[:, number::PARTS].T
        return taken


def apart(to: Rows) -> Truth:
    """Returns, by row, whether no two of a side's agents go to the same region."""
    apart: Truth = np.ones(len(to), bool)
    for one, two in ((0, 1), (0, 2), (1, 2)):
        apart &= (to[:, one] != to[:, two]) | (to[:, one] == HOME)
    return apart


def _set(orders: OrderArrays, seat: int, agent: int, order: Order) -> None:
    for part, number in zip(orders, order, strict=True):
        part[seat, agent] = number


def _orders(row: Rows) -> Orders:
    return tuple((int(to), int(payment), int(bribe)) for to, payment, bribe in row.reshape(AGENTS, PARTS))


def _row(plan: object) -> Rows:
    return np.array(plan, np.int16).reshape(1, AGENTS * PARTS)


def _interleaved(drafts: list[Rows]) -> Rows:
    """Returns the rows of all drafts, one from each in turn."""
    order = np.argsort(np.concatenate([np.arange(len(rows)) for rows in drafts]), kind="stable")
    rows: Rows = np.concatenate(drafts)[order]
    return rows
