"""The rules of the land game as a state machine for two to six seats. Nothing in it is hidden.

A turn is one roll of two dice and one choice: all the deals of the turn, in their order (`games.land.deals`). What
comes before the roll (credits, tax, revenue and the million) is applied as soon as the turn before has ended.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from random import Random
from typing import Final

from kimberley.games.land.accounts import TurnOpening, account
from kimberley.games.land.deals import BUY, PRICE, SELL, DealDraft, DealMade, Deals, read_deals
from kimberley.games.land.land import GOVERNMENT, Land
from kimberley.games.land.maps import FACES, SHIPPED, SIDES, Map, shipped
from kimberley.games.land.money import GOAL, HIGHEST, START, amount
from kimberley.games.land.rolled import LIMIT, NUMBERS, rolled_map
from kimberley.games.table import OTHERS_RESIGNED, Answer, Ask, Decide, Plain, ReasonKind, Result, Roll, evolve

SEAT_NAMES: Final = "ABCDEF"
BANKRUPT: Final = "bankrupt"
LEFT: Final = "left"
TOPIC: Final = "turn"
ROLLED_SIDES: Final = {"rolled": SIDES[0], "rolled-small": SIDES[1]}


@dataclass(frozen=True)
class DealSpace:
    """The turns open to a seat, with the sector in play and its balance in units."""

    map: Map
    land: Land
    seat: int
    sector: tuple[int, int]
    cash: int

    @property
    def parcels(self) -> tuple[int, ...]:
        """The land that can be dealt in."""
        return self.map.parcels(*self.sector)

    def draft(self, deals: Deals = ()) -> DealDraft:
        """Returns the turn after these deals, which must be legal in their order."""
        return DealDraft(self.map, self.land, self.seat, self.sector, self.cash).all(deals)

    def read(self, plain: Plain) -> Plain:
        """See `Space.read`."""
        return read_deals(plain)

    def violation(self, choice: Plain) -> str | None:
        """See `Space.violation`."""
        try:
            deals = read_deals(choice)
        except ValueError as error:
            return str(error)
        return self.draft().violation_of_all(deals)

    def cost(self, choice: Plain) -> int:
        """Returns 0: a choice costs nothing."""
        del choice
        return 0

    def pick(self, rng: Random) -> Plain:
        """Returns the random turn of a reckless player."""
        draft = self.draft()
        for parcel in rng.sample(self.parcels, len(self.parcels)):
            own = draft.land.owner(parcel) == self.seat
            deal = rng.choice((SELL, PRICE, PRICE)) if own else BUY
            cents = rng.choice((draft.default(parcel), rng.randint(0, 500), rng.randint(0, HIGHEST)))
            chosen = (SELL, parcel) if deal == SELL or (own and draft.cash < 0) else (deal, parcel, cents)
            if rng.random() < 0.6 and draft.violation(chosen) is None:
                draft = draft.then(chosen)
        return draft.deals


@dataclass(frozen=True)
class PastTurn:
    """A turn that has ended: its dice, its deals, and the balance at its end in units."""

    seat: int
    dice: tuple[int, int]
    dealt: tuple[DealMade, ...]
    cash: int


@dataclass(frozen=True)
class State:
    """A game so far. Amounts by seat are in units; docs/land.md says where each rule comes from.

    Until a random map is rolled, `map` is None and `land` is empty; `rolled_side` is the side of its square, in
    parcels. `limit` is the number of turns of each player in the short game, 0 for none. `cash` is the balance now,
    `due` what sales to others have brought, which arrives at the start of the next turn. `government` is what the
    government took in less what it paid. `played` counts turns that ended; `gone` names the seats that are out in the
    order in which they went, with BANKRUPT or LEFT. `seat` has the turn, with its `dice` once they are rolled;
    `opening` is how the turn began and `last` the turn before it. `over` is why the game has ended.
    """

    map: Map | None
    land: Land
    rolled_side: int
    limit: int
    first: int | None
    cash: tuple[int, ...]
    due: tuple[int, ...]
    played: tuple[int, ...]
    government: int = 0
    gone: tuple[tuple[int, str], ...] = ()
    seat: int = 0
    dice: tuple[int, int] | None = None
    opening: TurnOpening | None = None
    last: PastTurn | None = None
    over: str | None = None

    # -- what a board asks ---------------------------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        """The number of seats at the table, those that are out included."""
        return len(self.cash)

    @property
    def out(self) -> tuple[int, ...]:
        """The seats that are out, in the order in which they went."""
        return tuple(seat for seat, _ in self.gone)

    def alive(self, seat: int) -> bool:
        """Returns whether a seat is still in the game."""
        return seat not in self.out

    @property
    def turn(self) -> int:
        """The number of the current turn of its seat, from 1."""
        return self.played[self.seat] + 1

    def period(self) -> str:
        """See `SupportsPeriod`."""
        return f"round {self.turn} of {self.limit}" if self.limit else f"round {self.turn}"

    @property
    def sector(self) -> tuple[int, int] | None:
        """Row and column of the sector in play, None before the dice are rolled."""
        return None if self.map is None or self.dice is None else self.map.rolled(*self.dice)

    def total(self) -> int:
        """Returns all money in the game, in units, the government's included. It never changes."""
        return sum(self.cash) + sum(self.due) + self.government

    # -- the table's next ask ------------------------------------------------------------------------------------------

    def ask(self) -> Ask | Result:
        """Returns what the table must do next, or how the game ended."""
        if self.over is not None:
            scores = self.scores()
            places = tuple(1 + sum(other > score for other in scores) for score in scores)
            kind = ReasonKind.RESIGNED if self.over == OTHERS_RESIGNED else ReasonKind.DECIDED
            return Result(places, scores, self.over, self.counts(), SEAT_NAMES, kind)
        if self.first is None or self.map is None:
            return Roll((() if self.first is not None else (self.seats,)) + (LIMIT,) * NUMBERS * (self.map is None))
        if self.sector is None:
            return Roll((FACES, FACES))
        space = DealSpace(self.map, self.land, self.seat, self.sector, self.cash[self.seat])
        return Decide(self.seat, space, TOPIC)

    def counts(self) -> tuple[str, ...]:
        """Returns, by seat, its balance in words."""
        return tuple(f"{amount(cash)}K" for cash in self.cash)

    def scores(self, resigned: Collection[int] = ()) -> tuple[tuple[int, int], ...]:
        """Returns, by seat, (how long it stayed, balance). A seat that is still in has stayed as long as the number of
        seats.
        """
        out = self.out
        return tuple(
            (out.index(seat) if seat in out else 0 if seat in resigned else self.seats, cash)
            for seat, cash in enumerate(self.cash)
        )

    # -- the state after an answer -------------------------------------------------------------------------------------

    def apply(self, answer: Answer) -> State:
        """Returns the state after the pending ask is answered."""
        if self.first is None or self.map is None:
            return self._settled(tuple(answer))
        if self.dice is None:
            return evolve(self, dice=(answer[0], answer[1]))
        return self._dealt(answer)

    def leave(self, seat: int) -> State:
        """Returns the state after a seat has left: its land reverts to the government, and what is due to it lapses."""
        if not self.alive(seat) or self.over is not None:
            return self
        state = self._without(seat, LEFT)
        if state.over is None and seat == self.seat and state.first is not None and state.map is not None:
            return state._next()
        return state

    def _settled(self, numbers: tuple[int, ...]) -> State:
        """Returns the state with the first player and the map, as they were rolled, at the start of the first turn."""
        first = self.first
        if first is None:
            first, numbers = numbers[0], numbers[1:]
        map = self.map or rolled_map(numbers, self.rolled_side)
        state = evolve(self, first=first, map=map, seat=first, land=Land.of_government(map))
        return state._begin(first) if state.alive(first) else state._next()

    def _begin(self, seat: int) -> State:
        """Returns the state at the start of a turn: credits, tax and revenue at once, then the million."""
        opening = self.opening_of(seat)
        state = evolve(
            self,
            seat=seat,
            dice=None,
            opening=opening,
            cash=_with(self.cash, seat, opening.after),
            due=_with(self.due, seat, 0),
            government=self.government - opening.revenue + opening.tax,
        )
        return state._won("start") if opening.after >= GOAL else state

    def opening_of(self, seat: int) -> TurnOpening:
        """Returns how a turn of a seat would begin now."""
        assert self.map is not None
        earnings = account(self.map, self.land, seat)
        return TurnOpening(seat, self.cash[seat], self.due[seat], earnings.tax, earnings.revenue)

    def _won(self, when: str) -> State:
        who = SEAT_NAMES[self.seat]
        return evolve(self, over=f"{who} reached {amount(self.cash[self.seat])}K at the {when} of a turn")

    def _dealt(self, deals: Deals) -> State:
        """Returns the state after a turn's deals: it is paid for, and it ends."""
        assert self.map is not None
        assert self.sector is not None
        assert self.dice is not None
        seat = self.seat
        draft = DealDraft(self.map, self.land, seat, self.sector, self.cash[seat]).all(deals)
        due, government = list(self.due), self.government
        for done in draft.dealt:
            if done.deal[0] == SELL:
                government -= done.paid
            elif done.seller == GOVERNMENT:
                government += done.paid
            else:
                due[done.seller] += done.paid
        state = evolve(
            self,
            land=draft.land,
            cash=_with(self.cash, seat, draft.cash),
            due=tuple(due),
            government=government,
            played=_with(self.played, seat, self.played[seat] + 1),
            last=PastTurn(seat, self.dice, draft.dealt, draft.cash),
        )
        if draft.cash >= GOAL:
            return state._won("end")
        if draft.cash < 0:
            state = state._without(seat, BANKRUPT)
        return state if state.over is not None else state._next()

    def _without(self, seat: int, why: str) -> State:
        """Returns the state without a seat: the game continues if two are left."""
        land = self.land if self.map is None else self.land.reclaimed(self.map, self.land.of(seat))
        state = evolve(
            self,
            land=land,
            due=_with(self.due, seat, 0),
            government=self.government + self.due[seat],
            gone=(*self.gone, (seat, why)),
        )
        left = [other for other in range(self.seats) if state.alive(other)]
        if len(left) > 1:
            return state
        if not left:
            return evolve(state, over="everyone is out")
        resigned = all(how == LEFT for _, how in state.gone)
        return evolve(state, over=OTHERS_RESIGNED if resigned else f"{SEAT_NAMES[left[0]]} is the last player left")

    def _next(self) -> State:
        """Returns the state in the next seat's turn, counterclockwise; or the end, if it has had all its turns."""
        others = ((self.seat - step) % self.seats for step in range(1, self.seats + 1))
        seat = next(other for other in others if self.alive(other))
        if self.limit and self.played[seat] >= self.limit:
            even = len({self.cash[other] for other in range(self.seats) if self.alive(other)}) == 1
            return evolve(self, dice=None, over=f"{'equal' if even else 'most'} cash after {self.limit} turns each")
        return self._begin(seat)


def _with(amounts: tuple[int, ...], seat: int, units: int) -> tuple[int, ...]:
    return (*amounts[:seat], units, *amounts[seat + 1 :])


def opening(seats: int, map_name: str, limit: int, begins: int | None) -> State:
    """Returns the state before anything is rolled. `map_name` is one of the option's values, shipped or rolled."""
    map = shipped(map_name) if map_name in SHIPPED else None
    state = State(
        map=map,
        land=Land() if map is None else Land.of_government(map),
        rolled_side=ROLLED_SIDES.get(map_name, 0),
        limit=limit,
        first=begins,
        cash=(START,) * seats,
        due=(0,) * seats,
        played=(0,) * seats,
        seat=begins or 0,
    )
    return state if map is None or begins is None else state._begin(begins)
