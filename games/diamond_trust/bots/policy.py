"""How both sides play in simulations: quick randomized rules for a whole batch of games at a time.

What the rules weigh is in `Parameters`, tuned by self-play (`games.diamond_trust.bots.parameters`). A policy sees only
what its side may see: public facts, its own money and payments, and what turned agents tell it now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

import numpy as np

from kimberley.games.diamond_trust.angola import AGENTS, HOME, NO_SALE, SEATS, errand_cost, least_errand
from kimberley.games.diamond_trust.bots.foresight import ROUND_DIAMONDS, ROUND_MONEY
from kimberley.games.diamond_trust.bots.parameters import NAMES, Numbers
from kimberley.games.diamond_trust.bots.simulator import (
    INCOME,
    NOBODY,
    PLACES,
    SELLABLE,
    TRIPS,
    Games,
    Index,
    Real,
    Truth,
    Whole,
)

MOST_TRIPS: Final = 9
"""What three trips and an offer after each can cost: a side with this much cash need not count them."""
MOST_SOLD: Final = 4
"""The rules sell fewer than this."""
POOL: Final = 1 << 18

_REGIONS: Final[Whole] = np.arange(HOME, dtype=np.int16)[:, None]
_NUMBERS: Final[Whole] = np.arange(PLACES, dtype=np.int16)[:, None]
_ERRANDS: Final[Whole] = np.array([[errand_cost(at, to) for at in range(PLACES)] for to in range(PLACES)], np.int16)
"""By destination and place: dollars for a trip and the least offer there; nothing to stay."""
_LEAST_ERRAND: Final[Whole] = np.array([least_errand([place]) for place in range(PLACES)], np.int16)
_ROOTS: Final[Real] = np.sqrt(np.arange(128, dtype=np.float32))
_FAR: Final = np.float32(1e6)


class Noise:
    """Fast random numbers for a whole batch: slices of two tables, at places that follow from a seed."""

    _uniform: Real | None = None
    _gumbel: Real | None = None

    def __init__(self, rng: Random) -> None:
        self._random = rng.random
        if Noise._uniform is None or Noise._gumbel is None:
            drawn = np.random.Generator(np.random.SFC64(20261120)).random(POOL, np.float32)
            Noise._uniform = drawn
            Noise._gumbel = -np.log(-np.log(np.clip(drawn, 1e-7, 1 - 1e-7)))
        self.tables = Noise._uniform, Noise._gumbel

    def uniform(self, *shape: int) -> Real:
        """Returns numbers from 0 to 1."""
        return self._slice(self.tables[0], shape)

    def gumbel(self, *shape: int) -> Real:
        """Returns numbers that make the largest of some scores the choice of a softmax over them."""
        return self._slice(self.tables[1], shape)

    def _slice(self, table: Real, shape: tuple[int, ...]) -> Real:
        size = 1
        for length in shape:
            size *= length
        if size >= POOL:
            return np.resize(table, shape)
        start = int(self._random() * (POOL - size))
        return table[start : start + size].reshape(shape)


class Parameters:
    """One number for each of `NAMES`, for both seats: arrays that go with (seats, agents, games)."""

    def __init__(self, first: Real, second: Real) -> None:
        """Takes the numbers of each seat, or a column of them for each game of the batch."""
        both = np.stack([np.asarray(first, np.float32), np.asarray(second, np.float32)])
        both = both[..., None] if both.ndim == 2 else both
        self.numbers = both
        """(seats, names, 1 or games)"""
        for index, name in enumerate(NAMES):
            setattr(self, name, both[:, index, None])

    def __getattr__(self, name: str) -> Real:
        raise AttributeError(f"there is no parameter {name!r}")

    def pick(self, games: Index) -> Parameters:
        """Returns the parameters of some games of the batch."""
        if self.numbers.shape[-1] == 1:
            return self
        picked = self.numbers.take(games, axis=-1)
        return Parameters(picked[0], picked[1])

    @classmethod
    def facing(cls, models: Sequence[Numbers], seat: int, count: int) -> Parameters:
        """Returns the parameters of `count` games in which a seat plays by the first of `models`, and the other side by
        each in turn.
        """
        theirs = np.stack([models[game % len(models)] for game in range(count)], axis=-1)
        mine = np.repeat(models[0][:, None], count, axis=1)
        return cls(mine, theirs) if seat == 0 else cls(theirs, mine)


class Policy:
    """The rules below with some parameters: a way to play (`games.diamond_trust.bots.rollout.RolloutPolicy`)."""

    def __init__(self, p: Parameters) -> None:
        self.p = p

    def pick(self, games: Index) -> Policy:
        return self if self.p.numbers.shape[-1] == 1 else Policy(self.p.pick(games))

    def pay(self, games: Games, meetings: Truth, turned: Truth, noise: Noise) -> Whole:
        return pay(games, meetings, turned, self.p, noise)

    def move(self, games: Games, noise: Noise, reports: ToldOrders | None = None) -> OrderArrays:
        return move(games, self.p, noise, reports)

    def inspect(self, games: Games, mover: Whole, rivals: Whole, noise: Noise) -> Whole:
        return inspect(games, mover, rivals, self.p, noise)

    def sale(self, games: Games, noise: Noise) -> Whole:
        return sale(games, self.p, noise)

    def answer(self, games: Games, planned: Whole) -> Whole:
        return adjusted_sale(games, planned, self.p)


class OrderArrays(NamedTuple):
    """Orders of both sides, by seat, agent and game."""

    to: Whole
    payment: Whole
    bribe: Whole

    def pick(self, games: Index) -> OrderArrays:
        return OrderArrays(*(part.take(games, axis=-1) for part in self))


@dataclass(frozen=True)
class ToldOrders:
    """What each side was told of the other's plan: `talks` says by seat and agent who tells, `orders` what."""

    talks: Truth
    orders: OrderArrays


