"""The game in play: whole rounds by keys or by clicks alone, what is said, and what moves."""

from __future__ import annotations

import dataclasses
import math
import re
from itertools import pairwise
from random import Random
from typing import Final

import pytest

from kimberley.client.boards.diamond_trust.board import DiamondTrustUI
from kimberley.client.boards.diamond_trust.events import AuctionHeld, MonthSummed
from kimberley.client.boards.diamond_trust.form_last_look import LastLookForm
from kimberley.client.boards.diamond_trust.form_sale import SaleForm
from kimberley.client.boards.game_screen import GameScreen
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.live_context import LiveContext
from kimberley.client.session.participants import TELL_SECONDS
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.palette import Depth
from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.table import Result, evolve, space_for
from tests.support.angola import (
    CUANDO,
    HUILA,
    LOOK,
    LUNDA,
    MEETING,
    MOXICO,
    PLAN,
    THEIRS,
    TOLD,
    UIGE,
    PretendUi,
    Script,
    TrustTable,
)
from tests.support.board_snapshots import Clock, Scenario
from tests.support.effort import each_once

TURNED_BACK: Script = {(2, RoundStep.PAY): (5, 0)}
SIZES = [(80, 24), (100, 34), (120, 40), (140, 45), (120, 28), (111, 24), (200, 60)]
CROWD = {(1, RoundStep.MOVE): MEETING[1, RoundStep.PLAN], (1, RoundStep.SALE): 0}


class Player:
    """A person at a screen: sees frames, presses keys, clicks what is there to be clicked."""

    def __init__(
        self,
        mine: Script | None = None,
        theirs: Script | None = None,
        *,
        seat: int = 0,
        last_look: int = 12,
        slow: bool = False,
        ui: PretendUi | None = None,
        size: tuple[int, int] = (80, 24),
    ) -> None:
        self.ui = ui or PretendUi()
        self.size = size
        self.table = TrustTable(seat, theirs, mine, inspector=MOXICO, last_look=last_look, slow=slow, now=self.ui.now)
        self.screen = GameScreen(DiamondTrustUI(), self.table, self.ui)
        self.screen.opened()

    def canvas(self) -> Canvas:
        canvas = Canvas(*self.size, self.ui.palette)
        self.screen.draw(canvas, self.ui.time)
        return canvas

    def text(self) -> str:
        return "\n".join(self.canvas().lines())

    def press(self, keys: str) -> None:
        """Presses keys, each when all that moves has been shown: Enter shows it at once."""
        for name in keys.split():
            self.catch_up()
            self.screen.key(name)

    def catch_up(self) -> None:
        """Goes on to the present, also where the playback stops."""
        while self.screen.busy(self.ui.time):
            self.ui.time += DiamondTrustUI.key_delay
            self.screen.key("enter")

    def click(self, action: Action) -> None:
        """Clicks an area that the frame offers; fails where there is none."""
        self.catch_up()
        canvas = self.canvas()
        for y in range(canvas.height):
            for x in range(canvas.width):
                if canvas.touched(x, y) == action:
                    if isinstance(action, str):
                        assert self.screen.key(action.removeprefix("key:"))
                    else:
                        assert self.screen.click(action, x, y, "left")
                    return
        raise AssertionError(f"nothing on the screen means {action}\n{self.text()}")

    def catch_up_to_card(self) -> None:
        """Goes on to the card of the month."""
        while "This month" not in self.text():
            self.ui.time += DiamondTrustUI.key_delay
            self.screen.key("enter")

    def rest(self) -> None:
        """Lets everything that moves come to its end. Goes on where the playback stops, but not from THE END."""
        while self.screen.busy(self.ui.time) and "THE END" not in (text := self.text()):
            self.ui.time += 0.1
            if "This month" in text:
                self.screen.key("enter")

    @property
    def chosen(self) -> list[object]:
        return [done[1] for done in self.table.done if done[0] == "choose"]


