"""Judges turns of the land game by playing on: each is worth the lead in money that it gives its seat.

The turn that was made is compared with turns of the bot. Each is played on for some turns in the same worlds, which
differ in their dice alone, by the bot at its highest level at every seat. Then every seat counts its cash, and what its
land brings until the likely end. The best of the others is played out anew against the turn that was made: what was
found by luck loses its lead there, and a difference that may be chance does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import Final, TypeAlias, cast

from kimberley.games.bots.judge_levels import NORMAL_LEVEL
from kimberley.games.bots.review import (
    Assessment,
    DecisionPoint,
    RatedChoice,
    compared,
    mean_chances,
    most_apart,
    odds,
)
from kimberley.games.land.accounts import account
from kimberley.games.land.bots.appraisal import turns_left
from kimberley.games.land.bots.bot import LEVELS, LandBot
from kimberley.games.land.deals import BUY, PRICE, SELL, Deal, Deals
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.maps import FACES
from kimberley.games.land.money import CENT, GOAL, K
from kimberley.games.land.rules import DealSpace, State
from kimberley.games.table import Observation, Plain, Result, evolve, space_for

PLAYED_ON: Final = 8
"""Turns that are played on after the one that is judged, those of all seats together."""
WORLDS: Final = FACES**2
"""Worlds in which two turns are compared at the normal level; in each turn, every roll comes once."""
FEWEST: Final = 8
"""Worlds at the lowest levels."""
SKETCHED: Final = 4
"""Only one in this many worlds is used to choose what a turn is compared with."""
ADVISERS: Final = (LEVELS[-1], 16, 12)
"""The levels of the bots whose turns are considered."""
RESALE: Final = 0.25
"""The share of its base price that land counts for, besides what it brings. The government pays twice as much, but only
in the sector that is rolled.
"""
SCALE: Final = 10.0
SCALE_OF_A_TURN: Final = 6.0
"""A lead of `SCALE` K, and `SCALE_OF_A_TURN` K more for each turn that is left, makes the first place 2.7 times as
likely: fitted to games of the bot (docs/review.md).
"""

Rolls: TypeAlias = Sequence[tuple[int, int]]


class LandJudge:
    """Plays on in as many worlds as its level says. Nothing in the land game is hidden."""

    unit = "K"
    hidden = False

    def __init__(self, level: int) -> None:
        self._worlds = max(FEWEST, WORLDS * level // NORMAL_LEVEL)

    def by_knowledge(self, observation: Observation, chosen: Plain, rng: Random) -> Assessment | None:
        """See `ChoiceJudge`."""
        state, seat = cast(State, observation.state), observation.seat
        draft = cast(DealSpace, space_for(state.ask(), seat)).draft()
        if not draft.own() and not draft.buyable():
            return None
        playout = Playout(state)
        made, *others = considered(state, cast(Deals, chosen))
        few, many = worlds(self._worlds // SKETCHED, rng), worlds(self._worlds, rng)
        turns = [made]
        if others:
            turns.append(max(others, key=lambda other: mean_lead(seat, playout.forecasts(other, few))))
        reached = [playout.forecasts(turn, many) for turn in turns]
        rated = [
            RatedChoice(turn, mean_lead(seat, forecasts), mean_chances(forecast.chances for forecast in forecasts))
            for turn, forecasts in zip(turns, reached, strict=True)
        ]
        leads = [[forecast.lead(seat) for forecast in forecasts] for forecasts in reached]
        return compared(seat, rated, leads)

    def by_truth(self, point: DecisionPoint, rng: Random) -> Assessment:
        """Judges like `by_knowledge`, as what is known is the truth."""
        assessment = self.by_knowledge(point.observation, point.chosen, rng)
        assert assessment is not None
        return assessment

    def apart(self, observation: Observation, choice: Plain, other: Plain, rng: Random) -> float:
        """See `ChoiceJudge`."""
        playout, drawn = Playout(cast(State, observation.state)), worlds(self._worlds, rng)
        one, two = (
            [forecast.chances[observation.seat] for forecast in playout.forecasts(cast(Deals, turn), drawn)]
            for turn in (choice, other)
        )
        return most_apart(one, two)


# -- what a turn is compared with --------------------------------------------------------------------------------------


def considered(state: State, made: Deals) -> list[Deals]:
    """Returns the turn that was made, and others that lead to other positions, each once."""
    space = cast(DealSpace, space_for(state.ask(), state.seat))
    bots = [LandBot(level, 0) for level in ADVISERS]
    draft = space.draft(made)
    cash = (*state.cash[: state.seat], draft.cash, *state.cash[state.seat + 1 :])
    more = turn_of(bots[0], evolve(state, land=draft.land, cash=cash))
    turns: dict[object, Deals] = {}
    advised = [*(turn_of(bot, state) for bot in bots), (*made, *more)]
    for turn in (made, *(shortened(space, deals) for deals in advised)):
        if space.violation(turn) is None:
            after = state.apply(turn)
            turns.setdefault((after.land, after.cash, after.due), turn)
    return list(turns.values())


def turn_of(bot: LandBot, state: State) -> Deals:
    """Returns a bot's turn in a position."""
    return cast(Deals, bot.choose(Observation(state.seat, state, ())))


