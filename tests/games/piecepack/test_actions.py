"""Every action of the piecepack game: what coins, tiles and powers do, line by line of the table of actions."""

from __future__ import annotations

from itertools import combinations

import pytest

from kimberley.games.piecepack.coins import VALUE_TO_ALL
from kimberley.games.piecepack.position import MOST_ACTIONS
from kimberley.games.piecepack.suits import payoff
from kimberley.games.table import Decide, Result, Roll, Show, Shuffle, evolve
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

FOUR = "C0 S1 M1 P0"
"""A row of a black market, a market, an oasis, and another black market."""


# -- suns: movement ------------------------------------------------------------------------------------------------


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
    assert "go one tile at least" in forbidden(moving, ("stop",))
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
    assert "at least one action" in forbidden(state, ("end",))
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


# -- moons: rest -----------------------------------------------------------------------------------------------------


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
    assert refusal(twice, "spade") == "you hold no spade"


def test_diamonds_are_mined_only_on_a_mine() -> None:
    for field in ("S1 D1", "D0 D1", "P5 D1"):
        assert refusal(table(["P3"], field), "spade") == "diamonds can be mined only on a mine"


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
    assert refusal(table(["H1"], "D0 D1", suits="PMC"), "dig") == "diamonds can be mined only on a mine"
    assert "only the digger" in str(refusal(table(["H1"], "D1 D2"), "dig"))
    assert refusal(evolve(state, pile=()), "dig") == "there are no diamonds left to mine"


def test_digging_adds_nothing_to_spades() -> None:
    state = table(["P1 H1"], "D3 S0", suits="PMC")
    assert len(after(state, coins(state, "spade", "P1")).hands[0]) == 2
    assert len(after(state, coins(state, "spade", "P1"), ("dig",)).hands[0]) == 3


# -- sun tiles: markets ------------------------------------------------------------------------------------------------


def test_a_market_trades_as_many_coins_as_its_value() -> None:
    state = table(["H1 H2 C1 D3"], "S2 M0", suits="HMC")
    traded = after(state, coins(state, "market", "H1", "C1"))
    assert len(traded.hands[0]) == 4
    assert {"H2", "D3"} <= {*hand(traded, 0)}
    assert everything(traded) == everything(state)
    assert "at most 2" in forbidden(state, coins(state, "market", "H1", "H2", "C1"))
    assert "no diamonds" in forbidden(state, coins(state, "market", "D3"))
    assert "at least one" in forbidden(state, ("market", ()))


def test_coins_are_traded_unseen_and_all_at_once() -> None:
    state = table(["H1 H2 S1"], "S2 M0", suits="HMC")
    _, asks = followed(choose(state, coins(state, "market", "H1", "H2")))
    assert [type(ask) for ask in asks] == [Shuffle, Show]
    assert shown_to(asks) == [0]
    (shuffle, _) = asks
    assert isinstance(shuffle, Shuffle)
    assert {*named(state, "H1", "H2")} <= {*shuffle.items}


def test_a_market_trades_once_a_turn_and_only_with_who_stands_on_it() -> None:
    state = table(["H1 H2 H3"], "S2 D1 S1", suits="HMC")
    traded = after(state, coins(state, "market", "H1"))
    assert refusal(traded, "market") == "you have already traded on this market this turn"
    assert refusal(table(["H1"], "S0 S2"), "market") == "coins can be traded only on a market"
    assert refusal(table(["D1"], "S3 S0"), "market") == "you hold nothing that the market takes"


def test_the_scrounger_gets_one_more_than_it_trades() -> None:
    state = table(["H1 H2"], "S2 M0", suits="MHC")
    assert len(after(state, coins(state, "market", "H1")).hands[0]) == 3


# -- moon tiles: oases -------------------------------------------------------------------------------------------------


def test_an_oasis_gives_the_first_heart_in_the_bag_and_puts_the_rest_back() -> None:
    state = table(["S1"], "M3 S0", suits="SHC")
    drawn, asks = followed(choose(state, ("oasis",)))
    assert hand(drawn, 0) == ["S1", "H0"]
    assert [type(ask) for ask in asks] == [Show, Show]
    assert asks[0] == Show(tuple(coin.handle for coin in state.bag), ((0, None),))
    assert shown_to(asks) == [0]
    assert (drawn.bag, len(drawn.returned)) == ((), 28)