def meeting(**more: object) -> Player:
    """At the start of round 2: [1] and (1) in Malanje."""
    mine = {**MEETING, **CROWD, **more.pop("mine", {})}  # type: ignore[dict-item]
    theirs = {**THEIRS, **more.pop("theirs", {})}  # type: ignore[dict-item]
    return Player(mine, theirs, **more)  # type: ignore[arg-type]


def test_a_round_by_keys_alone() -> None:
    player = Player()
    player.press("1 4 enter 2 2 enter 3 enter d")
    assert player.chosen == [(4, 2, 0)]
    player.press("1 right right enter 3 enter 3")
    player.press("esc d")
    assert player.table.state.step is RoundStep.SALE_PLAN
    assert player.table.state.agents[0][0].at != HOME
    player.rest()
    player.press("1 d")
    assert player.table.state.round() == 2
    assert player.table.state.vault == (1, 2)


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
    for _, then in player.ui.questions:
        then()
    assert player.chosen == [(0, 0)]


def test_done_asks_back_and_goes_on_only_if_it_is_meant() -> None:
    player = meeting()
    player.press("d")
    assert not player.chosen
    (question, then), *_ = player.ui.questions
    assert "[2]" in question
    then()
    assert player.chosen == [(0, 0)]


@pytest.mark.parametrize(("size", "depth"), each_once(SIZES, Depth))
def test_what_matters_is_on_the_screen_at_every_size_and_depth(size: tuple[int, int], depth: Depth) -> None:
    player = meeting(size=size, ui=PretendUi(depth))
    player.press("2")
    text = player.text()
    for expected in (
        *("LONDON", "ANTWERP", "7 months left", "month 2 of 9", "PAY", "$ 21", "$ ?", "◆ 2", "Salary [2]"),
        *("Done d", "Undo u", "Malanje", "(1)", "Enter set", "Your agent in London", "ben is done"),
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
        if player.table.final_adjustment_until is not None:
            player.table.end_look()


def test_it_is_always_said_who_is_waited_for() -> None:
    player = meeting(slow=True)
    assert "ben is choosing…" in player.text()
    player.press("tab 1 enter tab 1 enter d")
    assert "Sealed" in player.text()
    assert "ben is choosing…" in player.text()
    player.table.go_on()
    assert "MOVE" in player.text()


def test_the_other_side_moves_the_inspector() -> None:
    theirs: Script = {
        (1, RoundStep.PLAN): ((MOXICO, 1, 3), (HOME, 0, 0), (HOME, 0, 0)),
        (1, RoundStep.MOVE): ((MOXICO, 1, 3), (HOME, 0, 0), (HOME, 0, 0)),
        (1, RoundStep.INSPECT): HUILA,
    }
    player = Player({(1, RoundStep.PAY): (0, 0, 0)}, theirs, size=(140, 45))
    player.press("1 right right enter 2 enter d")
    assert player.table.state.inspector == HUILA
    player.rest()
    assert "ben sends the Inspector from" in player.text()


# -- cards ------------------------------------------------------------------------------------------------------------


def test_the_card_of_an_agent_tells_what_is_known_and_no_more() -> None:
    player = meeting()
    player.press("tab 3")
    rows = player.canvas().lines()
    assert "Antwerp’s agent in Malanje" in rows[3]
    assert "trip home $2" in rows[3]
    assert "salary ?" in rows[4]
    assert "your bribes $0 + 3" in rows[4]
    assert "by [1]" in rows[4]
    assert "may bribe [1]" in rows[4]
    player.press("esc 3 esc")
    player.screen.click(("agent", 0, 0), 0, 0, "left")
    assert player.canvas().lines()[4].rstrip() == "      salary $4   bribes $0"


def test_once_an_agent_was_met_nobody_says_that_it_is_loyal() -> None:
    player = meeting(mine={(2, RoundStep.PAY): (0, 0)})
    player.catch_up()
    player.screen.click(("agent", 0, 0), 0, 0, "left")
    assert "bribes unknown: may be turned" in player.canvas().lines()[4]


def test_a_turned_agent_has_a_heart_and_its_card_is_open() -> None:
    player = meeting(mine={(2, RoundStep.PAY): (5, 0)}, theirs={(2, RoundStep.PAY): (5, 0)})
    player.ui.time += 10
    text = player.text()
    assert "(1)♥" in text
    assert "[1]♥" in text
    player.screen.click(("agent", 1, 0), 0, 0, "left")
    rows = player.canvas().lines()
    assert "salary $4" in rows[4]
    assert "your bribes $5" in rows[4]
    assert "it bribed [1] with $5" in rows[4]
    player.screen.click(("agent", 0, 0), 0, 0, "left")
    assert "by (1)" in player.canvas().lines()[4]


def test_the_inspectors_card_tells_what_he_would_block_and_confiscate() -> None:
    moves = ((MOXICO, 4, 2), (HOME, 0, 0), (HUILA, 2, 0))
    player = meeting(mine={(2, RoundStep.PAY): (0, 0), (2, RoundStep.PLAN): moves, (2, RoundStep.MOVE): moves})
    assert player.table.state.step is RoundStep.INSPECT
    player.click(("region", LUNDA))
    rows = player.canvas().lines()
    assert "would go to Lunda" in rows[3]
    assert "confiscates (3) ◆ 1" in rows[3]
    player.click(("region", HUILA))
    rows = player.canvas().lines()
    assert "confiscates [3] ◆ 2" in rows[3]
    assert "ana $2" in rows[4]


def test_the_sale_shows_what_every_number_would_bring() -> None:
    player = Player()
    player.press("1 enter 2 enter 3 enter d d")
    for _, then in player.ui.questions:
        then()
    assert player.table.state.step is RoundStep.SALE_PLAN
    player.rest()
    player.press("right right")
    text = player.text()
    assert "2 sold, 0 kept" in text
    assert "$24   $16   $12" in text
    assert "$18    $8   $12" in text


# -- the last look ----------------------------------------------------------------------------------------------------


def test_the_last_look_shows_what_was_told_and_counts_down() -> None:
    player = meeting(mine=LOOK, theirs=TOLD)
    player.ui.time += 5
    text = player.text()
    assert "LAST LOOK" in text
    assert "tells you: goes to Huila, offers $3" in text
    assert "7 s" in text
    assert player.chosen == []
    player.press("3 enter 1 enter")
    assert player.chosen[-1] == (PLAN[0], PLAN[1], (HUILA, 1, 0))
    player.press("u")
    assert player.chosen[-1] == PLAN


def test_the_last_look_has_the_same_pace_whether_or_not_something_was_told() -> None:
    told = meeting(mine=LOOK, theirs=TOLD)
    blind = meeting(mine={**LOOK, (2, RoundStep.PAY): (0, 1)}, theirs=TOLD)
    for player in (told, blind):
        player.ui.time = player.table.final_adjustment_until - 11 if player.table.final_adjustment_until else math.nan
    assert blind.table.state.right[0] is False
    for _ in range(40):
        due = {player.screen.next_frame(player.ui.time) for player in (told, blind)}
        assert len(due) == 1
        for player in (told, blind):
            assert "LAST LOOK" in player.text()
            assert "Done d" in player.text()
            player.ui.time += 0.25
    assert "Nobody told you anything" in blind.text()
    assert told.chosen == blind.chosen == []


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("", ["Time is over: your plan stands."]),
        ("3 enter 1 enter", ["Time is over: your changed plan counts."]),
        ("3 enter 1 enter d", []),
    ],
)
def test_a_player_who_is_not_done_when_the_time_is_over_is_told_what_counts(keys: str, said: list[str]) -> None:
    player = meeting(mine=LOOK, theirs=TOLD)
    player.press(keys)
    player.table.end_look()
    assert player.ui.toasts == said


