"""Whole land games: the money is exact, nothing is owned twice, and what is written can be read again."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.arena import Arena
from kimberley.games.land import GAME
from kimberley.games.land.account_sheet import (
    AccountSheet,
    AccountSheetError,
    DealsEvent,
    RollEvent,
    read_sheet,
    sheet_from_story,
    story_from_sheet,
    write_sheet,
)
from kimberley.games.land.accounts import account
from kimberley.games.land.deals import BUY, PRICE, SELL, Deal, Deals
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.money import START
from kimberley.games.land.notation import DealNotationError, parse_deals, write_deals
from kimberley.games.land.rules import BANKRUPT, State
from kimberley.games.table import Ask, Decide, Leave, Plain, Result, Roll
from tests.support.effort import tries
from tests.support.land import OPTIONS, STRIPES, Slow, roll, space, table, told

seeds = st.integers(0, 2**32)
seats = st.integers(2, 6)
options = st.sampled_from(OPTIONS)
few = settings(max_examples=15, deadline=None)

Story = list[tuple[Ask, Any]]


def modest(state: State, rng: Random) -> Deals:
    """Returns deals of a player who does not go bankrupt at once, so that games last."""
    draft = space(state).draft()
    for parcel in rng.sample(draft.parcels, len(draft.parcels)):
        deal: Deal = (BUY, parcel, draft.map.base(parcel) * rng.randint(0, 3) // 2)
        if draft.land.owner(parcel) == draft.seat:
            sells = draft.cash < 0 or rng.random() < 0.2
            deal = (SELL, parcel) if sells else (PRICE, parcel, draft.map.base(parcel) * rng.randint(0, 6) // 4)
        if rng.random() < 0.5 and draft.violation(deal) is None:
            draft = draft.then(deal)
    return draft.deals


def played(
    seed: int, seats: int, options: dict[str, Plain], *, leaving: float = 0.0, begins: int | None = None
) -> tuple[list[State], Story]:
    """Returns a game by mostly modest players, some of whom may leave: its states, and its story."""
    rng = Random(seed)
    arena = Arena(GAME.start(seats, options, begins), rng)
    states, story = [GAME.start(seats, options, begins)], Story()
    while not isinstance(ask := states[-1].ask(), Result):
        answer: Any = None
        if rng.random() < leaving:
            ask = Leave(rng.randrange(seats))
        elif isinstance(ask, Decide):
            answer = modest(states[-1], rng) if rng.random() < 0.97 else ask.space.pick(rng)
        else:
            answer = arena.answer(ask, {})
        story.append((ask, answer))
        states.append(told(states[-1], ask, answer))
    return states, story


# -- money and land ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=tries(8, 20), deadline=None)
@given(seeds, seats, options, st.sampled_from((0.0, 0.01)))
@pytest.mark.nightly
def test_the_rules_give_what_the_seed_says_to_the_unit(
    seed: int, seats: int, options: dict[str, Plain], leaving: float
) -> None:
    """Every balance, credit, owner and price, against the rules worked out slowly with fractions."""
    states, story = played(seed, seats, options, leaving=leaving)
    slow: Slow | None = None
    for (ask, answer), state, then in zip(story, states, states[1:], strict=False):
        if isinstance(ask, Roll) and len(ask.sides) != 2:
            assert then.map is not None
            slow = Slow(then.map.kinds, seats, answer[0])
            if slow.seat in state.out:
                slow.out = [*state.out]
                slow.next()
        elif isinstance(ask, Decide):
            assert slow is not None
            slow.play(answer)
            limited = (then.over or "").startswith("most cash after")
            if not slow.over and not limited:
                slow.next()
        elif isinstance(ask, Leave) and slow is not None and ask.seat not in slow.out:
            slow.leave(ask.seat)
            if not slow.over and ask.seat == slow.seat and then.over is None:
                slow.next()
        if slow is not None:
            slow.agrees(then)
            assert sum(slow.cash) + sum(slow.due) + slow.government == 500 * seats
    if slow is not None:
        assert slow.over or states[-1].limit
        assert slow.winner is None or states[-1].scores()[slow.winner][1] == max(states[-1].cash)


@pytest.mark.slow
@few
@given(seeds, seats, options)
def test_money_is_conserved_but_for_the_governments_dealings(seed: int, seats: int, options: dict[str, Plain]) -> None:
    """Between players nothing is made or lost; the government's part of every step is explained by its dealings."""
    states, _ = played(seed, seats, options, leaving=0.01)
    for before, after in pairwise(states):
        assert before.total() == after.total() == seats * START
        taken = 0
        if after.last is not None and after.last is not before.last:
            for done in after.last.dealt:
                taken += {SELL: -done.paid, BUY: done.paid, PRICE: 0}[done.deal[0]] * (
                    done.deal[0] == SELL or done.seller == GOVERNMENT
                )
        if after.opening is not None and after.opening is not before.opening:
            assert after.map is not None
            found = account(after.map, after.land, after.seat)
            assert (after.opening.tax, after.opening.revenue) == (found.tax, found.revenue)
            taken += found.tax - found.revenue
        lapsed = sum(before.due[seat] for seat in after.out if seat not in before.out)
        assert after.government - before.government == taken + lapsed