def test_an_oasis_gives_once_a_turn_and_nothing_where_the_bag_holds_no_heart() -> None:
    state = table(["S1"], "M3 S0", suits="SHC")
    assert refusal(after(state, ("oasis",)), "oasis") == "you have already drawn on this oasis this turn"
    assert refusal(table(["S1"], "M0 M3"), "oasis") == "hearts can be drawn only on an oasis"
    none = table(["H0 H1 H2", "H3 H4 H5"], "M3 S0")
    assert refusal(none, "oasis") == "there is no heart in the bag"
    one = table(["H0 H1 H2", "H3 H4"], "M3 S0")
    assert "H5" in hand(after(one, ("oasis",)), 0)


def test_the_scrounger_draws_one_more_coin_on_an_oasis() -> None:
    state = table(["S1"], "M3 S0", suits="MHC")
    drawn, asks = followed(choose(state, ("oasis",)))
    assert [type(ask) for ask in asks] == [Show, Show, Shuffle, Show]
    assert len(drawn.hands[0]) == 3


# -- club tiles: war zones ---------------------------------------------------------------------------------------------


def test_a_war_zone_takes_coins_at_random_from_who_comes_there() -> None:
    state = table(["S1 S2 M1 D4"], "S0 C2 M0")
    moved = choose(state, ("step", 1))
    assert moved.ask() == Roll((4, 3))
    lost = settle(moved, lots=(3, 0))
    assert hand(lost, 0) == ["S2", "M1"]
    assert [coin.parts for coin in lost.sold] == [(3, 4)]
    assert [coin.parts for coin in lost.returned] == [(0, 1)]


def test_a_war_zone_takes_everything_without_a_lot_where_it_can() -> None:
    state = table(["S1 S2"], "S0 C2 M0")
    _, asks = followed(choose(state, ("step", 1)))
    assert Roll((2, 1)) not in asks
    assert hand(after(state, ("step", 1)), 0) == []


def test_hearts_help_in_a_war_zone_but_toughness_does_not() -> None:
    for suits in ("SMC", "HMC"):
        state = table(["H1 S1 S2 S3"], "S0 C2 M0", suits=suits)
        attacked = after(state, ("step", 1))
        ask = attacked.ask()
        assert isinstance(ask, Decide)
        assert (ask.seat, ask.topic) == (0, "defence")
        assert len(after(attacked, named(state, "H1")).hands[0]) == 2
        assert len(after(attacked, ()).hands[0]) == 2


def test_hearts_spent_in_a_war_zone_are_not_lost_to_it() -> None:
    state = table(["H1 S1"], "S0 C5 M0")
    defended = after(state, ("step", 1), named(state, "H1"))
    assert sorted(coin.parts for coin in defended.returned) == [(0, 1), (4, 1)]


def test_what_a_war_zone_takes_is_shown_to_nobody() -> None:
    state = table(["S1 S2 M1 D4"], "S0 C2 M0")
    _, asks = followed(choose(state, ("step", 1)))
    assert shown_to(asks) == []


def test_a_war_zone_strikes_who_passes_through_but_no_coin_spent_on_the_way() -> None:
    state = table(["S2 M1"], "S0 C1 M0")
    state = after(state, coins(state, "sun", "S2"), ("step", 1))
    assert (state.phase, hand(state, 0)) == ("path", [])
    assert [coin.parts for coin in state.spent] == [(0, 2)]


# -- heart tiles: holy sites -------------------------------------------------------------------------------------------


def test_a_holy_site_takes_all_clubs_of_who_comes_there() -> None:
    state = table(["C1 C5 S1"], "S0 H1 M0")
    moved = after(state, ("step", 1))
    assert hand(moved, 0) == ["S1"]
    assert sorted(coin.parts for coin in moved.returned) == [(2, 1), (2, 5)]


def test_nothing_of_a_war_zone_is_left_on_the_next_tile_of_a_sun_move() -> None:
    state = table(["S5 S1 M1", "", ""], "S0 C1 M1 S1")
    walking = settle(after(state, ("sun", named(state, "S5")), ("step", 1)))
    assert (walking.phase, walking.attack, walking.attacked) == ("path", 0, None)


def test_nobody_is_beaten_on_a_holy_site_but_on_a_null_one() -> None:
    assert refusal(table(["C5", "S1"], "H1 M0"), "club") == "nobody can be attacked on a holy site"
    assert refusal(table(["C5", "S1"], "H0 M0"), "club") is None


# -- spade tiles: spy's lairs ------------------------------------------------------------------------------------------


