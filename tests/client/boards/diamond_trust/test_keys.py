"""Diamond Trust by keys and by clicks, and what has to be confirmed."""

from __future__ import annotations

from random import Random

import pytest

from kimberley.client.boards.diamond_trust.board import DiamondTrustUI
from kimberley.client.boards.diamond_trust.form import ASKED_TWICE
from kimberley.client.boards.form import ASKED_LAST
from kimberley.client.ui.palette import Depth
from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.table import space_for
from tests.support.angola import LUNDA, MOXICO, UIGE, PretendUi
from tests.support.effort import spread
from tests.support.trust_player import SIZES, Player, meeting, moved


def test_a_round_by_keys_alone() -> None:
    player = Player()
    player.press("1 4 enter 2 2 enter 3 enter d")
    assert player.chosen == [(4, 2, 0)]
    player.press("1 right right enter 3 enter 3")
    player.press("esc d yes")
    assert player.table.state.step is RoundStep.SALE_PLAN
    assert player.table.state.agents[0][0].at != HOME
    player.rest()
    player.press("1 d")
    assert player.table.state.round() == 2
    assert player.table.state.vault == (1, 2)


@pytest.mark.slow
def test_a_round_by_clicks_alone() -> None:
    player = Player()
    for action in (
        ("agent", 0, 0),
        ("more",),
        ("more",),
        ("set",),
        ("agent", 0, 1),
        ("set",),
        ("agent", 0, 2),
        ("set",),
    ):
        player.click(action)
    player.click("key:d")
    assert player.chosen == [(2, 0, 0)]
    for order in (("agent", 0, 0), ("region", MOXICO), ("more",), ("set",), ("more",), ("set",)):
        player.click(order)
    player.click("key:d")
    player.press("yes")
    assert player.chosen[1] == ((MOXICO, 1, 1), (HOME, 0, 0), (HOME, 0, 0))
    assert player.table.state.step is RoundStep.INSPECT
    for again in (("region", LUNDA), ("region", UIGE)):
        player.click(again)
    player.click("key:u")
    player.click("key:d")
    assert player.table.state.inspector == LUNDA
    for last in (("more",), ("more",), ("less",)):
        player.click(last)
    player.click("key:d")
    assert player.table.state.round() == 2


def test_a_right_click_which_is_escape_cancels() -> None:
    player = meeting()
    player.press("tab 5 esc d")
    assert player.chosen == [(0, 0)]


def test_done_asks_back_and_goes_on_only_if_it_is_meant() -> None:
    player = Player()
    player.press("1 2 enter d")
    assert not player.chosen
    assert [question for question, _ in player.ui.questions] == [
        f"You have not paid [2] or [3]: a bribe of any size wins either of them over. {ASKED_TWICE}"
    ]
    player.press("yes")
    assert player.chosen == [(2, 0, 0)]


def test_done_asks_back_once_a_game_for_each_reason() -> None:
    player = Player({(1, RoundStep.PAY): (0, 0, 0)})
    player.press("d")
    assert [question for question, _ in player.ui.questions] == [
        f"No orders for [1], [2] or [3]: they stay and offer nothing. {ASKED_LAST}"
    ]
    player.ui.questions.clear()
    player.press("1 right right enter d")
    assert [question for question, _ in player.ui.questions] == [
        f"[1] offers $0 in Lunda, so it collects nothing. {ASKED_LAST}"
    ]
    player.ui.questions.clear()
    player.press("d")
    assert not player.ui.questions
    assert player.chosen


def test_who_was_asked_about_one_agent_and_then_gives_no_orders_is_asked_again() -> None:
    player = Player({(1, RoundStep.PAY): (0, 0, 0)})
    player.press("1 right right enter 3 enter 2 right enter 3 enter d")
    assert [question for question, _ in player.ui.questions] == [
        f"No orders for [3]: it stays and offers nothing. {ASKED_TWICE}"
    ]
    player.ui.questions.clear()
    player.press("u u d")
    assert [question for question, _ in player.ui.questions] == [
        f"No orders for [1], [2] or [3]: they stay and offer nothing. {ASKED_LAST}"
    ]
    player.ui.questions.clear()
    player.press("d")
    assert not player.ui.questions
    assert player.chosen


def test_done_asks_once_more_where_an_amount_is_open_and_then_no_more() -> None:
    player = Player()
    for keys, asked in (("1 2 enter 2 enter d", True), ("d", False)):
        player.ui.questions.clear()
        player.press(keys)
        assert bool(player.ui.questions) == asked
    assert player.chosen == [(2, 0, 0)]
    player = Player()
    for keys, often in (("1 2 enter 2 enter d", ASKED_TWICE), ("3 d", ASKED_LAST)):
        player.ui.questions.clear()
        player.press(keys)
        assert [question for question, _ in player.ui.questions] == [
            f"You have not paid [2] or [3]: a bribe of any size wins either of them over. {often}"
        ]
    player.ui.questions.clear()
    player.press("d")
    assert not player.ui.questions
    assert player.chosen == [(2, 0, 0)]


