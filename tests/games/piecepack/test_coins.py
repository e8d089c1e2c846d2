"""What the coins of the piecepack game do, suit by suit."""

from __future__ import annotations

from kimberley.games.piecepack.coins import VALUE_TO_ALL
from kimberley.games.table import Decide, Show, Shuffle, evolve
from tests.support.piecepack import (
    after,
    choose,
    coins,
    everything,
    followed,
    forbidden,
    hand,
    named,
    refusal,
    settle,
    shown_to,
    table,
)

# -- suns: movement ----------------------------------------------------------------------------------------------------


def test_suns_move_a_pawn_as_far_as_their_values_say() -> None:
    state = table(["S2 S1 H1"], "C0 D1 D2 D3 D4")
    state = after(state, coins(state, "sun", "S2", "S1"))
    assert (state.phase, state.steps) == ("path", 3)
    state = after(state, ("step", 1), ("step", 2), ("step", 3))
    assert (state.phase, state.pawns[0], hand(state, 0)) == ("act", 3, ["H1"])
    assert not state.stepped


def test_a_sun_is_shown_to_all_before_its_move_and_goes_back_after_it() -> None:
    state = table(["S4 H1"], "C0 D1 D2")
    begun = choose(state, coins(state, "sun", "S4"))
    ask = begun.ask()
    assert ask == Show(named(state, "S4"), VALUE_TO_ALL)
    moving = settle(begun)
    assert [coin.parts for coin in moving.spent] == [(0, 4)]
    assert moving.in_bag == 30 - 2
    assert after(moving, ("step", 1), ("stop",)).in_bag == 30 - 1


def test_a_sun_move_may_stop_early_but_not_before_its_first_step() -> None:
    state = table(["S3 H1"], "C0 D1 D2 D3")
    moving = after(state, coins(state, "sun", "S3"))
    assert "move at least one tile" in forbidden(moving, ("stop",))
    assert after(moving, ("step", 1), ("stop",)).pawns[0] == 1


def test_a_sun_worth_nothing_is_an_action_without_a_step() -> None:
    state = table(["S0 H1"], "C0 D1 D2")
    assert after(state, coins(state, "sun", "S0")).phase == "act"


def test_a_sun_move_visits_no_tile_twice_and_ends_where_it_can_go_no_further() -> None:
    state = table(["S5 H1"], "C0 D1 D2")
    moving = after(state, coins(state, "sun", "S5"), ("step", 1))
    assert "no tile twice" in forbidden(moving, ("step", 0))
    assert after(moving, ("step", 2)).phase == "act"


def test_a_null_sun_moves_nobody_but_is_an_action() -> None:
    state = table(["S0 H1"], "C0 D1")
    assert "take an action first" in forbidden(state, ("end",))
    spent = after(state, coins(state, "sun", "S0"))
    assert (spent.phase, spent.pawns[0], spent.turn) == ("act", 0, 0)
    assert choose(spent, ("end",)).turn == 1


def test_tiles_on_the_way_of_a_sun_move_do_what_they_do() -> None:
    state = table(["S3 C2 D3 D4 H1"], "M0 H3 S0 D1")
    state = after(state, coins(state, "sun", "S3"), ("step", 1))
    assert hand(state, 0) == ["D3", "D4", "H1"]
    state = after(state, ("step", 2))
    assert (state.scores[0], hand(state, 0)) == (12, ["H1"])
    assert after(state, ("step", 3)).pawns[0] == 3


def test_suns_are_spent_as_often_as_there_are_any() -> None:
    state = table(["S1 S2 H1"], "C0 D1 D2 D3")
    state = after(state, coins(state, "sun", "S1"), ("step", 1), coins(state, "sun", "S2"), ("step", 2), ("step", 3))
    assert state.pawns[0] == 3


# -- moons: rest -------------------------------------------------------------------------------------------------------