def price(games: Games) -> Real:
    """Returns, by seat, the dollars that a diamond is worth: all the money it will have, over half of the diamonds to
    come.
    """
    left = games.months_left
    money = games.cash + np.float32(ROUND_MONEY * left)
    coming = games.diamonds.sum(axis=0, dtype=np.int16) * np.float32(0.5) + np.float32(1 + ROUND_DIAMONDS * left / 2)
    worth: Real = np.maximum(money, 1) / coming
    return worth


# -- pay ---------------------------------------------------------------------------------------------------------------


def pay(games: Games, meetings: Truth, turned: Truth, p: Parameters, noise: Noise) -> Whole:
    """Returns, by seat and its own agent, salaries at home, bribes to the agents that are met and do not talk yet."""
    size = games.size
    left = np.float32(games.months_left / 8)
    at_home = games.at == HOME
    chance, share = noise.uniform(SEATS, AGENTS, size), noise.uniform(SEATS, AGENTS, size)
    fresh = games.salary == 0
    gives = chance < np.where(fresh, p.salary_first, p.salary_more) * (left > 0)
    amounts = np.where(fresh, p.salary_size, p.salary_step) * share
    if meetings.any():
        paired = meetings & ~turned[1][None]
        bribes = np.empty((SEATS, AGENTS, size), bool)
        bribes[0] = paired.any(axis=1)
        bribes[1] = (meetings & ~turned[0][:, None]).any(axis=0)
        gives = np.where(at_home, gives, bribes & (chance < p.bribe_often * (left + p.bribe_late * (1 - left))))
        gives &= left > 0
        amounts = np.where(at_home, amounts, p.bribe_size * share)
    else:
        gives &= at_home
    return affordable(spare(games), [(amounts.astype(np.int16) + np.int16(1)) * gives])[0]


def spare(games: Games) -> Whole:
    """Returns, by seat, cash for salaries and bribes. The rest is for the cheapest errand: in a month without one a
    side earns nothing in Angola.
    """
    left: Whole = np.maximum(games.cash - _LEAST_ERRAND.take(games.at).min(axis=1), 0)
    return left


def affordable(cash: Whole, wanted: list[Whole]) -> list[Whole]:
    """Returns the amounts by seat and agent, in the order of the list, as far as the cash goes."""
    total = wanted[0].sum(axis=1, dtype=np.int16)
    for amounts in wanted[1:]:
        total += amounts.sum(axis=1, dtype=np.int16)
    if not (total > cash).any():
        return wanted
    left = cash.copy()
    cut = []
    for amounts in wanted:
        kept = np.empty_like(amounts)
        for agent in range(AGENTS):
            kept[:, agent] = np.minimum(amounts[:, agent], left)
            left -= kept[:, agent]
        cut.append(kept)
    return cut


# -- move --------------------------------------------------------------------------------------------------------------


def move(games: Games, p: Parameters, noise: Noise, reports: ToldOrders | None = None) -> OrderArrays:
    """Returns orders for both sides, each by itself. `reports` takes the place of the guess."""
    worth = price(games)
    here = games.at[:, :, None] == _REGIONS
    own: Truth = here[:, 0] | here[:, 1] | here[:, 2]
    rival: Truth = own[::-1]
    offered = None
    if reports is not None:
        there = reports.orders.to[:, :, None] == _REGIONS
        talks = reports.talks[:, :, None]
        guess = np.where(talks, there, here)
        rival = (guess[:, 0] | guess[:, 1] | guess[:, 2])[::-1]
        sure = (there & talks) * reports.orders.payment[:, :, None]
        known = (there & talks).any(axis=1)[::-1]
        offered = np.where(known, sure.sum(axis=1, dtype=np.int16)[::-1], np.int16(-1))
    load = games.carries.astype(np.float32)
    risk = load[:, 0] + load[:, 1] + load[:, 2]
    to = _destinations(games, p, noise, worth, here, rival, offered, load, risk)
    return _payments(games, p, noise, worth, to, rival, offered, load.max(axis=1), risk)


