"""What the board of the land game says: why, who and what comes next, and what others did."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from kimberley.client.boards.land.advice import advise
from kimberley.client.boards.land.board import LandUI
from kimberley.client.boards.land.form_turn import WHY_BUY
from kimberley.client.boards.land.layout import layout
from kimberley.client.boards.land.pacing import FRAME, SHORT, TUMBLE
from kimberley.client.boards.land.phrases import holdings, money
from kimberley.client.boards.land.picture import entries
from kimberley.client.boards.line_mode import LineMode
from kimberley.client.boards.playback import LATE, SKIPPING
from kimberley.client.ui.canvas import Canvas
from kimberley.games.land import GAME
from kimberley.games.land.deals import BUY, SELL, Deals
from kimberley.games.land.money import K
from kimberley.games.land.rules import DealSpace, State
from kimberley.games.table import Decide, Result, evolve
from tests.support import land
from tests.support.land_player import ISLAND, Player, playing, rich
from tests.support.land_table import LandTable


def test_the_first_screen_says_what_to_do_and_why_and_later_ones_how_many_parcels_pay() -> None:
    player = playing()
    assert "Choose a parcel and press b to buy it." in player.text()
    assert WHY_BUY in player.text()
    player.press("a")
    assert "Selected: land that reaches the river." in player.text(), "the strip above counts it"
    cost = sum(player.turn.now.cost(parcel) for parcel in player.turn.marks)
    assert f"10 parcels selected: buy them together for {money(cost)}." in player.text()
    player = playing()
    player.press("b a")
    assert f" ({len(player.turn.marks)}). b buys; a selects" in player.turn.said, "now the strip counts deals"
    assert "Nothing here reaches the river. d ends your turn." in playing(dice=(0, 0)).text()
    player = playing(state=evolve(rich(), played=(1, 1, 1)))
    assert "10 parcels here can reach the river." in player.text()


def test_one_parcel_is_not_counted_again_where_it_is_connected() -> None:
    assert holdings(1, 1) == "1 parcel, connected to the river"
    assert holdings(1, 0) == "1 parcel, not connected to the river"
    assert holdings(2, 0) == "2 parcels, none connected to the river"


def test_a_hint_has_one_colon() -> None:
    last = land.roll(land.table(played=24, limit=25), (0, 0))
    bought = tuple((BUY, parcel) for parcel in land.space(last).parcels[:1])
    assert re.search(
        r": you gain nothing for your [\d.]+K, since this is your last turn and only cash counts at the end\.$",
        advise(last, 0, bought),
    )
    near = land.roll(land.table({"d4": (0, "0")}, cash=(999, 1)), (0, 0))
    assert near.map is not None
    sold = ((SELL, near.map.parcel("d4")),)
    assert advise(near, 0, sold) == "Sell d4: selling to the government takes you to 1049K, which wins the game."
    for said in (advise(last, 0, bought), advise(near, 0, sold)):
        assert said.count(":") == 1, said


def test_in_the_last_turn_nobody_is_sent_to_buy_land() -> None:
    player = playing(state=evolve(rich(), limit=25, played=(24, 24, 24)))
    assert "Your last turn: only cash counts at the end. d ends your turn." in player.text()
    player.press("7")
    assert "Price of m17" in player.text()
    assert "a turn. Others" not in player.text(), "nothing is taxed any more"
    player.press("esc", "d")
    assert player.table.chosen == [()]


def test_in_the_last_turn_nothing_is_said_of_what_land_would_earn_after_it() -> None:
    state = rich()
    assert state.map is not None
    land = state.land.priced(state.map.parcel("a1"), 0, 100)
    told = "If connected, parcel a1 would earn 0.1K a turn."
    assert told in playing(state=evolve(state, land=land, limit=25, played=(23, 23, 23))).text()
    player = playing(state=evolve(state, land=land, limit=25, played=(24, 24, 24)))
    assert told not in player.text()
    player.press("b")
    assert "Bought m17 for 100K." in player.text()
    assert "river" not in player.turn.said


def test_who_cannot_sell_enough_is_not_told_to_sell_until_back_at_zero() -> None:
    state = rich(-60 * K)
    assert state.map is not None
    land = state.land.priced(state.map.parcel("m17"), 0, 100)
    player = playing(state=evolve(state, land=land), held=True)
    assert "You cannot sell enough here: you are out when your turn ends." in player.text()
    assert "If connected" not in player.text()
    text = LineMode(LandUI(), player.table)
    assert "Your cash is below zero, and you cannot sell enough here: you are out when your turn ends." in text.prompt()
    assert "such as sell m17. Then type done." in text.prompt()[-1]
    assert text.submit("sell m17").lines == ("1 deal done: -10K, still below zero.",)
    assert "To end your turn, type done anyway." in text.prompt()[-1]
    saved = playing(state=evolve(state, land=land.priced(state.map.parcel("m18"), 0, 100)), held=True)
    assert "Sell until you are back at zero, or you are out." in saved.text()


def test_below_zero_no_price_is_offered_and_none_can_be_typed() -> None:
    state = rich(-K)
    assert state.map is not None
    player = playing(state=evolve(state, land=state.land.priced(state.map.parcel("m17"), 0, 100)), held=True)
    player.press("a")
    assert player.turn.said == "Selected: all your land here (1). s sells."
    for key in ("5", "esc enter"):
        player.press(key)
        assert "! You have -1K: below zero you can only sell" in player.text()
    assert "Price of" not in player.text()
    assert [section.heading for section in player.screen.help().sections][:2] == ["Below zero", "Keys"]
    assert "Your turn" in [section.heading for section in playing().screen.help().sections]


def test_what_is_selected_and_costs_more_than_there_is_is_not_offered() -> None:
    player = playing(state=rich(150 * K))
    player.press("space")
    assert "m17 selected: buy it for 100K." in player.text()
    player.press("down space")
    assert "2 parcels selected: they cost 200K, and you have 150K." in player.text()
    player = playing(state=rich(30 * K))
    player.click_parcel("m17")
    assert "m17 selected: it costs 100K, and you have 30K." in player.text()


def test_a_price_that_is_none_is_refused_in_a_sentence_with_room_for_all_of_it() -> None:
    player = playing()
    for typed, why in (
        ("0 . 0 0 5", "'0.005' is not a price: write 30 or 30.50."),
        ("x", "x2 or x1.5 means that many times the base price."),
    ):
        player.press(f"{typed} b")
        row = next(line for line in player.lines() if "! " in line)
        assert why in row
        assert "…" not in row
        player.press("esc")


def test_who_is_out_reads_how_the_turn_that_is_played_began_and_what_land_brings_its_owners() -> None:
    state = rich(-K)
    assert state.map is not None
    land = state.land.priced(state.map.parcel("m17"), 1, 10_000)
    player = playing(state=evolve(state, land=land), held=True)
    assert "+8 to you" in player.text()
    player.press("d")
    player.ui.questions[0][1]()
    assert "you are out." in player.text()
    assert "Start of carla’s turn: " in player.text()
    assert "to you" not in player.text()
    assert "+8/turn" in player.text()


def test_in_another_turn_the_start_of_ones_own_is_past_and_nothing_if_it_changed_nothing() -> None:
    state = rich()
    assert state.opening is not None
    sold = evolve(state, opening=replace(state.opening, credits=5 * K))
    for begins, told in ((sold, ["Before your turn: +5K sales."]), (state, [])):
        player = playing(state=begins, held=True)
        player.press("b d")
        assert "’s turn" in player.text()
        assert re.findall("Before your .*?turn: .*?\\.", player.prose()) == told


def test_land_that_others_own_and_land_that_is_too_dear_are_told_apart() -> None:
    state = rich()
    assert state.map is not None
    land = state.land
    for parcel in state.map.banks:
        land = land.priced(parcel, 1, K)
    ask = state.ask()
    assert isinstance(ask, Decide)
    assert isinstance(ask.space, DealSpace)
    banks = [parcel for parcel in ask.space.parcels if parcel in state.map.banks]
    assert len(banks) < 10, "the others are the government's"
    player = playing(state=evolve(state, land=land))
    assert "Of the land for sale, only ben’s reaches the river: 50K each." in player.text()
    bank = banks[0]
    of_two = evolve(state, land=land.priced(bank, 2, K))
    assert "Only others’ land for sale here reaches the river: 50K each." in playing(state=of_two).text()
    wide = playing(state=of_two, size=(120, 40))
    assert "Of the land for sale, only that of ben and carla reaches the river: 50K each." in wide.text()
    player = playing(state=evolve(state, land=state.land.priced(bank, 1, K), played=(1, 1, 1)))
    assert "10 parcels here can reach the river, 1 owned by ben." in player.text()
    land = state.land.priced(bank, 1, K).priced(banks[1], 2, K)
    player = playing(state=evolve(state, land=land, played=(1, 1, 1)))
    assert "10 parcels here can reach the river, 2 owned by other players." in player.text()
    player = playing(state=rich(cash=K // 2))
    assert "You cannot afford what reaches the river. d ends your turn." in player.text()


def test_land_that_does_not_lead_to_the_river_says_so() -> None:
    player = playing()
    assert "m17: earns 10K, tax 2K a turn" in player.text()
    player = playing(dice=(0, 0))
    assert "a1: not connected, tax 0.02K a turn" in player.text()
    player.press("b")
    assert "Bought a1 for 1K. Not connected to the river yet:" in player.text()


def test_the_end_is_seen_after_the_turns_that_led_to_it() -> None:
    state = rich()
    player = playing(state=evolve(state, cash=(500 * K, 1001 * K, 500 * K)), calm=False)
    player.ui.time += 10
    player.press("d d")
    assert isinstance(player.table.state.ask(), Result)
    assert "carla rolls the dice." in player.text()
    player.press("enter")
    assert player.screen.busy(player.ui.time)
    assert "THE END" in player.text()
    assert "ben reached 1001K at the start of a turn." in player.text()
    player.ui.time += LATE
    player.press("enter")
    assert not player.screen.busy(player.ui.time)
    assert not player.screen.key("enter")


def first_parcel(state: State) -> Deals:
    """Buys the first parcel that there is in the sector."""
    ask = state.ask()
    assert isinstance(ask, Decide)
    assert isinstance(ask.space, DealSpace)
    parcel = next((parcel for parcel in ask.space.draft().buyable()), None)
    return () if parcel is None else (("buy", parcel, 300),)


def test_what_others_did_is_said_and_all_of_it_is_in_the_log() -> None:
    player = playing(replies=first_parcel)
    player.press("d d")
    text = player.text()
    assert "■B buys a parcel for 1K" in text
    assert "and prices a9 at 3K." in text
    player.press("l")
    log = player.ui.pushed[0]
    canvas = Canvas(80, 24)
    log.draw(canvas, 0.0)
    text = "\n".join(canvas.lines())
    assert "Round 1" in text
    assert "●C carla buys a parcel for" in text
    assert "and has 4" in " ".join(text.split())
    log.key("up")
    log.key("enter")
    assert "1 behind" in player.text()
    assert "carla buys a parcel for" in player.text()
    player.press("right")
    assert "ben buys a parcel for" in player.text()
    player.press("enter")
    assert "your turn" in player.text()


def test_tax_and_revenue_are_explained_parcel_by_parcel() -> None:
    state = rich()
    assert state.map is not None
    land = state.land.priced(state.map.parcel("m17"), 0, 25050).priced(state.map.parcel("a1"), 0, 100)
    player = playing(state=evolve(state, land=land.priced(state.map.parcel("p18"), 1, 7)))
    player.press("t")
    account = player.ui.pushed[0]
    canvas = Canvas(80, 24)
    account.draw(canvas, 0.0)
    text = "\n".join(canvas.lines())
    assert "You own 2 parcels, 1 connected to the river." in text
    for figure in ("m17", "diamond field", "250.50", "- 5.01 ", "+ 10 ", "no river", "- 5.03 "):
        assert figure in text
    assert account.key("tab")
    account.draw(canvas, 0.0)
    assert "ben owns 1 parcel, connected to the river." in "\n".join(canvas.lines())
    assert account.key("esc")
    assert player.ui.popped == [account]


def test_turns_of_others_are_shown_one_by_one_and_can_be_skipped() -> None:
    player = playing(replies=first_parcel, calm=False)
    player.ui.time += 10
    player.press("d d")
    assert "carla rolls the dice." in player.text()
    assert "1 more event" in player.text()
    assert player.screen.next_frame(player.ui.time) is not None
    player.ui.time += TUMBLE
    assert "carla buys a parcel" in player.text()
    player.ui.time += 1.2
    assert "ben rolls the dice." in player.text()
    player.press("enter")
    assert "BUY" in player.text()
    assert not player.screen.busy(player.ui.time)


def test_the_dice_of_ones_own_turn_tumble_before_they_lie() -> None:
    player = playing(calm=False)
    player.press("d d")
    player.ui.time += SHORT
    player.text()
    player.ui.time += SHORT
    player.text()
    row, column = (number + 1 for number in player.turn.space.sector)
    player.text()
    assert player.screen.next_frame(player.ui.time) == player.ui.time + FRAME
    assert "ROLL" in player.lines()[1]
    player.press("b")
    assert f"Sector {row},{column}" in player.text()
    assert (player.turn.now.dealt, player.turn.marks) == ((), frozenset())
    player.ui.time += SKIPPING
    assert player.screen.next_frame(player.ui.time) is None, "nothing moves any more"


def test_on_a_small_map_the_roll_says_which_faces_name_a_row_or_column() -> None:
    player = playing(calm=False, options={"map": "small", "turns": 25})
    faces = " 1 or 2 means {}1, a 3 or 4 means 2, a 5 or 6 means 3."
    player.press("d d")
    player.ui.time += SHORT
    player.text()
    player.ui.time += SHORT
    assert f"A{faces.format('')}" in player.text()
    assert f"On this map, a{faces.format('row or column ')}" in player.turn.prompt()


def cut_off_by_ben(*, calm: bool) -> Player:
    """Returns ana, who has a parcel by the river and two behind it. ben buys the first in his turn, right after
    hers.
    """
    start = rich(seats=2)
    assert start.map is not None
    behind = [start.map.parcel(name) for name in ("m17", "m18", "m19")]
    land = start.land
    for parcel in behind:
        land = land.priced(parcel, 0, 100)
    buys: Deals = (("buy", behind[0], 100),)
    table = LandTable(2, dice=[ISLAND], state=evolve(start, land=land), replies=lambda _: buys)
    player = Player(table, calm=calm)
    player.press("d d")
    return player


def lit(player: Player) -> set[str]:
    """Returns the parcels that stand out on the map. The number of rows is that of a map whose parcels have a row
    each.
    """
    canvas, state = player.canvas(), player.table.state
    assert state.map is not None
    scale = layout(*player.size, state.map.side, 2).scale
    places = {name: scale.place(state.map.parcel(name)) for name in ("m17", "m18", "m19", "m20")}
    map = layout(*player.size, state.map.side, 2).map
    return {name for name, (x, y) in places.items() if canvas.cell(map.left + x, map.top + y).style.bg == "warning"}


LOSS = "2 of your parcels are cut off from the river: -12K a turn."


def test_parcels_that_somebody_cuts_off_from_the_river_are_told_and_light_up() -> None:
    player = cut_off_by_ben(calm=True)
    assert "your turn" in player.text()
    assert player.ui.toasts == [LOSS]
    player.size = (200, 60)
    assert lit(player) == {"m18", "m19"}
    player.press("l")
    (log,) = player.ui.pushed
    canvas = Canvas(120, 30)
    log.draw(canvas, 0.0)
    assert LOSS in "\n".join(canvas.lines())


def test_what_others_bought_from_the_player_is_said_until_the_player_deals() -> None:
    player = cut_off_by_ben(calm=True)
    said = "ben bought one of your parcels for 1K."
    assert said in player.lines()[1]
    player.press("right")
    assert said in player.lines()[1]
    player.press("b")
    assert "bought" not in player.lines()[1]


def test_land_that_is_cut_off_is_told_in_one_line_so_that_the_parcel_is_told_as_well() -> None:
    state = rich()
    assert state.map is not None
    inland = [parcel for parcel in range(state.map.side**2) if parcel not in state.map.banks]
    coal, desert = ([parcel for parcel in inland if state.map.kind(parcel) == kind] for kind in "CD")
    for parcels, told in (
        (desert[:1], f"If connected, parcel {state.map.name(desert[0])} would earn 0.1K a turn."),
        (desert[:12], "If connected, 12 parcels would earn 1.2K a turn."),
        (coal[:5] + desert[:7], "If connected, 12 parcels would earn 10.7K a turn."),
    ):
        land = state.land
        for parcel in parcels:
            land = land.priced(parcel, 0, 100)
        player = playing(state=evolve(state, land=land))
        assert any(line.startswith(f" {told}") for line in player.lines())
        assert "m17: earns 10K" in player.text()


def test_land_that_is_cut_off_is_told_until_it_is_connected_again_by_a_parcel_that_says_what_it_brings() -> None:
    player = cut_off_by_ben(calm=True)
    told = "If connected, 2 parcels would earn 12K a turn."
    assert told in player.text()
    player.press("b")
    player.press("right")
    assert told in player.text(), "also once there are deals"
    assert player.table.state.map is not None
    state, island = player.table.state, player.table.state.map.sector_of(player.map_parcel("m17"))
    again = Player(LandTable(2, state=evolve(state, sector=island, dice=ISLAND)))
    assert told in again.text()
    assert again.turn.cursor.parcel == again.map_parcel("m17"), "what reconnects most is offered"
    assert "m17 connects 2 of your parcels" in again.text()
    assert "+21.98" in again.text()
    again.press("b")
    assert "If connected" not in again.text()
    brought = entries(again.turn.drafted)[0]
    assert brought.revenue - brought.tax == (22 * K - 6 * K // 100)


@pytest.mark.slow
def test_parcels_that_are_cut_off_blink_while_it_is_new() -> None:
    player = cut_off_by_ben(calm=False)
    player.size = (200, 60)
    seen = []
    for _ in range(20):
        seen.append(lit(player))
        due = player.screen.next_frame(player.ui.time)
        assert due is not None
        player.ui.time = due
    assert seen[0] == set()
    assert {frozenset(each) for each in seen} == {frozenset(), frozenset({"m18", "m19"})}


def test_who_has_the_turn_is_said_while_one_waits() -> None:
    player = playing(held=True, replies=first_parcel)
    player.press("d d")
    text = player.text()
    assert "WAIT" in text
    assert "It is carla’s turn in sector" in text
    assert "carla is choosing" in text
    assert not player.screen.key("b")
    player.press("right")
    assert "0-9 price" not in player.text()


def test_a_purchase_from_another_seat_shows_as_credits_due() -> None:
    state = rich()
    assert state.map is not None
    parcel = state.map.parcel("m17")
    land = state.land.priced(parcel, 1, 25000)
    player = playing(state=evolve(state, land=land))
    assert "■ ben    ~" in player.text()
    player.click_parcel("m17")
    player.press("b")
    assert "250K" in player.text()
    player.press("t")
    (ledger,) = player.ui.pushed
    canvas = Canvas(80, 24)
    ledger.draw(canvas, 0.0)
    assert "+250" in "\n".join(canvas.lines())


def test_a_map_that_is_rolled_is_waited_for() -> None:
    table = LandTable(2, options={"map": "rolled"}, held=True)
    table.own.state = GAME.start(2, {"map": "rolled"})
    table.own.story = ()
    player = Player(table)
    assert "Rolling for the map" in player.text()
    assert not player.screen.key("b")
    table.go_on()
    assert "Sector" in player.text()


def test_nobody_has_the_turn_until_lots_decide_who_begins() -> None:
    table = LandTable(3, held=True)
    table.own.state, table.own.story = GAME.start(3, {}), ()
    player = Player(table)
    assert "Choosing the first player at random." in player.text()
    assert "Your turn begins" not in player.text()
    assert "▸" not in player.text()
    assert LineMode(LandUI(), table).describe()[0] == "Choosing the first player at random."
    table.go_on()
    assert "your turn" in player.text()


def test_a_screen_that_is_opened_in_the_middle_knows_the_game() -> None:
    table = LandTable(3, level=2)
    for _ in range(3):
        table.play.choose(())
    player = Player(table, calm=False)
    assert player.screen.next_frame(player.ui.time) is None
    assert "round 4" in player.text()


def test_help_and_menu_follow_the_turn() -> None:
    player = playing()
    assert [section.heading for section in player.screen.help().sections][:2] == ["Your turn", "Keys"]
    assert [item.key for item in player.screen.menu()] == ["l", "o", "t", "g"]
    player.press("b")
    items = {item.key: item for item in player.screen.menu()}
    items["n"].run()
    assert not player.turn.draft.begun
    waiting = playing(held=True)
    waiting.press("d d")
    assert waiting.screen.help().sections[0].heading == "Other players"


def test_help_tells_nobody_who_cannot_buy_what_land_brings_after_buying_it() -> None:
    player = playing(state=rich(-K), held=True)
    assert "would bring if you bought it" in " ".join(section.text for section in player.screen.help().sections)
    player.press("d")
    player.ui.questions[0][1]()
    assert "Your turn begins" not in " ".join(section.text for section in player.screen.help().sections)
    for sections in (player.screen.help().sections, LandUI.stepping_help.sections):
        for section in (*sections, *(section.by_touch for section in sections)):
            if section is not None and section.heading == "What you see":
                assert "you" not in section.text


def test_a_hint_about_many_parcels_names_those_that_are_left_out() -> None:
    state = land.roll(land.table({"a1": (0, "20"), "b1": (1, "20")}), (0, 0))
    at = land.space(state).parcels
    assert state.map is not None
    names = [state.map.name(parcel) for parcel in at]
    free = [parcel for parcel, name in zip(at, names, strict=True) if name not in ("a1", "b1")]

    def said(parcels: list[int]) -> str:
        return advise(state, 0, tuple((BUY, parcel) for parcel in parcels)).partition(":")[0]

    assert said(free) == "Buy all parcels here that you do not own except b1"
    assert (
        said([parcel for parcel in at if state.map.name(parcel) != "a1"]) == "Buy all parcels here that you do not own"
    )
    assert said(free[:6]) == f"Buy {', '.join(map(state.map.name, free[:3]))} and 3 other parcels"
    sold = land.roll(land.table(dict.fromkeys(names[:8], (0, "20"))), (0, 0))
    deals = tuple((SELL, parcel) for parcel in at[1:8])
    assert advise(sold, 0, deals).startswith(f"Sell all your parcels here except {names[0]}: ")
    assert advise(sold, 0, tuple((BUY, parcel) for parcel in at[9:])).startswith(
        f"Buy all government parcels here except {names[8]}: "
    )
