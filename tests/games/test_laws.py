"""Every installed game is held to the laws of the table."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.games.lookup import find, ids
from kimberley.games.table import Amounts, Game, Observation, Result, Shuffle, Together, space_for
from tests.support.effort import OTHER_VALUE, tries
from tests.support.laws import (
    Telling,
    TwoTruths,
    answered,
    anyhow,
    check_bot,
    check_space,
    check_spectator_allows,
    check_tells,
    check_views,
    honestly,
    pick,
    spaces,
    steps,
)
from tests.support.plain import PLAIN
from tests.support.seated_arena import SeatedArena

TABLES = [(find(id), seats) for id in ids() for seats in find(id).seats]
ENDS = [(game, seats) for game, seats in TABLES if seats in (game.seats[0], game.seats[-1])]


def tables(chosen: list[tuple[Game, int]]) -> pytest.MarkDecorator:
    """Runs a test at these tables; those with more than the fewest seats of their game wait for the nightly tests."""
    values = [
        pytest.param(game, seats, id=f"{game.id}-{seats}", marks=OTHER_VALUE if seats > game.seats[0] else ())
        for game, seats in chosen
    ]
    return pytest.mark.parametrize(("game", "seats"), values)


every_table = tables(TABLES)
smallest_and_largest = tables(tries(ENDS, TABLES))
every_game = pytest.mark.parametrize("game", [find(id) for id in ids()], ids=list(ids()))
few = settings(max_examples=3)
seeds = st.integers(0, 2**32)
tellings = st.sampled_from((honestly, anyhow))
strange = (
    PLAIN | st.floats() | st.lists(st.integers()) | st.dictionaries(st.integers(), st.none()) | st.complex_numbers()
)


@every_game
def test_a_game_names_itself(game: Game) -> None:
    assert find(game.id).title == game.title
    assert game.revision >= 1
    assert game.seats == tuple(sorted(set(game.seats)))
    assert all(2 <= seats <= 6 for seats in game.seats)
    for option in game.options:
        assert option.values, f"{option.name} leaves no choice"
        assert 0 < len(option.label) <= 20
        assert all(0 < len(label) <= 30 for _, label in option.values)
        assert len({repr(value) for value, _ in option.values}) == len(option.values)


@every_game
def test_its_quickest_game_is_one_that_it_has(game: Game) -> None:
    offered = {option.name: [value for value, _ in option.values] for option in game.options}
    for name, value in game.quick:
        assert any(type(value) is type(each) and value == each for each in offered[name])
    game.start(min(game.seats), dict(game.quick))


@every_table
def test_it_asks_for_last_looks_only_if_it_says_so(game: Game, seats: int) -> None:
    looks = [ask.last_look for _, ask in steps(game, seats, Random(5)) if isinstance(ask, Together)]
    assert any(looks) == game.last_looks


@every_game
def test_a_game_refuses_other_numbers_of_seats(game: Game) -> None:
    for seats in {*range(8)} - {*game.seats}:
        with pytest.raises(ValueError, match="players"):
            game.start(seats, {})


@pytest.mark.slow
@smallest_and_largest
@few
@given(seeds, tellings)
def test_every_state_is_the_truth_with_what_it_may_not_know_hidden(
    game: Game, seats: int, seed: int, telling: Telling
) -> None:
    rng = Random(seed)
    for table, ask in steps(game, seats, rng, telling):
        check_views(table)
        check_tells(ask, rng)


@pytest.mark.slow
@smallest_and_largest
@few
@given(seeds, tellings)
def test_the_spectator_never_refuses_what_is_legal(game: Game, seats: int, seed: int, telling: Telling) -> None:
    rng = Random(seed)
    for table, ask in steps(game, seats, rng, telling):
        if not isinstance(ask, Result):
            check_spectator_allows(table, ask, {seat: pick(ask, seat, rng) for seat in ask.choosers})


@pytest.mark.slow
@smallest_and_largest
@few
@given(seeds, st.lists(strange, min_size=8, max_size=8))
@pytest.mark.nightly
def test_spaces_judge_any_data(game: Game, seats: int, seed: int, data: list[Any]) -> None:
    rng = Random(seed)
    for table, _ in steps(game, seats, rng, anyhow):
        for state in (table.arena.truth, *table.views, table.spectator):
            for space in spaces(state.ask()):
                check_space(space, data, rng)


@pytest.mark.slow
@smallest_and_largest
@few
@given(seeds, st.data())
def test_two_truths_show_a_seat_the_same(game: Game, seats: int, seed: int, data: st.DataObject) -> None:
    TwoTruths(game, seats, data.draw(st.sampled_from((None, *range(seats)))), Random(seed)).run()


@pytest.mark.slow
@every_table
@settings(max_examples=tries(1, 2))
@given(seeds, tellings)
@pytest.mark.nightly
def test_bots_choose_legally_whatever_they_are_told(game: Game, seats: int, seed: int, telling: Telling) -> None:
    rng = Random(seed)
    table = SeatedArena(game, seats, rng)
    while not isinstance(ask := table.arena.truth.ask(), Result):
        choices = {seat: check_bot(game, table.observation(seat), seed + seat) for seat in ask.choosers}
        table.apply(answered(table.arena, ask, choices, telling))
    assert sorted(ask.places) == [1 + sum(place < mine for place in ask.places) for mine in sorted(ask.places)]
    assert ask.winners
    assert ask.reason


@every_table
@settings(max_examples=1)
@given(seeds)
def test_the_same_answers_give_the_same_states(game: Game, seats: int, seed: int) -> None:
    table = None
    for table, _ in steps(game, seats, Random(seed)):
        hash(table.arena.truth)
    assert table is not None
    for seat in range(seats):
        observation: Observation = table.observation(seat)
        state = game.start(seats, {})
        for ask, answer in observation.story:
            assert state.ask() == ask
            state = state.apply(answer)
        assert state == table.views[seat]


@pytest.mark.parametrize("game", [game for game, seats in TABLES if seats == 2], ids=lambda game: game.id)
def test_whoever_resigns_loses(game: Game) -> None:
    for table, _ in steps(game, 2, Random(1)):
        for seat in (0, 1):
            assert game.resignation_result(table.spectator, (seat,)).winners == (1 - seat,)
        assert game.resignation_result(table.spectator, (0, 1)).places == (1, 1)


@tables(ENDS)
def test_a_seat_that_an_earlier_game_lets_begin_does(game: Game, seats: int) -> None:
    """Games in which nobody begins say None throughout; in others it is settled once and does not change."""
    for begins in (None, 0, seats - 1):
        table = SeatedArena(game, seats, Random(4), begins=begins)
        found = {game.starting_seat(table.spectator)}
        assert found in ({begins}, {None}) or begins is None
        while not isinstance(ask := table.arena.truth.ask(), Result):
            choices = {seat: pick(ask, seat, table.arena.rng) for seat in ask.choosers}
            table.apply(table.arena.answer(ask, choices))
            found.add(game.starting_seat(table.spectator))
        assert len(found - {None}) <= 1
        assert {game.starting_seat(view) for view in table.views} == {game.starting_seat(table.spectator)}


@pytest.mark.slow
@tables(ENDS)
def test_the_two_truths_compared_do_differ(game: Game, seats: int) -> None:
    asks = [ask for _, ask in steps(game, seats, Random(1))]
    sealed = any(isinstance(space, Amounts) for ask in asks for space in spaces(ask))
    shuffled = any(isinstance(ask, Shuffle) for ask in asks)
    pair = TwoTruths(game, seats, None, Random(2))
    pair.run()
    assert pair.differed == (sealed or shuffled)


@every_table
def test_only_the_seats_asked_are_offered_a_space(game: Game, seats: int) -> None:
    for table, ask in steps(game, seats, Random(3)):
        if not isinstance(ask, Result):
            offered = tuple(seat for seat in range(seats) if space_for(table.spectator.ask(), seat) is not None)
            assert offered == ask.choosers
