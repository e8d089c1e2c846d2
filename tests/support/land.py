"""Tables of the land game for tests: a plain map, handmade positions, and a second, slow version of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from kimberley.games.land import GAME
from kimberley.games.land.deals import Deals
from kimberley.games.land.land import GOVERNMENT, Land
from kimberley.games.land.maps import Map, read_map
from kimberley.games.land.money import K, price, read_price
from kimberley.games.land.notation import parse_deals
from kimberley.games.land.rules import DealSpace, State
from kimberley.games.table import Ask, Decide, Leave, Plain, Result, Roll, evolve

STRIPES = read_map("title: Stripes\n" + "D C F P F R D F C P D D\n" * 12)
"""The river runs down column f. Every other column is of one kind."""

Owned = Mapping[str, tuple[int, str]]
"""By parcel: its owner and its sale price in K."""


def land(owned: Owned, map: Map = STRIPES) -> Land:
    state = Land.of_government(map)
    for name, (seat, asked) in owned.items():
        state = state.priced(map.parcel(name), seat, read_price(asked))
    return state


def table(
    owned: Owned | None = None,
    cash: Sequence[int] = (500, 500),
    *,
    due: Sequence[int] | None = None,
    seat: int = 0,
    played: int = 0,
    limit: int = 0,
    map: Map = STRIPES,
) -> State:
    """Returns a position in which the seat's turn has just begun, after its accounts. Money is in whole K.

    The seat before it has ended a turn without deals.
    """
    seats = len(cash)
    before = (seat + 1) % seats
    turns = tuple(played - (other == before) for other in range(seats))
    state: State = evolve(
        GAME.start(seats, {"map": "small"}, before),
        map=map,
        land=land(owned or {}, map),
        limit=limit,
        cash=tuple(amount * K for amount in cash),
        due=tuple(amount * K for amount in due or (0,) * seats),
        played=turns,
        government=-sum((*cash, *(due or ()))) * K,
        dice=(0, 0),
    )
    return state.apply(())


def turn(state: State, sector: tuple[int, int] = (0, 0), deals: str = "pass") -> State:
    """Returns the state after the dice have named a sector of the small map, and after the deals of the turn."""
    return choose(roll(state, sector), deals)


def roll(state: State, sector: tuple[int, int] = (0, 0)) -> State:
    assert isinstance(state.ask(), Roll)
    rolled = state.apply((2 * sector[0], 2 * sector[1]))
    assert rolled.sector == sector
    return rolled


def space(state: State) -> DealSpace:
    ask = state.ask()
    assert isinstance(ask, Decide)
    return cast(DealSpace, ask.space)


def choose(state: State, deals: str) -> State:
    chosen = parse_deals(space(state).draft(), deals)
    assert space(state).violation(chosen) is None
    return state.apply(chosen)


def result(state: State) -> Result:
    ask = state.ask()
    assert isinstance(ask, Result)
    return ask


def owner(state: State, name: str) -> int:
    """Returns the owner of a parcel of the plain map."""
    return state.land.owner(STRIPES.parcel(name))


def asking(state: State, name: str) -> str:
    """Returns the sale price of a parcel of the plain map."""
    return price(state.land.price(STRIPES.parcel(name)))


def cash(state: State) -> list[Fraction | int]:
    """Returns the balances in K."""
    return [Fraction(amount, K) for amount in state.cash]


BASES = {"D": 1, "F": 5, "C": 20, "P": 100, "R": 0}


class Slow:
    """The rules of the seed to the letter, with fractions of 1K, dictionaries and no optimization.

    `government` is the government's income less its payments.
    """

    def __init__(self, kinds: Sequence[str], seats: int, begins: int) -> None:
        self.kinds = kinds
        self.side = int(len(kinds) ** 0.5)
        self.owner: dict[int, int] = {}
        self.price: dict[int, Fraction] = {}
        self.cash = [Fraction(500)] * seats
        self.due = [Fraction(0)] * seats
        self.government = Fraction(0)
        self.out: list[int] = []
        self.winner: int | None = None
        self.seat = begins

    def base(self, parcel: int) -> Fraction:
        return Fraction(BASES[self.kinds[parcel]])

    def asking(self, parcel: int) -> Fraction:
        return self.price[parcel] if parcel in self.owner else self.base(parcel)

    def beside(self, parcel: int) -> list[int]:
        row, column = divmod(parcel, self.side)
        steps = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
        return [r * self.side + c for r, c in steps if 0 <= r < self.side and 0 <= c < self.side]

    def earns(self, parcel: int) -> bool:
        """Returns whether a path of parcels of the same owner leads from here to the river."""
        seen, todo = {parcel}, [parcel]
        while todo:
            here = todo.pop()
            for beside in self.beside(here):
                if self.kinds[beside] == "R":
                    return True
                if beside not in seen and self.owner.get(beside) == self.owner[parcel]:
                    seen.add(beside)
                    todo.append(beside)
        return False

    def begin(self) -> None:
        own = [parcel for parcel, owner in self.owner.items() if owner == self.seat]
        tax = sum((self.price[parcel] * Fraction(2, 100) for parcel in own), Fraction(0))
        revenue = sum((self.base(parcel) / 10 for parcel in own if self.earns(parcel)), Fraction(0))
        self.cash[self.seat] += self.due[self.seat] - tax + revenue
        self.due[self.seat] = Fraction(0)
        self.government += tax - revenue
        if self.cash[self.seat] >= 1000:
            self.winner = self.seat

    def play(self, deals: Deals) -> None:
        for deal in deals:
            verb, parcel = deal[0], deal[1]
            if verb == "sell":
                self.cash[self.seat] += self.base(parcel) / 2
                self.government -= self.base(parcel) / 2
                del self.owner[parcel], self.price[parcel]
                continue
            if verb == "buy":
                paid = self.asking(parcel)
                assert paid <= self.cash[self.seat]
                self.cash[self.seat] -= paid
                if parcel in self.owner:
                    self.due[self.owner[parcel]] += paid
                else:
                    self.government += paid
                self.owner[parcel] = self.seat
            assert self.owner[parcel] == self.seat
            self.price[parcel] = Fraction(deal[-1], 100)
        if self.cash[self.seat] >= 1000:
            self.winner = self.seat
        elif self.cash[self.seat] < 0:
            self.leave(self.seat)

    def leave(self, seat: int) -> None:
        self.out.append(seat)
        self.government += self.due[seat]
        self.due[seat] = Fraction(0)
        for parcel in [parcel for parcel, owner in self.owner.items() if owner == seat]:
            del self.owner[parcel], self.price[parcel]

    def next(self) -> None:
        self.seat = (self.seat - 1) % len(self.cash)
        if self.seat in self.out:
            self.next()
        else:
            self.begin()

    @property
    def over(self) -> bool:
        return self.winner is not None or len(self.out) >= len(self.cash) - 1

    def agrees(self, state: State) -> None:
        """Asserts that a state of the real rules equals this one."""
        assert cash(state) == self.cash
        assert [Fraction(amount, K) for amount in state.due] == self.due
        assert Fraction(state.government, K) == self.government
        assert [*state.out] == self.out
        for parcel in range(len(self.kinds)):
            assert state.land.owner(parcel) == self.owner.get(parcel, GOVERNMENT)
            assert Fraction(state.land.price(parcel), 100) == self.asking(parcel)


def told(state: State, ask: Ask, answer: Any) -> State:
    """Returns the state after an entry of a story, which may be a leave."""
    return state.leave(ask.seat) if isinstance(ask, Leave) else state.apply(answer)


OPTIONS: tuple[dict[str, Plain], ...] = (
    {},
    {"map": "small", "turns": 25},
    {"map": "rolled", "turns": 100},
    {"map": "rolled-small", "turns": 50},
)
