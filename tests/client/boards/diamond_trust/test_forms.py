"""The desks: what keys and touches do to a choice, without a terminal."""

from __future__ import annotations

import pytest

from client.boards.diamond_trust.beats import display
from client.boards.diamond_trust.desk import Number, neighbour
from client.boards.diamond_trust.desk_move import LastLookDesk, MoveDesk
from client.boards.diamond_trust.desk_pay import PayDesk
from client.boards.diamond_trust.desk_rest import InspectorDesk, SaleDesk
from client.boards.diamond_trust.frame import populated
from games.diamond_trust.angola import HOME
from games.diamond_trust.position import Step
from games.diamond_trust.rules import State
from tests.support.angola import CUANDO, HUILA, LOOK, LUNDA, MALANJE, MOXICO, PLAN, TOLD, UIGE, Script, table


def state(mine: Script | None = None, theirs: Script | None = None) -> State:
    return table(mine, theirs).state


def press(desk: PayDesk | MoveDesk | InspectorDesk | SaleDesk, keys: str) -> None:
    for name in keys.split():
        assert desk.undo() if name == "u" else desk.key(name), f"the key {name} meant nothing"


# -- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "amount"),
    [
        ("5", 5), ("1 2", 12), ("2 5", 5), ("right right left", 1), ("left", 0), ("end right", 20), ("end home", 0),
        ("1 2 backspace", 1), ("9 9", 9), ("pageup pageup pagedown", 5), ("up down down", 0), ("1 right 3", 3),
    ],
)  # fmt: skip
def test_a_number_is_typed_and_stepped_within_its_bounds(keys: str, amount: int) -> None:
    number = Number(0, 20)
    for name in keys.split():
        assert number.key(name)
    assert number.amount == amount


def test_a_number_leaves_other_keys_alone() -> None:
    assert not any(Number(0, 5).key(name) for name in ("enter", "d", "u", "tab", "esc", "c", "f1", "x"))


# -- paying -----------------------------------------------------------------------------------------------------------


def test_who_waves_can_be_paid() -> None:
    desk = PayDesk(state(), 0)
    assert desk.payable() == {(0, 1), (1, 0)}
    assert desk.choice() == (0, 0)


def test_paying_by_keys_alone() -> None:
    desk = PayDesk(state(), 0)
    press(desk, "tab 3 enter tab 1 2 enter")
    assert desk.choice() == (3, 12)
    assert desk.cost() == 15
    assert desk.spent() == "of 21"
    assert desk.question() is None


def test_paying_by_touches_alone() -> None:
    desk = PayDesk(state(), 0)
    desk.touch(("agent", 1, 0))
    for action in (("more",), ("more",), ("more",), ("less",), ("set",)):
        assert desk.touch(action)
    desk.touch(("agent", 0, 1))
    desk.wheel(-1)
    desk.touch(("set",))
    assert desk.choice() == (2, 1)


def test_the_stepper_tells_what_an_amount_leaves_and_what_was_paid_before() -> None:
    desk = PayDesk(state(), 0)
    desk.touch(("agent", 0, 1))
    press(desk, "5")
    shown = desk.stepper()
    assert shown is not None
    assert (shown.title, shown.amount, shown.notes) == ("Salary [2]", 5, ("leaves you $16", "$2 paid before"))


def test_nobody_pays_more_than_there_is() -> None:
    desk = PayDesk(state(), 0)
    press(desk, "tab end enter tab end enter")
    assert desk.cost() == 21
    assert desk.choice() in ((21, 0), (0, 21))


def test_escape_drops_an_amount_and_undo_takes_one_back() -> None:
    desk = PayDesk(state(), 0)
    press(desk, "tab 3 enter tab 7 esc")
    assert desk.choice() == (3, 0)
    press(desk, "tab 7 enter u")
    assert desk.choice() == (3, 0)
    press(desk, "u")
    assert desk.choice() == (0, 0)
    assert not desk.undo()


def test_done_asks_back_while_somebody_who_could_be_paid_was_not_looked_at() -> None:
    desk = PayDesk(state(), 0)
    assert "(1)" in (desk.question() or "")
    press(desk, "tab 3 enter")
    assert "[2]" in (desk.question() or "")
    press(desk, "tab enter")
    assert desk.question() is None


