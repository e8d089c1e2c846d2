"""How the board of Diamond Trust is drawn, and what moves on it."""

from __future__ import annotations

import dataclasses

import pytest

from kimberley.client.boards.diamond_trust import upper_screen, upright_screen
from kimberley.client.boards.diamond_trust.board import DiamondTrustUI
from kimberley.client.boards.diamond_trust.events import AuctionHeld
from kimberley.client.boards.diamond_trust.form_sale import SaleForm
from kimberley.client.boards.diamond_trust.layout import layout
from kimberley.client.boards.diamond_trust.lower_screen import draw_sale
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.session.participants import TELL_SECONDS
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.palette import Depth
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.table import evolve
from tests.support.angola import HUILA, PretendUi
from tests.support.effort import each_once
from tests.support.trust_player import SIZES, Player, meeting, moved


@pytest.mark.parametrize(("size", "depth"), each_once(SIZES, Depth))
def test_what_matters_is_on_the_screen_at_every_size_and_depth(size: tuple[int, int], depth: Depth) -> None:
    player = meeting(size=size, ui=PretendUi(depth))
    player.press("2")
    text = player.text()
    for expected in (
        *("LONDON", "ANTWERP", "7 months left", "month 2 of 9", "PAY", "$ 21", "$ ?", "◆ 2", "Salary [2]"),
        *("Done d", "Malanje", "(1)", "Enter set", "Your agent in London", "ben is done"),
    ):
        assert expected in text


def test_the_upper_screen_does_not_move_between_phases() -> None:
    player = meeting()

    def corners() -> list[str]:
        rows = player.canvas().lines()
        return [rows[1][36:44], rows[2][34:40], rows[1][:9], rows[1][-9:], rows[5][0], rows[6][:12]]

    first = corners()
    for keys in ("tab 1 enter tab 1 enter d", "d", "d"):
        player.press(keys)
        for _, then in player.ui.questions:
            then()
        player.ui.questions.clear()
        player.rest()
        assert corners() == first
        if player.table.play.final_adjustment_until is not None:
            player.table.end_look()


def test_the_diamonds_that_agents_carry_stand_beside_them() -> None:
    player = meeting()
    rows = player.canvas().lines()
    head = next(row for row, text in enumerate(rows) if "[3]" in text) - 1
    assert "▄ ◆2" in rows[head]


@pytest.mark.parametrize("size", SIZES)
def test_what_agents_carry_stands_beside_the_vault(size: tuple[int, int]) -> None:
    player = meeting(size=size)
    agents = tuple(
        tuple(agent._replace(carries=number) for agent, number in zip(side, carried, strict=True))
        for side, carried in zip(player.table.state.agents, ((2, 0, 0), (5, 6, 7)), strict=True)
    )
    state = evolve(player.table.state, agents=agents, vault=(23, 6), limit=(99, 99))
    header = upper_screen.Header(state, ("ana", "ben"), 0, ("$12 to pay", ""))
    canvas = Canvas(*size)
    upper_screen.draw_balances(canvas, layout(*size), header)
    text = "\n".join(canvas.lines())
    assert "◆ 23 +2   $12 to pay" in text
    assert "◆ 6 +18" in text
    upright = Canvas(40, 3)
    upright_screen.draw_header(upright, header)
    assert "◆23+2" in upright.lines()[2]
    assert "◆6+18" in upright.lines()[2]


def selling() -> tuple[Player, SaleForm]:
    """Returns a player at the first sale, and its form."""
    player = Player()
    player.press("1 enter 2 enter 3 enter d d")
    for _, then in player.ui.questions:
        then()
    player.catch_up()
    form = player.screen.form(player.ui.time)
    assert isinstance(form, SaleForm)
    return player, form


def test_the_sale_shows_ten_diamonds_and_more_on_a_small_screen() -> None:
    for theirs, shown in ((10, range(11)), (22, range(13))):
        player, form = selling()
        form.context = dataclasses.replace(form.context, state=evolve(form.state, vault=(3, theirs)))
        heading = next(row for row in player.canvas().lines() if "if ben sells" in row).split()
        assert {str(number) for number in shown} <= set(heading)