def test_moons_draw_as_many_coins_as_their_values_say() -> None:
    state = table(["M2 M1"], suits="SHC")
    rested = after(state, coins(state, "moon", "M1", "M2"))
    assert len(rested.hands[0]) == 3
    assert everything(rested) == everything(state)


def test_moons_go_back_only_after_the_draw() -> None:
    state = table(["M1"], suits="SHC", bag=table(["M1"]).bag[:1])
    rested = after(state, coins(state, "moon", "M1"))
    assert hand(rested, 0) == ["S0"]
    assert [coin.parts for coin in rested.returned] == [(1, 1)]


def test_moons_draw_no_more_than_the_bag_holds() -> None:
    state = table(["M5"], suits="SHC", bag=table(["M5"]).bag[:2])
    assert len(after(state, coins(state, "moon", "M5")).hands[0]) == 2


def test_a_null_moon_draws_nothing_nor_does_any_from_an_empty_bag() -> None:
    state = table(["M0 M3 H1"], suits="SHC")
    assert hand(after(state, coins(state, "moon", "M0")), 0) == ["M3", "H1"]
    rested = after(evolve(state, bag=()), coins(state, "moon", "M3"))
    assert (hand(rested, 0), rested.in_bag, rested.acted) == (["M0", "H1"], 1, 1)


def test_coins_are_drawn_with_their_suit_for_all_and_their_value_for_one() -> None:
    state = table(["M2"], suits="SHC")
    _, asks = followed(choose(state, coins(state, "moon", "M2")))
    assert asks[-1] == Show(tuple(coin.handle for coin in state.bag[:2]), ((0, None), (1, 0)))


def test_the_bag_is_shuffled_only_before_a_draw_and_only_where_something_came_back() -> None:
    state = table(["M1 M2 S1 H1"], "D0 D1", suits="SHC")
    resting = choose(state, coins(state, "moon", "M1"))
    _, asks = followed(resting)
    assert [type(ask) for ask in asks] == [Show, Show]
    moved = after(state, coins(state, "sun", "S1"), ("step", 1))
    rested, asks = followed(choose(moved, coins(moved, "moon", "M2")))
    assert [type(ask) for ask in asks] == [Show, Shuffle, Show]
    assert not {coin.handle for coin in rested.bag} & {coin.handle for coin in state.bag}


def test_the_scrounger_draws_one_more_but_nothing_for_nothing() -> None:
    state = table(["M2 M0 H1"], suits="MHC")
    assert len(after(state, coins(state, "moon", "M2")).hands[0]) == 5
    assert hand(after(state, coins(state, "moon", "M0")), 0) == ["M2", "H1"]
    few = evolve(state, bag=state.bag[:2])
    assert len(after(few, coins(few, "moon", "M2")).hands[0]) == 4


# -- clubs: beatings ---------------------------------------------------------------------------------------------------


def test_a_beating_steals_up_to_the_value_of_the_clubs() -> None:
    state = table(["C2 C1", "S1 S2 M1 M2"])
    beaten = after(state, ("club", 1, named(state, "C1", "C2")))
    assert (beaten.phase, beaten.attack) == ("steal", 3)
    assert "at most 3" in forbidden(beaten, named(state, "S1", "S2", "M1", "M2"))
    robbed = after(beaten, named(state, "S1", "M2"))
    assert hand(robbed, 0) == ["S1", "M2"]
    assert hand(robbed, 1) == ["S2", "M1"]
    assert sorted(coin.parts for coin in robbed.returned) == [(2, 1), (2, 2)]


def test_a_thief_may_take_less_or_nothing() -> None:
    state = table(["C3 H1", "S1 S2"])
    beaten = after(state, ("club", 1, named(state, "C3")))
    assert hand(after(beaten, ()), 1) == ["S1", "S2"]
    assert hand(after(beaten, named(state, "S2")), 1) == ["S1"]


def test_only_the_thief_learns_what_it_took_and_its_victim_knew() -> None:
    state = table(["C1", "S1 S2"])
    robbed = after(state, ("club", 1, named(state, "C1")), named(state, "S1"))
    (loot,) = robbed.hands[0]
    assert loot.seen == (0b111, 0b011)