def test_without_a_clock_everybody_confirms_the_last_look() -> None:
    player = meeting(mine={**LOOK, (2, RoundStep.PAY): (0, 1)}, theirs=TOLD, last_look=0)
    assert not player.chosen
    assert "LAST LOOK" in player.text()
    player.press("d")
    assert player.chosen == [PLAN]


def test_a_last_look_that_nobody_can_have_a_right_to_is_not_shown() -> None:
    player = Player({(1, RoundStep.PAY): (0, 0, 0)})
    player.press("1 right right enter 2 enter d")
    assert player.table.state.step is RoundStep.SALE_PLAN
    assert len(player.chosen) == 2


def test_a_last_look_is_explained_before_its_clock_starts() -> None:
    player = meeting(mine={(2, RoundStep.PAY): LOOK[2, RoundStep.PAY]}, theirs=TOLD)
    assert player.table.final_adjustment_until is None
    said = "If an agent tells you a plan, a last look of 12 s lets you change yours."
    assert player.canvas().lines()[4].strip() == said


def test_all_that_agents_told_is_on_the_card_of_a_small_screen() -> None:
    """Two agents told their plans, and one of them that [1] is turned."""
    both = {(2, RoundStep.PLAN): ((HOME, 0, 0), (UIGE, 1, 0), (HOME, 0, 0))}
    player = meeting(mine=LOOK, theirs={**TURNED_BACK, **both})
    form = player.screen.form(player.ui.time)
    assert isinstance(form, LastLookForm)
    told = {0: (HOME, 0, 0), 2: (HOME, 0, 0)}
    known = evolve(form.state.known[0], plans=tuple(told.get(agent) for agent in range(3)))
    form.context = dataclasses.replace(form.context, state=evolve(form.state, known=(known, *form.state.known[1:])))
    rows = player.canvas().lines()
    assert "(1)♥ to Antwerp  (3)♥ to Antwerp" in rows[3]
    assert "[1] tells ben your plan." in rows[4]
    inset = [row[65:80] for row in rows[6:12]]
    assert sum(row.count("→(1)♥") for row in inset) == sum(row.count("→(3)♥") for row in inset) == 1