def shortened(space: DealSpace, deals: Iterable[Deal]) -> Deals:
    """Returns a turn with the same outcome: no parcel is priced twice, sold and bought back, or bought from the
    government and sold.

    It may not be legal, since a sale may pay for what comes after it.
    """
    kept: list[Deal] = []
    for deal in deals:
        verb, parcel = deal[0], deal[1]
        at = max((at for at, other in enumerate(kept) if other[1] == parcel), default=None)
        before = None if at is None else kept[at][0]
        if at is None or (before == BUY and verb == SELL and space.land.owner(parcel) != GOVERNMENT):
            kept.append(deal)
        elif before == BUY and verb == SELL:
            del kept[at]
        elif before == SELL:
            kept = [*shortened(space, (*kept[:at], *kept[at + 1 :], (PRICE, parcel, deal[-1])))]
        else:
            kept[at] = deal if verb == SELL else (kept[at][0], parcel, deal[-1])
    return tuple(kept)


def worlds(count: int, rng: Random) -> list[Rolls]:
    """Returns the dice of `count` worlds. In each turn, every roll comes once in 36 of them."""
    rolls = [(black, white) for black in range(FACES) for white in range(FACES)]

    def of_a_turn() -> list[tuple[int, int]]:
        drawn: list[tuple[int, int]] = []
        while len(drawn) < count:
            rng.shuffle(rolls)
            drawn += rolls
        return drawn[:count]

    return list(zip(*(of_a_turn() for _ in range(PLAYED_ON)), strict=True))


# -- what a turn is worth ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Forecast:
    """By seat what it is likely to have in the end, in K, and its chance to win. Seats that are out have neither.

    No more than a million counts, since that ends the game.
    """

    money: tuple[float, ...]
    chances: tuple[float, ...]

    def lead(self, seat: int) -> float:
        """Returns how much more a seat has than the richest of the others."""
        return self.money[seat] - max(money for other, money in enumerate(self.money) if other != seat)


class Playout:
    """Plays on after turns from a position. The end is expected at the same time after all of them."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._turns = state.played[state.seat] + turns_left(state, state.seat) + 1
        self._bot = LandBot(LEVELS[-1], 0)

    def forecasts(self, turn: Deals, worlds: Iterable[Rolls]) -> list[Forecast]:
        """Returns what a turn leads to, by world."""
        after = self._state.apply(turn)
        return [self._forecast(self._played_on(after, rolls)) for rolls in worlds]

    def _played_on(self, state: State, rolls: Rolls) -> State:
        for roll in rolls:
            if state.over is not None:
                break
            rolled = state.apply(roll)
            state = rolled.apply(turn_of(self._bot, rolled))
        return state

    def _forecast(self, state: State) -> Forecast:
        seats, ended = range(state.seats), state.ask()
        living = [seat for seat in seats if state.alive(seat)]
        if isinstance(ended, Result):
            money = {seat: state.cash[seat] / K for seat in living}
            chances = {seat: 1 / len(ended.winners) for seat in ended.winners}
        else:
            money = {seat: self.money(state, seat) for seat in living}
            scale = SCALE + SCALE_OF_A_TURN * self.left(state, state.seat)
            chances = odds(money, scale)
        return Forecast(
            tuple(min(money.get(seat, 0.0), GOAL / K) for seat in seats),
            tuple(chances.get(seat, 0.0) for seat in seats),
        )

    def money(self, state: State, seat: int) -> float:
        """Returns what a seat has and is likely to earn, in K."""
        assert state.map is not None
        earned = account(state.map, state.land, seat).net * self.left(state, seat)
        resold = RESALE * CENT * sum(state.map.base(parcel) for parcel in state.land.of(seat))
        return (state.cash[seat] + state.due[seat] + earned + resold) / K

    def left(self, state: State, seat: int) -> int:
        """Returns how many more accounts a seat is likely to have."""
        return max(0, self._turns - state.played[seat] - (seat == state.seat))


def mean_lead(seat: int, forecasts: Sequence[Forecast]) -> float:
    """Returns by how much a seat leads on average, in K."""
    return fmean(forecast.lead(seat) for forecast in forecasts)