def test_touching_an_agent_that_cannot_be_paid_shows_its_papers() -> None:
    desk = PayDesk(state(), 0)
    desk.touch(("agent", 1, 2))
    assert desk.looked_at == (1, 2)
    assert desk.stepper() is None


def test_a_sealed_choice_does_not_change() -> None:
    desk = PayDesk(state(), 0)
    press(desk, "tab 3 enter")
    desk.locked = True
    desk.touch(("agent", 0, 1))
    assert desk.stepper() is None
    assert not desk.undo()
    assert desk.choice() == (3, 0)
    assert not desk.payable()


# -- moving -----------------------------------------------------------------------------------------------------------


def moving() -> MoveDesk:
    return MoveDesk(state({(2, Step.PAY): (0, 0)}), 0)


def test_an_agent_is_sent_by_touches_alone() -> None:
    desk = moving()
    for action in (("agent", 0, 0), ("region", MOXICO), ("more",), ("more",), ("set",), ("more",), ("set",)):
        assert desk.touch(action)
    assert desk.orders() == ((MOXICO, 2, 1), (HOME, 0, 0), (HUILA, 0, 0))
    assert desk.cost() == 4
    assert desk.spent() == "4 planned"


def test_an_agent_is_sent_by_keys_alone() -> None:
    desk = moving()
    press(desk, "1 up enter 4 enter 2 h 3 enter 2 enter")
    assert desk.orders() == ((UIGE, 4, 0), (HOME, 0, 0), (HUILA, 2, 0))


def test_arrows_lead_from_every_place_to_every_other() -> None:
    for home in (HOME, HOME + 1):
        among = (*range(6), home)
        for start in among:
            reached, edge = {start}, [start]
            while edge:
                place = edge.pop()
                new = {neighbour(place, way, among) for way in ("left", "right", "up", "down")} - reached
                reached |= new
                edge += new
            assert reached == set(among), start
    assert neighbour(LUNDA, "left", range(6)) == MALANJE
    assert neighbour(UIGE, "down", range(6)) == MALANJE
    assert neighbour(LUNDA, "right", (LUNDA,)) == LUNDA


def test_arrows_pass_over_regions_that_cannot_be_chosen() -> None:
    desk = moving()
    press(desk, "1")
    seen = set()
    for way in ("left", "left", "down", "down", "left", "up", "left", "down"):
        press(desk, way)
        seen.add(desk.focus())
    assert HUILA not in seen
    assert len(seen) > 2


def test_regions_that_cannot_be_chosen_are_darkened_once_an_agent_is_picked() -> None:
    desk = moving()
    scene = populated(display(desk.state, 0), frozenset(), None, frozenset(), 0)
    assert not desk.decorate(scene).dark
    desk.touch(("agent", 0, 1))
    assert desk.decorate(scene).dark == {MALANJE, HUILA}
    desk.touch(("region", HUILA))
    assert desk.orders()[1] == (HOME, 0, 0)
    desk.touch(("region", UIGE))
    press(desk, "enter")
    assert not desk.decorate(scene).dark


def test_what_cannot_be_afforded_is_out_of_reach() -> None:
    desk = moving()
    desk.touch(("agent", 0, 0))
    desk.touch(("region", CUANDO))
    press(desk, "end enter")
    assert desk.cost() == desk.cash()
    desk.touch(("agent", 0, 1))
    assert desk.available(1) == {HOME}
    desk.touch(("region", UIGE))
    assert desk.orders()[1] == (HOME, 0, 0)


def test_the_inspectors_bribe_is_asked_for_only_where_he_stands() -> None:
    desk = moving()
    desk.touch(("agent", 0, 0))
    desk.touch(("region", LUNDA))
    press(desk, "enter")
    assert desk.stepper() is None
    desk.touch(("agent", 0, 0))
    desk.touch(("inspector",))
    press(desk, "enter")
    shown = desk.stepper()
    assert shown is not None
    assert shown.title == "Bribe for UN"


def test_while_a_region_is_wanted_whoever_stands_there_stands_for_it() -> None:
    desk = moving()
    desk.touch(("agent", 0, 1))
    desk.touch(("agent", 1, 2))
    assert desk.orders()[1][0] == LUNDA


