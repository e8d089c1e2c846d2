"""The last look of Diamond Trust: who sees it, for how long, and that it gives nothing away."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from kimberley.client.boards.diamond_trust.form import EQUAL_WAIT, SEEMS_TO_ADJUST
from kimberley.client.boards.diamond_trust.phrases import WAIT_HIDES, WAIT_IN_SHORT
from kimberley.client.boards.diamond_trust.view import HAPPENS
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.p2p.table.common_options import NO_LIMIT, UNTIL_DONE, AdjustTimes
from tests.support.angola import HUILA, LOOK, PLAN, TOLD
from tests.support.trust_player import Player, meeting


def test_the_last_look_shows_what_was_told_and_counts_down() -> None:
    player = meeting(mine=LOOK, theirs=TOLD)
    player.ui.time += 5
    text = player.text()
    assert "ADJUST" in text
    assert "reports: goes to Huila, offers $3" in text
    assert "7 s" in text
    assert player.chosen == []
    player.press("3 enter 1 enter")
    assert player.chosen[-1] == (PLAN[0], PLAN[1], (HUILA, 1, 0))
    player.press("u")
    assert player.chosen[-1] == PLAN


@pytest.mark.slow
def test_the_last_look_has_the_same_pace_whether_or_not_something_was_told() -> None:
    told = meeting(mine=LOOK, theirs=TOLD)
    blind = meeting(mine={**LOOK, (2, RoundStep.PAY): (0, 1)}, theirs=TOLD)
    for player in (told, blind):
        player.ui.time = (
            player.table.play.final_adjustment_until - 11 if player.table.play.final_adjustment_until else math.nan
        )
    assert blind.table.state.right[0] is False
    for _ in range(40):
        due = {player.screen.next_frame(player.ui.time) for player in (told, blind)}
        assert len(due) == 1
        for player in (told, blind):
            assert "ADJUST" in player.text()
            player.ui.time += 0.25
    assert "Done d" in told.text()
    assert told.chosen == blind.chosen == []


def test_a_last_look_with_nothing_to_choose_offers_no_button_and_only_waits() -> None:
    blind = meeting(mine={**LOOK, (2, RoundStep.PAY): (0, 1)}, theirs=TOLD)
    assert "Nobody reported to you. Both sides wait the same time." in blind.text()
    assert "Done d" not in blind.text()
    blind.press("d")
    assert not blind.chosen
    assert "ADJUST" in blind.text()
    blind.table.end_look()
    assert blind.ui.toasts == ["Time is up: your plan stands."]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("", ["Time is up: your plan stands."]),
        ("3 enter 1 enter", ["Time is up: your new plan counts."]),
        ("3 enter 1 enter d", []),
    ],
)
def test_a_player_who_is_not_done_when_the_time_is_over_is_told_what_counts(keys: str, said: list[str]) -> None:
    player = meeting(mine=LOOK, theirs=TOLD)
    player.press(keys)
    player.table.end_look()
    assert player.ui.toasts == said


def test_without_a_clock_everybody_confirms_the_last_look() -> None:
    player = meeting(mine={**LOOK, (2, RoundStep.PAY): (0, 1)}, theirs=TOLD, times=NO_LIMIT)
    assert not player.chosen
    assert "ADJUST" in player.text()
    player.press("d")
    assert player.chosen == [PLAN]


def test_a_last_look_that_nobody_can_have_a_right_to_is_not_shown() -> None:
    player = Player({(1, RoundStep.PAY): (0, 0, 0)})
    player.press("1 right right enter 2 enter d yes")
    assert player.table.state.step is RoundStep.SALE_PLAN
    assert len(player.chosen) == 2


def test_a_last_look_is_explained_before_its_clock_starts() -> None:
    player = meeting(mine={(2, RoundStep.PAY): LOOK[2, RoundStep.PAY]}, theirs=TOLD)
    assert player.table.play.final_adjustment_until is None
    said = "If an agent reports to you, you have 12 s to adjust your plan."
    assert player.canvas().lines()[4].strip() == said


@pytest.mark.parametrize(("acquaintance", "last_look"), [("bot", 0), ("bot", 12), ("met", 0)])
@pytest.mark.parametrize("told", [False, True])
def test_a_last_look_in_which_nothing_can_be_changed_is_left_out_only_where_nobody_can_see_that(
    told: bool, acquaintance: str, last_look: int
) -> None:
    """That is against a bot, and without a clock."""
    paid = LOOK[2, RoundStep.PAY] if told else (0, 0)
    player = meeting(mine={(2, RoundStep.PAY): paid}, theirs=TOLD, times=AdjustTimes(last_look, last_look))
    player.table.put(acquaintance=("you", acquaintance))
    player.table.play.choose(PLAN)
    player.catch_up()
    asked = player.table.arena_peer.asked
    assert asked is not None
    is_asked = told or acquaintance != "bot" or last_look > 0
    assert asked.ask.last_look is ("ADJUST" in player.text()) is is_asked


def test_the_legend_names_only_lines_that_are_on_the_map() -> None:
    """The trip of an agent is drawn while it is selected, what was revealed while no other agent is."""
    player = meeting(mine=LOOK, theirs=TOLD, times=NO_LIMIT)
    own, told = "─ ─  your plan", "• •  revealed by ♥"
    assert own not in player.text()
    assert told in player.text()
    player.press("1 esc")
    assert own in player.text()
    assert told not in player.text()


UNPAID = {**LOOK, (2, RoundStep.PAY): (0, 1)}


def test_who_may_adjust_reads_until_when_nobody_can_tell() -> None:
    player = meeting(mine=LOOK, theirs=TOLD, times=UNTIL_DONE)
    player.ui.time += 2
    text = player.text()
    assert "After 5 s, your opponent can guess you got a report." in text
    assert "│" in strip_of(player)
    assert " 38 s" in strip_of(player)
    player.ui.time += 10
    assert " 28 s" in strip_of(player), "the seconds jump nowhere"
    assert "After 5 s" not in player.text()
    assert "Change your plan or keep it. Then Done." in player.text()
    assert "hurry" not in player.text(), "at the end of the time the plan counts"
    assert "If you are done before the mark on the bar, nobody can tell" in str(player.screen.help())
    player.press("3 enter 1 enter d")
    assert SEEMS_TO_ADJUST in player.text()
    player.table.end_look()
    assert not player.ui.toasts


def test_only_among_people_the_help_warns_that_a_long_wait_says_something() -> None:
    for acquaintance, warned in (("new", True), ("bot", False)):
        for times, warning in ((NO_LIMIT, "may give away"), (UNTIL_DONE, "nobody can tell")):
            player = meeting(mine=LOOK, theirs=TOLD, times=times)
            player.table.put(acquaintance=("you", acquaintance))
            player.ui.time += 2
            assert "ADJUST" in player.text()
            assert ("your opponent can guess" in player.text()) is (warned and times is UNTIL_DONE)
            section = next(section for section in player.screen.help().sections if section.heading == "Adjust")
            assert (warning in section.text) is warned


def strip_of(player: Player) -> str:
    return next(line for line in player.text().splitlines() if line.startswith(" ADJUST "))


@pytest.mark.parametrize(
    ("times", "said"), [(UNTIL_DONE, WAIT_IN_SHORT), (AdjustTimes(20, 20), EQUAL_WAIT), (NO_LIMIT, "Nothing")]
)
def test_who_is_asked_nothing_while_the_other_side_may_adjust_reads_so(times: AdjustTimes, said: str) -> None:
    player = meeting(mine=UNPAID, theirs=TOLD, times=times)
    shown = replace(player.screen.shown_at(player.ui.time), form=None, waiting=(1,))
    assert shown.live
    phase, sentence = player.screen.view.strip(shown, 80)
    assert phase == "ADJUST"
    assert sentence.startswith(said)


@pytest.mark.slow
def test_who_may_change_nothing_sees_the_same_bar_to_the_end_and_has_nothing_to_press() -> None:
    told, blind = (meeting(mine=mine, theirs=TOLD, times=UNTIL_DONE) for mine in (LOOK, UNPAID))
    told.press("d")
    for second in range(40):
        if second == 5:
            blind.table.answer_leaves()
            told.table.answer_leaves()
        bars = {strip_of(player)[-14:] for player in (told, blind)}
        assert len(bars) == 1
        assert len({player.screen.next_frame(player.ui.time) for player in (told, blind)}) == 1
        assert "Nobody reported to you. Please wait." in strip_of(blind)
        assert all(WAIT_HIDES in player.text() for player in (told, blind)), "the same on both screens"
        assert "Done d" not in blind.text()
        for player in (told, blind):
            player.ui.time += 1
    blind.press("d")
    assert not blind.chosen
    blind.table.end_look()
    assert not blind.ui.toasts
    assert "ADJUST" not in blind.text()


def test_nothing_says_that_plans_can_be_adjusted_once_the_changed_plans_are_shown() -> None:
    assert HAPPENS["adjust"] == "A plan was adjusted.", "true without a limit as well"
