"""The player for practice at the piecepack game: it guesses what fits, mines and sells, and beats chance."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kimberley.games.bots.levels import make_bot
from kimberley.games.piecepack import GAME
from kimberley.games.piecepack.bots.bot import LEVELS, PiecepackBot
from kimberley.games.piecepack.bots.drafts import CHOOSING, at_first_sight, drafts
from kimberley.games.piecepack.bots.goals import Standing, growths
from kimberley.games.piecepack.bots.guess import imagine
from kimberley.games.piecepack.bots.playouts import is_clear
from kimberley.games.piecepack.bots.worth import evaluate, prospects
from kimberley.games.piecepack.coins import KINDS, values
from kimberley.games.piecepack.field import Tile, places
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.turns import OUT_OF_ROOM
from kimberley.games.table import HIDDEN, Decide, Item, Observation, Plain, Result, evolve, space_for
from tests.support.laws import steps
from tests.support.piecepack import CROWDED, choose, everything, hand, hidden, kind, named, settle, table
from tests.support.seated_arena import SeatedArena

few = settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 2**32)


def chosen(state: State, level: int = 10, seed: int = 1) -> Plain:
    """Returns what a bot of a level chooses for whoever is asked, from whom all hidden values in `state` are kept."""
    ask = state.ask()
    assert isinstance(ask, Decide)
    return make_bot(GAME, level, seed).choose(Observation(ask.seat, state, ()))


# -- guessing ----------------------------------------------------------------------------------------------------------


@pytest.mark.nightly
@pytest.mark.slow
@few
@given(st.sampled_from(GAME.seats), seeds)
def test_imagined_worlds_fit_what_a_seat_knows(seats: int, seed: int) -> None:
    rng = Random(seed)
    for table_, ask in steps(GAME, seats, rng):
        if not isinstance(ask, Decide) or rng.random() < 0.7:
            continue
        view = table_.views[ask.seat]
        assert isinstance(view, State)
        world = imagine(view, rng)
        assert everything(world) == sorted(KINDS)
        for coin, guessed in zip(view.coins(), world.coins(), strict=True):
            assert coin.handle == guessed.handle
            assert all(part is HIDDEN or part == guess for part, guess in zip(coin.parts, guessed.parts, strict=True))
        assert view.unseen() == tuple(kind for kind in KINDS if kind in view.unseen())


def test_every_way_to_fill_in_what_is_hidden_comes_up() -> None:
    state = hidden(table(["S1 S2 S3", "S4"]), 0)
    guesses = {hand(imagine(state, Random(seed)), 1)[0] for seed in range(60)}
    assert guesses == {"S0", "S4", "S5"}


def test_worlds_do_not_depend_on_what_is_hidden() -> None:
    one, two = hidden(table(["S1", "S4 C3"]), 0), hidden(table(["S1", "S5 C0"]), 0)
    assert one.hands == two.hands
    assert [imagine(one, Random(n)).hands for n in range(5)] == [imagine(two, Random(n)).hands for n in range(5)]


# -- judging -----------------------------------------------------------------------------------------------------------


def test_growth_is_the_average_product_of_what_is_drawn() -> None:
    pile = tuple(values(table([]).pile))
    assert growths(pile)[:3] == (1.0, 15 / 6, 85 / 15)
    assert growths(pile)[6] == 0.0


def test_diamonds_near_a_market_are_worth_more_than_far_from_it() -> None:
    near, far = table(["D4 D5"], "D1 S0 H1 M1 C1"), table(["D4 D5"], "D1 H1 M1 C1 S0")
    assert prospects(near, 0) > prospects(far, 0)
    assert prospects(near, 0) > prospects(table(["D4 D0"], "D1 S0 H1 M1 C1"), 0)


def test_the_end_counts_points_alone() -> None:
    over = table(["D4 D5"], scores=(10, 20, 0), ended="over", stack=())
    assert evaluate(over, 1) > 0 > evaluate(over, 0)


def test_mines_draw_spades_and_markets_what_could_be_traded() -> None:
    field = "S0 D3 S2 M4"
    assert {index for index, _ in Standing(table(["P2"], field), 0).goals} == {1, 3}
    assert {index for index, _ in Standing(table(["H0"], field), 0).goals} == {2, 3}
    assert {index for index, _ in Standing(table([""], field, suits="PMC"), 0).goals} == {1, 3}


def test_each_further_turn_lessens_what_a_tile_is_worth() -> None:
    standing = Standing(table(["P5"], "S0 H1 D5"), 0)
    assert standing.outlook(2) > standing.outlook(1) > standing.outlook(0)
    assert standing.outlook(0, steps=2) == standing.outlook(2)


# -- choosing ----------------------------------------------------------------------------------------------------------


@pytest.mark.nightly
@pytest.mark.slow
@few
@given(st.sampled_from(GAME.seats), seeds)
def test_what_it_thinks_of_is_legal(seats: int, seed: int) -> None:
    rng = Random(seed)
    for table_, ask in steps(GAME, seats, rng):
        state = table_.arena.truth
        assert isinstance(state, State)
        if isinstance(ask, Decide):
            assert state.phase in CHOOSING
            options = drafts(state)
            assert options
            assert len(options) == len({*options})
            for choice in (*options, at_first_sight(state, rng, 0.5)):
                assert ask.space.violation(choice) is None, (choice, ask.space.violation(choice))


@pytest.mark.parametrize(
    ("hand_", "field", "pawns", "spent"),
    [
        ("M0", "S0 M0 C0", (0, 2, 2), set()),
        ("M0 M3", "S0 M0 C0", (0, 2, 2), {"M3"}),
        ("S0", "S0 M0 C0", (0, 2, 2), set()),
        ("P0", "D4 M0 C0", (0, 2, 2), set()),
        ("C0", "C3 M0 C0", (0, 0, 2), set()),
        ("C4", "C3 M0 C0", (0, 0, 2), {"C4"}),
        ("C4", "C3 M0 C0", (0, 2, 0), set()),
    ],
)
def test_it_spends_nothing_on_nothing_where_the_turn_can_end(
    hand_: str, field: str, pawns: tuple[int, ...], spent: set[str]
) -> None:
    state = table([hand_, "H1 H2"], field, pawns=pawns, suits="DHP", acted=1, stepped=True)
    coins = [choice[-1] for choice in drafts(state) if isinstance(choice, tuple) and isinstance(choice[-1], tuple)]
    assert ("end",) in drafts(state)
    assert {name for name in hand_.split() if any({*named(state, name)} <= {*group} for group in coins)} == spent


@pytest.mark.parametrize("hand_", ["S0", "M0", "S0 P1 H3"])
def test_it_spends_nothing_on_nothing_where_a_step_sells(hand_: str) -> None:
    state = hidden(table([f"D2 D3 D4 D5 {hand_}"], "H4 S0 M0", pawns=(0, 2, 2)), 0)
    assert drafts(state)[0] == ("step", 1)
    assert not {("sun", named(state, "S0")), ("moon", named(state, "M0"))} & {*drafts(state)}
    elsewhere = hidden(table([f"D2 D3 D4 D5 {hand_}"], "H4 H3 S0 M0", pawns=(0, 2, 2)), 0)
    assert {("sun", named(elsewhere, "S0")), ("moon", named(elsewhere, "M0"))} & {*drafts(elsewhere)}


def test_it_sells_what_it_holds_while_it_can() -> None:
    state = hidden(table(["D4 D5 D3", "C5 C4"], "D1 S0 H1", stack=((0, 1), (0, 2), (0, 3)), pawns=(0, 2, 2)), 0)
    assert chosen(state) == ("step", 1)


def test_it_goes_where_there_is_room_to_explore() -> None:
    field = [Tile(*kind(name), *place) for name, place in CROWDED.items()]
    state = hidden(table([""], field, pawns=(0, 3, 3)), 0)
    assert [bool(places(state.field, tile)) for tile in range(len(field))] == [False, False, *[True] * 6]
    assert drafts(state)[-1] == ("step", 1)
    assert all(chosen(state, seed=seed) in drafts(state)[:-1] for seed in range(5))


@pytest.mark.nightly
@pytest.mark.slow
def test_bots_find_room_for_every_tile_in_turns_of_few_actions() -> None:
    for game in range(3):
        players = [make_bot(GAME, 1, 10 * game + seat).choose for seat in range(3)]
        table_ = SeatedArena(GAME, 3, Random(game))
        assert table_.play(players).reason != OUT_OF_ROOM
        end = table_.arena.truth
        assert isinstance(end, State)
        actions = sum(isinstance(ask, Decide) and ask.topic == "action" for ask, _ in table_.observation(0).story)
        assert actions < 4 * end.turns


def test_it_draws_coins_by_moons_until_it_has_enough() -> None:
    few_coins, many = (
        table(["M4 P1"], acted=1, stepped=True),
        table(["M4 P1 P2 P3 H1 H2 H3 S1 S2"], acted=1, stepped=True),
    )
    assert drafts(few_coins)[0] == ("moon", named(few_coins, "M4"))
    assert drafts(many)[0] == ("end",)


def test_it_sells_a_null_for_nothing_to_be_rid_of_it() -> None:
    state = hidden(table(["D0 D5", "C5 C4"], "D1 S0 H1 H2", pawns=(0, 3, 3)), 0)
    assert drafts(state)[0] == chosen(state) == ("step", 1)


def test_another_candidate_must_be_clearly_better() -> None:
    assert is_clear([3.0, 4.0, 5.0], [1.0, 3.0, 2.0])
    assert not is_clear([3.0, 0.0, 5.0], [1.0, 3.0, 2.0])
    assert not is_clear([9.0], [1.0])


def test_it_trades_on_a_market_what_is_worth_less_than_what_it_draws() -> None:
    state = hidden(table(["H0 M0 P5"], "S2 S0 H1", pawns=(0, 2, 2)), 0)
    assert chosen(state) == ("market", named(state, "H0", "M0"))


def test_it_spends_suns_to_sell_in_its_last_turn() -> None:
    state = hidden(table(["D4 D5 S3"], "H1 M1 M2 S0", stack=((0, 1),), pawns=(0, 1, 1)), 0)
    assert chosen(state) == ("sun", named(state, "S3"))


def test_it_mines_where_it_stands_on_a_mine() -> None:
    state = hidden(table(["P2 H1"], "D3 S0 H1", pawns=(0, 2, 2)), 0)
    assert chosen(state) == ("spade", named(state, "P2"))
    digger = hidden(table(["H1"], "D3 S0 H1", suits="PMC", pawns=(0, 2, 2)), 0)
    assert chosen(digger) == ("dig",)


def test_even_the_lowest_level_mines_where_it_stands_on_a_mine() -> None:
    state = hidden(table(["P2 H1"], "D3 S0 H1", pawns=(0, 2, 2)), 0)
    digger = hidden(table(["H1"], "D3 S0 H1", suits="PMC", pawns=(0, 2, 2)), 0)
    for seed in range(20):
        assert chosen(state, 1, seed) == ("spade", named(state, "P2"))
        assert chosen(digger, 1, seed) == ("dig",)


def test_it_steals_good_diamonds_and_leaves_a_null_that_it_knows() -> None:
    state = table(["C1 S1", "D0 D5 H2"], "S1 M1")
    beaten = choose(settle(choose(state, ("club", 1, named(state, "C1")))), ())
    known = evolve(
        beaten,
        hands=(
            beaten.hands[0],
            tuple(Item(c.handle, c.parts, (c.seen[0], c.seen[1] | 1)) for c in beaten.hands[1]),
            (),
        ),
    )
    assert chosen(known) == named(state, "D5")


def test_it_defends_what_is_worth_it_with_no_more_hearts_than_needed() -> None:
    state = table(["C2", "H2 H5 D4 D5"], "D1 S0")
    attacked = hidden(settle(choose(state, ("club", 1, named(state, "C2")))), 1)
    assert chosen(attacked) == named(state, "H2")


@pytest.mark.parametrize(
    ("hand", "first"),
    [
        ("H5 M1 M2 M3 M4 P1 P2 P3 S1", ("H5",)),
        ("H5 M1", ("H5",)),
        ("H1 M1 M2", ("H1",)),
        ("H1 H2 H3", ("H1", "H2", "H3")),
        ("H0 M1 M2", ()),
    ],
)
def test_it_defends_at_first_sight(hand: str, first: tuple[str, ...]) -> None:
    state = table([hand, "C5", ""], "D1 C0", turn=1, phase="defend", attack=7, attacked=0, attacker=1)
    assert drafts(state)[0] == named(state, *first)


def test_levels_grow() -> None:
    playouts = [PiecepackBot(level, 0).playouts for level in LEVELS]
    assert playouts == sorted({*playouts})
    slips = [PiecepackBot(level, 0).slips for level in LEVELS]
    assert slips == sorted(slips, reverse=True)
    assert (slips[0], slips[9], slips[-1]) == (1, 0, 0)


def test_only_who_is_asked_chooses() -> None:
    state = table(["S1", "S2"])
    with pytest.raises(ValueError, match="nothing to choose"):
        make_bot(GAME, 1, 1).choose(Observation(1, state, ()))


@pytest.mark.nightly
@pytest.mark.slow
def test_a_bot_beats_players_who_do_anything() -> None:
    rng = Random(3)

    def anyhow(observation: Observation) -> Plain:
        space = space_for(observation.state.ask(), observation.seat)
        assert space is not None
        return space.pick(rng)

    points = [0, 0]
    for game in range(12):
        bot = game % 3
        players = [make_bot(GAME, 4, game).choose if seat == bot else anyhow for seat in range(3)]
        result = SeatedArena(GAME, 3, Random(game)).play(players)
        points[0] += result.scores[bot][0]
        points[1] += sum(score for seat, (score,) in enumerate(result.scores) if seat != bot)
    assert points[0] > points[1]


def test_the_same_seed_and_observation_give_the_same_choice() -> None:
    table_ = SeatedArena(GAME, 3, Random(5))
    for _ in range(40):
        ask = table_.arena.truth.ask()
        assert not isinstance(ask, Result)
        choices = {}
        for seat in ask.choosers:
            observation = table_.observation(seat)
            choices[seat] = make_bot(GAME, 3, seat).choose(observation)
            assert make_bot(GAME, 3, seat).choose(observation) == choices[seat]
        table_.apply(table_.arena.answer(ask, choices))
