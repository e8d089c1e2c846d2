"""The player for practice at the land game: it buys what earns, connects, prices, and plays better with its level."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import cast

import pytest

from kimberley.games.bots.base import Bot
from kimberley.games.bots.levels import make_bot
from kimberley.games.land import GAME
from kimberley.games.land.accounts import account, connected, revenue_of
from kimberley.games.land.bots.appraisal import LONGEST, Appraisal, Estate, turns_left
from kimberley.games.land.bots.bot import LEVELS, LandBot
from kimberley.games.land.deals import BUY, PRICE, Deals
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.money import K
from kimberley.games.land.rules import State
from kimberley.games.table import Chooser, Decide, Observation, Plain, Result
from tests.support.effort import first_is_quick, tries
from tests.support.land import STRIPES, Owned, cash, land, result, roll, space, table
from tests.support.laws import answered, honestly
from tests.support.seated_arena import SeatedArena


def observed(state: State) -> Observation:
    ask = state.ask()
    assert isinstance(ask, Decide)
    return Observation(ask.seat, state, ())


def plays(state: State, level: int = 20, seed: int = 1) -> Deals:
    """Returns what the player chooses; it is legal."""
    deals = LandBot(level, seed).choose(observed(state))
    assert space(state).violation(deals) is None
    return cast(Deals, deals)


def bought(deals: Deals) -> set[str]:
    return {STRIPES.name(deal[1]) for deal in deals if deal[0] == BUY}


def after(state: State, level: int = 20) -> State:
    return state.apply(plays(state, level))


# -- single turns ------------------------------------------------------------------------------------------------------


def test_it_buys_what_is_connected_by_what_it_buys() -> None:
    for level in (5, 12, 20):
        state = after(roll(table(), (0, 1)), level)
        found = account(STRIPES, state.land, 0)
        assert all(group.river for group in found.groups)
        assert found.net > 0


def test_it_connects_its_land_before_it_sells_any() -> None:
    """Land that is cut off is worth selling; connected, it is not."""
    names = [f"{column}{row}" for column in "hi" for row in range(1, 5)]
    state = roll(table({name: (0, "20" if name[0] == "i" else "1") for name in names}), (0, 1))
    for level in (12, 20):
        deals = plays(state, level)
        assert deals[0][:2] in [(BUY, STRIPES.parcel(f"g{row}")) for row in range(1, 5)]
        assert not {STRIPES.parcel(name) for name in names} & {deal[1] for deal in deals if deal[0] != PRICE}


def test_it_joins_what_lies_apart() -> None:
    apart: Owned = dict.fromkeys(("d1", "d2", "d3", "d4"), (0, "100"))
    names = bought(plays(roll(table(apart), (0, 1))))
    assert {f"e{row}" for row in (1, 2, 3, 4)} & names


def test_it_sells_nothing_that_it_buys_back() -> None:
    owned = {
        "e1": (0, "1"), "g1": (0, "5"), "h1": (1, "20"), "e2": (1, "20"), "g2": (1, "50"), "h2": (1, "1"),
        "e3": (0, "5"), "g3": (1, "5"), "h3": (0, "5"), "e4": (1, "5"), "h4": (0, "50"),
    }  # fmt: skip
    for money in (5, 20, 60, 200):
        state = roll(table(owned, (money, 100)), (0, 1))
        own = {parcel for parcel, (seat, _) in owned.items() if seat == 0}
        deals = plays(state)
        assert not own & bought(deals)
        assert space(state).violation(deals) is None


def test_it_puts_no_money_into_land_that_stays_apart() -> None:
    hemmed: Owned = {f"e{row}": (1, "999") for row in range(1, 13)}
    deals = plays(roll(table({**hemmed, **{f"g{row}": (1, "999") for row in range(1, 13)}}), (0, 0)), level=8)
    assert deals == ()


def test_it_comes_back_above_zero_if_it_can() -> None:
    state = roll(table({"a1": (0, "0"), "d1": (0, "999"), "d2": (0, "999"), "d9": (0, "999")}, (5, 500)), (0, 0))
    assert cash(state)[0] < 0
    for level in LEVELS:
        assert cash(after(state, level))[0] >= 0


def test_it_wins_by_selling_where_that_makes_the_million() -> None:
    for level in LEVELS:
        state = after(roll(table({"d1": (0, "100"), "d2": (0, "100"), "e1": (1, "1")}, (905, 500))), level)
        assert result(state).winners == (0,)


def test_it_turns_land_into_cash_on_the_last_turn_of_a_short_game() -> None:
    owned: Owned = {"e1": (0, "5"), "d1": (0, "100"), "e2": (0, "5")}
    state = after(roll(table(owned, seat=0, played=24, limit=25), (0, 0)))
    assert state.land.owner(STRIPES.parcel("d1")) == GOVERNMENT


def test_it_buys_what_the_government_pays_more_for_and_sells_it_on() -> None:
    cheap: Owned = {"a1": (1, "0"), "b1": (1, "0.01"), "d1": (1, "1")}
    state = roll(table({**cheap, "e1": (1, "999")}, seat=0, played=24, limit=25))
    done = after(state)
    assert cash(done)[0] == 500 + Fraction(1, 2) + 10 + 50 - 1 - Fraction(1, 100)


def test_it_keeps_its_diamonds_dearer_than_a_rival_would_pay_and_idle_land_cheap() -> None:
    owned: Owned = {"e1": (0, "5"), "d1": (0, "100"), "a4": (0, "900")}
    state = after(roll(table(owned, (60, 500)), (0, 0)))
    diamonds, idle = state.land.price(STRIPES.parcel("d1")), state.land.price(STRIPES.parcel("a4"))
    assert diamonds >= 5000
    assert idle < 1000


@pytest.mark.parametrize("played", [13, 16, 19])
def test_joined_farmland_costs_a_rival_more_than_the_government_would_pay_for_it(played: int) -> None:
    """Otherwise the rival could buy it and sell it on at no cost, only so that it no longer earns."""
    owned: Owned = {f"e{row}": (0, "2.5") for row in range(1, 5)}
    state = after(roll(table(owned, (450, 500), played=played, limit=25), (0, 1)), level=10)
    joined = [STRIPES.parcel(f"e{row}") for row in range(1, 5)]
    assert [parcel for parcel in joined if state.land.price(parcel) <= STRIPES.base(parcel) // 2] == []


def joined_twice(price: str) -> Owned:
    """Returns diamonds of the rival in another sector, which two farms join to the river, and desert that joins
    nothing.
    """
    return {"d1": (1, "100"), "d2": (1, "100"), "e1": (1, price), "e2": (1, price), "g3": (1, "50")}


@pytest.mark.parametrize("level", [10, 15, 20])
def test_it_cuts_land_off_where_only_all_ways_to_the_river_together_are_worth_their_price(level: int) -> None:
    state = roll(table(joined_twice("20")), (0, 1))
    found = bought(plays(state, level))
    assert {"e1", "e2"} <= found
    assert "g3" not in found
    assert account(STRIPES, after(state, level).land, 1).revenue == revenue_of(STRIPES, STRIPES.parcel("g3"))


@pytest.mark.parametrize(
    ("price", "cash", "level"),
    [
        pytest.param("400", 900, 20, id="too dear"),
        pytest.param("20", 30, 20, id="one of two cuts nothing off"),
        pytest.param("20", 500, 8, id="its level does not count what others lose"),
    ],
)
def test_it_leaves_ways_that_it_cannot_or_need_not_cut(price: str, cash: int, level: int) -> None:
    assert not {"e1", "e2"} & bought(plays(roll(table(joined_twice(price), (cash, 500)), (0, 1)), level))


def test_what_it_leaves_of_what_was_bought_together() -> None:
    """An estate in which both farms are bought: leaving one gives the rival both diamonds back."""
    estate = Estate(STRIPES, land(joined_twice("20")))
    e1, e2 = STRIPES.parcel("e1"), STRIPES.parcel("e2")
    for parcel in (e1, e2):
        estate.give(parcel, 0, 2000)
    judge = Appraisal(estate, table(joined_twice("20")), 0, 10, 1.0)
    both = judge.leaving(e1, 1, 2000)
    assert both == 20 * K + 10 * (500 - 2500) + 20 * K + 10 * (2000 - 2500 - 100_000)
    estate.give(e2, 1, 2000)
    assert judge.leaving(e1, 1, 2000) == 20 * K + 10 * (500 - 2500) + 20 * K + 10 * (2000 - 2500)


# -- what it judges by -------------------------------------------------------------------------------------------------


def test_turns_left_follow_the_fastest_and_the_limit() -> None:
    assert 5 <= turns_left(table(), 0) <= LONGEST
    near = table({"e1": (1, "0"), "d1": (1, "0")}, (500, 990), seat=0)
    assert turns_left(near, 0) == 1
    assert turns_left(table(played=24, limit=25), 0) == 0
    assert turns_left(table(played=20, limit=25), 0) == 4


def test_what_a_parcel_brings_and_what_its_loss_cuts_off() -> None:
    estate = Estate(STRIPES, land({"d1": (0, "0"), "c1": (0, "0"), "g1": (1, "0"), "h1": (1, "0"), "h2": (1, "0")}))
    e1, e2, g1, h1 = (STRIPES.parcel(name) for name in ("e1", "e2", "g1", "h1"))
    assert estate.joined(0) == set()
    assert (estate.brought(e1, 0), estate.brought(e2, 0)) == (2500 + 50000 + 2500, 2500)
    assert estate.brought(STRIPES.parcel("b1"), 0) == 0
    assert (estate.lost(g1), estate.lost(h1), estate.lost(e1)) == (500 + 2500 + 2500, 5000, 0)
    estate.give(e1, 0, 500)
    assert estate.joined(0) == {e1, STRIPES.parcel("d1"), STRIPES.parcel("c1")}
    ways = estate.way(STRIPES.parcels(0, 0), 0)
    assert (ways[STRIPES.parcel("b1")], ways[STRIPES.parcel("a1")], ways[STRIPES.parcel("a3")]) == (0, 1, 3)


# -- the player --------------------------------------------------------------------------------------------------------


def test_the_same_question_has_the_same_answer() -> None:
    state = roll(table(), (0, 1))
    for level in (1, 9, 20):
        assert len({plays(state, level, 7) for _ in range(3)}) == 1
    assert len({plays(state, 1, seed) for seed in range(20)}) > 3


def test_levels_grow() -> None:
    players = [LandBot(level, 0) for level in LEVELS]
    assert [player.deals for player in players] == sorted(player.deals for player in players)
    assert [player.blur for player in players] == sorted((player.blur for player in players), reverse=True)
    assert players[-1].blur == 0


def test_who_is_not_asked_has_nothing_to_choose() -> None:
    with pytest.raises(ValueError, match="not to choose"):
        LandBot(1, 1).choose(Observation(1, roll(table()), ()))
    with pytest.raises(ValueError, match="not to choose"):
        LandBot(1, 1).choose(Observation(0, table(), ()))


class Idle:
    """A player that keeps its 500K, and never deals. Play at random is no measure: its prices tax it to death."""

    def choose(self, observation: Observation) -> Plain:
        del observation
        return ()


class Thrifty:
    """A player that buys connected land of the government, as long as it keeps 100K, and never sets a price."""

    def choose(self, observation: Observation) -> Plain:
        state = cast(State, observation.state)
        draft, found = space(state).draft(), True
        while found and draft.cash >= 0:
            found, joined = False, connected(draft.map, draft.land, draft.seat)
            for parcel in draft.parcels:
                deal = (BUY, parcel, draft.default(parcel))
                reached = parcel in draft.map.banks or joined.intersection(draft.map.neighbors[parcel])
                affordable = draft.cash - draft.map.base(parcel) * K >= 100 * K
                if draft.land.owner(parcel) == GOVERNMENT and reached and affordable and draft.violation(deal) is None:
                    draft, found = draft.then(deal), True
        return draft.deals


def wins(better: int, other: int | Bot, games: int, seats: int, options: dict[str, Plain]) -> int:
    """Returns how many games a player of a level wins against others, which are of another level or all that bot."""
    won = 0
    for seed in range(games):
        at = seed % seats
        bots: list[Bot] = [
            make_bot(GAME, better, seed)
            if seat == at
            else make_bot(GAME, other, seed)
            if isinstance(other, int)
            else other
            for seat in range(seats)
        ]
        players: list[Chooser] = [bot.choose for bot in bots]
        won += SeatedArena(GAME, seats, Random(seed), options).play(players).winners == (at,)
    return won


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("other", [Idle(), Thrifty()], ids=["idle", "thrifty"])
def test_the_lowest_level_beats_players_who_set_no_prices(other: Bot) -> None:
    assert wins(1, other, 6, 2, {}) == 6
    assert wins(1, other, 6, 2, {"map": "small", "turns": 25}) == 6


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("options", tries([{"map": "small", "turns": 25}], [{}, {"map": "small", "turns": 25}]))
def test_a_higher_level_plays_better(options: dict[str, Plain]) -> None:
    assert wins(10, 1, 20, 2, options) >= 15
    assert wins(20, 1, 20, 2, options) >= 15


@pytest.mark.nightly
@pytest.mark.slow
def test_a_higher_level_plays_better_among_four() -> None:
    assert wins(10, 1, 16, 4, {"turns": 25}) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_is_quick(1, 7))
def test_five_bots_come_to_an_end(seed: int) -> None:
    """Whoever is near the million sells all its land; where nobody earns then, somebody must buy again."""
    seats = SeatedArena(GAME, 5, Random(seed))
    for _ in range(2000):
        ask = seats.arena.truth.ask()
        if isinstance(ask, Result):
            return
        choices = {seat: make_bot(GAME, 1, 1 + seat).choose(seats.observation(seat)) for seat in ask.choosers}
        seats.apply(answered(seats.arena, ask, choices, honestly))
    raise AssertionError("nobody comes nearer to the million")