def test_a_spy_peeks_at_coins_of_others_and_nobody_else_does() -> None:
    state = table(["S1", "D1 D2", "D3"], "S0 P2 M0")
    spying = after(state, ("step", 1))
    assert spying.phase == "peek"
    assert "other players’ hands" in forbidden(spying, named(state, "S1"))
    assert "at most 2" in forbidden(spying, named(state, "D1", "D2", "D3"))
    seen, asks = followed(choose(spying, named(state, "D1", "D3")))
    assert shown_to(asks) == [0]
    assert [coin.seen[1] for coin in (*seen.hands[1], *seen.hands[2])] == [0b011, 0b010, 0b101]
    assert after(spying, ()).phase == "act"


def test_a_spy_peeks_at_as_many_as_there_are_and_on_the_way_too() -> None:
    state = table(["S2", "D1"], "S0 P5 M0")
    spying = after(state, coins(state, "sun", "S2"), ("step", 1))
    assert after(spying, named(state, "D1")).phase == "path"
    assert after(table(["S1 H1"], "S0 P5 M0"), ("step", 1)).phase == "act"


# -- black markets -----------------------------------------------------------------------------------------------------

PAYOFFS = {
    (0,): (0, 2), (1,): (1, 3), (2,): (2, 4), (3,): (3, 5), (4,): (4, 6), (5,): (5, 7),
    (2, 3): (6, 10), (2, 4): (8, 12), (2, 5): (10, 14), (3, 4): (12, 18), (3, 5): (15, 21), (4, 5): (20, 28),
    (2, 3, 4): (24, 36), (2, 3, 5): (30, 42), (2, 4, 5): (40, 56), (3, 4, 5): (60, 84), (2, 3, 4, 5): (120, 168),
}  # fmt: skip
"""What diamonds sell for, as printed in the rules: to anybody, and to the swindler."""


def due(diamonds: tuple[int, ...]) -> tuple[int, int]:
    """What the printed table gives: a null spoils a collection, and an ace with others is not looked at."""
    if 0 in diamonds and len(diamonds) > 1:
        return 0, 0
    if 1 in diamonds and len(diamonds) > 1:
        return PAYOFFS[tuple(one for one in diamonds if one != 1)]
    return PAYOFFS[diamonds]


@pytest.mark.parametrize("diamonds", [c for n in range(1, 7) for c in combinations(range(6), n)])
def test_every_collection_of_diamonds_sells_for_what_is_printed(diamonds: tuple[int, ...]) -> None:
    assert (payoff(diamonds, False), payoff(diamonds, True)) == due(diamonds)
    names = " ".join(f"D{value}" for value in diamonds)
    for suits, points in zip(("SMC", "DMC"), due(diamonds), strict=True):
        sold = after(table([names + " S1"], "C1 S0", suits=suits), ("step", 1))
        assert (sold.scores, hand(sold, 0), sold.in_pile) == ((points, 0, 0), ["S1"], 6)


def test_no_diamonds_sell_for_nothing_without_a_word() -> None:
    assert payoff((), True) == 0
    _, asks = followed(choose(table(["S1"], "D1 S0"), ("step", 1)))
    assert not asks


@pytest.mark.parametrize("tile", ["S0", "M0", "C0", "D0", "H0", "P0"])
def test_every_null_tile_is_a_black_market_and_nothing_else(tile: str) -> None:
    state = table(["D2 D5 C1 S1", "S2"], f"D1 {tile}")
    sold, asks = followed(choose(state, ("step", 1)))
    assert (sold.scores[0], hand(sold, 0)) == (10, ["S1", "C1"])
    assert asks == [Show(named(state, "D2", "D5"), VALUE_TO_ALL)]


def test_diamonds_are_sold_on_coming_to_a_market_not_while_standing_there() -> None:
    state = table(["P1 D2 H1"], "S0 D3")
    assert state.scores == (0, 0, 0)
    away = after(state, ("step", 1))
    assert hand(away, 0) == ["D2", "H1", "P1"]


# -- steps and jumps ---------------------------------------------------------------------------------------------------


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
    assert "beside it to one beside that" in forbidden(state, ("jump", 2, 1))


def test_the_jumper_jumps_once_in_a_sun_move_and_the_jump_takes_one_step() -> None:
    state = table(["S2 H1"], "D1 D2 D3 D4 D5", suits="SMC")
    moving = after(state, coins(state, "sun", "S2"), ("jump", 1, 2))
    assert (moving.steps, moving.path) == (1, (0, 1, 2))
    assert "over a tile" in forbidden(moving, ("jump", 3, 4))
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
    assert result.reason == "600 points are reached"
