"""A bot for Diamond Trust of London that follows rules of thumb. It knows only what its seat knows.

For a move it drafts orders for both sides, plays them against each other, and takes the orders that do best on average.
What turned agents tell is fixed in the other side's drafts. The other choices follow simple rules with some randomness.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple, TypeVar, cast

from kimberley.games.diamond_trust.angola import HOME, NO_SALE, REGIONS, SEATS, Orders, income, other
from kimberley.games.diamond_trust.bots.foresight import BLOCKED, draft, outlook, price, worth
from kimberley.games.diamond_trust.bots.thrift import spared
from kimberley.games.diamond_trust.knowledge import Knowledge, Unknown
from kimberley.games.diamond_trust.position import PayableAgent
from kimberley.games.diamond_trust.rules import State
from kimberley.games.diamond_trust.spaces import NumberSpace, OrdersSpace
from kimberley.games.table import Amounts, Decide, Hidden, Observation, Plain, evolve, space_for

T = TypeVar("T")

SALARY: Final = 3
"""A salary that the player is content with."""
BRIBES: Final = 6
"""The most that it pays one agent in bribes."""
OFFERS: Final = (0, 1, 1, 2)
"""The amounts from which a salary or a bribe is drawn."""
SALES: Final = ((0, 0.6), (1, 0.3), (2, 0.1))
"""How many diamonds the other side sells, and how likely that is, where nobody tells."""


class Skill(NamedTuple):
    """How well the rules are followed.

    `drafts` are its own for a move, `replies` those of the other side that each is played against. One that does not
    `recall` acts as if no agent had ever told it anything. One that does not `adjust` keeps what it planned. `bribes`
    is how likely it is to pay a bribe that the rules call for.
    """

    drafts: int
    replies: int
    recalls: bool = True
    adjusts: bool = True
    bribes: float = 1.0


FEWEST: Final = Skill(9, 5)
MOST: Final = Skill(27, 17)


class HeuristicBot:
    """Chooses from an observation alone; the same seed and observation give the same choice.

    Other players of simple rules (`tests.lab.diamond_trust.rivals`) decide some of the four kinds of choices otherwise:
    what to pay, how to move, where the Inspector goes, and what to sell.
    """

    def __init__(self, skill: Skill, seed: int) -> None:
        self._skill = skill
        self._seed = seed

    def choose(self, observation: Observation) -> Plain:
        """Returns a legal choice. Raises ValueError if nothing is asked of the observation's seat."""
        state, seat = self._recalled(cast(State, observation.state), observation.seat), observation.seat
        rng = Random(f"{self._seed} {seat} {len(observation.story)}")
        ask = state.ask()
        match space_for(ask, seat):
            case Amounts():
                return self.pay(state, seat, rng)
            case OrdersSpace() as space:
                return space.exactly or self._planned(state.plan[seat]) or self.move(state, seat, space, rng)
            case NumberSpace() as space:
                planned = self._planned(state.sale_plan[seat]) if space.exactly is None else space.exactly
                return self.sale(state, seat, rng) if planned is None else planned
            case None:
                raise ValueError(f"seat {seat} has nothing to choose at {state.step.value!r}")
        assert isinstance(ask, Decide)
        return self.inspect(state, seat)

    def _recalled(self, state: State, seat: int) -> State:
        """Returns the state, without what the seat was told if the bot does not recall that."""
        if self._skill.recalls:
            return state
        return evolve(state, known=tuple(Knowledge() if side == seat else state.known[side] for side in range(SEATS)))

    def _planned(self, plan: T | Hidden | None) -> T | None:
        """Returns what was planned, if the bot keeps to it whatever it was told since; else None."""
        return None if self._skill.adjusts or isinstance(plan, Hidden) else plan

    def pay(self, state: State, seat: int, rng: Random) -> tuple[int, ...]:
        """Returns what each agent that can be paid gets: small salaries where little was paid or an agent is known to
        be turned, and small bribes to agents that are met.
        """
        left = cash_of(state, seat) // 3
        amounts = []
        for slot in state.slots(seat):
            amount = min(left, _offer(state, seat, slot, rng))
            if slot.bribe and self._skill.bribes < 1 and rng.random() >= self._skill.bribes:
                amount = 0
            left -= amount
            amounts.append(amount)
        return tuple(amounts)

    def move(self, state: State, seat: int, space: OrdersSpace, rng: Random) -> Orders:
        """Returns a plan, or adjusted orders: the best of its drafts."""
        judge = MoveJudge(state, seat, self._skill.replies, rng)
        drafts = [draft(judge.view, seat, rng) for _ in range(self._skill.drafts)]
        legal = [orders for orders in drafts if space.violation(orders) is None] or [space.stay()]
        return cast(Orders, spared(state, seat, max(legal, key=judge)))

    def inspect(self, state: State, seat: int) -> int:
        """Returns the region to which the Inspector goes: where the other side loses most and one's own side least."""
        rival = other(seat)

        def harm(region: int) -> float:
            preview = state.inspector_preview(region)
            harm = float(sum(preview.confiscates[rival]) - sum(preview.confiscates[seat]))
            if preview.blocks.winner is not None:
                harm += BLOCKED * preview.blocks.diamonds * (1 if preview.blocks.winner == rival else -1)
            return harm

        return max(range(len(REGIONS)), key=lambda region: (harm(region), region == state.inspector))

    def sale(self, state: State, seat: int, rng: Random) -> int:
        """Returns how many diamonds to sell: the number that pays best for what a diamond is worth, against a told sale
        or a likely one.
        """
        rival_sale = knowledge_of(state, seat).sale
        sales = SALES if rival_sale is None else ((rival_sale, 1.0),)
        diamond = price(state, cash_of(state, seat)) * (1 if rival_sale is not None else rng.uniform(0.5, 1.5))

        def gain(number: int) -> float:
            earned = sum(chance * income((number, theirs))[0] for theirs, chance in sales)
            return earned - NO_SALE - number * diamond

        return max(range(min(state.vault[seat], HOME) + 1), key=gain)


class MoveJudge:
    """Judges orders: what they bring in diamonds, against a number of drafts of the other side."""

    def __init__(self, state: State, seat: int, replies: int, rng: Random) -> None:
        self.view = outlook(state, seat)
        self._seat = seat
        plans = knowledge_of(state, seat).plans
        self._replies = [draft(self.view, other(seat), rng, plans) for _ in range(replies)]

    def __call__(self, orders: Orders) -> float:
        if self._seat == 0:
            return sum(worth(self.view, 0, (orders, reply)) for reply in self._replies)
        return sum(worth(self.view, 1, (reply, orders)) for reply in self._replies)


def knowledge_of(state: State, seat: int) -> Knowledge:
    """Returns what a seat was told, from its own state."""
    return cast(Knowledge, state.known[seat])


def cash_of(state: State, seat: int) -> int:
    """Returns the dollars of a seat, from its own state."""
    return cast(int, state.cash(seat))


def _offer(state: State, seat: int, slot: PayableAgent, rng: Random) -> int:
    known = knowledge_of(state, seat)
    if slot.bribe:
        paid = cast(int, state.bribes[other(seat)][slot.agent])
        return 0 if known.turned[slot.agent] or paid >= BRIBES else rng.choice(OFFERS)
    salary, bribes = cast(int, state.salary[seat][slot.agent]), known.bribes[slot.agent]
    if not isinstance(bribes, Unknown) and bribes.amount > salary:
        missing = bribes.amount - salary
        return missing + rng.choice(OFFERS) if missing <= SALARY else 0
    return rng.choice(OFFERS) if salary < SALARY and state.months_left else 0
