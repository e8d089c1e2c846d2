"""A position of Diamond Trust of London, what follows from it, and the outcomes of the last reveals.

One class serves the truth, a seat and a spectator: what a seat may not know is HIDDEN in its position. Tuples go by
seat, then by agent or region.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, TypeAlias, cast

from kimberley.games.diamond_trust.angola import (
    AGENTS,
    FIRST_MONTHS_LEFT,
    HOME,
    NOWHERE,
    REGIONS,
    SEATS,
    START_DIAMONDS,
    START_MONEY,
    Orders,
    other,
)
from kimberley.games.diamond_trust.knowledge import Knowledge
from kimberley.games.table import Hidden, Tally

BITS: Final = 8

SALARY: Final = tuple(tuple(Tally(seat, f"salary {k}", BITS) for k in range(AGENTS)) for seat in range(SEATS))
"""By seat: what it paid to each of its own agents."""
BRIBE: Final = tuple(tuple(Tally(seat, f"bribe {k}", BITS) for k in range(AGENTS)) for seat in range(SEATS))
"""By seat: what it paid to each of the other side's agents."""
SPENT: Final = tuple(Tally(seat, "spent", BITS) for seat in range(SEATS))
"""By seat: all that it sealed."""

Total: TypeAlias = int | Hidden
BothTotals: TypeAlias = tuple[tuple[Total, ...], ...]


class RoundStep(Enum):
    """What is pending; the value names the phase that a player sees."""

    INSPECTOR = "start"
    PAY = "pay"
    PAY_TOLD = "pay told"
    PLAN = "move"
    PLAN_TOLD = "move told"
    MOVE = "final move"
    INSPECT = "inspector"
    SALE_PLAN = "sale"
    SALE_TOLD = "sale told"
    SALE = "final sale"
    OPEN = "open"
    OVER = "over"


class Agent(NamedTuple):
    """An agent: its place (0..5 or HOME) and the diamonds that it carries."""

    at: int
    carries: int


class PayableAgent(NamedTuple):
    """An agent that a seat can pay: salary to its own `agent` at home, or a bribe to the other side's `agent`.

    `by` is the seat's own agent that meets it; at home the agent itself.
    """

    bribe: bool
    agent: int
    by: int
    tally: Tally


@dataclass(frozen=True)
class MoveResult:
    """The last move as it was revealed, by seat and agent, before the Inspector acted."""

    origins: tuple[tuple[int, ...], ...]
    orders: tuple[Orders, ...]
    trips: tuple[tuple[int, ...], ...]
    deposits: tuple[tuple[int, ...], ...]
    inspector: int
    inspector_bribes: tuple[int, ...]
    inspector_mover: int | None


@dataclass(frozen=True)
class RegionAuction:
    """The auction of a region: its diamonds, the payments by seat, and the seat that wins them unless blocked."""

    diamonds: int
    payments: tuple[int, ...]
    winner: int | None


@dataclass(frozen=True)
class CollectionResult:
    """What the Inspector and the auctions did after the last move: diamonds by seat and agent, and by region."""

    inspector: int
    confiscated: tuple[tuple[int, ...], ...]
    collected: tuple[tuple[int, ...], ...]
    regions: tuple[RegionAuction, ...]


@dataclass(frozen=True)
class SaleResult:
    """The last sale: diamonds and dollars by seat."""

    sold: tuple[int, ...]
    income: tuple[int, ...]


@dataclass(frozen=True)
class InspectorPreview:
    """What the Inspector does in a region: the diamonds he confiscates by seat and agent, and the sale he blocks."""

    confiscates: tuple[tuple[int, ...], ...]
    blocks: RegionAuction


_NO_AMOUNTS: Final[BothTotals] = ((0,) * AGENTS,) * SEATS
_NOBODY: Final[tuple[tuple[None, ...], ...]] = ((None,) * AGENTS,) * SEATS