@pytest.mark.parametrize(
    ("vault", "theirs", "name", "said"),
    [
        (7, 3, "Florentine", ("◆ ◆ ◆ ◇ ◇ ◇ ◇  3 sold, 4 kept", "if Florentine sells", "( ) Florentine gets")),
        (12, 3, "ben", (f"◆◆◆{9 * '◇'}  3 sold, 9 kept",)),
        (20, 22, "ben", (f"◆◆◆{17 * '◇'}  3 sold, 17 kept",)),
        (60, 2, "ben", ("3 sold, 57 kept",)),
        (2, 22, "Bartholomew the Great", ("if ( ) sells", "( ) gets")),
    ],
)
def test_the_sale_has_room_for_all_diamonds_and_for_names(
    vault: int, theirs: int, name: str, said: tuple[str, ...]
) -> None:
    player, form = selling()
    state = evolve(form.state, vault=(vault, theirs))
    form = SaleForm(dataclasses.replace(form.context, state=state), form.selection)
    canvas = Canvas(80, 17, player.ui.palette)
    assert form.key("3") or vault < 3
    draw_sale(canvas, form, ("ana", name))
    text = "\n".join(canvas.lines())
    for expected in said:
        assert expected in text
    assert "…" not in text
    signs = {canvas.touched(x, y) for x in range(80) for y in range(17)}
    assert {("sell", number + 1) for number in range(vault if vault < 60 else 0)} <= signs


@pytest.mark.slow
def test_a_move_is_drawn_trip_by_trip_and_counted_coin_by_coin() -> None:
    player = Player({(1, RoundStep.PAY): (0, 0, 0)})
    player.press("1 right right enter 6 enter d yes")
    places, cash = [], []
    for _ in range(200):
        if not player.screen.busy(player.ui.time):
            break
        rows = player.canvas().lines()
        cash.append(rows[2][1:6].strip())
        places.append("flies from London" in rows[4])
        player.ui.time += 0.02
    assert any(places)
    steps = list(dict.fromkeys(cash))
    assert steps[0] == "$ 18"
    assert steps[-1] == "$ 10"
    assert len(steps) > 5


@pytest.mark.slow
def test_the_map_without_the_card_of_the_month_has_buttons_too_and_a_click_on_it_brings_the_card_back() -> None:
    player = moved()
    player.catch_up_to_card()
    player.ui.time += DiamondTrustUI.key_delay
    player.touch("key:a")
    text = player.text()
    assert ("This month" in text, "Continue Enter" in text, "Card a" in text) == (False, True, True)
    assert "The map after the moves." in text
    player.touch("key:a")
    assert "This month" in player.text()
    player.touch("key:a")
    player.touch(("region", HUILA))
    assert "This month" in player.text()
    player.touch("key:a")
    player.touch("key:enter")
    assert "Sell diamonds" in player.text()


def test_every_collection_is_shown_for_at_least_nine_tenths_of_a_second() -> None:
    player = moved()
    events = player.screen.timeline.events
    held = [DiamondTrustUI().pace(event, 0).lasting for event in events if isinstance(event, AuctionHeld)]
    assert held
    assert min(held) >= 0.9


def test_a_calm_board_stops_at_the_card_too() -> None:
    player = moved(ui=PretendUi(calm=True))
    assert "This month" in player.text()
    player.ui.time += DiamondTrustUI.key_delay
    assert player.screen.key("enter")
    assert "Sell diamonds" in player.text()


def test_calm_moves_nothing() -> None:
    player = meeting(ui=PretendUi(calm=True))
    assert not player.screen.busy(player.ui.time)
    assert player.screen.next_frame(player.ui.time) is None


def test_no_timer_runs_where_nothing_moves() -> None:
    player = meeting(slow=True)
    player.rest()
    assert player.screen.next_frame(player.ui.time) is not None
    player.press("tab 1 enter tab 1 enter d")
    # Only how long the other player takes is told, and seldom.
    assert player.screen.next_frame(player.ui.time) == player.ui.time + TELL_SECONDS


def test_a_game_taken_up_again_shows_where_it_stands() -> None:
    player = meeting()
    again = GameScreen(DiamondTrustUI(), player.table, player.ui)
    canvas = Canvas(140, 45)
    again.tick(player.ui.time)
    again.draw(canvas, player.ui.time)
    text = "\n".join(canvas.lines())
    assert "month 2 of 9" in text
    assert "[3] collects ◆ 2 in Huila" in text


def test_the_log_and_the_chat_stand_at_the_right_where_there_is_room() -> None:
    player = meeting(size=(140, 45))
    player.table.chat.say("good luck\x1b[31m")
    text = player.text()
    assert "Log" in text
    assert "[1] flies from London" in text
    assert "ana good luck" in text
    assert "\x1b" not in text