def test_no_key_acts_right_after_the_move_and_then_enter_leads_to_the_card() -> None:
    player = moved()
    for name in ("enter", " ", "a", "esc"):
        assert player.screen.key(name)
    assert "flies from London" in player.text()
    player.ui.time += DiamondTrustUI.key_delay
    assert not player.screen.key("right")
    assert player.screen.key("enter")
    assert "This month" in player.text()


def test_the_card_of_the_month_stays_until_enter_and_the_log_reads_it_again() -> None:
    player = moved()
    player.catch_up_to_card()
    assert player.screen.key("enter")
    assert "This month" in player.text(), "the key may have been meant for the trips"
    player.ui.time += 3600
    assert "This month" in player.text()
    assert player.screen.form(player.ui.time) is None
    assert player.screen.key("a")
    assert "This month" not in player.text()
    assert player.screen.key("a")
    assert player.screen.key("enter")
    assert "Sell diamonds" in player.text()
    timeline = player.screen.timeline
    card = next(at for at in range(1, len(timeline.events) + 1) if timeline.label(at) == "sum")
    assert timeline.sentences(card) == [
        "You take 1 diamond and spend $8 on the move.", "ben takes no diamonds and spends $0 on the move.",
    ]  # fmt: skip
    player.screen.head.go(card)
    assert "This month" in player.text()


def test_who_types_more_than_there_is_reads_what_is_left_and_for_what_the_rest_is() -> None:
    player = meeting()
    player.press("tab 9 9")
    assert "Only $21 is left for (1)." in player.text()
    player.press("u d 3")
    player.click(("region", MOXICO))
    player.press("9 9")
    assert "Only $20 is left for this offer." in player.text()
    player.press("4 enter 9 9")
    assert "Only $16 is left for this bribe." in player.text()
    player.press("2 enter 3 enter")
    assert " is left" not in player.text()
    player.press("9 9")
    assert "Only $18 is left: $2 is for the Inspector." in player.text()
    player.press("1")
    assert " is left" not in player.text()


def test_that_an_agent_is_won_over_stays_until_enter() -> None:
    player = meeting(theirs={(2, RoundStep.PAY): (0, 0)})
    player.press("tab 5 enter d")
    player.ui.time += 3600
    assert "(1) now reports to you" in player.text()
    assert player.screen.form(player.ui.time) is None
    assert player.screen.key("enter")
    assert player.screen.form(player.ui.time) is not None


def test_an_empty_vault_sells_nothing_by_itself_and_says_so() -> None:
    player = Player()
    player.press("d yes d yes 2 d")
    player.press("d d")
    player.catch_up()
    assert [sold for sold in player.chosen if isinstance(sold, int)] == [2, 2, 0, 0], "planned and final"
    assert player.table.state.step is RoundStep.PAY
    assert player.table.state.round() == 3
    timeline = player.screen.timeline
    sale = max(at for at in range(1, len(timeline.events) + 1) if timeline.label(at) == "sale")
    assert timeline.sentences(sale)[0] == "You have no diamonds to sell, so you get $18."


@pytest.mark.slow
@pytest.mark.parametrize("seed", spread(1, range(6)))
def test_nothing_that_is_pressed_or_clicked_ever_fails(seed: int) -> None:
    """A whole game by random keys, clicks and wheel, against random legal play."""
    rng = Random(seed)
    player = Player(seat=seed % 2, size=SIZES[seed % len(SIZES)], ui=PretendUi(list(Depth)[seed % 4]))
    table = player.table

    def anything(seat: int, ask: object) -> object:
        space = space_for(ask, seat)  # type: ignore[arg-type]
        assert space is not None
        return space.pick(rng)

    table.rival_choice = anything  # type: ignore[method-assign, assignment]
    keys = [
        "tab",
        "s-tab",
        "1",
        "2",
        "3",
        "left",
        "right",
        "up",
        "down",
        *["enter"] * 3,
        "esc",
        "u",
        "d",
        "d",
        "5",
        "home",
    ]
    for _ in range(6000):
        if table.arena_peer.result is not None:
            break
        player.ui.time += rng.random()
        if table.play.final_adjustment_until is not None and player.ui.time > table.play.final_adjustment_until:
            table.end_look()
        canvas = player.canvas()
        if rng.random() < 0.6:
            player.press(rng.choice(keys))
        elif rng.random() < 0.8:
            action = canvas.touched(rng.randrange(canvas.width), rng.randrange(canvas.height))
            if action is not None and not isinstance(action, str):
                player.screen.click(action, 0, 0, "left")
        else:
            player.screen.wheel(None, 0, 0, rng.choice((-1, 1)))
        while player.ui.questions:
            player.ui.questions.pop()[1]()
    assert table.arena_peer.result is not None
    player.rest()
    assert "THE END" in player.text()