def test_an_order_can_be_changed_until_done_and_keeps_its_payment() -> None:
    desk = moving()
    press(desk, "1 up enter 4 enter")
    desk.touch(("agent", 0, 0))
    desk.touch(("region", UIGE))
    shown = desk.stepper()
    assert shown is not None
    assert shown.amount == 4
    press(desk, "6 enter")
    assert desk.orders()[0] == (UIGE, 6, 0)
    press(desk, "u")
    assert desk.orders()[0] == (UIGE, 4, 0)
    press(desk, "u")
    assert desk.orders()[0] == (MALANJE, 0, 0)


def test_escape_goes_back_one_step_at_a_time() -> None:
    desk = moving()
    press(desk, "1 up enter 4 esc")
    assert desk.stepper() is None
    assert desk.focus() == UIGE
    press(desk, "esc")
    assert desk.focus() is None
    assert desk.orders()[0] == (MALANJE, 0, 0)


def test_done_asks_back_in_the_last_round_if_money_is_left() -> None:
    script: dict[tuple[int, Step], object] = {(number, Step.PAY): (0, 0) for number in range(2, 10)}
    for number in range(2, 9):
        stay = ((MALANJE, 0, 0), (HOME, 0, 0), (HUILA, 0, 0))
        script |= {(number, step): stay for step in (Step.PLAN, Step.MOVE)}
        script |= {(number, step): 0 for step in (Step.SALE_PLAN, Step.SALE)}
    last = state(script)  # type: ignore[arg-type]
    assert last.months_left == 0
    assert last.step is Step.PLAN
    desk = MoveDesk(last, 0)
    press(desk, "1 enter 5 enter")
    assert "unspent" in (desk.question() or "")
    press(desk, "1 enter end enter")
    assert desk.question() is None


# -- the last look ----------------------------------------------------------------------------------------------------


def test_a_told_plan_is_on_the_map_and_ones_own_can_be_changed() -> None:
    told = state(LOOK, TOLD)
    assert told.right[0] is True
    desk = LastLookDesk(told, 0, PLAN, True, True)
    scene = desk.decorate(populated(display(told, 0), frozenset(), None, frozenset(), 0))
    assert "→(1)♥ $3" in ["".join(part.text for part in tag.parts) for tag in scene.tags]
    press(desk, "3 enter 1 enter")
    assert desk.choice() == (PLAN[0], PLAN[1], (HUILA, 1, 0))
    press(desk, "u")
    assert desk.choice() == PLAN
    assert not desk.undo()


def test_without_a_right_the_plan_stands_whatever_is_pressed() -> None:
    desk = LastLookDesk(state(LOOK, TOLD), 0, PLAN, False, True)
    for name in ("1", "enter", "up", "enter", "5", "enter", "2", "h", "u", "tab"):
        desk.key(name)
    for action in (("agent", 0, 2), ("region", LUNDA), ("more",), ("set",), ("home", 0)):
        desk.touch(action)
    assert desk.choice() == PLAN


# -- Inspector and sale -----------------------------------------------------------------------------------------------


def test_the_inspector_is_tried_out_and_undone() -> None:
    desk = InspectorDesk(state(), 0)
    assert desk.choice() == MOXICO
    desk.touch(("region", LUNDA))
    assert desk.choice() == LUNDA
    desk.touch(("agent", 0, 2))
    assert desk.choice() == HUILA
    press(desk, "u")
    assert desk.choice() == LUNDA
    press(desk, "down")
    assert desk.choice() == MOXICO


def test_a_sale_is_set_by_keys_stones_and_wheel() -> None:
    desk = SaleDesk(state(), 0)
    press(desk, "right right right")
    assert desk.choice() == 2
    desk.touch(("sell", 1))
    assert desk.choice() == 1
    desk.wheel(1)
    assert desk.choice() == 0
    press(desk, "2 u")
    assert desk.choice() == 0


def test_a_planned_sale_goes_back_to_its_first_number() -> None:
    desk = SaleDesk(state(), 0, first=1, bound=False, timed=True)
    press(desk, "2")
    assert desk.choice() == 2
    press(desk, "u")
    assert desk.choice() == 1
    bound = SaleDesk(state(), 0, first=1, bound=True)
    assert not bound.key("2")
    assert bound.choice() == 1
