"""The bot for the land game. The higher its level, the more deals it considers and the better it judges them."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from random import Random
from typing import Final, cast

from kimberley.games.land.bots.appraisal import Appraisal, Estate, turns_left
from kimberley.games.land.deals import BUY, PRICE, SELL, Deal, Deals
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.money import CENT, GOAL, K
from kimberley.games.land.rules import DealSpace, State
from kimberley.games.table import Decide, Observation, Plain, space_for

LEVELS: Final = range(1, 21)
POOREST: Final = 0.9
"""The noise in the judgment of level 1, up or down, as a share of the value."""
PRICES: Final = 6
"""The level from which it sets prices by what others would gain."""
RIVALS: Final = 9
"""The level from which it counts what others lose, and cuts their land off."""
HOPES: Final = 12
"""The level from which it buys land that can be connected later, and connects its own before it sells any."""
HOPE: Final = 0.5
RESERVE: Final = 4 * K
"""What it keeps back for taxes."""


class LandBot:
    """Chooses from an observation alone; the same seed and observation give the same choice.

    `level` is 1 to 20.
    """

    def __init__(self, level: int, seed: int) -> None:
        self.level = level
        self._seed = seed
        self._runner_up: Plain | None = None

    @property
    def deals(self) -> int:
        """Returns how many deals it considers in a turn, not counting prices.

        On the full map a sector is rolled once in 36 turns, so what a turn leaves there may never be bought.
        """
        return min(1 + self.level, 6 + self.level // 2)

    @property
    def blur(self) -> float:
        """Returns how far off its judgment may be, as a share of the value."""
        return POOREST * (LEVELS[-1] - self.level) / (len(LEVELS) - 1)

    def choose(self, observation: Observation) -> Plain:
        """Returns a legal turn. Raises ValueError if nothing is asked of the observation's seat."""
        state = cast(State, observation.state)
        ask = state.ask()
        if not isinstance(ask, Decide) or ask.seat != observation.seat:
            raise ValueError(f"seat {observation.seat} is not to choose")
        rng = Random(f"{self._seed} {len(observation.story)}")
        space = cast(DealSpace, ask.space)
        turn = _Turn(self, state, space, rng)
        chosen = turn.choose()
        other: Deals = () if chosen or turn.left is None else ((BUY, turn.left, turn.estate.prices[turn.left]),)
        self._runner_up = other if other != chosen and space.violation(other) is None else None
        return chosen

    def runner_up(self) -> Plain | None:
        """Returns a turn without deals; if it made none, the purchase that it left out. None if neither is possible."""
        return self._runner_up

    def named(self, observation: Observation, choice: Plain) -> Plain:
        """See `games.bots.hints`: what is bought keeps the price that was paid."""
        return named_deals(cast(State, observation.state), choice)

    def alike(self, choice: Plain, other: Plain) -> bool:
        """See `games.bots.hints`: the order of the deals does not matter."""
        return Counter(cast(Deals, choice)) == Counter(cast(Deals, other))

    def is_idle(self, choice: Plain, other: Plain) -> bool:
        """See `games.bots.hints`: new prices alone, compared with no deals."""
        return not other and all(deal[0] == PRICE for deal in cast(Deals, choice))