# -- the region in focus ----------------------------------------------------------------------------------------------


def test_a_region_in_focus_says_what_lies_there_what_the_trip_costs_and_who_is_there() -> None:
    player = meeting(mine={(2, RoundStep.PAY): (0, 0)})
    player.press("1 right")
    rows = player.canvas().lines()
    assert "to Lunda   trip $1   carries ◆ 1" in rows[3]
    assert "holds ◆ 1   there now: (3)" in rows[4]


def test_the_title_bar_shows_the_way_through_the_month() -> None:
    player = Player()
    assert "PAY > move > sale" in player.canvas().lines()[0]
    player = meeting(mine=LOOK, theirs=TOLD)
    assert "pay > move > LAST LOOK > sale" in player.canvas().lines()[0]


STANDS: Final = {"INSPECTOR": "MOVE", "START": "", "NEW MONTH": "", "THE END": ""}
"""Where phases stand on the way through the month that are not named there."""


def test_the_way_through_the_month_and_the_strip_name_the_same_phase() -> None:
    table = Scenario("diamond-trust", 2, 11, {}).table(Clock())
    while not isinstance(table.ask, Result):
        table.answer()
    timeline = GameTimeline(DiamondTrustUI(), table.start, table.names, 0)
    timeline.refresh(table.arena_peer.story, table.arena_peer.result)
    timeline.view.draw(Canvas(80, 24, PretendUi().palette), timeline.shown(1))
    shown = [timeline.shown(at) for at in range(1, len(timeline.events))]
    pending = [
        timeline.shown(at, around=LiveContext(live=True, waiting=(1,)))
        for at, (one, following) in enumerate(pairwise(timeline.events), start=1)
        if one.step != following.step
    ]
    seen = set()
    for position in (*shown, *pending):
        phase, _ = timeline.view.strip(position, 80)
        seen.add((phase, position.live))
        named = re.findall(r"[A-Z][A-Z ]*[A-Z]", timeline.view.note(position))
        assert len(named) <= 1
        assert phase == "TOLD" or " ".join(named) == STANDS.get(phase, phase), (position.at, phase)
    assert seen >= {
        (phase, live) for phase in ("PAY", "MOVE", "LAST LOOK", "SALE", "INSPECTOR") for live in (False, True)
    }