def test_clubs_beat_only_who_stands_on_the_same_tile() -> None:
    state = table(["C5", "S1", "S2"], pawns=(0, 0, 1))
    assert "your own tile" in forbidden(state, ("club", 2, named(state, "C5")))
    assert "your own tile" in forbidden(state, ("club", 0, named(state, "C5")))
    assert refusal(table(["C5", "S1"], pawns=(0, 1, 1)), "club") == "nobody else stands on your tile"


def test_who_holds_nothing_can_be_beaten_for_nothing() -> None:
    state = table(["C5 H1", "", "S2"], pawns=(0, 0, 1))
    beaten = after(state, ("club", 1, named(state, "C5")))
    assert (beaten.phase, beaten.acted, hand(beaten, 0), beaten.in_bag) == ("act", 1, ["H1"], 30 - 2)


def test_a_null_club_scares_nobody_but_the_thugs_does() -> None:
    state = table(["C0 H1", "S1 S2"])
    beaten = after(state, ("club", 1, named(state, "C0")))
    assert (beaten.phase, hand(beaten, 1)) == ("act", ["S1", "S2"])
    thug = table(["C0 H1", "S1 S2"], suits="CMS")
    assert after(thug, ("club", 1, named(thug, "C0"))).attack == 1


def test_the_thug_attacks_with_one_more_for_each_club() -> None:
    thug = table(["C2 C0", "S1 S2 S3 S4 S5"], suits="CMS")
    assert after(thug, ("club", 1, named(thug, "C2", "C0"))).attack == 4


def test_a_club_that_was_stolen_can_be_used_in_the_same_turn() -> None:
    state = table(["C1", "C3 S1 S2"])
    state = after(state, ("club", 1, named(state, "C1")), named(state, "C3"))
    state = after(state, ("club", 1, named(state, "C3")), named(state, "S1", "S2"))
    assert hand(state, 0) == ["S1", "S2"]


def test_clubs_and_hearts_go_back_into_the_bag_after_a_beating() -> None:
    state = table(["C3 S5", "H2 S1"])
    state = after(state, ("club", 1, named(state, "C3")), named(state, "H2"), ())
    assert sorted(coin.parts for coin in state.returned) == [(2, 3), (4, 2)]
    assert not state.spent
    assert not state.shield


# -- hearts: defence ---------------------------------------------------------------------------------------------------


def test_a_defender_chooses_hearts_which_all_see() -> None:
    state = table(["C4", "H1 H2 S1 S2 S3"])
    attacked = after(state, ("club", 1, named(state, "C4")))
    ask = attacked.ask()
    assert isinstance(ask, Decide)
    assert (ask.seat, ask.topic, attacked.attack) == (1, "defence", 4)
    assert "hearts" in forbidden(attacked, named(state, "S1"))
    defended, asks = followed(choose(attacked, named(state, "H1", "H2")))
    assert shown_to(asks) == [None]
    assert (defended.phase, defended.attack, hand(defended, 1)) == ("steal", 1, ["S1", "S2", "S3"])


def test_enough_hearts_ward_off_an_attack_and_none_are_asked_of_who_has_none() -> None:
    state = table(["C2 S1", "H2 M1"])
    attacked = after(state, ("club", 1, named(state, "C2")))
    assert after(attacked, named(state, "H2")).phase == "act"
    assert after(attacked, ()).phase == "steal"
    assert after(table(["C2", "M1"]), ("club", 1, named(table(["C2", "M1"]), "C2"))).phase == "steal"


def test_whether_a_defence_is_asked_depends_on_backs_alone() -> None:
    for heart in ("H0", "H5"):
        state = table(["C2", heart])
        assert after(state, ("club", 1, named(state, "C2"))).phase == "defend"