def _destinations(
    games: Games,
    p: Parameters,
    noise: Noise,
    worth: Real,
    here: Truth,
    rival: Truth,
    offered: Whole | None,
    load: Real,
    risk: Real,
) -> Whole:
    size, left = games.size, games.months_left
    last = np.float32(left == 0)
    diamonds = games.diamonds[:HOME].astype(np.float32)
    roots = _ROOTS.take(games.diamonds[:HOME])
    most = load.max(axis=1)
    regions = diamonds * p.diamond + roots * (p.root + p.root_last * last)
    regions += rival * (p.rival + p.rival_last * last + diamonds * p.rival_diamond)
    watch = (p.inspector[:, 0] + most[::-1] * p.inspector_hunt[:, 0] + risk * p.inspector_guard[:, 0])[:, None]
    watched = games.inspector == _REGIONS
    regions += watched * (watch + diamonds * p.inspector_diamond)
    if offered is not None:
        cheap = (offered + np.float32(1)) <= p.outbid * worth[:, None] * diamonds
        regions += (offered >= 0) * np.where(cheap, p.told_cheap, p.told_dear)
    scores = np.empty((SEATS, AGENTS, PLACES, size), np.float32)
    np.add(noise.gumbel(SEATS, AGENTS, HOME, size), regions[:, None], out=scores[:, :, :HOME])
    scores[:, :, :HOME] += here * p.stay[:, :, None]
    scores[:, :, :HOME] += watched * (load * p.inspector_load)[:, :, None]
    month = np.float32(left / 8)
    home = (
        p.home
        + p.home_month * month
        + load * (p.home_load + p.home_load_month * month)
        + _ROOTS.take(games.carries) * p.home_root
    )
    home += (games.at == HOME) * p.home_stay
    home -= _FAR * last
    np.add(home, noise.gumbel(SEATS, AGENTS, size), out=scores[:, :, HOME])
    poor = games.cash < MOST_TRIPS
    money = games.cash.copy() if poor.any() else None
    if money is not None and not left:
        # In the last month, a side with little money offers all of it where its agents stand: a trip would only take
        # from it.
        money *= ~(poor & (games.at != HOME).any(axis=1))
    to = np.empty((SEATS, AGENTS, size), np.int16)
    for agent in range(AGENTS):
        own, at = scores[:, agent], games.at[:, agent]
        if money is not None:
            # An agent that goes later may have no money to make room.
            own[:, :HOME] -= (here[:, agent + 1 :].any(axis=1) & poor[:, None]) * (_FAR * 8)
            own -= (np.moveaxis(_ERRANDS.take(at, axis=1), 0, 1) > money[:, None]) * (_FAR * 8)
        best = own == own.max(axis=1)[:, None]
        to[:, agent] = (best * _NUMBERS).max(axis=1)
        if money is not None:
            money -= _ERRANDS[to[:, agent], at]
        if agent + 1 < AGENTS:
            scores[:, agent + 1 :, :HOME] -= (best[:, :HOME] * (_FAR * 4))[:, None]
    return to


def _payments(
    games: Games,
    p: Parameters,
    noise: Noise,
    worth: Real,
    to: Whole,
    rival: Truth,
    offered: Whole | None,
    most: Real,
    risk: Real,
) -> OrderArrays:
    size = games.size
    where = games.flat(to)
    stake = games.diamonds.reshape(-1).take(where)
    contest = np.zeros((SEATS, PLACES, size), bool)
    contest[:, :HOME] = rival
    offset = np.array([0, PLACES * size])[:, None, None]
    met = contest.reshape(-1).take(where + offset)
    watched = to == games.inspector
    chance, share = noise.uniform(SEATS, AGENTS, size), noise.uniform(SEATS, AGENTS, size)
    stakes = np.float32(1) + p.bribe_hunt[:, 0] * most[::-1] + p.bribe_guard[:, 0] * risk
    bribe = ((share[:, ::-1] * p.bribe_span + p.bribe_base) * (worth * stakes)[:, None]).astype(np.int16) * watched
    np.maximum(bribe, 0, out=bribe)
    if games.months_left:
        low = chance < np.where(met, p.low_met, p.low_alone)
        span = np.where(met, p.span_met, p.span_alone) * share**p.bend
        base = np.where(met, p.base_met, p.base_alone)
        spent = np.maximum(games.cash, 0) / np.maximum(stake.sum(axis=1), 1)
        payment = (stake * (worth[:, None] * (base + span) + p.spend * spent[:, None])).astype(np.int16)
        payment[low] = 0
        payment += 1
    else:
        payment = _all_in(games, p, share, stake, met, to, bribe)
    if offered is not None:
        known = np.full((SEATS, PLACES, size), -1, np.int16)
        known[:, :HOME] = offered
        other = known.reshape(-1).take(where + offset)
        beats = other + np.int16(1) + (chance * p.told_margin).astype(np.int16)
        answer = np.where(beats <= p.outbid * worth[:, None] * stake, beats, 0).astype(np.int16)
        payment = np.where(other >= 0, answer, payment)
    np.maximum(payment, 0, out=payment)
    payment *= (stake > 0) & ~(watched & (bribe == 0))
    trips = trip_total(games, to)
    payment, bribe = affordable(games.cash - trips, [payment, bribe])
    return OrderArrays(to, payment, bribe)


