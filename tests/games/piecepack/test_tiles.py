"""What the tiles of the piecepack game do, suit by suit, and black markets."""

from __future__ import annotations

from itertools import combinations

import pytest

from kimberley.games.piecepack.coins import VALUE_TO_ALL
from kimberley.games.piecepack.suits import payoff
from kimberley.games.table import Decide, Roll, Show, Shuffle
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
    assert refusal(table(["H1"], "S0 S2"), "market") == "you can trade only on a market"
    assert refusal(table(["D1"], "S3 S0"), "market") == "you hold nothing to trade here"


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
    assert refusal(table(["S1"], "M0 M3"), "oasis") == "you can draw hearts only on an oasis"
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
    """Returns what the printed table gives: a null spoils a collection, and an ace with others is not looked at."""
    if 0 in diamonds and len(diamonds) > 1:
        return 0, 0
    if 1 in diamonds and len(diamonds) > 1:
        return PAYOFFS[tuple(one for one in diamonds if one != 1)]
    return PAYOFFS[diamonds]


def test_every_collection_of_diamonds_sells_for_what_is_printed() -> None:
    for diamonds in (c for n in range(1, 7) for c in combinations(range(6), n)):
        assert (payoff(diamonds, False), payoff(diamonds, True)) == due(diamonds), diamonds
        names = " ".join(f"D{value}" for value in diamonds)
        for suits, points in zip(("SMC", "DMC"), due(diamonds), strict=True):
            sold = after(table([names + " S1"], "C1 S0", suits=suits), ("step", 1))
            assert (sold.scores, hand(sold, 0), sold.in_pile) == ((points, 0, 0), ["S1"], 6), (suits, diamonds)


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
