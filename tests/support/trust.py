"""Diamond Trust of London by hand: whole phases in a line each, every seat with its own state."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TypeAlias

from kimberley.games.diamond_trust import GAME
from kimberley.games.diamond_trust.angola import HOME, Order, Orders
from kimberley.games.diamond_trust.knowledge import Knowledge
from kimberley.games.diamond_trust.rules import RoundStep, State
from kimberley.games.table import Ask, Disclose, Open, Plain, Result, evolve
from tests.support.seated_arena import SeatedArena

UIGE, LUNDA, MALANJE, MOXICO, HUILA, CUANDO = range(6)
Moves: TypeAlias = Mapping[int, Order]
"""Orders by agent. The others stay and pay nothing."""
ABROAD: Moves = {0: (UIGE, 0, 0), 1: (LUNDA, 0, 0), 2: (MALANJE, 0, 0)}


class Trust:
    """A table. The Inspector starts in Cuando Cubango by default. Tells run by themselves."""

    def __init__(self, inspector: int = CUANDO) -> None:
        self.seats = SeatedArena(GAME, 2, Random(1))
        self.seats.apply((inspector,))

    @property
    def truth(self) -> State:
        state = self.seats.arena.truth
        assert isinstance(state, State)
        return state

    def become(self, **public: object) -> None:
        """Sets public fields of every seat's state, to begin from a rare position."""
        self.seats.arena.truth = evolve(self.truth, **public)
        self.seats.views = [evolve(self.view(seat), **public) for seat in (0, 1)]
        self.seats.spectator = evolve(self.seats.spectator, **public)

    @property
    def ask(self) -> Ask | Result:
        return self.truth.ask()

    def view(self, seat: int) -> State:
        state = self.seats.views[seat]
        assert isinstance(state, State)
        return state

    def known(self, seat: int) -> Knowledge:
        known = self.view(seat).known[seat]
        assert isinstance(known, Knowledge)
        return known

    def choose(self, *choices: Plain) -> None:
        """Answers the pending ask, and the tells that follow."""
        ask = self.ask
        assert not isinstance(ask, Result)
        self.seats.apply(self.seats.arena.answer(ask, dict(enumerate(choices))))
        while isinstance(ask := self.ask, Disclose):
            self.seats.apply(self.seats.arena.answer(ask, {}))

    def pay(self, first: Mapping[int, int] | None = None, second: Mapping[int, int] | None = None) -> Trust:
        """Pays amounts by the seat's own agent: its salary at home; abroad, the bribe to the agent it meets."""
        assert self.truth.step is RoundStep.PAY
        given = dict(first or {}), dict(second or {})
        amounts = [tuple(given[seat].pop(slot.by, 0) for slot in self.truth.slots(seat)) for seat in (0, 1)]
        assert given == ({}, {}), f"not payable: {given}"
        self.choose(*amounts)
        return self

    def orders(self, seat: int, moves: Moves) -> Orders:
        return tuple(moves.get(agent, (place, 0, 0)) for agent, place in enumerate(self.truth.places(seat)))

    def plan(self, first: Moves | None = None, second: Moves | None = None) -> Trust:
        """Seals both plans, up to the final move."""
        if self.truth.step is RoundStep.PAY:
            self.pay()
        assert self.truth.step is RoundStep.PLAN
        self.choose(self.orders(0, first or {}), self.orders(1, second or {}))
        return self

    def move(self, first: Moves | None = None, second: Moves | None = None) -> Trust:
        """Plans and moves as planned. Skips the pay phase before it, with nothing paid."""
        self.plan(first, second)
        return self.reveal(first, second)

    def reveal(self, first: Moves | None = None, second: Moves | None = None) -> Trust:
        """Makes the final move."""
        assert self.truth.step is RoundStep.MOVE
        self.choose(self.orders(0, first or {}), self.orders(1, second or {}))
        return self

    def inspect(self, region: int) -> Trust:
        assert self.truth.step is RoundStep.INSPECT
        ask = self.ask
        assert not isinstance(ask, Result)
        self.seats.apply(self.seats.arena.answer(ask, dict.fromkeys(ask.choosers, region)))
        return self

    def sell(self, first: int = 0, second: int = 0) -> Trust:
        """Plans a sale and sells as planned."""
        assert self.truth.step is RoundStep.SALE_PLAN
        self.choose(first, second)
        self.choose(first, second)
        return self

    def rounds(self, number: int) -> Trust:
        """Plays that many rounds in which nobody does anything, up to the pay or move phase of the next."""
        for _ in range(number):
            self.move().sell()
        return self

    def result(self) -> Result:
        """Opens the totals at the end."""
        assert isinstance(self.ask, Open)
        self.choose()
        ask = self.ask
        assert isinstance(ask, Result)
        return ask

    def home(self, seat: int) -> Moves:
        """Returns orders that fly everyone home."""
        return dict.fromkeys(range(len(self.truth.agents[seat])), (HOME, 0, 0))