@pytest.mark.slow
@few
@given(seeds, seats, options)
def test_no_parcel_has_two_owners_and_none_owns_the_river(seed: int, seats: int, options: dict[str, Plain]) -> None:
    states, _ = played(seed, seats, options, leaving=0.01)
    for state in states:
        if state.map is None:
            continue
        held = [parcel for seat in range(seats) for parcel in state.land.of(seat)]
        assert len(held) == len({*held})
        assert sorted(held) == [*state.land.owned()]
        assert all(state.map.is_land(parcel) for parcel in held)
        assert not any(state.land.of(seat) for seat in state.out)
        for parcel in range(len(state.map.kinds)):
            assert 0 <= state.land.price(parcel) <= 99900
            if state.land.owner(parcel) == GOVERNMENT:
                assert state.land.price(parcel) == state.map.base(parcel)


@pytest.mark.slow
@few
@given(seeds, seats, options)
def test_a_game_ends_as_its_rules_say(seed: int, seats: int, options: dict[str, Plain]) -> None:
    states, _ = played(seed, seats, options)
    final = states[-1]
    ended = final.ask()
    assert isinstance(ended, Result)
    assert ended.winners
    assert ended.scores == final.scores()
    for seat, other in ((a, b) for a in range(seats) for b in range(seats)):
        assert (ended.places[seat] < ended.places[other]) == (ended.scores[seat] > ended.scores[other])
    million = [seat for seat in range(seats) if final.cash[seat] >= 2 * START]
    alive = [seat for seat in range(seats) if final.alive(seat)]
    assert million or len(alive) == 1 or {final.played[seat] for seat in alive} == {final.limit}
    assert all(ended.winners == (seat,) for seat in million)
    assert all(final.cash[seat] < 0 for seat, why in final.gone if why == BANKRUPT)
    for state in states[:-1]:
        assert all(amount < 2 * START for amount in state.cash)


# -- turns in writing --------------------------------------------------------------------------------------------------