def trip_total(games: Games, to: Whole) -> Whole:
    """Returns, by seat and game, dollars for the trips of all three agents."""
    trips = TRIPS.take(games.at * np.int16(PLACES) + to)
    total: Whole = trips[:, 0] + trips[:, 1] + trips[:, 2]
    return total


def _all_in(games: Games, p: Parameters, share: Real, stake: Whole, met: Truth, to: Whole, bribe: Whole) -> Whole:
    """Spreads what is left over the stakes at random: in the last round money is worth nothing next to a diamond."""
    spread = share * p.last_spread + met * p.last_met
    weight = np.where(stake > 0, np.exp(np.log2(np.maximum(stake, 1)) * p.last_power + spread), np.float32(0))
    total = weight.sum(axis=1)
    left = np.maximum(games.cash - trip_total(games, to) - bribe.sum(axis=1, dtype=np.int16), 0)
    spent: Whole = (weight * (left / np.maximum(total, np.float32(1e-6)))[:, None]).astype(np.int16)
    rest = np.maximum(left - spent.sum(axis=1, dtype=np.int16), 0)
    spent += (weight == weight.max(axis=1)[:, None]) * rest[:, None]
    return spent


# -- Inspector ---------------------------------------------------------------------------------------------------------


def inspect(games: Games, mover: Whole, rivals: Whole, p: Parameters, noise: Noise) -> Whole:
    """Returns where the Inspector is sent by the side that may: where the other side loses most and its own least."""
    size = games.size
    won = games.payment > rivals
    block = np.where(mover == 0, p.block[0], p.block[1])
    threat = games.carries + won * games.diamonds.reshape(-1).take(games.flat(games.at)) * block
    gain = np.zeros((PLACES, size), np.float32)
    where = games.flat(games.at)
    flat = gain.reshape(-1)
    for seat, sign in ((1, np.float32(1)), (0, np.float32(-1))):
        for agent in range(AGENTS):
            flat[where[seat, agent]] += sign * threat[seat, agent]
    scores = gain[:HOME] * np.where(mover == 0, np.float32(1), np.float32(-1))
    scores += noise.uniform(HOME, size) * np.float32(0.01)
    best: Whole = scores.argmax(axis=0).astype(np.int16)
    return np.where(mover == NOBODY, games.inspector, best)


# -- sale --------------------------------------------------------------------------------------------------------------


def sale(games: Games, p: Parameters, noise: Noise) -> Whole:
    """Returns, by seat, how many diamonds it plans to sell."""
    size = games.size
    dear = np.log2(price(games))
    scores = np.zeros((SEATS, MOST_SOLD, size), np.float32)
    for number in range(1, MOST_SOLD):
        base, slope = p.numbers[:, NAMES.index(f"sale_{number}")], p.numbers[:, NAMES.index(f"sale_{number}_price")]
        scores[:, number] = base + slope * dear
    scores += noise.gumbel(SEATS, MOST_SOLD, size)
    number = scores.argmax(axis=1).astype(np.int16)
    least: Whole = np.minimum(number, games.vault)
    return least


def adjusted_sale(games: Games, planned: Whole, p: Parameters) -> Whole:
    """Returns, by seat, the number that pays best against the other side's plan."""
    worth = price(games) * p.sale_worth[:, 0]
    best = np.zeros_like(planned)
    most = np.full(planned.shape, np.float32(NO_SALE))
    theirs = planned[::-1].astype(np.intp)
    for number in range(1, MOST_SOLD):
        gain = INCOME.reshape(-1).take(number * SELLABLE + theirs) - number * worth
        better = (gain > most) & (games.vault >= number)
        np.copyto(best, number, where=better)
        np.copyto(most, gain, where=better)
    return best
