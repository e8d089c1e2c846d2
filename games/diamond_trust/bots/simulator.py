"""Simulates many games of Diamond Trust of London at once with nothing hidden: one numpy array per quantity, one column
per game.

The rules are those of `games.diamond_trust.rules`, which remain the reference: a test plays thousands of games by both.
All games of a batch are in the same round. Arrays go by seat, then by agent or region, then by game; the columns lie
next to each other in memory, so that one numpy call serves the whole batch.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from kimberley.games.diamond_trust.angola import (
    AGENTS,
    FIRST_MONTHS_LEFT,
    HOME,
    SEATS,
    START_DIAMONDS,
    START_MONEY,
    appearing,
    income,
    trip_cost,
)

Whole: TypeAlias = npt.NDArray[np.int16]
Real: TypeAlias = npt.NDArray[np.float32]
Truth: TypeAlias = npt.NDArray[np.bool_]
Index: TypeAlias = npt.NDArray[np.intp]

NOBODY: Final = -1
PLACES: Final = HOME + 1
SELLABLE: Final = 64
"""No vault can hold this many at a sale: before the last, 60 diamonds have appeared, besides the two at the start."""

INCOME: Final[Whole] = np.array(
    [[income((own, theirs))[0] for theirs in range(SELLABLE)] for own in range(SELLABLE)], np.int16
)
TRIPS: Final[Whole] = np.array([[trip_cost(a, b) for b in range(PLACES)] for a in range(PLACES)], np.int16).ravel()
_APPEARING: Final = [np.array((*appearing(left), 0), np.int16)[:, None] for left in range(FIRST_MONTHS_LEFT + 1)]
_AGENT_NUMBERS: Final[Whole] = np.arange(AGENTS, dtype=np.int16)[:, None, None]

COLUMNS: Final = (
    "inspector", "diamonds", "at", "carries", "vault", "cash", "salary", "bribes", "last_briber", "payment",
)  # fmt: skip


class Games:
    """A batch of games, between two steps of the same round.

    `inspector` (games), `diamonds` (places, games; none at home), `vault` and `cash` (seats, games); by seat and agent:
    `at`, `carries`, `salary`, `bribes` (had from the other side), `last_briber` (NOBODY or an agent of the other side)
    and `payment` (for diamonds, in the last move). What is paid must be legal: it is not checked here.
    """

    inspector: Whole
    diamonds: Whole
    at: Whole
    carries: Whole
    vault: Whole
    cash: Whole
    salary: Whole
    bribes: Whole
    last_briber: Whole
    payment: Whole

    def __init__(self, months_left: int, columns: dict[str, Whole]) -> None:
        self.months_left = months_left
        self.__dict__.update(columns)
        self.size = columns["inspector"].shape[0]
        self._column: Index = np.arange(self.size)

    @classmethod
    def begin(cls, inspector: Whole) -> Games:
        """Returns games at their start, the Inspector rolled and the first diamonds there."""
        size = inspector.shape[0]
        agents = np.zeros((SEATS, AGENTS, size), np.int16)
        columns: dict[str, Whole] = {name: agents.copy() for name in COLUMNS[3:]}
        columns["inspector"] = inspector.astype(np.int16)
        columns["diamonds"] = np.zeros((PLACES, size), np.int16)
        columns["at"] = agents + np.int16(HOME)
        columns["vault"] = np.full((SEATS, size), START_DIAMONDS, np.int16)
        columns["cash"] = np.full((SEATS, size), START_MONEY, np.int16)
        columns["last_briber"] = agents + np.int16(NOBODY)
        games = cls(FIRST_MONTHS_LEFT, columns)
        games.diamonds += _APPEARING[FIRST_MONTHS_LEFT]
        return games

    def columns(self) -> dict[str, Whole]:
        """Returns all arrays by name."""
        return {name: self.__dict__[name] for name in COLUMNS}

    def pick(self, games: Index) -> Games:
        """Returns a batch of copies of the games with these numbers; a number may occur more than once."""
        return Games(self.months_left, {name: column.take(games, axis=-1) for name, column in self.columns().items()})

    def alike(self) -> tuple[Index, Index]:
        """Returns one game of each group that continues alike, and by game the group that it belongs to."""
        kept = [column for name, column in self.columns().items() if name != "payment"]
        games = np.concatenate([column.reshape(-1, self.size) for column in kept]).T
        _, first, same = np.unique(games, axis=0, return_index=True, return_inverse=True)
        return first, same.ravel()

    def flat(self, places: Whole) -> Index:
        """Returns, for an array of places by game (last axis), where they are in `diamonds.ravel()`, or in an array of
        that shape.
        """
        flat: Index = places.astype(np.intp) * self.size + self._column
        return flat

    def meetings(self) -> Truth:
        """Returns, by agent of seat 0, agent of seat 1 and game: whether they share a region."""
        met: Truth = self.at[0][:, None] == self.at[1][None]
        met &= (self.at[0] != HOME)[:, None]
        return met

    def payable(self, meetings: Truth) -> Truth:
        """Returns, by seat and agent, whether this agent can be handed salary, or can hand a bribe."""
        payable: Truth = self.at == HOME
        payable[0] |= meetings.any(axis=1)
        payable[1] |= meetings.any(axis=0)
        return payable

    def turned(self) -> Truth:
        """Returns, by seat and agent, whether the bribes to it exceed its salary."""
        return self.bribes > self.salary

    # -- a round -------------------------------------------------------------------------------------------------------

    def pay(self, amounts: Whole, meetings: Truth) -> None:
        """Pays, by seat and its own agent: salary to it at home, abroad what it hands to the agent that it meets."""
        self.cash -= amounts[:, 0] + amounts[:, 1] + amounts[:, 2]
        salaries = amounts * (self.at == HOME)
        self.salary += salaries
        if not meetings.any():
            return
        bribes = amounts - salaries
        for briber, given, paired in ((0, bribes[0][:, None], meetings), (1, bribes[1][None], meetings)):
            handed = given * paired
            own = 0 if briber == 0 else 1
            self.bribes[1 - briber] += handed.sum(axis=own, dtype=np.int16)
            by = np.where(handed > 0, _AGENT_NUMBERS if own == 0 else _AGENT_NUMBERS.reshape(1, AGENTS, 1), NOBODY)
            last = by.max(axis=own)
            np.copyto(self.last_briber[1 - briber], last, where=last != NOBODY, casting="same_kind")

    def move(self, to: Whole, payment: Whole, bribe: Whole) -> Whole:
        """Moves, pays and deposits. Returns by game the seat that may send the Inspector, or NOBODY."""
        costs = TRIPS.take(self.at * np.int16(PLACES) + to) + payment + bribe
        self.cash -= costs[:, 0] + costs[:, 1] + costs[:, 2]
        landed = self.carries * (to == HOME)
        self.vault += landed[:, 0] + landed[:, 1] + landed[:, 2]
        self.carries -= landed
        self.at = to
        self.payment = payment
        offered = bribe[:, 0] + bribe[:, 1] + bribe[:, 2]
        first, second = offered[0], offered[1]
        mover: Whole = (second > first).astype(np.int16)
        mover[first == second] = NOBODY
        return mover

    def rival_payments(self) -> Whole:
        """Returns, by seat and agent, what the other side offers in the same region."""
        met = self.meetings()
        theirs = np.empty_like(self.payment)
        paid = met * self.payment[1][None]
        theirs[0] = paid[:, 0] + paid[:, 1] + paid[:, 2]
        paid = met * self.payment[0][:, None]
        theirs[1] = paid[0] + paid[1] + paid[2]
        return theirs

    def collect(self, inspector: Whole, rivals: Whole) -> None:
        """Lets the Inspector act in his region; elsewhere the higher payment takes the diamonds. Then all fly home in
        the last round. `rivals` is `rival_payments()`.
        """
        self.inspector = inspector
        free = self.at != inspector
        self.carries *= free
        won = self.payment > rivals
        won &= free
        where = self.flat(self.at)
        diamonds = self.diamonds.reshape(-1)
        self.carries += diamonds.take(where) * won
        diamonds[where[won]] = 0
        if self.months_left == 0:
            self.vault += self.carries[:, 0] + self.carries[:, 1] + self.carries[:, 2]
            self.carries = np.zeros_like(self.carries)
            self.at = np.full_like(self.at, HOME)

    def sell(self, numbers: Whole) -> None:
        """Sells these numbers of diamonds, by seat, and begins the next round."""
        self.vault -= numbers
        pairs = numbers.astype(np.intp)
        self.cash += INCOME.reshape(-1).take(pairs * SELLABLE + pairs[::-1])
        self.months_left -= 1
        self.diamonds += _APPEARING[self.months_left]

    def outcome(self) -> Real:
        """Returns, by game, after the last round: 1 where seat 0 wins, 0 where it loses, 0.5 for a tie."""
        ahead = np.sign(self.vault[0] - self.vault[1])
        richer = np.sign(self.cash[0] - self.cash[1])
        level: Real = (np.where(ahead == 0, richer, ahead) + np.float32(1)) * np.float32(0.5)
        return level
