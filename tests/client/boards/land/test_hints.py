"""Hints of Blood Diamonds: Land, one by one and over a turn."""

from __future__ import annotations

from random import Random

import pytest

from kimberley.client.boards.land.advice import advise_next
from kimberley.client.boards.registry import find_board
from kimberley.games import lookup
from kimberley.games.bots.hints import choose
from kimberley.games.bots.levels import make_bot
from kimberley.games.land.bots.bot import named_deals
from kimberley.games.land.deals import PRICE, SELL
from kimberley.games.table import Observation, Plain, Result
from tests.support import land
from tests.support.effort import first_is_quick
from tests.support.land_hints import by_keys, facts_of, priced_facts
from tests.support.seated_arena import NAMES, SeatedArena


def test_who_is_below_zero_is_out_at_the_end_of_the_turn_and_keeps_nothing() -> None:
    state = land.roll(land.table(dict.fromkeys(("a1", "a2", "a3"), (0, "999")), cash=(-40, 500)), (0, 0))
    assert state.map is not None
    sold = tuple((SELL, state.map.parcel(name)) for name in ("a1", "a2", "a3"))
    said = advise_next(state, 0, sold, ()).sentence()
    assert said == "The next best choice is to end your turn: you are out."


def test_a_price_that_falls_is_named_where_others_rise() -> None:
    prices = {"a1": 100, "a2": 150, "a3": 20, "b1": 20}
    state = land.roll(land.table({name: (0, str(price)) for name, price in prices.items()}), (0, 0))

    def said(**new: float) -> str:
        assert state.map is not None
        deals = tuple((PRICE, state.map.parcel(name), round(100 * price)) for name, price in new.items())
        ask = state.ask()
        assert not isinstance(ask, Result)
        why = find_board("land").game.advise(state, ask, 0, deals, NAMES).partition(": ")[2]
        priced_facts(land.space(state).draft(), deals, why)
        return why

    assert said(a1=135, a2=116.25, a3=60) == "for 0.83K more tax a turn, a1 and a3 cost others more, and a2 less."
    assert said(a1=120, a3=10) == "for 0.2K more tax a turn, a1 costs others more, and a3 less."
    assert said(a1=90, a3=30) == "for the same tax, a3 costs others more, and a1 less."
    assert said(a1=120, a3=30) == "for 0.6K more tax a turn, your land costs others more."


def test_what_reconnects_land_comes_first_and_is_the_reason() -> None:
    names = [f"{column}{row}" for column in "hi" for row in range(1, 5)]
    state = land.roll(land.table({name: (0, "20" if name[0] == "i" else "1") for name in names}), (0, 1))
    choice = make_bot(lookup.find("land"), 20, 0).choose(Observation(0, state, ()))
    ask = state.ask()
    assert not isinstance(ask, Result)
    said = find_board("land").game.advise(state, ask, 0, choice, NAMES)
    assert said.startswith("Buy all government parcels here: ")
    assert state.map is not None
    assert state.map.name(named_deals(state, choice)[0][1]).startswith("g")
    assert "you reconnect 8 parcels to the river, and your land earns" in said


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_is_quick(*range(3)))
def test_the_hints_of_a_turn_in_land_are_true_end_it_and_lead_to_no_draft_twice(seed: int) -> None:
    rules, ui = lookup.find("land"), find_board("land").game
    table = SeatedArena(rules, 2, Random(seed), {"turns": 25})
    bot = make_bot(rules, 20, 0)
    while not isinstance(ask := table.arena.truth.ask(), Result):
        choices: dict[int, Plain] = {}
        for seat in ask.choosers:
            known = table.observation(seat)
            form = by_keys(known.state, seat, ())
            drafts = [(form.now.land, form.now.cash)]
            while advised := choose(bot, Observation(seat, form.advised, known.story)):
                now = form.advised.ask()
                assert not isinstance(now, Result)
                facts_of(form.advised, seat, advised, ui.advise(form.advised, now, seat, advised, NAMES))
                form.fill_in(advised)
                draft = form.now.land, form.now.cash
                assert draft not in drafts, advised
                drafts.append(draft)
            choices[seat] = form.now.deals
        table.apply(table.arena.answer(ask, choices))
