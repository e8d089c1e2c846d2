"""Steps and jumps of the piecepack game, and where a turn and the game end."""

from __future__ import annotations

from kimberley.games.piecepack.position import MOST_ACTIONS
from kimberley.games.table import Result, evolve
from tests.support.piecepack import (
    after,
    choose,
    coins,
    forbidden,
    refusal,
    table,
)


def test_one_step_a_turn_to_a_tile_beside_the_pawn() -> None:
    state = table(["S1"], "M0 D1 D2")
    assert "half an edge" in forbidden(state, ("step", 2))
    assert "half an edge" in forbidden(state, ("step", 0))
    stepped = after(state, ("step", 1))
    assert refusal(stepped, "step") == "you get one step each turn; spend suns to go further"


def test_a_turn_ends_by_itself_where_nothing_is_left_to_do() -> None:
    stepped = after(table(["H1"], "M0 D1 D2"), ("step", 1))
    assert (stepped.turn, stepped.turns) == (1, 1)
    assert after(table(["S1"], "M0 D1 D2"), ("step", 1)).turn == 0


def test_the_jumper_jumps_over_a_tile_whose_effect_is_ignored() -> None:
    state = table(["D3 C1 S1"], "D1 S0 P1", suits="SMC")
    jumped = after(state, ("jump", 1, 2))
    assert (jumped.pawns[0], jumped.scores[0], jumped.stepped) == (2, 0, True)
    assert "only the jumper" in forbidden(table(["D3"], "D1 S0 P1", suits="MSC"), ("jump", 1, 2))
    assert "adjacent tile to one next to it" in forbidden(state, ("jump", 2, 1))


def test_the_jumper_jumps_once_in_a_sun_move_and_the_jump_takes_one_step() -> None:
    state = table(["S2 H1"], "D1 D2 D3 D4 D5", suits="SMC")
    moving = after(state, coins(state, "sun", "S2"), ("jump", 1, 2))
    assert (moving.steps, moving.path) == (1, (0, 1, 2))
    assert "over an adjacent tile" in forbidden(moving, ("jump", 3, 4))
    assert after(moving, ("step", 3)).pawns[0] == 3


def test_a_jump_may_not_be_over_or_to_a_tile_already_visited() -> None:
    state = table(["S3 H1"], "D1 D2 D3", suits="SMC")
    moving = after(state, coins(state, "sun", "S3"), ("step", 1))
    assert "no tile twice" in forbidden(moving, ("jump", 0, 1))
    assert "no tile twice" in forbidden(moving, ("step", 0))


def test_no_turn_goes_on_for_ever() -> None:
    state = table(["S0 S1"], "D1 D2", acted=MOST_ACTIONS)
    assert "at most 100 actions" in forbidden(state, ("step", 1))
    assert choose(state, ("end",)).turn == 1
    last = after(evolve(state, acted=MOST_ACTIONS - 1), coins(state, "sun", "S0"))
    assert last.turn == 1


def test_six_hundred_points_end_the_game_at_once() -> None:
    state = table(["D4 D5 S5"], "D1 S0 D2", suits="SMC", scores=(580, 590, 0))
    over = after(state, coins(state, "sun", "S5"), ("step", 1))
    result = over.ask()
    assert isinstance(result, Result)
    assert (result.scores, result.places) == (((600,), (590,), (0,)), (1, 2, 3))
    assert result.reason == "600 points reached"
