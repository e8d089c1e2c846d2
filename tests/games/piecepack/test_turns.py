"""The piecepack game from its lots to its end: set-up, exploring, turns, the two ends, and seats that leave."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import cast

import pytest

from kimberley.games.arena import Arena
from kimberley.games.piecepack import GAME
from kimberley.games.piecepack.coins import BAGGED, DIAMONDS, KINDS, value
from kimberley.games.piecepack.field import OPENINGS, Tile, beside, distances, jumps, opening, places, to_rim
from kimberley.games.piecepack.position import EACH, QUIET_ROUNDS
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import DIAMOND, MOON
from kimberley.games.piecepack.turns import begin_turn
from kimberley.games.table import HIDDEN, Decide, Plain, Result, Roll, Show, Shuffle, evolve
from tests.support.piecepack import after, choose, coins, everything, forbidden, hand, named, row, settle, table

every_number = pytest.mark.parametrize("seats", GAME.seats)


def dealt(seats: int, lots: tuple[int, ...]) -> State:
    """Returns the first turn, after these lots for suits and for who begins."""
    arena = Arena(GAME.start(seats, {}), Random(3))
    arena.apply(lots)
    while cast(State, arena.truth).phase in ("fill", "pile", "deal"):
        arena.advance({})
    return cast(State, arena.truth)


# -- set-up ------------------------------------------------------------------------------------------------------------


@every_number
def test_lots_give_each_a_suit_and_say_who_begins(seats: int) -> None:
    start = GAME.start(seats, {})
    assert start.ask() == Roll((*range(6, 6 - seats, -1), seats))
    state = start.apply((*(0,) * seats, seats - 1))
    assert state.suits == tuple(range(seats))
    assert (state.begins, GAME.starting_seat(state)) == (seats - 1, seats - 1)
    assert GAME.starting_seat(start) is None


def test_a_seat_that_begins_already_is_not_rolled_for() -> None:
    start = GAME.start(3, {}, 2)
    assert start.ask() == Roll((6, 5, 4))
    state = start.apply((5, 0, 3))
    assert state.suits == (5, 0, 4)
    assert GAME.starting_seat(state) == 2


@pytest.mark.parametrize("begins", [3, -1])
def test_a_seat_that_is_not_there_cannot_begin(begins: int) -> None:
    with pytest.raises(ValueError, match="cannot begin"):
        GAME.start(3, {}, begins)


@pytest.mark.parametrize("seats", [0, 1, 2, 7])
def test_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(ValueError, match="3 to 6 players"):
        GAME.start(seats, {})


def test_there_are_no_options() -> None:
    with pytest.raises(ValueError, match="no options"):
        GAME.start(3, {"speed": 1})


@every_number
def test_null_tiles_of_the_players_lie_together_edge_to_edge(seats: int) -> None:
    field = opening(range(seats))
    assert [tile.suit for tile in field] == [*range(seats)]
    assert all(tile.market for tile in field)
    assert -1 not in distances(field, 0)
    assert len(covered(field)) == 4 * seats
    assert max(max(distances(field, start)) for start in range(seats)) <= 3


@every_number
def test_thirty_coins_go_into_the_bag_the_diamonds_beside_it_and_all_other_tiles_are_drawn(seats: int) -> None:
    state = GAME.start(seats, {}).apply((*(0,) * seats, 0))
    assert state.ask() == Shuffle("coins", BAGGED)
    assert (len(BAGGED), len(DIAMONDS), len(KINDS)) == (30, 6, 36)
    assert len(state.stack) == 36 - seats
    assert {(tile.suit, tile.value) for tile in state.field} | {*state.stack} == {*KINDS}
    ready = dealt(seats, (*(0,) * seats, 0))
    assert ready.in_pile == 6
    assert [len(own) for own in ready.hands] == [EACH + (suit == MOON) for suit in ready.suits]
    assert everything(ready) == sorted(KINDS)
    assert (ready.turn, ready.phase) == (0, "explore")
    assert ready.pawns == tuple(range(seats))


def test_coins_are_dealt_with_suits_for_all_and_values_for_their_holder() -> None:
    arena = Arena(GAME.start(3, {}), Random(1))
    shows = []
    arena.apply((1, 1, 1, 0))
    while cast(State, arena.truth).phase in ("fill", "pile", "deal"):
        if isinstance(ask := arena.truth.ask(), Show):
            shows.append((len(ask.items), ask.parts))
        arena.advance({})
    assert shows == [(3, ((0, None), (1, 0))), (2, ((0, None), (1, 1))), (2, ((0, None), (1, 2)))]


def test_the_value_of_a_coin_is_hidden_until_it_is_known() -> None:
    state = table(["S1", "C4"])
    ((coin,), (other,), _) = state.hands
    assert (value(coin), value(other)) == (1, 4)
    assert value(replace(other, parts=(other.parts[0], HIDDEN))) is HIDDEN


# -- the field ---------------------------------------------------------------------------------------------------------


def covered(field: tuple[Tile, ...]) -> set[tuple[int, int]]:
    return {(tile.x + dx, tile.y + dy) for tile in field for dx in (0, 1) for dy in (0, 1)}


def shared(one: Tile, two: Tile) -> int:
    """Returns how many half edges two tiles share, counted cell by cell."""
    cells = covered((two,))
    around = [(x + dx, y + dy) for x, y in covered((one,)) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    return sum(cell in cells for cell in around)


def grown(seed: int, tiles: int = 20) -> tuple[Tile, ...]:
    rng, field = Random(seed), row("S0")
    while len(field) < tiles:
        if spots := places(field, rng.randrange(len(field))):
            field = (*field, Tile(0, 1, *rng.choice(spots)))
    return field


@pytest.mark.parametrize("seed", range(6))
def test_tiles_beside_each_other_share_half_an_edge_or_a_whole_one(seed: int) -> None:
    field = grown(seed)
    assert len(covered(field)) == 4 * len(field)
    for index, tile in enumerate(field):
        near = tuple(other for other, there in enumerate(field) if other != index and shared(tile, there))
        assert beside(field, index) == near
        assert {*jumps(field, index)} == {(o, t) for o in near for t in beside(field, o) if t != index}


@pytest.mark.parametrize("seed", range(4))
def test_a_place_for_a_tile_is_free_and_shares_half_an_edge_or_a_whole_one(seed: int) -> None:
    field = grown(seed, 12)
    for index, tile in enumerate(field):
        found = {
            (x, y)
            for x in range(tile.x - 3, tile.x + 4)
            for y in range(tile.y - 3, tile.y + 4)
            if shared(tile, Tile(0, 1, x, y)) and not covered((Tile(0, 1, x, y),)) & covered(field)
        }
        assert {*places(field, index)} == found
    assert len(places(row("S0"), 0)) == 12


def test_tiles_that_touch_at_a_corner_or_over_a_gap_are_not_beside_each_other() -> None:
    field = (Tile(0, 1, 0, 0), Tile(0, 2, 2, 2), Tile(0, 3, 3, 0), Tile(0, 4, 0, -2))
    assert beside(field, 0) == (3,)


def test_distances_count_steps() -> None:
    assert distances(row("S0", "S1", "S2", "S3"), 1) == (1, 0, 1, 2)


def test_the_way_to_the_rim_counts_steps_to_the_nearest_tile_with_room() -> None:
    inside = row("S0")
    around = tuple(Tile(0, value, *place) for value, place in enumerate([(2, 0), (-2, 0), (0, 2), (0, -2)], 1))
    assert to_rim(inside) == (0,)
    assert to_rim((*inside, *around)) == (1, 0, 0, 0, 0)


# -- exploring ---------------------------------------------------------------------------------------------------------


def exploring(**fields: object) -> State:
    return evolve(table(["S1 S2"], "S0 M0 C0", pawns=(0, 1, 2)), phase="explore", **fields)


def test_a_tile_is_drawn_before_it_is_placed_and_all_see_it() -> None:
    state = exploring()
    assert state.ask() == Roll((33,))
    drawn = state.apply((4,))
    assert drawn.drawn == state.stack[4]
    assert drawn.drawn not in drawn.stack
    ask = drawn.ask()
    assert isinstance(ask, Decide)
    assert (ask.seat, ask.topic) == (0, "place")
    assert "half an edge" in forbidden(drawn, (2, 0))
    assert "half an edge" in forbidden(drawn, (-3, 0))
    placed = choose(drawn, (-2, 1))
    assert placed.field[-1] == Tile(*drawn.drawn, -2, 1)
    assert (placed.phase, placed.drawn, placed.pawns[0]) == ("act", None, 0)


def test_exploring_is_no_action_and_passing_is_forbidden() -> None:
    placed = choose(exploring().apply((4,)), (-2, 1))
    assert forbidden(placed, ("end",)) == "take an action first; you can always step"
    assert after(placed, ("step", 3)).pawns[0] == 3


ENCLOSED = (
    *row("S1"),
    *(Tile(1, n, *at) for n, at in enumerate(((-2, -1), (0, -2), (2, -1), (2, 1), (0, 2), (-2, 1)))),
)


def test_where_there_is_no_room_nobody_explores() -> None:
    state = table(["S1", "S2", "S3"], ENCLOSED, pawns=(0, 0, 1))
    assert places(ENCLOSED, 0) == ()
    begun = begin_turn(state, 0)
    assert (begun.phase, begun.quiet) == ("act", 1)
    assert begin_turn(begun, 2).phase == "explore"


def test_turns_go_around_clockwise() -> None:
    state = table(["H1", "H2", "H3"], "M1 D1 D2 D3", pawns=(0, 1, 2))
    first = after(state, ("step", 1))
    assert (first.turn, first.turns, first.phase) == (1, 1, "place")


# -- the ends ----------------------------------------------------------------------------------------------------------


def test_the_last_tile_drawn_ends_the_game_at_once_by_points() -> None:
    state = exploring(stack=((3, 5),), scores=(10, 20, 10))
    assert state.ask() == Roll((1,))
    over = state.apply((0,))
    result = over.ask()
    assert isinstance(result, Result)
    assert (result.places, result.reason) == ((2, 1, 2), "the last tile was drawn")
    assert (over.drawn, len(over.field)) == ((3, 5), 3)


def test_equal_points_are_a_tie() -> None:
    result = exploring(stack=((3, 5),), scores=(20, 20, 10)).apply((0,)).ask()
    assert isinstance(result, Result)
    assert (result.places, result.winners) == ((1, 1, 3), (0, 1))


def test_three_rounds_in_which_nobody_could_explore_end_the_game() -> None:
    state = begin_turn(table(["S1"] * 3, ENCLOSED, pawns=(0, 0, 0)), 0)
    turns = 0
    while not isinstance(state.ask(), Result):
        kept = evolve(state, stepped=True, acted=1)
        state = choose(kept, ("end",))
        turns += 1
    assert turns == 3 * QUIET_ROUNDS
    assert state.ended == "nobody had room to explore for 3 rounds"


def test_who_explores_starts_the_count_of_quiet_turns_anew() -> None:
    assert exploring(quiet=5).apply((0,)).quiet == 0


# -- seats that leave --------------------------------------------------------------------------------------------------


def test_who_leaves_puts_its_hand_back_and_the_others_play_on() -> None:
    state = table(["S1 S2", "H1 D2", "S3"], "M1 D1 D2", pawns=(0, 1, 2))
    gone = state.leave(1)
    assert (gone.present, gone.pawns, gone.hands[1]) == ((True, False, True), (0, None, 2), ())
    assert [coin.parts for coin in gone.returned] == [(4, 1)]
    assert [coin.parts for coin in gone.sold] == [(DIAMOND, 2)]
    assert (gone.turn, gone.phase) == (0, "act")
    assert gone.with_(0) == ()
    assert after(gone, ("step", 1), ("end",)).turn == 2


def test_where_whose_turn_it_is_leaves_the_next_one_begins() -> None:
    state = evolve(exploring().apply((4,)))
    gone = state.leave(0)
    assert (gone.turn, gone.phase, gone.drawn) == (1, "explore", None)
    assert state.drawn in gone.stack
    assert gone.stack == tuple(sorted(gone.stack))


def test_coins_that_lie_open_go_back_with_who_leaves() -> None:
    state = table(["S3 H1", "S2"], "M1 D1 D2", pawns=(0, 1, 2))
    moving = after(state, coins(state, "sun", "S3"))
    gone = moving.leave(0)
    assert sorted(coin.parts for coin in gone.returned) == [(0, 3), (4, 1)]
    assert (gone.spent, gone.path, gone.steps) == ((), (), 0)


@pytest.mark.parametrize("phase", ["defend", "shield", "steal"])
def test_a_beating_ends_where_the_beaten_leaves(phase: str) -> None:
    state = table(["C3 S1", "H1 S2", "S3"], "M1 D1 D2")
    state = after(state, ("club", 1, named(state, "C3")))
    if phase != "defend":
        state = choose(state, named(state, "H1")) if phase == "shield" else after(state, ())
    assert state.phase == phase
    gone = state.leave(1)
    assert (gone.phase, gone.turn, gone.attacked) == ("act", 0, None)
    assert sorted(coin.parts for coin in gone.returned) == [(0, 2), (2, 3), (4, 1)]
    assert hand(gone, 0) == ["S1"]


def test_loot_stays_with_the_thief_where_the_robbed_leaves() -> None:
    state = table(["C3 S1", "S2 S4", "S3"], "M1 D1 D2")
    state = after(state, ("club", 1, named(state, "C3")))
    gone = choose(state, named(state, "S2")).leave(1)
    assert gone.phase == "look"
    assert hand(settle(gone), 0) == ["S1", "S2"]


def test_a_spy_sees_what_is_left_where_others_leave() -> None:
    state = table(["S1", "D1", "D2"], "S0 P3 M0")
    spying = after(state, ("step", 1))
    looking = choose(spying, named(state, "D1", "D2"))
    assert looking.leave(1).chosen == named(state, "D2")
    only = choose(spying, named(state, "D1")).leave(1)
    assert (only.phase, only.turn) == ("act", 0)
    assert after(table(["S1", "D1", ""], "S0 P3 M0"), ("step", 1)).leave(1).phase == "act"


def test_a_draw_shuffles_what_a_leaver_put_back() -> None:
    state = table(["M2 H1", "S2", "S3"], "M1 D1 D2", suits="SHC")
    drawing = choose(state, coins(state, "moon", "M2"))
    drawing = drawing.apply(((2,),))
    assert isinstance(drawing.ask(), Show)
    assert isinstance(drawing.leave(1).ask(), Shuffle)


def test_a_draw_goes_on_where_nothing_else_is_left_to_do_and_another_seat_leaves() -> None:
    state = table(["M2", "S2", "S3"], "D1 D2", stepped=True)
    drawing = choose(state, coins(state, "moon", "M2")).apply(((2,),))
    left = drawing.leave(1)
    assert (left.phase, left.turn, left.amount) == (drawing.phase, 0, 2)
    assert len(settle(left).hands[0]) == 2


def test_who_is_dealt_to_may_get_what_a_leaver_put_back() -> None:
    arena = Arena(GAME.start(3, {}), Random(1))
    while cast(State, arena.truth).turn < 1:
        arena.advance({})
    gone = cast(State, arena.truth).leave(0)
    assert (gone.phase, gone.in_bag) == ("deal", 30)
    assert isinstance(gone.ask(), Shuffle)


def test_the_last_one_left_wins_whatever_the_points() -> None:
    state = table(["S1", "S2", "S3"], scores=(5, 50, 7)).leave(1)
    result = state.leave(2).ask()
    assert isinstance(result, Result)
    assert (result.places, result.winners, result.reason) == ((1, 2, 3), (0,), "only one player is left")


def test_who_has_left_comes_after_all_who_stayed() -> None:
    state = exploring(stack=((3, 5),), scores=(0, 90, 10)).leave(1)
    result = state.apply((0,)).ask()
    assert isinstance(result, Result)
    assert result.places == (2, 3, 1)
    assert GAME.resignation_result(exploring(scores=(9, 5, 1)), (0,)).places == (3, 1, 2)


def test_if_nobody_stays_the_reason_is_that_all_resigned() -> None:
    result = GAME.resignation_result(exploring().leave(1), (0, 2))
    assert (result.winners, result.reason) == ((0, 1, 2), "all remaining players resigned")


@every_number
def test_seats_may_leave_before_the_first_turn(seats: int) -> None:
    for phase in ("fill", "pile", "deal"):
        arena = Arena(GAME.start(seats, {}), Random(1))
        while cast(State, arena.truth).phase != phase:
            arena.advance({})
        begins = cast(State, arena.truth).begins
        assert begins is not None
        arena.truth = cast(State, arena.truth).leave(begins)
        while not isinstance(arena.truth.ask(), Decide):
            arena.advance({})
        state = arena.truth
        assert isinstance(state, State)
        assert state.turn == (begins + 1) % seats
        assert (state.hands[begins], state.pawns[begins]) == ((), None)
        assert everything(state) == sorted(KINDS)


def test_quiet_rounds_are_counted_by_who_is_left() -> None:
    state = begin_turn(table(["S1"] * 4, ENCLOSED, pawns=(0, 0, 0, 0), suits="SMCH"), 0).leave(3)
    turns: list[Plain] = []
    while not isinstance(state.ask(), Result):
        state = choose(evolve(state, stepped=True, acted=1), ("end",))
        turns.append(state.turn)
    assert len(turns) == 3 * QUIET_ROUNDS


def test_openings_are_known_for_every_number_of_seats() -> None:
    assert tuple(OPENINGS) == GAME.seats
