"""What a seat has seen of hidden payments, gathered from its story round by round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kimberley.games.diamond_trust.angola import (
    AGENTS,
    HOME,
    MOST_MONEY,
    START_MONEY,
    Orders,
    income,
    order_cost,
    other,
)
from kimberley.games.table import HIDDEN, NOTHING, Answer, Ask, Disclose, Seal, Tell, Together


@dataclass(frozen=True)
class PossiblePayment:
    """One payment that the other side could make: salary to its `agent`, or to one's own `agent` a bribe, handed by its
    agent `by`.
    """

    bribe: bool
    agent: int
    by: int


@dataclass
class ObservedRound:
    """What bears on hidden payments in one round. Totals are those after its pay phase."""

    own_bribes: tuple[int, ...]
    """By agent of the other side: the total that this seat paid to it."""
    own_salary: tuple[int, ...]
    slots: tuple[PossiblePayment, ...] = ()
    told: dict[int, tuple[Any, ...] | None] = field(default_factory=dict)
    """By agent of the other side: what it told after the pay phase, None for nothing; absent if it was never met."""
    plans: dict[int, Any] = field(default_factory=dict)
    sale: int | None = None
    spent: int | None = None
    """The total that the other side had sealed, where its cash was told."""
    room: int = MOST_MONEY
    """The most that it can have sealed, since it paid its public costs."""
    adjusted: bool = False
    """Whether it changed something that was told, which takes the right to adjust."""


class History:
    """A story as one seat saw it. `read` continues from where it stopped, so the history grows with the story."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.rounds: list[ObservedRound] = []
        self._entries: list[tuple[Ask, Answer]] = []
        self._places: list[tuple[int, ...]] = [(HOME,) * AGENTS, (HOME,) * AGENTS]
        self._limit = START_MONEY
        self._bribes = [0] * AGENTS
        self._salary = [0] * AGENTS
        self._begin()

    def begins(self, story: Sequence[tuple[Ask, Answer]]) -> bool:
        """Returns whether what was read so far is the beginning of this story."""
        return len(self._entries) <= len(story) and all(map(_same, self._entries, story))

    def read(self, story: Sequence[tuple[Ask, Answer]]) -> None:
        """Reads the entries that are new."""
        for ask, answer in story[len(self._entries) :]:
            match ask:
                case Seal(topic="pay"):
                    self._paid(answer[self.seat] or ())
                case Disclose():
                    for tell, payload in zip(ask.tells, answer, strict=True):
                        if payload is not HIDDEN:
                            self._told(tell, payload)
                case Together(topic="move"):
                    self._moved(answer)
                case Together(topic="sale"):
                    self._sold(answer)
        self._entries[len(self._entries) :] = story[len(self._entries) :]

    def _begin(self) -> None:
        self.rounds.append(ObservedRound(tuple(self._bribes), tuple(self._salary), room=self._limit))

    def _paid(self, amounts: Sequence[int]) -> None:
        mine, theirs = self._places[self.seat], self._places[other(self.seat)]
        given = iter(amounts)
        for agent, at in enumerate(mine):
            if at == HOME:
                self._salary[agent] += next(given)
            elif at in theirs:
                self._bribes[theirs.index(at)] += next(given)
        now = self.rounds[-1]
        salaries = tuple(PossiblePayment(False, agent, agent) for agent, at in enumerate(theirs) if at == HOME)
        bribes = tuple(
            PossiblePayment(True, mine.index(at), by) for by, at in enumerate(theirs) if at != HOME and at in mine
        )
        now.slots = salaries + bribes
        now.own_bribes, now.own_salary = tuple(self._bribes), tuple(self._salary)

    def _told(self, tell: Tell, payload: Any) -> None:
        now = self.rounds[-1]
        agent = int(tell.than.name.rsplit(" ", 1)[1])
        if tell.kind == "pay":
            now.told[agent] = None if payload is NOTHING else payload
            if payload is not NOTHING and payload[2] is not None:
                now.spent = self._limit - payload[2]
        elif payload is not NOTHING and payload is not None:
            if tell.kind == "plan":
                now.plans[agent] = payload
            else:
                now.spent, now.sale = self._limit - payload[0], payload[1]

    def _moved(self, answer: tuple[Orders, ...]) -> None:
        rival, now = other(self.seat), self.rounds[-1]
        self._limit -= sum(map(order_cost, self._places[rival], answer[rival]))
        self._places = [tuple(order[0] for order in orders) for orders in answer]
        now.room = self._limit
        now.adjusted = any(answer[rival][agent] != plan for agent, plan in now.plans.items())

    def _sold(self, answer: tuple[int, ...]) -> None:
        rival, now = other(self.seat), self.rounds[-1]
        self._limit += income(answer)[rival]
        now.adjusted |= now.sale is not None and now.sale != answer[rival]
        self._begin()


def _same(read: object, entry: object) -> bool:
    return read is entry