def test_a_null_heart_helps_nobody_but_the_tough_guy() -> None:
    state = table(["C2", "H0 S1 S2"])
    assert after(state, ("club", 1, named(state, "C2")), named(state, "H0")).attack == 2
    tough = table(["C2", "H0 S1 S2"], suits="SHC")
    assert after(tough, ("club", 1, named(tough, "C2")), named(tough, "H0")).attack == 1


def test_the_tough_guy_wards_off_one_more_for_each_heart_but_none_without() -> None:
    tough = table(["C5", "H1 H0 S1 S2"], suits="SHC")
    attacked = after(tough, ("club", 1, named(tough, "C5")))
    assert after(attacked, named(tough, "H1", "H0")).attack == 2
    assert after(attacked, ()).attack == 5


# -- spades: mining ----------------------------------------------------------------------------------------------------


def test_spades_mine_as_many_diamonds_as_the_least_of_spades_mine_and_pile() -> None:
    cases = (("P3", "D5", 6, 3), ("P5", "D2", 6, 2), ("P5", "D5", 1, 1), ("P0", "D5", 6, 0), ("P5", "D5", 0, 0))
    for spade, mine, left, mined in cases:
        state = table([f"{spade} H1"], f"{mine} S0", suits="SMC")
        state = evolve(state, pile=state.pile[:left])
        assert len(after(state, coins(state, "spade", spade)).hands[0]) == 1 + mined


def test_spades_are_added_up_and_spent_again_and_again() -> None:
    state = table(["P1 P2 P3 H1"], "D4 S0")
    assert len(after(state, coins(state, "spade", "P1", "P2")).hands[0]) == 2 + 3
    twice = after(state, coins(state, "spade", "P1", "P2"), coins(state, "spade", "P3"))
    assert len(twice.hands[0]) == 1 + 6
    assert refusal(twice, "spade") == "you hold no spades"


def test_diamonds_are_mined_only_on_a_mine() -> None:
    for field in ("S1 D1", "D0 D1", "P5 D1"):
        assert refusal(table(["P3"], field), "spade") == "you can mine only on a mine"


def test_mined_diamonds_are_seen_by_the_miner_alone() -> None:
    state = table(["P2"], "D4 S0")
    _, asks = followed(choose(state, coins(state, "spade", "P2")))
    assert shown_to(asks) == [None, 0]


def test_the_pile_is_shuffled_before_a_draw_where_diamonds_came_back() -> None:
    state = table(["P2 H1", "D2 D3"], "D4 S0")
    gone = evolve(state, hands=(state.hands[0], (), ()), sold=state.hands[1])
    mined, asks = followed(choose(gone, coins(state, "spade", "P2")))
    assert [type(ask) for ask in asks] == [Show, Shuffle, Show]
    assert mined.in_pile == 4
    assert all(coin.parts[0] == 3 for coin in mined.pile)


def test_the_digger_digs_one_diamond_on_each_mine_in_a_turn() -> None:
    state = table(["S1 P1"], "D1 D2", suits="PMC")
    dug = after(state, ("dig",))
    assert len(dug.hands[0]) == 3
    assert refusal(dug, "dig") == "you have already dug on this mine this turn"
    assert len(after(dug, ("step", 1), ("dig",)).hands[0]) == 4
    back = after(dug, ("step", 1), coins(dug, "sun", "S1"), ("step", 0))
    assert refusal(back, "dig") == "you have already dug on this mine this turn"
    assert refusal(table(["H1"], "D0 D1", suits="PMC"), "dig") == "you can mine only on a mine"
    assert "only the digger" in str(refusal(table(["H1"], "D1 D2"), "dig"))
    assert refusal(evolve(state, pile=()), "dig") == "there are no diamonds left to mine"


def test_digging_adds_nothing_to_spades() -> None:
    state = table(["P1 H1"], "D3 S0", suits="PMC")
    assert len(after(state, coins(state, "spade", "P1")).hands[0]) == 2
    assert len(after(state, coins(state, "spade", "P1"), ("dig",)).hands[0]) == 3