@dataclass(frozen=True)
class TrustPosition:
    """The truth, or what a seat or a spectator knows of it.

    Hidden from the other seat are `spent` (the total of what it sealed), `salary` and `bribes` (totals of what was paid
    to its agents; bribes are unknown to the agents' own side), `last_briber` (the other side's agent that last bribed
    this one with more than $0, unknown to its own side), `plan`, `sale_plan`, `right` (to adjust) and `known`. `limit`
    is public: $18 and all income, less all public costs; cash is limit - spent. Also public is the most that can have
    been paid to an agent, since what its payer spent later was not paid to it: `most_salary` and `most_bribes`.
    """

    step: RoundStep = RoundStep.INSPECTOR
    months_left: int = FIRST_MONTHS_LEFT
    inspector: int = NOWHERE
    diamonds: tuple[int, ...] = (0,) * len(REGIONS)
    agents: tuple[tuple[Agent, ...], ...] = ((Agent(HOME, 0),) * AGENTS,) * SEATS
    vault: tuple[int, ...] = (START_DIAMONDS,) * SEATS
    limit: tuple[int, ...] = (START_MONEY,) * SEATS
    spent: tuple[Total, ...] = (0,) * SEATS
    salary: BothTotals = _NO_AMOUNTS
    bribes: BothTotals = _NO_AMOUNTS
    last_briber: tuple[tuple[int | Hidden | None, ...], ...] = _NOBODY
    met: tuple[tuple[bool, ...], ...] = ((False,) * AGENTS,) * SEATS
    most_salary: tuple[tuple[int, ...], ...] = ((0,) * AGENTS,) * SEATS
    most_bribes: tuple[tuple[int, ...], ...] = ((0,) * AGENTS,) * SEATS
    paid: bool = False
    plan: tuple[Orders | Hidden | None, ...] = (None,) * SEATS
    sale_plan: tuple[int | Hidden | None, ...] = (None,) * SEATS
    right: tuple[bool | Hidden, ...] = (False,) * SEATS
    known: tuple[Knowledge | Hidden, ...] = (Knowledge(),) * SEATS
    moved: MoveResult | None = None
    collected: CollectionResult | None = None
    sold: SaleResult | None = None

    def round(self) -> int:
        """Returns the number of the round, 1 to 9."""
        return FIRST_MONTHS_LEFT + 1 - self.months_left

    def period(self) -> str:
        """See `SupportsPeriod`."""
        return f"month {self.round()} of {FIRST_MONTHS_LEFT + 1}"

    def places(self, seat: int) -> tuple[int, ...]:
        """Returns where the agents of a seat are."""
        return tuple(agent.at for agent in self.agents[seat])

    def diamonds_of(self, seat: int) -> int:
        """Returns the diamonds in a seat's vault and those that its agents still carry."""
        return self.vault[seat] + sum(agent.carries for agent in self.agents[seat])

    def cash(self, seat: int) -> int | Hidden:
        """Returns the dollars of a seat, in its own state or in the truth; HIDDEN elsewhere."""
        spent = self.spent[seat]
        return spent if isinstance(spent, Hidden) else self.limit[seat] - spent

    def cash_seen(self, viewer: int, seat: int) -> int | None:
        """Returns the dollars of `seat` as far as `viewer` knows, None where unknown."""
        cash = self.cash(seat)
        if not isinstance(cash, Hidden):
            return cash
        known = self.known[viewer]
        if isinstance(known, Hidden) or known.spent is None:
            return None
        return self.limit[seat] - known.spent

    def own_turned(self, seat: int, agent: int) -> bool | None:
        """Returns whether a seat knows that its own agent is turned; None where it does not know."""
        known, salary = self.known[seat], self.salary[seat][agent]
        if isinstance(known, Hidden) or isinstance(salary, Hidden):
            return None
        return known.above(agent, salary)

    def anyone_met(self) -> bool:
        """Returns whether any agent was ever payable for a bribe: from then on turned agents may tell."""
        return True in self.met[0] or True in self.met[1]

    def totals(self) -> dict[Tally, int]:
        """Returns the totals of all tallies, from the truth, as an arena needs them to continue from here."""
        totals = dict(zip(SPENT, self.spent, strict=True))
        for seat in range(SEATS):
            totals.update(zip(SALARY[seat], self.salary[seat], strict=True))
            totals.update(zip(BRIBE[seat], self.bribes[other(seat)], strict=True))
        return cast(dict[Tally, int], totals)

    def slots(self, seat: int) -> tuple[PayableAgent, ...]:
        """Returns the agents that a seat can pay in this round's pay phase, in the order of the amounts."""
        rival = other(seat)
        theirs = self.places(rival)
        slots = []
        for index, (at, _) in enumerate(self.agents[seat]):
            if at == HOME:
                slots.append(PayableAgent(False, index, index, SALARY[seat][index]))
            elif at in theirs:
                met = theirs.index(at)
                slots.append(PayableAgent(True, met, index, BRIBE[seat][met]))
        return tuple(slots)

    def sight(self, region: int) -> RegionAuction:
        """Returns the auction of a region by the orders of the last move."""
        payments = [0] * SEATS
        if self.moved is not None:
            for seat, orders in enumerate(self.moved.orders):
                for to, payment, _ in orders:
                    if to == region:
                        payments[seat] = payment
        return RegionAuction(self.diamonds[region], tuple(payments), highest(payments))

    def inspector_preview(self, region: int) -> InspectorPreview:
        """Returns what the Inspector would do in `region` after the last move."""
        return InspectorPreview(carried(self.agents, region), self.sight(region))


def highest(amounts: Iterable[int]) -> int | None:
    """Returns the seat that pays more than the other; None where they pay the same."""
    first, second = amounts
    return None if first == second else int(second > first)


def carried(agents: tuple[tuple[Agent, ...], ...], region: int) -> tuple[tuple[int, ...], ...]:
    """Returns, by seat and agent, the diamonds carried by the agents in a region."""
    return tuple(tuple(agent.carries if agent.at == region else 0 for agent in side) for side in agents)