def test_a_turn_in_writing() -> None:
    state = roll(table({"a2": (0, "1"), "a3": (0, "1")}))
    written = "buy a1 b1 5.00; sell a2; price a3 30.00; buy a2 1.00"
    deals = parse_deals(space(state).draft(), written)
    assert deals == (("buy", 0, 500), ("buy", 1, 500), ("sell", 12), ("price", 24, 3000), ("buy", 12, 100))
    assert write_deals(STRIPES, deals) == written
    assert write_deals(STRIPES, ()) == "pass"
    assert parse_deals(space(state).draft(), " pass ") == ()
    assert parse_deals(space(state).draft(), "buy  a1   b1;sell a2") == (
        ("buy", 0, 100),
        ("buy", 1, 2000),
        ("sell", 12),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a deal: write buy a1"),
        ("steal a1", "'steal a1' is not a deal"),
        ("buy", "buy what[?] Name one or more parcels: buy a1 b1"),
        ("price", r"price what[?] Name one or more parcels: price a2 30\.00"),
        ("sell a2; sell", "you own no land here to sell"),
        ("buy a1;", "'' is not a deal"),
        ("buy 5.00", "buy what"),
        ("sell a1 5.00", "'5.00' is not a parcel on this map"),
        ("price a2", "price a2 at what"),
        ("buy a1 5.001", "'5.001' is not a price"),
        ("buy a1 -5", "'-5' is not a price"),
        ("buy a1 1000", r"at most 999\.00K"),
        ("buy z1", "'z1' is not a parcel"),
        ("buy a1 a1", "you already own a1"),
        ("; ".join(["price a2 1"] * 65), "a turn has at most 64 deals"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_word(text: str, message: str) -> None:
    with pytest.raises(DealNotationError, match=message):
        parse_deals(space(roll(table({"a2": (0, "1")}))).draft(), text)


@pytest.mark.slow
@few
@given(seeds, seats)
def test_what_is_written_is_read_as_the_same_deals(seed: int, seats: int) -> None:
    states, story = played(seed, seats, {"map": "small", "turns": 25})
    for state, (ask, answer) in zip(states, story, strict=False):
        if isinstance(ask, Decide):
            assert state.map is not None
            assert parse_deals(space(state).draft(), write_deals(state.map, answer)) == answer


# -- sheets ------------------------------------------------------------------------------------------------------------


@pytest.mark.nightly
@pytest.mark.slow
@few
@given(seeds, seats, options, st.booleans(), st.floats(0, 1), st.sampled_from((0.0, 0.02)), st.booleans())
def test_a_game_that_is_saved_and_loaded_is_the_game(
    seed: int, seats: int, options: dict[str, Plain], settled: bool, part: float, leaving: float, resigns: bool
) -> None:
    begins = seed % seats if settled else None
    states, story = played(seed, seats, options, leaving=leaving, begins=begins)
    there = round(part * len(story))
    resigned = (seed % seats,) if resigns and there < len(story) else ()
    effective = [entry for entry, state in zip(story, states, strict=False) if not gone_before(entry[0], state)]
    there = len([entry for entry in story[:there] if entry in effective])
    sheet = sheet_from_story(states[0], effective[:there], resigned)
    loaded = read_sheet(write_sheet(sheet))
    assert loaded == sheet
    state = states[0]
    for ask, answer in effective[:there]:
        state = told(state, ask, answer)
    assert loaded.states()[-1] == state
    assert loaded.resigned == resigned


def gone_before(ask: Ask, state: State) -> bool:
    """Returns whether a leave changes nothing, since its seat is out already."""
    return isinstance(ask, Leave) and not state.alive(ask.seat)


SHEET = """\
# two friends
seats 2
map small
turns 25
rolled B

1 B 1-1 buy b1 c1 20.00; buy a1
1 A 1-2 pass
2 B 2-1 price
"""


def test_a_sheet_is_read_as_people_write_it() -> None:
    sheet = read_sheet(SHEET.rsplit("\n", 2)[0])
    assert (sheet.seats, sheet.options, sheet.begins) == (2, (("map", "small"), ("turns", 25)), None)
    assert sheet.events[:2] == (RollEvent((1,)), RollEvent((0, 0)))
    assert sheet.events[2] == DealsEvent((("buy", 1, 2000), ("buy", 2, 2000), ("buy", 0, 100)))
    assert (
        write_sheet(sheet)
        == """\
seats 2
map small
turns 25
rolled B
1 B 1-1 buy b1 c1 20.00; buy a1 1.00
1 A 1-2 pass
"""
    )
    begun = read_sheet("seats 3\nbegins C\n1 C 1-2\nA leaves\n1 C buy h1\nB resigns\n")
    assert (begun.begins, begun.resigned, begun.states()[-1].seat) == (2, (1,), 1)
    assert "1 C 1-2\nA leaves\n1 C buy h1 5.00\nB resigns\n" in write_sheet(begun)
    assert sheet_from_story(begun.start(), story_from_sheet(begun)).events == begun.events


WRONG = {
    "": "the sheet is empty",
    "map small": "line 1: begin with the number of seats",
    "seats two": "line 1: 'two' is not a whole number",
    "seats 9": "line 1: .* 2 to 6 players, not 9",
    "seats 2\nmap moon": "line 2: map is one of",
    "seats 2\nturns 3": "line 2: turns is one of",
    "seats 2\nturns": "line 2: turns takes one word",
    "seats 2\nmap small\nmap small": "line 3: map appears twice",
    "seats 2\nbegins A\nbegins B": "line 3: begins appears twice",
    "seats 2\nbegins C": "line 2: 'C' is not a player: the players are A, B",
    "seats 2\nrolled C": "line 2: 'C' is not a player",
    "seats 2\nrolled": "line 2: that roll does not belong here",
    "seats 2\nrolled B 7": "line 2: that roll does not belong here",
    "seats 2\nrolled B\nturns 25": "line 3: turns must come before the first turn",
    "seats 2\nmap rolled\nrolled B 1 2 3 9999999999": "line 3: that roll does not belong here",
    "seats 2\nrolled B\n1 A 1-1 pass": "line 3: expected turn 1 of B, not 1 of A",
    "seats 2\nrolled B\n2 B 1-1 pass": "line 3: expected turn 1 of B",
    "seats 2\nrolled B\n1 B 7-1 pass": "line 3: write the dice before the deals",
    "seats 2\nrolled B\n1 B 1-1 buy z9": "line 3: 'z9' is not a parcel",
    "seats 2\nrolled B\n1 B 1-1\n1 B 1-1": "line 4: expected a turn here, not a roll",
    "seats 2\nrolled B\nnonsense": "line 3: 'nonsense' is not a turn",
    "seats 2\nrolled B\nA leaves\nB leaves": "line 4: the game is over",
    "seats 2\nrolled B\nA leaves\nB resigns": "line 4: nobody can resign",
    "seats 3\nrolled B\nA leaves\nA leaves": "line 4: a player who is not in the game cannot leave it",
    "seats 2\nrolled B\nA resigns\n1 B 1-1 pass": "line 4: the game is over: a player resigned",
    SHEET: "line 9: price what",
}


@pytest.mark.parametrize(("text", "message"), WRONG.items(), ids=WRONG.values())
def test_what_is_wrong_with_a_sheet_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(AccountSheetError, match=message):
        read_sheet(text)


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ((DealsEvent(()),), "the dice have not been rolled yet"),
        ((RollEvent((0, 0)), DealsEvent((("sell", 0),))), "you cannot sell"),
    ],
)
def test_a_sheet_put_together_wrongly_is_not_written(events: tuple[RollEvent | DealsEvent, ...], message: str) -> None:
    with pytest.raises(AccountSheetError, match=message):
        write_sheet(AccountSheet(2, (("map", "small"),), 0, events))


@given(st.text("seatsrolbuymp 0123456789AB;-.\n", max_size=200))
def test_any_text_is_a_sheet_or_a_clear_error(text: str) -> None:
    for before in ("", "seats 2\nmap small\nbegins A\n1 A 1-1 "):
        try:
            sheet = read_sheet(before + text)
        except AccountSheetError:
            continue
        assert read_sheet(write_sheet(sheet)) == sheet