def test_the_diamonds_that_agents_carry_stand_beside_them() -> None:
    player = meeting()
    rows = player.canvas().lines()
    head = next(row for row, text in enumerate(rows) if "[3]" in text) - 1
    assert "▄ ◆2" in rows[head]


def test_the_sale_shows_ten_diamonds_and_more_on_a_small_screen() -> None:
    for theirs, shown in ((10, range(11)), (22, (0, 9, 16, 22))):
        player = Player()
        player.press("1 enter 2 enter 3 enter d d")
        for _, then in player.ui.questions:
            then()
        player.catch_up()
        form = player.screen.form(player.ui.time)
        assert isinstance(form, SaleForm)
        form.context = dataclasses.replace(form.context, state=evolve(form.state, vault=(3, theirs)))
        heading = next(row for row in player.canvas().lines() if "if ben sells" in row).split()
        assert {str(number) for number in shown} <= set(heading)


# -- motion -----------------------------------------------------------------------------------------------------------


def test_a_move_is_drawn_trip_by_trip_and_counted_coin_by_coin() -> None:
    player = Player({(1, RoundStep.PAY): (0, 0, 0)})
    player.press("1 right right enter 6 enter d")
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


def moved(**more: object) -> Player:
    """A player who has just sent [1] from London to a region where it offers $6."""
    player = Player({(1, RoundStep.PAY): (0, 0, 0)}, **more)  # type: ignore[arg-type]
    player.press("1 right right enter 6 enter d")
    return player


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
        "You take 1 diamond and spend $8 in all.", "ben takes no diamonds and spends $0 in all.",
    ]  # fmt: skip
    player.screen.head.go(card)
    assert "This month" in player.text()


@pytest.mark.parametrize(("acquaintance", "last_look"), [("bot", 0), ("bot", 12), ("met", 0)])
@pytest.mark.parametrize("told", [False, True])
def test_a_last_look_in_which_nothing_can_be_changed_is_left_out_only_where_nobody_can_see_that(
    told: bool, acquaintance: str, last_look: int
) -> None:
    """That is against a bot, and without a clock."""
    paid = LOOK[2, RoundStep.PAY] if told else (0, 0)
    player = meeting(mine={(2, RoundStep.PAY): paid}, theirs=TOLD, last_look=last_look)
    player.table.acquaintance = ("you", acquaintance)
    player.table.choose(PLAN)
    player.catch_up()
    asked = player.table.arena_peer.asked
    assert asked is not None
    is_asked = told or acquaintance != "bot" or last_look > 0
    assert asked.ask.last_look is ("LAST LOOK" in player.text()) is is_asked


def test_the_card_names_every_trip_payment_and_diamond_of_the_month() -> None:
    mine = ((MOXICO, 4, 1), (UIGE, 3, 0), (HUILA, 2, 0))
    theirs = ((HUILA, 3, 0), (HOME, 0, 0), (MOXICO, 2, 2))
    steps = (RoundStep.PLAN, RoundStep.MOVE)
    player = meeting(
        mine={(2, RoundStep.PAY): (0, 0), **{(2, step): mine for step in steps}},
        theirs={**{(2, step): theirs for step in steps}, (2, RoundStep.INSPECT): CUANDO},
    )
    events = player.screen.timeline.events
    player.screen.head.go(max(at for at, event in enumerate(events, start=1) if isinstance(event, MonthSummed)))
    rows = [" ".join(row.replace("│", " ").split()) for row in player.canvas().lines()]
    for expected in (
        "Moxico [1] ← Malanje $4 (3) ← Lunda $2 [1] takes ◆2",
        "Uige [2] ← London $3 [2] takes ◆2",
        "Huila [3] stays $2 (1) ← Malanje $3 (1) takes ◆2",
        "Inspector bribe $1 bribe, sends him $2 → C. Cubango",
        "in all ◆ +4 $13 ◆ +2 $9 trips included",
    ):
        assert any(expected in row for row in rows), expected
    assert "…" not in player.text()


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