class _Turn:
    """One turn as it is thought out."""

    def __init__(self, player: LandBot, state: State, space: DealSpace, rng: Random) -> None:
        self.player = player
        self.space = space
        self.seat = space.seat
        self.rng = rng
        self.cash = space.cash
        self.estate = Estate(space.map, space.land)
        rivals = sum(state.alive(other) for other in range(state.seats)) - 1
        self.chance = rivals / space.map.sectors**2
        self.judge = Appraisal(
            self.estate,
            state,
            self.seat,
            turns_left(state, self.seat),
            1 / rivals if player.level >= RIVALS else 0.0,
        )
        self.paid: dict[int, int] = {}
        self.left: int | None = None
        """The best of the parcels that were not worth buying."""

    @property
    def bought(self) -> list[int]:
        """Returns what was bought, in order."""
        return [*self.paid]

    def choose(self) -> Deals:
        """Returns the deals of the turn."""
        own = [parcel for parcel in self.space.parcels if self._owns(parcel)]
        if self.cash + sum(map(self.judge.half, own)) >= GOAL:
            return tuple((SELL, parcel) for parcel in own)
        if self.player.level >= HOPES and self.cash >= 0:
            self._connect()
        first = len(self.paid)
        sold = self._sell(own)
        if self.player.level >= RIVALS:
            self._cut_off()
        self._buy()
        turned = self._sell(self.bought)
        purchases = self._purchases()
        return self._without_detours((*purchases[:first], *sold, *purchases[first:], *turned, *self._repriced()))

    def _without_detours(self, deals: Deals) -> Deals:
        """Returns the deals without the sales of what is bought back: it is kept, as far as the balance allows."""
        own = {parcel for parcel in self.space.parcels if self.space.land.owner(parcel) == self.seat}
        rebought = own & {deal[1] for deal in deals if deal[0] == BUY}
        if not rebought:
            return deals
        kept: list[Deal] = []
        left = set(rebought)
        for deal in deals:
            if deal[0] == SELL and deal[1] in left:
                # The first sale; a second one, after it was bought back, stays.
                left.remove(deal[1])
            elif deal[0] != BUY or deal[1] not in rebought:
                kept.append(deal)
            elif self._owns(deal[1]) and deal[-1] != self.space.land.price(deal[1]):
                kept.append((PRICE, deal[1], deal[-1]))
        return tuple(kept) if self.space.violation(tuple(kept)) is None else deals

    def _blurred(self, value: float) -> float:
        return value * (1 + self.player.blur * self.rng.uniform(-1, 1))

    def _sell(self, own: list[int]) -> list[Deal]:
        """Sells those that bring more now than later, and whatever it takes to get back above zero."""
        deals: list[Deal] = []
        for _ in range(len(own)):
            worth = {parcel: self.judge.selling(parcel) for parcel in own if self._owns(parcel)}
            best = max(worth, key=lambda parcel: worth[parcel])
            if self.cash >= 0 and worth[best] <= 0:
                break
            self.estate.give(best, GOVERNMENT, self.space.map.base(best))
            self.cash += self.judge.half(best)
            deals.append((SELL, best))
        return deals

    def _connect(self) -> None:
        """Buys what connects land of its own to the river, which would be sold while it is cut off."""
        for _ in range(self.player.deals):
            worth = {
                parcel: self._blurred(self.judge.buying(parcel, {}, 0.0))
                for parcel in self.space.parcels
                if self._affordable(parcel) and self.estate.reconnected(parcel, self.seat)
            }
            best = max(worth, key=lambda parcel: worth[parcel], default=None)
            if best is None or worth[best] <= 0:
                return
            self._take(best)

    def _affordable(self, parcel: int) -> bool:
        """Returns whether a parcel can be bought with something kept back."""
        return not self._owns(parcel) and self.estate.prices[parcel] * CENT <= self.cash - RESERVE

    def _cut_off(self) -> None:
        """Buys from rivals parcels that gain only together, such as all those that join their land to the river.

        It begins with all that they own in the sector, and leaves out one parcel after another, the one worth least
        first.
        """
        estate = self.estate
        taken = {
            parcel: (estate.owners[parcel], estate.prices[parcel])
            for parcel in self.space.parcels
            if estate.owners[parcel] in self.judge.rivals
        }
        for parcel, (_, price) in taken.items():
            estate.give(parcel, self.seat, price)
        cost = sum(price for _, price in taken.values()) * CENT
        while taken:
            gains = {parcel: self._blurred(self.judge.leaving(parcel, *taken[parcel])) for parcel in taken}
            worst = max(gains, key=lambda parcel: gains[parcel])
            if gains[worst] < 0 and cost <= self.cash - RESERVE and len(taken) <= self.player.deals:
                break
            owner, price = taken.pop(worst)
            estate.give(worst, owner, price)
            cost -= price * CENT
        better_left = 0.0
        for parcel, (owner, price) in taken.items():
            better_left += self.judge.leaving(parcel, owner, price)
            estate.give(parcel, owner, price)
        if better_left < 0:
            for parcel in taken:
                self._take(parcel)

    def _buy(self) -> None:
        """Buys what gains most, one parcel after another, since each may open the way to the next."""
        hope = HOPE if self.player.level >= HOPES else 0.0
        for _ in range(self.player.deals - len(self.paid)):
            ways = self.estate.way(self.space.parcels, self.seat)
            worth = {
                parcel: self._blurred(self.judge.buying(parcel, ways, hope))
                for parcel in self.space.parcels
                if self._affordable(parcel)
            }
            best = max(worth, key=lambda parcel: worth[parcel], default=None)
            if best is None or worth[best] <= 0:
                self.left = best
                return
            self._take(best)

    def _take(self, parcel: int) -> None:
        price = self.estate.prices[parcel]
        self.cash -= price * CENT
        self.estate.give(parcel, self.seat, price)
        self.paid[parcel] = price

    def _purchases(self) -> list[Deal]:
        """Returns what was bought, with a new price unless it is sold again at once."""
        return [
            (BUY, parcel, self._price(parcel) if self._owns(parcel) else self.paid[parcel]) for parcel in self.bought
        ]

    def _repriced(self) -> list[Deal]:
        """Returns new prices for what was owned before."""
        if self.cash < 0:
            return []
        kept = [parcel for parcel in self.space.parcels if self._owns(parcel) and parcel not in self.paid]
        prices = ((parcel, self._price(parcel)) for parcel in kept)
        return [(PRICE, parcel, price) for parcel, price in prices if price != self.estate.prices[parcel]]

    def _price(self, parcel: int) -> int:
        if self.player.level < PRICES:
            return self.estate.prices[parcel]
        return self.judge.price(parcel, self._ways, self.chance)

    @cached_property
    def _ways(self) -> dict[int, dict[int, int]]:
        """The rivals' ways to the river in the sector, once everything is bought and sold."""
        return {rival: self.estate.way(self.space.parcels, rival) for rival in self.judge.rivals}

    def _owns(self, parcel: int) -> bool:
        return self.estate.owners[parcel] == self.seat


def named_deals(state: State, choice: Plain) -> Deals:
    """Returns the deals that a hint names: what is bought keeps the price that was paid, and new prices are named only
    where there are no other deals.
    """
    deals = cast(Deals, choice)
    if all(deal[0] == PRICE for deal in deals):
        return deals
    draft = cast(DealSpace, space_for(state.ask(), state.seat)).draft()
    for deal in deals:
        if deal[0] != PRICE:
            draft = draft.then((BUY, deal[1], draft.default(deal[1])) if deal[0] == BUY else deal)
    return draft.deals


def about_level(level: int) -> str:
    """Says how a level plays, in a sentence."""
    bot = LandBot(level, 0)
    off = f"misjudges land by up to {bot.blur:.0%}" if bot.blur else "never misjudges land"
    return f"Buys up to {bot.deals} parcels a turn and {off}."
