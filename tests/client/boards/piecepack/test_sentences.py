"""What the board of the piecepack game says: what is possible, what happened, what nobody else may know."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from kimberley.client.boards.next_best import ALIKE, EQUALLY_GOOD, FORESEEN
from kimberley.client.boards.piecepack.advice import NO_LOSS, ROOMY, advise, advise_next
from kimberley.client.boards.piecepack.board import ORDINARY, OWN_PACE
from kimberley.client.boards.piecepack.phrases import coins_of, in_signs, outcome
from kimberley.client.boards.piecepack.words import describe
from kimberley.client.boards.playback import LATE
from kimberley.client.ui.spans import Span
from kimberley.games.piecepack.bots.guess import chance
from kimberley.games.piecepack.field import Tile, places
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.suits import DIAMOND, SPADE
from kimberley.games.table import Item, Result, evolve
from tests.support.piecepack import CROWDED, after, coins, hidden, kind, named, table
from tests.support.piecepack_player import ROW, Player, acting, at, beaten, placing
from tests.support.piecepack_table import PiecepackTable


def test_the_menu_says_what_can_be_done_and_why_not_the_rest() -> None:
    player = acting()
    text = player.text()
    assert "You must act." in text
    for label in (" Step or jump", " Travel with ☼", " Beat with ♣", "(Mine with ♠)", "(Rest with ☾)", "(Trade coins)",
                  "(Draw a ♥)", "(End the turn)"):  # fmt: skip
        assert label in text, label
    player.press("k")
    assert "You hold no spades." in player.strip
    assert player.canvas().cell(player.strip.index("You hold"), 1).style.fg == "warning"
    assert "Not now: you hold no spades." in player.panel
    player.press("d")
    assert "Take an action first" in player.strip
    player.press("x")
    assert "market" in player.strip
    assert player.table.chosen == []


def test_the_strip_says_where_the_next_points_are() -> None:
    selling = at(table(["D2 C1"], "S1 D3 H0"))
    assert "You could sell ♦ at ♥0, a black market, 2 steps away." in selling.strip
    mining = at(table(["P2 C1"], "S1 D3 H0"))
    assert "You could mine ♦ at ♦3, a mine, 1 step away." in mining.strip
    assert "You could mine ♦ at ♦3, a mine, 1 step away." in at(table(["C2"], "S1 D3 H0", suits="PMC")).strip
    assert "No mine is on the map yet." in at(table(["P2"], "S1 H2")).strip


def test_what_can_be_done_on_ones_own_tile_is_said_without_its_name() -> None:
    assert " You can mine ♦ here. You must act. " in at(table(["P2"], "D4 M1")).strip
    assert " You can draw a ♥ here. You must act. " in at(table(["C2"], "M2 D4")).strip
    assert " You can steal ♦ with ♣ here. " in at(table(["C2", "D0 D1 D2", "D3 D4 D5"], "S1 C0")).strip


def test_the_end_of_a_turn_says_what_comes_after_it() -> None:
    state = table(["S3 H1", "", ""], "M0 S2 D2", suits="MSC", acted=1)
    assert "The next player’s turn begins." in deeds(state)
    assert "The game ends." in deeds(evolve(state, quiet=9))
    assert "The next player draws the last tile, and the game ends." in deeds(evolve(state, stack=state.stack[:1]))
    crowded = table(["H1", "", ""], [Tile(*kind(name), *place) for name, place in CROWDED.items()], (2, 0, 1), acted=1)
    assert "The next player’s turn begins." in deeds(evolve(crowded, stack=crowded.stack[:1])), "there is no room"


def test_to_rest_brings_nothing_where_the_bag_is_empty() -> None:
    state = table(["M3 S1"], "M0 S2", acted=1)
    assert "rest with ☾" in deeds(state)
    empty = evolve(state, bag=())
    assert "rest with ☾" not in deeds(empty)
    player = at(empty)
    player.press("up up up up")
    assert "It brings nothing, as the bag is empty." in player.panel


def test_the_scrounger_draws_nothing_for_moons_that_are_worth_nothing() -> None:
    for hand, rests in (("M0", "draw up to their total;"), ("M0 M1", "draw their total plus one, as the scrounger;")):
        player = at(table([hand], "D3 S1", suits="MSC"))
        player.press("down down down down")
        assert f"Spend ☾ to {rests}" in player.panel


def test_a_tile_promises_no_second_action_of_the_kind_that_is_possible_once_a_turn() -> None:
    state = table(["C2 C3"], "D3 S1 M1 D4", (1, 1, 1), suits="PSC", acted=1)
    for index, deed, fresh, spent in (
        (0, "dig", "Mine: an action there digs one ♦ for free.", "Mine: you have no ♠ to mine with."),
        (2, "oasis", "Oasis: an action there draws a ♥.", "Oasis: you have already drawn there this turn."),
    ):
        assert outcome(state, 0, index).text == fresh
        done = evolve(state, used=((deed, index),))
        assert outcome(done, 0, index).text == spent
        assert outcome(evolve(done, turn=1), 0, index).text == fresh, "another player did it"
        assert fresh.partition(": ")[2].rstrip(".") not in advise(done, 0, ("step", index), ("ana", "ben", "carla"))
    market = evolve(state, pawns=(0, 1, 1), used=(("market", 1),))
    assert outcome(market, 0, 1).text == "Market: you have already traded there this turn."


def deeds(state: State) -> str:
    """Returns what the menu says of the end of the turn."""
    player = at(state)
    player.press("up")
    return player.panel


def test_where_nothing_is_left_to_mine_the_goal_is_to_steal_and_mining_is_not_offered() -> None:
    others = ["D0 D1 D2", "D3 D4 D5"]
    stealing = at(table(["P2 C1", *others], "S1 D3 H2 C0", pawns=(0, 2, 3)))
    assert "You could steal ♦ with ♣ at ♣0, a black market, 3 steps away." in stealing.strip
    safe = at(table(["P2 C1", *others], "S1 D3 H2", pawns=(0, 2, 2)))
    assert "Everyone with ♦ stands on a holy site, safe from beatings." in safe.strip
    assert "You could try to trade for ♣ at ☼A, a market, 2 steps away." in at(table(["P2", *others], "D3 H2 S1")).strip
    idle = at(table(["P2 M0 C1 S1", *others], "D3 S1", acted=1))
    idle.press("up")
    assert "You could still step, travel with ☼ or beat a player here with ♣." in idle.panel, "no tile to jump to"
    wide = at(table(["P2 M0 C1 S1", *others], "D3 S1 H2", acted=1))
    wide.press("up")
    assert "You could still step, jump, travel with ☼ or beat a player here with ♣." in wide.panel


def test_a_tile_says_whether_the_player_has_what_it_needs() -> None:
    step = at(table(["C2"], "S1 D3"))
    step.press("w")
    assert "you have no ♠ to mine with." in " ".join(step.panel.split())


def test_worthless_coins_lead_to_no_mine_and_to_nobody_with_diamonds() -> None:
    null = table(["P0 H1"], "S1 D2", acted=1)
    assert "You can try to trade for ♠ here." in at(evolve(null, acted=0)).strip
    assert advise(null, 0, ("end",), ("ana", "ben", "carla")).endswith("; later you can try to trade for spades here.")
    mine = table(["P0 M1"], "M1 D2", acted=1)
    assert advise(mine, 0, ("step", 1), ("ana", "ben", "carla")).endswith(f": {ROOMY}.")
    step = at(evolve(mine, acted=0))
    step.press("w")
    assert "Mine: your only ♠ is worth 0." in step.panel
    assert "mine ♦ at" in at(table(["P0"], "S1 D2", suits="PMC")).strip, "the digger needs none"
    others = ["D0 D1 D2", "D3 D4 D5"]
    assert "steal" not in at(table(["C0", *others], "S1 C0", pawns=(0, 1, 1))).strip
    assert "You could steal ♦ with ♣" in at(table(["C0", *others], "S1 C0", pawns=(0, 1, 1), suits="CMS")).strip
    idle = at(table(["C0 S1", *others], "S1 D2", acted=1))
    idle.press("up")
    assert "beat" not in idle.panel
    assert "You can trade coins here." in at(table(["H1", "P0 P1 P2", "P3 P4 P5"], "S1 D2")).strip
    hearts = "H0 H1 H2 H3 H4 H5"
    assert "You have no coins, and the bag has no ♥ for an oasis." in at(table(["", hearts], "M1 S2")).strip


def test_a_mine_says_how_much_the_spades_mine_one_after_another() -> None:
    names = ("ana", "ben", "carla")

    def mine(hand: str, *others: str, suits: str = "SMC") -> str:
        return advise(table([hand, *others], "M1 D2", suits=suits), 0, ("step", 1), names).partition(": ")[2]

    assert mine("P0 P4 P5").startswith("spend your spades there to get up to 4 diamonds, at most 2 each time, but")
    assert mine("P0 P1").startswith("spend your spades there to get 1 diamond, but")
    assert mine("P1 P2", "D0 D1 D2", "D3").startswith("spend your spades there to get up to 2 diamonds.")
    assert mine("P2").startswith("spend your only spade there to get up to 2 diamonds, but")
    digs = "spend your only spade there to get up to 2 diamonds; another action digs one for free, but"
    assert mine("P2", suits="PMC").startswith(digs)
    state = table(["P0 P4 P5"], "D2 M1")
    rich = after(state, coins(state, "spade", "P4"), coins(state, "spade", "P5"))
    assert len(coins_of(rich, 0, DIAMOND)) == 4


def test_a_market_and_a_lair_promise_no_more_coins_than_there_are() -> None:
    step = at(table(["H1 D2", "C1"], "M1 S5"))
    step.press("w")
    assert "Market: an action there trades 1 coin." in step.panel
    spy = at(table(["H1 D2", "C1 C2"], "M1 P5"))
    spy.press("w")
    assert "Spy’s lair: peek at up to 2 of the others’ coins." in spy.panel


def test_a_sale_that_brings_nothing_is_no_goal_and_says_why() -> None:
    spoilt = at(table(["D0 D1 D3"], "S1 D3 H0"))
    assert "You could get rid of ♦0 at ♥0, a black market, 2 steps away." in spoilt.strip
    assert "Worth 0: ♦0 ruins the sale" in spoilt.text()
    step = at(table(["D0 D3"], "S1 H0"))
    step.press("w")
    assert "you sell ♦ 0 × 3 for 0 points; ♦0 ruins the sale." in " ".join(step.panel.split())
    swindler = at(table(["D0"], "S1 H0", suits="DMC"))
    assert "You could sell ♦ at ♥0, a black market, 1 step away." in swindler.strip
    alone = at(table(["D0"], "S1 H0"))
    assert "You could get rid of ♦0 at ♥0" in alone.strip
    assert "ruins" not in alone.text()


def test_hidden_values_do_not_show_in_the_goal() -> None:
    hiding = at(table(["D0 D3"], "S1 H0"))
    hiding.press("h")
    assert "You could sell ♦ at ♥0" in hiding.strip
    assert "ruins" not in hiding.text()


def test_without_spades_the_strip_leads_to_where_coins_are_drawn() -> None:
    trading = at(table(["C2 C1"], "D3 H2 S1"))
    assert "You could try to trade for ♠ at ☼A, a market, 2 steps away." in trading.strip
    drawing = at(table(["C2"], "D3 M2 S1"))
    assert "You could draw a ♥ at ☾2, an oasis, 1 step away." in drawing.strip
    assert "There is no oasis or market on the map yet." in at(table(["C2"], "D3 H2")).strip


def test_a_player_without_coins_is_led_to_where_coins_are_drawn_and_to_no_market() -> None:
    assert "No oasis is on the map yet." in at(table(["", "C2"], "D3 S3")).strip
    led = at(table(["", "C2"], "D3 S1 H2 M2", suits="MSC", pawns=(0, 3, 3)))
    assert "You could draw a ♥ at ☾2, an oasis, 3 steps away." in led.strip
    led.press("w")
    assert "Market: you have no coins to trade." in led.panel
    rich = at(table(["D2", "C2"], "D3 S1 H0", suits="MSC", pawns=(0, 2, 2)))
    rich.press("w")
    assert "Market: you have only ♦, which nobody can trade." in rich.panel


def test_an_oasis_that_gives_nothing_leads_nobody_there() -> None:
    hearts = "H0 H1 H2 H3 H4 H5"
    assert "You could try to trade for ♠ at ☼A, a market, 2 steps away." in at(table(["C2", hearts], "D3 M2 S1")).strip
    assert "There is no market on the map yet." in at(table(["C2", hearts], "D3 M2")).strip


def test_a_spy_finds_nothing_where_nobody_has_coins() -> None:
    player = at(table(["C2", "", ""], "D3 P2 H2", suits="MSC", pawns=(0, 2, 2)))
    player.press("w")
    assert "Spy’s lair: nobody else has coins." in player.panel


def test_a_step_is_offered_to_where_the_strip_leads() -> None:
    selling = at(table(["D2"], "S3 M1 H2 C0", suits="MSC", pawns=(1, 0, 0)))
    assert "You could sell ♦ at ♣0, a black market, 2 steps away." in selling.strip
    selling.press("w")
    assert "Holy site" in selling.panel
    mining = at(table(["P2"], "D3 M1 H2 C0", suits="MSC", pawns=(1, 0, 0)))
    mining.press("w")
    assert "Mine: spend your only ♠ there to get up to 2 ♦." in mining.panel


def test_diamonds_are_sold_and_said_to_be() -> None:
    player = acting("D3 D4", "D1 C0", suits="MSC")
    assert "♦ 3 × 4 sells for 12" in player.text()
    player.press("w", "enter")
    assert "You sell ♦3 ♦4 for 12 points." in player.said()
    log = player.screen.timeline
    gains = [gain for at in range(1, len(log.events) + 1) if (gain := log.gain(at)) is not None]
    assert gains == [Span("+12", "money", True)]


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("D0 D1 D2", "You sell ♦0 ♦A ♦2 for 0 points (the 0 ruins the sale)."),
        ("D0", "You sell ♦0 for 0 points (a 0 is worth nothing)."),
    ],
)
def test_a_sale_for_nothing_says_why(hand: str, said: str) -> None:
    player = acting(hand, "D1 C0", suits="MSC")
    player.press("w", "enter")
    player.answer()
    assert said in player.said()


@pytest.mark.parametrize(
    ("quiet", "stack", "note", "said"),
    [
        (3, 5, "no exploring: round 1 of 3", "Nobody has explored for 1 round; after 3 the game ends."),
        (8, 5, "no exploring: round 2 of 3", "Nobody has explored for 2 rounds; after 3 the game ends."),
        (9, 5, "the last turn", "The last turn."),
        (0, 1, "1 tile left, then the end", "1 tile left, then the end."),
    ],
)
def test_the_end_is_counted_down(quiet: int, stack: int, note: str, said: str) -> None:
    state = table(["S3 H1", "", ""], "M0 S2 D2", suits="MSC")
    calm = evolve(state, quiet=2, stack=state.stack[:5])
    assert "5 tiles left" in at(calm).lines()[0]
    assert said not in describe(calm, ("ana", "ben", "carla"), 0)
    state = evolve(state, quiet=quiet, stack=state.stack[:stack])
    assert note in at(state).lines()[0]
    assert said in describe(state, ("ana", "ben", "carla"), 0)
    assert said in at(state).strip


def test_a_turn_without_a_place_to_explore_says_so() -> None:
    state = table(["S3 H1", "", ""], "M0 S2 D2", suits="MSC")
    assert "No room to explore" not in at(state).strip
    assert " ACT  No room to explore here. You must act. " in at(evolve(state, quiet=1)).strip
    assert "No room to explore" not in at(evolve(state, quiet=1, stack=())).strip, "no tile is left"


@pytest.mark.parametrize(
    ("name", "said"),
    [("ben", "ben attacks for 4: spend hearts?"), ("Bartholomew Cullinan", "An attack of 4: spend hearts?")],
)
def test_a_long_name_cuts_no_question(name: str, said: str) -> None:
    where = beaten().table
    where.put(names=("ana", name, "carla"))
    player = Player(where)
    assert said in player.strip
    assert "…" not in player.strip


def test_a_spy_sees_what_it_peeks_at_and_nobody_else_does() -> None:
    state = table(["H1", "D3 P1", "M2"], "M0 P2", suits="MSC", pawns=(0, 0, 0))
    player = at(state)
    player.press("w", "enter")
    assert "Peek at up to 2 coins; only you learn their values." in player.text()
    player.press("space", "down", "space")
    player.touch("Peek Enter")
    assert player.table.chosen[-1] == named(state, "D3", "M2")
    assert "You peek at ben’s ♦3 and carla’s ☾2." in player.said()
    player.press("tab")
    assert "♦3" in player.text()
    player.press("h")
    assert "♦3" not in player.text()


def test_a_name_before_coins_has_the_cells_that_they_leave_free() -> None:
    many = " ".join(f"{suit}{value}" for suit in "DC" for value in range(6))
    for hand, shown in (("D3 P1", "Florentine (bot)"), (many, "Floren… ")):
        where = PiecepackTable(table(["H1", hand, "M2"], "M0 P2", suits="MSC", pawns=(0, 0, 0)), 0)
        where.put(names=("ana", "Florentine (bot)", "carla"))
        player = Player(where)
        player.press("w", "enter")
        assert shown in player.box


def test_a_spy_is_offered_what_it_does_not_know() -> None:
    state = table(["H1", "D3 P1", "M2"], "M0 P2", suits="MSC", pawns=(0, 0, 0))
    coins = [Item(coin.handle, coin.parts, (coin.seen[0], coin.seen[1] | 1)) if coin.parts == kind("P1") else coin
             for coin in state.hands[1]]  # fmt: skip
    player = at(evolve(state, hands=(state.hands[0], tuple(coins), state.hands[2])))
    player.press("w", "enter", "a")
    player.touch("Peek Enter")
    assert player.table.chosen[-1] == named(state, "D3", "M2")


def test_what_is_peeked_at_in_ones_own_hand_is_told() -> None:
    state = table(["H4", "D3", ""], "P2 C0", suits="MSC", turn=1, pawns=(1, 1, 1))
    handle = named(state, "H4")
    player = at(state, slow=True)
    player.table.replies = [("step", 0), handle]
    player.table.go_on()
    assert "ben peeks at your ♥4." in player.said()


def test_news_are_told_when_they_are_shown() -> None:
    state = table(["H4", "D3", ""], "P2 C0", suits="MSC", turn=1, pawns=(1, 1, 1))
    player = Player(PiecepackTable(state, slow=True), calm=False)
    player.table.replies = [("step", 0), named(state, "H4")]
    player.table.go_on()
    assert "ben goes to ♠2" in player.strip
    assert player.said() == ""
    player.ui.time += ORDINARY
    assert "ben peeks at your ♥4." in player.strip
    assert player.said() == "ben peeks at your ♥4."


def test_how_an_attack_of_the_players_was_blocked_stays_readable() -> None:
    state = table(["C2 P2", "H4", ""], "P3 C0", suits="MSC", pawns=(0, 0, 1))
    player = at(state, slow=True)
    player.table.replies = [named(state, "H4")]
    player.table.play.choose(("club", 1, named(state, "C2")))
    player.table.go_on()
    player.ui.time += 10 * ORDINARY
    assert "ACT" in player.strip
    assert player.said() == "ben blocks 2 of 2 with ♥4."


def robbed(*loot: str) -> Player:
    """Returns seat 0, whose turn begins after ben has beaten it, and stolen some coins or none."""
    state = table(["S1 P5", "C2", ""], "D1 C0 M0", suits="SMP", turn=1, pawns=(0, 0, 2))
    player = at(state, slow=True)
    player.table.replies = [("club", 0, named(state, "C2")), named(state, *loot), ("end",)]
    player.table.go_on()
    return player


def test_what_others_took_gives_way_to_what_the_player_has_begun() -> None:
    player = robbed("P5")
    assert "EXPLORE  Place ♠5 next to your pawn. ben stole ♠5 from you." in player.strip
    player.press("left")
    assert "stole" not in player.strip


def test_what_others_took_since_the_last_turn_is_said_until_something_is_done() -> None:
    player = robbed("P5")
    assert "ben stole ♠5 from you." in player.strip
    player.press("h")
    assert "ben stole ♠ from you." in player.strip
    player.press("h", "enter")
    assert "stole" not in player.strip


def test_where_nothing_was_taken_the_turn_begins_with_what_to_do() -> None:
    assert "from you" not in robbed().strip


def test_hidden_values_are_not_told() -> None:
    state = table(["C2 H1", "D3 P1 M4", ""], "D1 C0", suits="SMC", pawns=(0, 0, 1))
    player = at(state)
    player.press("h", "b", "enter", "space", "enter")
    assert player.said() == "You steal ☾ from ben."
    log = player.screen.timeline
    assert log.sentences(len(log.events)) == ("You steal a moon from ben.",)
    player.press("h")
    assert log.sentences(len(log.events)) == ("You steal moon 4 from ben.",)


def test_a_table_says_what_diamonds_sell_for() -> None:
    player = acting("D3 D4 H1", "D1 C0")
    player.press("p")
    assert "▸ ♦ 3 4 12 18" in player.box
    assert "♦ 2 3 4 5 120 168" in player.box
    player.press("h")
    assert "▸ ♦" not in player.box
    player.press("esc")
    player.touch("all payoffs")
    assert "What diamonds sell for" in player.text()
    player.touch("What diamonds")
    assert "What diamonds sell for" not in player.text()


def test_the_log_tells_what_was_done() -> None:
    player = acting("D3 D4", "D1 C0", suits="MSC")
    player.press("w", "enter", "tab", "tab")
    assert "You go to ♣0, a black market. You sell ♦3 ♦4 for 12 points." in player.panel


def test_the_whole_log_writes_tiles_and_coins_as_the_map_does() -> None:
    player = acting("D3 D4", "D1 C0", suits="MSC")
    player.press("w", "enter")
    timeline = player.screen.timeline
    said = [
        "".join(span.text for span in line) for at in range(1, len(timeline.events) + 1) for line in timeline.spans(at)
    ]
    assert any("♣0, a black market" in line for line in said)
    assert not any("club 0" in line for line in said)


def test_what_others_do_is_shown_piece_by_piece_and_enter_shows_the_rest() -> None:
    state = table(["", "", ""], ROW, turn=1, pawns=(0, 1, 2))
    player = Player(PiecepackTable(state, slow=True), calm=False)
    player.table.replies = [("step", 2), ("end",)]
    player.table.go_on()
    assert "ben goes to ☾A" in player.strip
    assert " more" in player.strip
    assert "EXPLORE" not in player.strip
    due = player.screen.next_frame(player.ui.time)
    assert due == player.ui.time + ORDINARY
    player.press("enter")
    assert " more" not in player.strip
    assert "goes to ☾A" not in player.strip


def test_a_seat_that_leaves_is_told_and_its_pawn_is_gone() -> None:
    player = acting()
    player.table.leaves(2)
    player.press("tab")
    assert "resigned" in player.text()
    assert "♣C" not in player.text().replace("♣C carla", "")


def test_who_has_left_looks_on() -> None:
    player = acting()
    player.table.leaves(0)
    player.press("tab")
    assert "Resigned." in player.text()
    assert "You resign." in player.panel
    for key in ("i", "right", "esc", "p", "esc", "1", "esc", "v"):
        player.press(key)
        assert player.text()
    assert not player.screen.key("w")
    assert not player.screen.key("h")


def test_the_end_stays_until_enter() -> None:
    state = table(["D5 D4", "", ""], "D1 C0", suits="MSC", scores=(590, 0, 0))
    player = Player(PiecepackTable(state), calm=False)
    player.press("w", "enter")
    assert player.screen.busy(player.ui.time)
    assert "You sell" in player.strip
    player.ui.time += OWN_PACE["sell"]
    assert "THE END  You have won: 600 points reached." in player.strip
    assert player.screen.busy(player.ui.time)
    player.ui.time += LATE
    player.press("enter")
    assert not player.screen.busy(player.ui.time)


def test_who_resigned_reads_it_at_the_end() -> None:
    state = table(["", "D5 D4", ""], "D1 C0", suits="SMC", scores=(0, 590, 0), turn=1)
    player = Player(PiecepackTable(state, replies=(("step", 1),), slow=True))
    player.table.leaves(0)
    player.table.go_on()
    assert "ben has won: 600 points reached. You resigned." in player.strip


def test_who_resigned_is_offered_neither_to_hide_values_nor_the_keys_of_a_turn() -> None:
    state = replace(table(["H2", "C2", ""], "D1 C0", suits="SMC", turn=1), present=(False, True, True))
    player = Player(PiecepackTable(state, slow=True))
    told = " ".join(section.text for section in player.screen.help().sections)
    assert "numbers show" in told
    assert "your coins" not in told
    assert "ends your turn" not in told
    assert "hides your values" not in told
    assert "h hide" not in player.text().replace("\n", " ")
    assert "Hide my values" not in [item.label for item in player.screen.menu()]
    assert "p all payoffs" in player.text()
    assert not player.screen.key("h")
    watching = Player(PiecepackTable(replace(state, present=(True, True, True)), slow=True))
    watching.press("h")
    assert "Show my values" in [item.label for item in watching.screen.menu()]


def test_a_reason_speaks_for_what_it_names() -> None:
    around = [(4, 0), (6, 2), (8, 0), (6, -2), (4, 2), (8, 2), (4, -2), (8, -2)]
    full = [Tile(0, 1, 2, 0), Tile(2, 4, 6, 0), *(Tile(5, 1, x, y) for x, y in around)]
    boxed_in = table(["C2", "H2"], full)
    assert not places(boxed_in.field, 1)
    names = ("ana", "ben", "carla")
    assert advise(boxed_in, 0, ("step", 1), names).endswith(
        f", a war zone: {FORESEEN}. It attacks for 4: you lose 1 coin."
    )
    assert advise_next(boxed_in, 0, ("stop",), ("step", 1), names).sentence().endswith(f", a war zone: {ALIKE}.")
    assert f", a war zone: {ROOMY}." in advise(table(["H2"], "S0 C4"), 0, ("step", 1), names)
    assert f", a holy site: {FORESEEN}." in advise(table(["C2"], "S0 H4"), 0, ("step", 1), names)
    rid = advise(table(["D0"], "S1 H0"), 0, ("step", 1), names)
    assert rid.endswith(": you get rid of diamond 0, which ruins every sale.")
    all_gone = advise(table(["D0 D3"], "S1 H0"), 0, ("step", 1), names)
    assert all_gone.endswith(
        ": you sell all your diamonds for nothing, and with them diamond 0, which ruins every sale."
    )


@pytest.mark.parametrize(
    ("hand", "row", "said"),
    [
        ("M2 M3 M4 M5", "S0 C3", " It attacks for 3: you lose 3 coins."),
        ("M2 H0", "S0 C3", " It attacks for 3: you lose 2 coins."),
        ("M2 H1 H2", "S0 C3", " It attacks for 3, which your hearts can block."),
        ("M2 H1", "S0 C3", " It attacks for 3: your hearts block up to 1; the rest costs you coins."),
        ("", "S0 C3", f"{ROOMY}."),
        ("C1 C2 M2", "S0 H3", " It costs you your 2 clubs."),
        ("C1 M2", "S0 H3", " It costs you your only club."),
        ("M2", "S0 H3", "holy site: nobody can be beaten there."),
        ("D0", "S1 C0", ", which ruins every sale."),
    ],
)
def test_a_hint_to_go_where_something_is_lost_says_what(hand: str, row: str, said: str) -> None:
    assert advise(table([hand], row), 0, ("step", 1), ("ana", "ben")).endswith(said)


@pytest.mark.parametrize(
    ("hand", "attack", "none", "spent"),
    [
        (
            "H5 M1 M2 M3 M4 P1 P2 P3 S1", 7, "you can lose 7 of your 9 coins.",
            "that takes 5 off an attack of 7, and you can lose 2 of your 8 other coins.",
        ),
        ("H5 M1", 7, "you can lose all your coins.",
         "that takes 5 off an attack of 7, and you can lose your only other coin."),
        ("H5", 7, "you can lose your only coin.", "that takes 5 off an attack of 7, and you lose no other coins."),
        ("H5 M1", 1, "you can lose 1 of your 2 coins.", "that blocks the whole attack of 1."),
    ],
)  # fmt: skip
def test_a_hint_to_defend_says_what_is_lost_either_way(hand: str, attack: int, none: str, spent: str) -> None:
    names = ("ana", "ben", "carla")
    beating = table([hand, "C5", ""], "D1 C0", turn=1, phase="defend", attack=attack, attacked=0, deed="club")
    heart = named(beating, "H5")
    war_zone = evolve(beating, turn=0, deed="")
    for state, without, with_heart in (
        (beating, none, spent),
        (war_zone, none.replace("can lose", "lose"), spent.replace("can lose", "lose")),
    ):
        assert advise(state, 0, (), names) == f"Spend no hearts: {without}"
        assert advise(state, 0, heart, names) == f"Spend heart 5: {with_heart}"
        other = advise_next(state, 0, (), heart, names).sentence(equally_good=True)
        assert other == f"The next best choice is to spend heart 5: {with_heart} {EQUALLY_GOOD}"


def test_a_beating_says_what_it_can_steal() -> None:
    rich = at(table(["C5 C1 S1", "M1 M2 H1", ""], "D3 C0", suits="SMC", pawns=(0, 0, 1)))
    rich.press("b", "a")
    assert "attack 6; steal up to 3 coins from ben, who has 3, 1 of them ♥." in " ".join(rich.panel.split())
    for hand, told in (("H1", "1, a ♥"), ("H1 H2", "2, both ♥"), ("H1 H2 H3", "3, all ♥")):
        safe = at(table(["C5 C1 S1", hand, ""], "D3 C0", suits="SMC", pawns=(0, 0, 1)))
        safe.press("b", "a")
        assert f"from ben, who has {told}." in " ".join(safe.panel.split())
    null = at(table(["C0 S1", "M1", ""], "D3 C0", suits="SMC", pawns=(0, 0, 1)))
    null.press("b")
    assert "♣ 0: attack 0, which steals nothing." in null.panel


def test_a_beating_of_somebody_without_coins_says_that_it_brings_nothing() -> None:
    player = at(table(["C2 S1", "", "M1"], "D3 C0", suits="SMC", pawns=(0, 0, 1), acted=1))
    player.press("down", "down")
    assert "It brings nothing, as ben has no coins." in " ".join(player.panel.split())
    player.press("enter")
    assert "attack 2, but ben has no coins to steal." in " ".join(player.panel.split())
    player.press("esc", "up", "up", "up")
    assert "The next player’s turn begins." in player.panel
    assert "beat" not in player.panel
    both = at(table(["C2 S1", "", ""], "D3 C0", suits="SMC", pawns=(0, 0, 0)))
    both.press("down", "down")
    assert "It brings nothing, as ben and carla have no coins." in " ".join(both.panel.split())


def test_a_hint_to_trade_says_what_for() -> None:
    def traded(hand: str, *others: str, suits: str = "SMC") -> str:
        state = table([hand, *others], "S3 M1", suits=suits)
        return advise(state, 0, ("market", (state.hands[0][0].handle,)), ("ana", "ben", "carla"))

    assert traded("H4 C1").endswith(": you draw 1 coin from the bag, perhaps a spade to mine with.")
    assert traded("H4 C1", "D0 D1 D2", "D3 D4 D5").endswith(", perhaps one of more use.")
    assert traded("H4", "D0 D1 D2", "D3 D4 D5").endswith(", perhaps a club to steal diamonds with.")
    assert traded("H4", suits="PMC").endswith(", perhaps one of more use.")
    assert traded("H4 P1").endswith(", perhaps one of more use.")
    assert traded("H4 P0").endswith(", perhaps a spade to mine with.")
    assert traded("H4", "P1 P2 P3", "P4 P5").endswith(", perhaps one of more use.")
    assert traded("H4", "P0 P1 P2", "P3 P4 P5").endswith(", perhaps one of more use.")


def test_a_hint_promises_no_diamonds_that_the_player_cannot_mine() -> None:
    without = table(["M4 S1"], "M2 D3")
    assert advise(without, 0, ("step", 1), ("ana", "ben")).endswith(f": {ROOMY}.")
    empty = table(["P4 S1", "D0 D1 D2", "D3 D4 D5"], "M2 D3")
    assert advise(empty, 0, ("step", 1), ("ana", "ben")).endswith(f": {ROOMY}.")
    able = table(["P4 S1"], "M2 D3")
    spoilt = "but 1 of the 6 left is diamond 0, which ruins every sale"
    assert advise(able, 0, ("step", 1), ("ana", "ben")).endswith(
        f": spend your only spade there to get up to 3 diamonds, {spoilt}."
    )
    digger = table(["S1"], "M2 D3", suits="PMC")
    assert advise(digger, 0, ("step", 1), ("ana", "ben")).endswith(
        f": an action there digs one diamond for free, {spoilt}."
    )
    assert advise(digger, 0, ("dig",), ("ana", "ben")).endswith(f": it is free, {spoilt}.")


@pytest.mark.parametrize(
    ("hands", "said"),
    [
        (["P2 D5"], "and diamonds multiply when sold together, but 1 of the 5 left is diamond 0, which ruins every "
                    "sale"),
        (["P2 D5", "D0"], "and diamonds multiply when sold together, but diamond 0, which ruins every sale, may be "
                          "among the 4 left"),
        (["P2 D0"], f"but you hold diamond 0, which ruins every sale; {FORESEEN}"),
        (["P2 D2 D3 D4 D5"], f"but one of them is diamond 0, which ruins every sale; {FORESEEN}"),
        (["P1 D2 D3 D4 D5"], "which cannot raise the price of yours, but 1 of the 2 left is diamond 0, which ruins "
                             f"every sale; {FORESEEN}"),
        (["P1 D1 D2 D3 D4 D5"], f"but it is diamond 0, which ruins every sale; {FORESEEN}"),
        (["P2", "", "D0 D1 D2"], "and diamonds multiply when sold together, but diamond 0, which ruins every sale, may "
                                 "be among the 3 left"),
    ],
)  # fmt: skip
def test_who_mines_hears_of_the_worthless_diamond(hands: list[str], said: str) -> None:
    state = hidden(table(hands, "D4 S0"), 0)
    spades = tuple(coin.handle for coin in coins_of(state, 0, SPADE))
    hint = advise(state, 0, ("spade", spades), ("ana", "ben", "carla"))
    assert hint.partition(": ")[2].partition(" diamond")[2].lstrip("s, ") == f"{said}."


def test_only_who_holds_the_worthless_diamond_is_to_get_rid_of_it() -> None:
    for field, goal in (
        ("S0 D2", "; later you could mine diamonds at diamond 2, a mine, 1 step away"),
        ("S0 H1", ": no action is worth its coins now"),
    ):
        assert advise(table(["P1 S2"], field), 0, ("end",), ("ana", "ben")).endswith(f"{goal}.")


def test_that_nothing_else_comes_out_better_is_not_said_of_the_next_best_choice() -> None:
    state, names = table(["P2 D0"], "D4 M1"), ("ana", "ben", "carla")
    mines = "spade", named(state, "P2")
    assert advise(state, 0, mines, names).endswith(f"which ruins every sale; {FORESEEN}.")
    assert advise_next(state, 0, ("step", 1), mines, names).sentence().endswith("which ruins every sale.")


def test_who_has_no_coins_ends_the_turn_for_that() -> None:
    state, names = table(["", "C2"], "M1 S1", acted=1), ("ana", "ben", "carla")
    why = "End the turn: you have no coins to spend; later you can draw a heart here."
    assert advise(state, 0, ("end",), names) == why
    assert advise_next(state, 0, ("step", 1), ("end",), names).sentence() == (
        f"The next best choice is to end the turn: {ALIKE}."
    )


def test_nothing_comes_later_than_the_last_turn() -> None:
    state, names = table(["P2 S2", "C2"], "D4 S1", acted=1), ("ana", "ben", "carla")
    assert "; later you can mine diamonds here." in advise(state, 0, ("end",), names)
    for last in (evolve(state, quiet=9), evolve(state, stack=state.stack[:1])):
        assert advise(last, 0, ("end",), names) == "End the turn: no action is worth its coins now."


@pytest.mark.parametrize("size", [(80, 24), (40, 40)])
def test_the_bag_is_counted_once_it_is_filled_and_nothing_is_for_sale_once_the_game_is_over(
    size: tuple[int, int],
) -> None:
    begun = Player(PiecepackTable(slow=True), size)
    lots = begun.table.truth.ask()
    assert not isinstance(lots, Result)
    begun.table.answer(chance(begun.table.truth, lots, Random(1)))
    assert "Your hand" in begun.text()
    assert "bag" not in begun.text()
    assert "in the bag" not in " ".join(describe(begun.table.state, ("ana", "ben", "carla"), 0))
    state = table(["D2 D3", "C2"], "D4 S1", turn=1)
    for sold, now in ((True, state), (False, evolve(state, phase="over", ended="the last tile was drawn"))):
        player = at(now, size, slow=True)
        assert "bag " in player.text()
        assert ("black market (0)" in player.text()) == sold
        assert ("Your diamonds would sell for 6 points." in describe(now, ("ana", "ben", "carla"), 0)) == sold


def test_a_box_over_the_map_says_how_to_close_it() -> None:
    player = acting()
    for key in ("p", "2"):
        player.press(key)
        assert "Esc close" in player.lines()[-1]
        player.press("esc")
        assert "Esc close" not in player.lines()[-1]


def test_a_spy_reads_whose_coins_stand_in_the_only_row() -> None:
    for hand, told in (
        ("M1", "Peek at 1 of ben’s coins, or none"),
        ("M1 C2", "Peek at up to 2 of ben’s coins, or none"),
    ):
        state = table(["S0", hand, ""], "P2 H4 C2", suits="PSC", pawns=(0, 1, 2))
        peeking = at(evolve(state, phase="peek", acted=1, deed="step", stepped=True))
        assert told in peeking.strip
        assert told in peeking.box


def test_one_worthless_coin_is_not_several() -> None:
    for hand, keys, text in (
        ("S0", "t enter", "It is worth nothing. Spend it anyway?"),
        ("P0 S1", "k enter", "It is worth nothing. Spend it anyway?"),
    ):
        player = at(table([hand], "D4 M1"))
        player.press(keys)
        assert player.ui.questions[-1][0] == text


def test_a_hint_to_peek_says_at_whose_coins() -> None:
    state = hidden(table(["H1", "D3 P1", "D4"], "P3 M0", phase="peek"), 0)
    hint = advise(state, 0, tuple(coin.handle for hand in state.hands[1:] for coin in hand), ("ana", "ben", "carla"))
    assert hint.startswith("Peek at a diamond and a spade of ben’s, and a diamond of carla’s: they may")


def test_a_tile_on_the_way_is_named_with_where_it_leads() -> None:
    assert ROOMY in advise(table(["D2 D3"], "M2 C2 S0"), 0, ("step", 1), ("ana", "ben")), "both are lost"
    state = table(["D2 D3 D4"], "M2 C2 S0")
    assert advise(state, 0, ("step", 1), ("ana", "ben")) == (
        "Go to club 2, a war zone: then you could sell diamonds at sun 0, a black market, 1 step away. "
        "It attacks for 2: you lose 2 coins."
    )


def test_one_coin_is_not_several() -> None:
    stealing = table(["C2", "P5 P4"], "S1 M1", phase="steal", attack=2, attacked=1)
    names = ("ana", "ben", "carla")
    assert advise(stealing, 0, named(stealing, "P5"), names).endswith(": its suit helps you most.")
    assert advise(stealing, 0, named(stealing, "P5", "P4"), names).endswith(": their suits help you most.")
    peeking = evolve(stealing, phase="peek", attack=0, attacked=None)
    assert advise(peeking, 0, named(stealing, "P5"), names).endswith(": it may be worth stealing later.")
    state = table(["S0 M0"], "C1 M1")
    assert advise(state, 0, ("sun", named(state, "S0")), names).endswith("and the coin is of little use now.")
    here = table(["P4 S1"], "D3 M2")
    (sun,) = [coin.handle for coin in here.hands[0] if coin.parts[0] == 0]
    assert "here" not in advise(here, 0, ("sun", (sun,)), ("ana", "ben"))


def test_the_only_coin_that_can_be_spent_or_traded_is_not_several() -> None:
    travel = at(table(["S2 C3"], ROW))
    travel.press("t")
    assert "Spend your only ☼; everyone sees it." in travel.strip
    travel = at(table(["S2 S3"], ROW))
    travel.press("t")
    assert "Choose ☼ coins to spend; everyone sees them." in travel.strip
    beat = at(table(["C3", "H2"], ROW, pawns=(0, 0, 2)))
    beat.press("b")
    assert "Beat ben with your only ♣; everyone sees it." in beat.strip
    trade = at(table(["C3 C2"], "S1 C0"))
    trade.press("x")
    assert "Choose 1 coin to trade; others see only its suit." in trade.strip


@pytest.mark.parametrize(("coin", "choice"), [("S0", ("sun", (0,))), ("M0", ("moon", (0,))), ("P0", ("spade", (0,)))])
def test_a_hint_to_spend_what_is_worth_nothing_says_so(coin: str, choice: tuple[str, tuple[int, ...]]) -> None:
    assert NO_LOSS in advise(table([coin, "D1", "D2"], "D3 S0"), 0, choice, ("ana", "ben", "carla"))


def test_a_hint_names_tiles_and_coins_as_the_map_does() -> None:
    said = "Place the tile above, next to moon 0 and spade 5: a heart blocks more than heart ace."
    assert in_signs(said) == "Place the tile above, next to ☾0 and ♠5: a heart blocks more than ♥A."


def test_before_the_lots_there_is_a_word() -> None:
    player = at(State.before(4), slow=True)
    assert "Choosing suits and the first player." in player.text()
    player.table.go_on()
    assert " EXPLORE " in player.strip


def test_help_follows_the_phase_and_the_menu_has_the_view() -> None:
    player = beaten()
    assert " DEFEND! " in player.strip
    assert player.screen.help().sections[0].heading == "Attacks"
    assert placing().screen.help().sections[0].heading == "A turn"
    items = {item.label: item for item in player.screen.menu()}
    assert items.keys() >= {"Log", "Hide my values", "Whole map", "Look at tiles"}
    items["Hide my values"].run()
    assert "Show my values" in [item.label for item in player.screen.menu()]
    items["Look at tiles"].run()
    assert "Choose another tile, or go back." in player.strip