# -- treason ----------------------------------------------------------------------------------------------------------


def test_an_agent_that_turns_is_announced_with_the_reason() -> None:
    player = meeting(theirs={(2, RoundStep.PAY): (5, 0)})
    player.press("tab 5 enter tab 1 enter d")
    rows = player.canvas().lines()
    assert "[1] is ben’s: bribes of $5 beat its salary of $4." in rows[3]
    assert "It tells ben your plans until you pay it $1 more at home." in rows[4]
    assert "ben’s" in "".join(rows[8:])
    player.ui.time += DiamondTrustUI.key_delay
    player.screen.key("enter")
    rows = player.canvas().lines()
    assert "(1) is yours: bribes of $5 beat its salary of $4." in rows[3]
    assert "It tells you its plans until it is paid $1 more. ben does not know." in rows[4]
    assert "TOLD" in rows[5]
    assert "yours" in "".join(rows[8:])
    player.ui.time += DiamondTrustUI.key_delay
    player.screen.key("enter")
    assert "MOVE" in player.canvas().lines()[5]


def test_an_agent_that_stops_talking_is_announced_with_the_reason() -> None:
    home = ((HOME, 0, 0), (HOME, 0, 0), (HOME, 0, 0))
    steps = (RoundStep.PLAN, RoundStep.MOVE)
    mine = {(2, RoundStep.PAY): (5, 1), (2, RoundStep.SALE_PLAN): 0, (2, RoundStep.SALE): 0}
    player = meeting(
        mine={**mine, **{(2, step): home for step in steps}},
        theirs={**{(2, step): home for step in steps}, (3, RoundStep.PAY): (1, 0, 0)},
    )
    assert player.table.state.step is RoundStep.PAY
    player.press("d")
    for _, then in player.ui.questions:
        then()
    rows = player.canvas().lines()
    assert "(1) is yours no more: it told you nothing." in rows[3]
    assert "Its salary now covers your bribes of $5." in rows[4]


def test_the_stepper_says_what_a_bribe_would_do() -> None:
    player = Player()
    player.press("1")
    assert "salary $0: any" in player.text()
    assert "bribe turns it" in player.text()
    player.press("1")
    assert "bribe turns it" not in player.text()


def test_calm_moves_nothing() -> None:
    player = meeting(ui=PretendUi(calm=True))
    assert not player.screen.busy(player.ui.time)
    assert player.screen.next_frame(player.ui.time) is None


def test_no_timer_runs_where_nothing_moves() -> None:
    player = meeting(slow=True)
    player.rest()
    assert player.screen.next_frame(player.ui.time) is not None
    player.press("tab 1 enter tab 1 enter d")
    # Only how long the other takes is told, and that seldom.
    assert player.screen.next_frame(player.ui.time) == player.ui.time + TELL_SECONDS


def test_a_game_taken_up_again_shows_where_it_stands() -> None:
    player = meeting()
    again = GameScreen(DiamondTrustUI(), player.table, player.ui)
    canvas = Canvas(140, 45)
    again.draw(canvas, player.ui.time)
    text = "\n".join(canvas.lines())
    assert "month 2 of 9" in text
    assert "[3] collects ◆ 2 in Huila" in text


def test_the_log_and_the_chat_stand_at_the_right_where_there_is_room() -> None:
    player = meeting(size=(140, 45))
    player.table.say("good luck\x1b[31m")
    text = player.text()
    assert "Log" in text
    assert "[1] flies from London" in text
    assert "ana good luck" in text
    assert "\x1b" not in text


def test_every_phase_has_help_in_words() -> None:
    player = meeting(mine=LOOK, theirs=TOLD)
    titles = [section.heading for section in player.screen.help().sections]
    assert titles == ["Last look"], "it is short: reading does not stop the clock"
    player = meeting()
    assert "Reading the map" in [section.heading for section in player.screen.help().sections]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
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
        if table.final_adjustment_until is not None and player.ui.time > table.final_adjustment_until:
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
