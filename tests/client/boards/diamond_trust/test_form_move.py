"""The forms of a move and of its adjustment: what keys and clicks do to a choice, without a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kimberley.client.boards.diamond_trust.current_card import current_card
from kimberley.client.boards.diamond_trust.form import neighbor
from kimberley.client.boards.diamond_trust.form_move import MoveForm
from kimberley.client.boards.diamond_trust.scene import LineStyle
from kimberley.client.boards.diamond_trust.view import populated
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.spans import Spans
from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.table import Plain, evolve
from tests.support.angola import (
    CUANDO,
    HUILA,
    LUNDA,
    MALANJE,
    MOXICO,
    PLAN,
    UIGE,
    table,
)
from tests.support.trust_forms import form_at, looking, moving, press


def test_an_agent_is_sent_by_touches_alone() -> None:
    form = moving()
    for action in (("agent", 0, 0), ("region", MOXICO), ("more",), ("more",), ("set",), ("more",), ("set",)):
        assert form.click(action)
    assert form.orders() == ((MOXICO, 2, 1), (HOME, 0, 0), (HUILA, 0, 0))
    assert form.cost() == 4
    assert form.spent() == "$4 planned"


def test_an_agent_is_sent_by_keys_alone() -> None:
    form = moving()
    press(form, "1 up enter 4 enter 2 home 3 enter 2 enter")
    assert form.orders() == ((UIGE, 4, 0), (HOME, 0, 0), (HUILA, 2, 0))


def test_arrows_lead_from_every_place_to_every_other() -> None:
    for home in (HOME, HOME + 1):
        among = (*range(6), home)
        for start in among:
            reached, edge = {start}, [start]
            while edge:
                place = edge.pop()
                new = {neighbor(place, way, among) for way in ("left", "right", "up", "down")} - reached
                reached |= new
                edge += new
            assert reached == set(among), start
    assert neighbor(LUNDA, "left", range(6)) == MALANJE
    assert neighbor(UIGE, "down", range(6)) == MALANJE
    assert neighbor(MOXICO, "left", range(6)) == MALANJE
    assert neighbor(HUILA, "down", range(6)) == HUILA, "nothing lies there"
    assert neighbor(LUNDA, "up", range(6)) == LUNDA, "nothing lies there"
    assert neighbor(LUNDA, "right", (LUNDA,)) == LUNDA


def test_arrows_pass_over_regions_that_cannot_be_chosen() -> None:
    form = moving()
    press(form, "3 enter 2 enter 1")
    seen = set()
    for way in ("left", "left", "down", "down", "left", "up", "left", "down"):
        press(form, way)
        seen.add(form.focus())
    assert HUILA not in seen
    assert len(seen) > 2


def test_agents_can_change_places_in_any_order_and_done_waits_until_they_have() -> None:
    form = moving()
    here, there = form.orders()[0][0], form.orders()[2][0]
    assert (here, there) == (MALANJE, HUILA)
    form.click(("agent", 0, 0))
    form.click(("region", HUILA))
    assert form.state.diamonds[HUILA] > 1
    assert form.sentence(80) == "What does [1] offer for the diamonds in Huila?"
    one = tuple(1 for _ in form.state.diamonds)
    form.context = replace(form.context, state=evolve(form.state, diamonds=one))
    assert form.sentence(80) == "What does [1] offer for the diamond in Huila?"
    press(form, "2 enter")
    assert form.sentence(80) == "[1] is going to Huila: send [3] elsewhere."
    press(form, "d")
    assert form.refusal == "[1] is going to Huila: send [3] elsewhere"
    press(form, "3")
    form.click(("region", HUILA))
    assert form.refusal == "Only one agent per region: [1] goes to Huila"
    form.click(("region", MALANJE))
    press(form, "1 enter")
    assert form.orders() == ((HUILA, 2, 0), (HOME, 0, 0), (MALANJE, 1, 0))
    assert form.context.space.violation(form.choice()) is None
    assert "elsewhere" not in form.sentence(80)


def test_where_an_agent_stays_another_one_is_not_said_to_give_way_to_one_that_comes() -> None:
    form = moving()
    form.click(("agent", 0, 0))
    form.click(("region", MALANJE))
    press(form, "1 enter 3")
    form.click(("region", MALANJE))
    assert form.refusal == "Only one agent per region: [1] stays in Malanje"
    planned = ((LUNDA, 0, 0), (HOME, 0, 0), (MALANJE, 1, 0))
    changed = MoveForm(form.context, form.selection, plan=planned)
    changed.click(("agent", 0, 0))
    changed.click(("region", MALANJE))
    press(changed, "1 enter")
    assert changed.sentence(80) == "[1] stays in Malanje: send [3] elsewhere."


def test_a_trip_that_is_too_dear_and_an_amount_that_cannot_change_are_refused_with_the_reason() -> None:
    form = moving()
    press(form, "1 enter end")
    assert form.refusal == ""
    most = form.orders()[0][1]
    for key in ("right", "up", "pageup"):
        press(form, key)
        assert form.refusal == f"Only ${most} is left for this offer"
        form.refusal = ""
    form.click(("more",))
    assert form.refusal == f"Only ${most} is left for this offer"
    press(form, "enter 2")
    form.refusal = ""
    form.click(("region", LUNDA))
    assert form.refusal == "A trip to Lunda costs $2; you have $0 left"
    press(form, "1 enter home")
    form.refusal = ""
    form.click(("less",))
    assert form.refusal == "Less than 0 is not possible"


def test_regions_that_cannot_be_chosen_are_darkened_once_an_agent_is_picked() -> None:
    form = moving()
    scene = populated(form.state, frozenset())
    assert not form.decorate(scene).dark
    form.click(("agent", 0, 1))
    assert not form.decorate(scene).dark, "who is there can still be sent away"
    press(form, "3 enter 2 enter 2")
    assert form.decorate(scene).dark == {HUILA}
    form.click(("region", HUILA))
    assert form.orders()[1] == (HOME, 0, 0)
    form.click(("region", UIGE))
    press(form, "enter")
    assert not form.decorate(scene).dark


def test_what_cannot_be_afforded_is_out_of_reach() -> None:
    form = moving()
    form.click(("agent", 0, 0))
    form.click(("region", CUANDO))
    press(form, "end enter")
    assert form.cost() == form.cash
    form.click(("agent", 0, 1))
    assert form.available(1) == {HOME}
    assert {"region", "go home"}.isdisjoint(hint.label for hint in form.hints())
    assert "stay home" in [hint.label for hint in form.hints()]
    form.click(("region", UIGE))
    assert form.orders()[1] == (HOME, 0, 0)


def test_while_an_offer_is_open_digits_only_type_it_and_tab_leads_to_the_next_agent() -> None:
    form = moving()
    press(form, "1 up enter 2")
    assert form.selection.agent == (0, 0)
    assert form.orders()[0][1] == 2
    assert Hint("0-9", "type it", ("noop",)) in form.hints()
    assert Hint("Tab", "next agent") in form.hints()
    press(form, "tab")
    assert form.selection.agent == (0, 1)
    assert form.orders()[0][1] == 2


def test_an_open_window_moves_on_to_an_agent_that_has_an_order_and_back() -> None:
    form = moving()
    press(form, "1 up enter 4 enter 3 enter 2")
    assert form.click(("agent", 0, 0))
    window = form.stepper()
    assert window is not None
    assert (window.title, window.amount) == ("Offer by [1]", 4)
    press(form, "tab")
    assert form.stepper() is None, "it has no order: first it needs a region"
    press(form, "tab enter")
    window = form.stepper()
    assert window is not None
    assert (window.title, window.amount) == ("Offer by [3]", 2)
    press(form, "enter")
    assert form.orders() == ((UIGE, 4, 0), (HOME, 0, 0), (HUILA, 2, 0))
    assert form.undo()
    assert form.orders()[2] == (HUILA, 0, 0), "looking at a window is no step to take back"


def test_only_the_trip_of_the_chosen_agent_is_drawn() -> None:
    form = moving()
    scene = populated(form.state, frozenset())
    press(form, "1 up enter 4 enter tab down enter")
    assert [trip.agent for trip in form.decorate(scene).trips] == [1]
    assert len(form.decorate(scene).tags) == 2
    press(form, "enter")
    form.click(("agent", 0, 0))
    assert [trip.agent for trip in form.decorate(scene).trips] == [0]
    press(form, "esc esc")
    assert not form.decorate(scene).trips


def test_only_the_revealed_trip_of_the_chosen_agent_is_drawn() -> None:
    form = looking()
    scene = populated(form.state, frozenset())
    revealed = [trip.agent for trip in form.decorate(scene).trips if trip.line is LineStyle.TOLD]
    assert revealed == [agent for agent, _ in form.told()]
    form.click(("agent", 0, 0))
    assert not [trip for trip in form.decorate(scene).trips if trip.line is LineStyle.TOLD]


def test_the_card_shows_the_order_just_given() -> None:
    form = moving()
    form.click(("agent", 0, 0))
    form.click(("inspector",))
    press(form, "4 enter 1 enter")
    first, second = ("".join(span.text for span in line) for line in card_of(form))
    assert first == "[1]  goes to Moxico   offers $4   bribes the Inspector with $1"
    assert second == f"      trip $1   leaves you ${form.cash - 6}"
    press(form, "2 enter")
    assert "".join(span.text for span in card_of(form)[0]) == "[2]  stays in London"
    form.click(("agent", 1, 0))
    assert "Enemy agent" in "".join(span.text for span in card_of(form)[0])


def card_of(form: MoveForm) -> Sequence[Spans]:
    """Returns the two lines of the card on a small screen."""
    return current_card(form.state, 0, ("ana", "ben"), form, ()).narrow


def test_the_inspectors_bribe_is_asked_for_only_where_he_stands() -> None:
    form = moving()
    form.click(("agent", 0, 0))
    form.click(("region", LUNDA))
    press(form, "enter")
    assert form.stepper() is None
    form.click(("agent", 0, 0))
    form.click(("inspector",))
    press(form, "enter")
    shown = form.stepper()
    assert shown is not None
    assert shown.title == "Inspector bribe"


def test_while_a_region_is_wanted_whoever_stands_there_stands_for_it() -> None:
    form = moving()
    form.click(("agent", 0, 1))
    form.click(("agent", 1, 2))
    assert form.orders()[1][0] == LUNDA


def test_an_order_can_be_changed_until_done_and_keeps_its_payment() -> None:
    form = moving()
    press(form, "1 up enter 4 enter")
    form.click(("agent", 0, 0))
    form.click(("region", UIGE))
    shown = form.stepper()
    assert shown is not None
    assert shown.amount == 4
    press(form, "6 enter")
    assert form.orders()[0] == (UIGE, 6, 0)
    press(form, "u")
    assert form.orders()[0] == (UIGE, 4, 0)
    press(form, "u")
    assert form.orders()[0] == (MALANJE, 0, 0)


def test_escape_goes_back_one_step_at_a_time() -> None:
    form = moving()
    press(form, "1 up enter 4 esc")
    assert form.stepper() is None
    assert form.focus() == UIGE
    press(form, "esc")
    assert form.focus() is None
    assert form.orders()[0] == (MALANJE, 0, 0)


def last_move() -> MoveForm:
    """Returns the move of the last month."""
    script: dict[tuple[int, RoundStep], Plain] = {(number, RoundStep.PAY): (0, 0) for number in range(2, 10)}
    for number in range(2, 9):
        stay = ((MALANJE, 0, 0), (HOME, 0, 0), (HUILA, 0, 0))
        script |= {(number, step): stay for step in (RoundStep.PLAN, RoundStep.MOVE)}
        script |= {(number, step): 0 for step in (RoundStep.SALE_PLAN, RoundStep.SALE)}
    form = form_at(table(script), MoveForm)
    assert form.state.months_left == 0
    return form


def test_the_card_of_the_last_month_says_that_all_agents_come_home() -> None:
    def said(form: MoveForm) -> str:
        card = current_card(form.state, form.seat, ("ana", "ben"), form, ())
        return " ".join("".join(span.text for span in line) for line in card.narrow)

    assert "all agents fly home" in said(last_move())
    assert "all agents fly home" not in said(moving())


def test_done_asks_back_in_the_last_round_if_money_is_left() -> None:
    form = last_move()
    press(form, "1 enter 5 enter")
    assert "unspent" in (form.question() or "")
    press(form, "1 enter end enter")
    assert form.question() is None


def test_a_told_plan_is_on_the_map_and_ones_own_can_be_changed() -> None:
    form = looking()
    assert form.state.right[0] is True
    scene = form.decorate(populated(form.state, frozenset()))
    assert "→(1)♥ $3" in ["".join(part.text for part in tag.parts) for tag in scene.tags]
    press(form, "3 enter 1 enter")
    assert form.choice() == (PLAN[0], PLAN[1], (HUILA, 1, 0))
    press(form, "u")
    assert form.choice() == PLAN
    assert not form.undo()


def test_without_a_right_the_plan_stands_whatever_is_pressed() -> None:
    form = looking(mine={(2, RoundStep.PAY): (0, 1)})
    assert form.state.right[0] is False
    for name in ("1", "enter", "up", "enter", "5", "enter", "2", "home", "u", "tab"):
        form.key(name)
    for action in (("agent", 0, 2), ("region", LUNDA), ("more",), ("set",), ("home", 0)):
        form.click(action)
    assert form.choice() == PLAN


def test_a_click_beside_the_agents_at_home_sends_home_whoever_is_being_sent() -> None:
    form = moving()
    press(form, "3")
    assert form.click(("tag", 0, 0, HOME))
    assert form.orders()[2] == (HOME, 0, 0)
    assert form.click(("tag", 0, 0, HOME))
    assert form.selection.agent == (0, 0)


def test_who_gives_orders_to_an_agent_at_home_reads_that_it_can_stay_at_home() -> None:
    form = moving()
    for agent, place in enumerate(form.state.places(form.seat)):
        press(form, str(agent + 1))
        stays = "home" if place == HOME else "its own"
        assert form.sentence(100) == f"Where does [{agent + 1}] go? Select a region ({stays} to stay)."
    assert len({place == HOME for place in form.state.places(form.seat)}) == 2


def test_a_click_on_what_is_noted_about_an_order_opens_its_offer() -> None:
    form = moving()
    press(form, "1 up enter 4 enter")
    assert form.click(("tag", 0, 0, UIGE))
    stepper = form.stepper()
    assert stepper is not None
    assert (stepper.title, stepper.amount) == ("Offer by [1]", 4)
    press(form, "5 enter")
    assert form.orders()[0] == (UIGE, 5, 0)
    press(form, "3")
    assert form.click(("tag", 0, 0, UIGE)), "so it does while another agent waits for a region"
    assert (stepper := form.stepper()) is not None
    assert stepper.title == "Offer by [1]"


def test_a_click_on_the_card_of_an_agent_gives_it_another_order() -> None:
    form = moving()
    assert not form.click(("card",))
    press(form, "1 right enter enter")
    assert form.aim() is None
    assert form.click(("card",))
    assert form.aim() is not None
    before = form.choice()
    assert not form.click(("card",)), "the card of a place that is chosen is no agent's"
    assert form.choice() == before


def test_a_region_that_is_clicked_before_an_agent_says_what_to_do_first() -> None:
    form = moving()
    assert form.click(("region", LUNDA))
    assert form.refusal == "First select one of your agents, then its region"
    form.refusal = ""
    form.click(("region", HUILA))
    assert form.refusal == "", "one of them is there"
