"""The game in sentences and typed orders."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kimberley.client.boards.diamond_trust.board import DiamondTrustUI
from kimberley.client.boards.diamond_trust.form import Selection
from kimberley.client.boards.diamond_trust.form_sale import SaleForm
from kimberley.client.boards.diamond_trust.words import agent_lines, describe
from kimberley.client.boards.line_mode import LineMode
from kimberley.games.diamond_trust.angola import HOME, REGIONS
from kimberley.games.diamond_trust.knowledge import UNKNOWN, AtLeast, Estimate, Exact
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import HIDDEN, evolve, space_for
from kimberley.p2p.sentences.notices import NOTHING_TO_DO
from kimberley.protocol.events import Answered
from kimberley.protocol.play import NotAllowed
from tests.support.angola import CUANDO, HUILA, LOOK, LUNDA, MALANJE, MOXICO, PLAN, TOLD, Script, TrustTable, table
from tests.support.trust_forms import SENT, leaving_home, moving, paying, paying_at_first, selling


class Typist(LineMode):
    """The line mode of a seat, whose completed choices go to the table."""

    def __init__(self, seat: TrustTable) -> None:
        super().__init__(DiamondTrustUI(), seat)
        self.seat = seat


def typed(game: Typist, *orders: str) -> list[str]:
    """Types orders; a completed choice goes to the table, as the line mode does it."""
    said: list[str] = []
    for order in orders:
        reply = game.submit(order)
        said += reply.lines
        if reply.done:
            game.hand_in(reply.choice)
    return said


def chosen(seat: TrustTable) -> list[object]:
    return [done[1] for done in seat.done if done[0] == "choose"]


def test_a_round_is_played_by_typing() -> None:
    seat = TrustTable(0, inspector=MOXICO)
    game = Typist(seat)
    assert "You can pay agent 1 (pay 1)" in game.prompt()[0]
    typed(game, "pay 1 2", "pay 2 1", "pay 3 0", "done")
    typed(game, "1 lunda 4", "2 mox 3 2", "3 home", "done")
    game.prompt()
    typed(game, "send cuando", "done")
    assert "Sale" in game.prompt()[0]
    typed(game, "sell 1", "done")
    game.prompt()
    assert chosen(seat) == [(2, 1, 0), ((LUNDA, 4, 0), (MOXICO, 3, 2), (HOME, 0, 0)),
                            ((LUNDA, 4, 0), (MOXICO, 3, 2), (HOME, 0, 0)), CUANDO, 1, 1]  # fmt: skip
    assert seat.state.round() == 2


def test_bribes_are_typed_where_agents_meet() -> None:
    seat = table()
    game = Typist(seat)
    assert "enemy agent 1 (bribe 1)" in game.prompt()[0]
    assert game.prompt()[1].startswith("For example, ")
    example = game.prompt()[1].removeprefix("For example, ").partition(" pays ")[0]
    assert "$3 for " in typed(game, example)[0], "the example can be typed"
    assert "$3 for enemy agent 1" in typed(game, "bribe 1 3")[0]
    assert "with enemy agent 2" in typed(game, "bribe 2 3")[0]
    assert "not at home" in typed(game, "pay 1 3")[0]
    assert "more than you have" in typed(game, "pay 2 99")[0]
    typed(game, "pay 2 0", "done")
    assert chosen(seat) == [(3, 0)]


@pytest.mark.parametrize("money", [*range(1, 8), 18])
def test_the_examples_of_a_prompt_can_be_typed(money: int) -> None:
    for form in (paying_at_first(), paying(), leaving_home(), moving()):
        state = evolve(form.state, limit=(money, 18), spent=(0, HIDDEN))
        space = space_for(state.ask(), 0)
        assert space is not None
        poorer = type(form)(replace(form.context, state=state, space=space), Selection())
        told = " ".join(poorer.prompt())
        examples = re.findall(r"For example, (.*?) (?:pays|sends|leaves) ", told)
        assert examples or "You have only $1: a trip costs $2." in told
        for example in examples:
            assert " left." in poorer.type(example).lines[0], told


def test_the_example_of_a_prompt_pays_something_after_all_money_is_given() -> None:
    form = paying_at_first()
    assert form.type(f"pay 2 {form.cash}").lines
    assert form.prompt() == [
        "Pay. You have $0. You can pay agent 1 (pay 1), agent 2 (pay 2) or agent 3 (pay 3).",
        "For example, pay 2 3 pays $3. Then type done.",
    ]


def test_an_offer_of_nothing_and_what_a_sale_brings_are_said() -> None:
    seat = TrustTable(0, {}, {(1, RoundStep.PAY): (0, 0, 0)}, inspector=MOXICO)
    game = Typist(seat)
    assert typed(game, "1 lunda")[0].startswith("Agent 1 goes to Lunda. It offers nothing, so it collects nothing.")
    assert "nothing" not in typed(game, "1 lunda 2")[0]
    typed(game, "undo", "done", "done")
    game.prompt()
    assert typed(game, "sell 1") == ["You sell 1 diamond. If ben sells 0, 1 or 2, you get $24, $12 or $8."]
    assert typed(game, "sell 0") == ["You sell nothing and get $18, whatever ben sells."]


def test_a_sale_beside_an_empty_vault_has_one_income() -> None:
    form = selling()
    alone = type(form)(replace(form.context, state=evolve(form.state, vault=(2, 0))), Selection())
    assert alone.type("sell 1").lines == ("You sell 1 diamond for $24: ben has none to sell.",)


def test_done_asks_back_once_where_the_choice_is_odd() -> None:
    seat = TrustTable(0, {}, {}, inspector=MOXICO)
    game = Typist(seat)
    game.prompt()
    typed(game, "pay 2 1")
    asked = "You have not paid your agent 1 or your agent 3: a bribe of any size wins either of them over."
    assert typed(game, "done")[0] == asked
    assert not chosen(seat)
    typed(game, "done")
    game.prompt()
    typed(game, "1 lunda 4")
    assert typed(game, "done")[0] == "No orders for your agent 2 or your agent 3: they stay and offer nothing."
    assert chosen(seat) == [(0, 1, 0)]
    typed(game, "done")
    assert chosen(seat)[1] == ((LUNDA, 4, 0), (HOME, 0, 0), (HOME, 0, 0))


def test_undo_begins_a_choice_anew() -> None:
    seat = table()
    game = Typist(seat)
    game.prompt()
    assert typed(game, "undo") == ["Nothing to undo."]
    assert typed(game, "pay 2 3", "undo")[1:] == ["All undone."]
    typed(game, "bribe 1 1", "pay 2 0", "done")
    assert chosen(seat) == [(1, 0)]


def test_a_plan_that_stands_has_nothing_to_undo() -> None:
    game = Typist(table({(2, RoundStep.PAY): (0, 0), (2, RoundStep.PLAN): PLAN}))
    assert "your plan stands" in game.prompt()[0]
    assert typed(game, "undo") == ["Nothing to undo."]


def test_a_question_names_an_agent_once() -> None:
    game = Typist(table({(2, RoundStep.PAY): (0, 0), (2, RoundStep.PLAN): SENT, (2, RoundStep.MOVE): SENT}))
    assert "the Inspector" in game.prompt()[0]
    assert typed(game, "huila", "done")[1] == "You would lose the diamonds that your agent 3 carries."


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        ("1 atlantis 3", "There is no region"),
        ("1 m 3", "could be Malanje or Moxico"),
        ("4 lunda 3", "Type an agent’s number"),
        ("1 lunda", "goes to Lunda."),
        ("1 lunda 2 2", "the Inspector is not in Lunda"),
        ("1 lunda 500", "you have"),
        ("1", "Type an agent’s number"),
        ("3 stay 2", "stays in Huila and offers $2"),
    ],
)
def test_orders_are_answered_with_what_they_mean_or_how_to_say_it(order: str, answer: str) -> None:
    game = Typist(table({(2, RoundStep.PAY): (0, 0)}))
    game.prompt()
    assert answer in " ".join(typed(game, order))


def test_two_agents_to_one_region_is_said_at_done() -> None:
    seat = table({(2, RoundStep.PAY): (0, 0)})
    game = Typist(seat)
    game.prompt()
    said = typed(game, "2 huila 1", "done")
    assert "only one agent of each side can be in Huila" in said[-1]
    assert typed(game, "2 huila 99")[0].startswith("Not possible: this costs $")
    typed(game, "3 home", "1 stay", "done")
    assert chosen(seat)[0] == ((MALANJE, 0, 0), (HUILA, 1, 0), (HOME, 0, 0))


def test_the_last_look_is_told_and_what_is_changed_handed_in_at_once() -> None:
    seat = table(LOOK, TOLD)
    game = Typist(seat)
    lines = game.prompt()
    assert chosen(seat) == []
    assert "you can change your plan" in lines[0]
    typed(game, "3 stay 1")
    assert chosen(seat)[-1] == (PLAN[0], PLAN[1], (HUILA, 1, 0))
    assert typed(game, "first", "first") == ["Original plan restored.", "Nothing to undo."]
    assert chosen(seat)[-1] == PLAN


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Time is up: your plan stands."),
        (("3 stay 1",), "Time is up: your new plan counts."),
        (("3 lunda", "2 lunda"), "Time is up. Your last change was incomplete, so it does not count."),
    ],
)
def test_what_counts_is_told_when_the_time_of_a_last_look_is_over(words: tuple[str, ...], said: str) -> None:
    seat = table(LOOK, TOLD)
    game = Typist(seat)
    game.prompt()
    game.on_event(Answered(0, *seat.arena_peer.story[0], seat.state))
    typed(game, *words)
    seat.end_look()
    assert said in game.on_event(Answered(0, *seat.arena_peer.story[-1], seat.state))


def test_whose_sale_was_not_reported_is_not_told_that_no_agent_reported() -> None:
    """An enemy agent that is not at home may have reported a plan of the move before."""
    told = selling(plan=False, right=False).prompt()
    assert told[0].startswith("Adjust: no sale was reported to you, so your number stands.")


@pytest.mark.parametrize(
    ("bribes", "said"), [(Exact(3), "Last bribed by enemy agent 1."), (AtLeast(3), "Bribed by enemy agent 1.")]
)
def test_who_bribed_an_agent_last_is_told_only_where_it_is_known(bribes: Estimate, said: str) -> None:
    state = moving().state
    known = evolve(
        state.known[0],
        bribes=(bribes, UNKNOWN, UNKNOWN),
        bribers=(0, None, None),
        unseen=((1,) * (bribes == AtLeast(3)), (), ()),
    )
    state = evolve(state, known=(known, HIDDEN), most_bribes=((9,) * 3, (9,) * 3))
    assert said in agent_lines(state, 0, 0, 0)


def test_news_tell_what_happened() -> None:
    seat = table(slow=True)
    game = Typist(seat)
    told: list[str] = []
    seat.subscribe(lambda event: told.extend(game.on_event(event)) if event is not None else None)
    for choice in ((5, 1), PLAN):
        seat.play.choose(choice)
        seat.script.update(TOLD)
        seat.go_on()
    seat.end_look()
    said = " ".join(told)
    for expected in (
        "You bribe enemy agent 1 in Malanje with $5.",
        "Enemy agent 1 now reports to you: bribes of $5 exceed its salary of $4. "
        "It reveals its orders to you until Antwerp pays it $1 more.",
        "Enemy agent 1 reveals its plan to you: it goes to Huila and offers $3.",
        "Your agent 1 flies from Malanje to Moxico, offers $4 and bribes the Inspector with $1.",
    ):
        assert expected in said
    assert game.on_event(Answered(0, *seat.arena_peer.story[0], seat.state)) == []
    assert not set(said) & set("[]♥◆")


def test_the_position_is_described_and_agents_looked_at() -> None:
    game = Typist(table())
    text = "\n".join(game.describe())
    assert "ben has an unknown amount of cash and 2 diamonds" in text
    assert "Moxico: 2 diamonds, frozen by the Inspector, who is there." in text
    assert "Malanje: 1 diamond; your agent 1 and enemy agent 1." in text
    assert "Salary: $4. Bribes: $0." in game.submit("look 1").lines
    assert "Salary: at most $10. Bribes: $0." in game.submit("look their 1").lines
    assert game.submit("look").lines[0].startswith("Month 2")
    for wrong in ("look 4", "look their", "look their 4", "LOOK Lunda"):
        assert game.submit(wrong).lines == ("Type look, look 2, look their 1 or look inspector.",), wrong
    assert game.submit("look inspector").lines == (
        "The Inspector is in Moxico. He freezes 2 diamonds there and seizes nothing.",
    )


def test_where_the_inspector_goes_so_far_and_what_is_sold_are_told() -> None:
    game = Typist(TrustTable(0, mine={(1, RoundStep.PAY): (2, 1, 0)}, inspector=MOXICO))
    typed(game, "1 lunda 4", "2 mox 3 2", "3 home", "done")
    game.prompt()
    typed(game, "send cuando")
    assert game.submit("look inspector").lines[-1] == "So far, the Inspector goes to Cuando Cubango."
    typed(game, "done")
    assert game.prompt()
    typed(game, "sell 1")
    assert game.describe()[0] == "So far, you sell 1 diamond."


def test_what_is_chosen_so_far_is_told_with_the_money_that_it_leaves() -> None:
    game = Typist(TrustTable(0, inspector=MOXICO, slow=True))
    assert game.describe()[0] == "Month 1 of 9, 8 months left."
    typed(game, "pay 1 2", "pay 3 4")
    assert game.describe()[:3] == [
        "So far, you pay $2 to agent 1 and $4 to agent 3.",
        "Month 1 of 9, 8 months left.",
        "You are London. You have $12 and 2 diamonds at home.",
    ]
    assert game.submit("look").lines == tuple(game.describe())
    assert "Salary: $0, and $4 more now. Bribes: $0." in game.submit("look 3").lines
    assert game.prompt()[0].startswith("Pay. You have $12.")
    typed(game, "undo")
    assert game.describe()[0] == "Month 1 of 9, 8 months left."


def test_what_was_handed_in_is_told_until_it_is_done() -> None:
    seat = TrustTable(0, inspector=MOXICO, slow=True)
    game = Typist(seat)
    typed(game, "pay 1 2", "done", "done")
    assert game.describe()[0] == "Locked in: you pay $2 to agent 1."
    assert game.prompt() == []
    assert game.submit("pay 1 3").lines == (NOTHING_TO_DO,)
    seat.go_on()
    typed(game, "1 lunda 4")
    assert game.describe()[0] == (
        "So far, agent 1 goes to Lunda and offers $4; agent 2 has no orders; agent 3 has no orders."
    )
    assert game.submit("look 1").lines[-1] == "Its orders: it goes to Lunda and offers $4."
    assert not any("orders" in line for line in game.submit("look 2").lines)
    cash = game.describe()[2]
    typed(game, "done", "done")
    said = game.describe()
    assert said[0] == (
        "Locked in: agent 1 goes to Lunda and offers $4; agent 2 stays in London; agent 3 stays in London."
    )
    assert said[2] == cash


def test_a_choice_that_the_table_refuses_can_still_be_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    seat = TrustTable(0, inspector=MOXICO)
    game = Typist(seat)

    def refuse(_choice: object) -> None:
        raise NotAllowed("no")

    with monkeypatch.context() as patched:
        patched.setattr(seat.play, "choose", refuse)
        with pytest.raises(NotAllowed):
            typed(game, "pay 1 2", "done", "done")
    typed(game, "pay 1 3", "pay 2 1", "pay 3 1", "done")
    assert chosen(seat)[0] == (3, 1, 1)


def order_texts(choice: Any, seat: TrustTable) -> list[str]:
    """Returns what to type for a choice."""
    state = seat.state
    match state.step:
        case RoundStep.PAY:
            slots = zip(state.slots(seat.occupants.seat), choice, strict=True)
            return [f"{'bribe' if slot.bribe else 'pay'} {slot.agent + 1} {amount}" for slot, amount in slots]
        case RoundStep.PLAN | RoundStep.MOVE:
            places = [*REGIONS, "home"]
            # First every agent stays, so that what the plan cost comes back.
            stay = [f"{number} stay" for number in (1, 2, 3)]
            orders = enumerate(choice, start=1)
            return stay + [f"{number} {places[to]} {payment} {bribe}" for number, (to, payment, bribe) in orders]
        case RoundStep.INSPECT:
            return [REGIONS[choice]]
        case _:
            return [f"sell {choice}"]


@given(st.randoms(use_true_random=False), st.integers(0, 5))
def test_every_choice_can_be_typed(rng: Random, which: int) -> None:
    seat = (*SHARED, SELLING)[which]
    asked = seat.arena_peer.asked
    assert asked is not None
    choice, game = asked.space.pick(rng), Typist(seat)
    for text in order_texts(choice, seat):
        assert not game.submit(text).done
    reply = game.submit("done")
    reply = reply if reply.done else game.submit("done")
    assert reply.done
    assert reply.choice == choice


def test_new_diamonds_the_inspector_and_sale_prices_are_told() -> None:
    seat = TrustTable(0, mine={(1, RoundStep.PAY): (0, 0, 0)}, inspector=MOXICO)
    game = Typist(seat)
    told: list[str] = []
    seat.subscribe(lambda event: told.extend(game.on_event(event)) if event is not None else None)
    for words in (("done", "done"), ("sell 1", "done")):
        typed(game, *words)
        game.prompt()
    assert told == [
        "You sell 1 diamond for $24.",
        "ben sells nothing and gets $18.",
        "Month 2 of 9 begins.",
        "New diamonds: 2 each in Huila and Cuando Cubango, 1 in every other region.",
        "The Inspector is in Moxico.",
    ]


def test_before_the_first_diamonds_appear_nothing_is_said_of_regions() -> None:
    assert describe(State(), ("ana", "ben"), 0) == [
        "The Inspector’s first region is drawn at random. Then diamonds appear."
    ]


@given(st.text(max_size=40), st.randoms(use_true_random=False))
def test_nothing_that_is_typed_ever_fails(text: str, rng: Random) -> None:
    game = Typist(SHARED[rng.randrange(len(SHARED))])
    reply = game.submit(text)
    assert reply.lines
    assert all(line for line in reply.lines)


def test_what_stands_in_an_example_can_be_paid_beside_the_others() -> None:
    seat = TrustTable(0, inspector=MOXICO)
    game = Typist(seat)
    cash = int(game.prompt()[0].partition("$")[2].partition(".")[0])
    typed(game, f"pay 2 {cash - 1}")
    example = game.prompt()[1].partition("For example, ")[2].partition(" pays")[0]
    assert example == "pay 1 1"
    assert typed(game, example)[0].endswith("$0 left.")


@pytest.mark.parametrize("vault", [0, 1, 5])
def test_no_more_than_the_vault_stands_in_the_example_of_a_sale(vault: int) -> None:
    form = selling()
    vaults = tuple(vault if seat == form.seat else held for seat, held in enumerate(form.state.vault))
    form = SaleForm(replace(form.context, state=evolve(form.state, vault=vaults)), Selection())
    assert form.type_words(["what"]) == f"Type sell and a number, such as sell {min(vault, 2)}."


def test_help_names_all_that_can_be_typed() -> None:
    text = " ".join(Typist(table()).help())
    for word in ("pay 2 3", "bribe 1 4", "1 lunda 4", "home", "stay", "sell 2", "done", "undo", "look"):
        assert word in text


STAY = ((HOME, 0, 0),) * 3
_PAID: Script = {(2, RoundStep.PAY): (0, 0)}
_SENT = ((MOXICO, 4, 1), (HOME, 0, 0), (HUILA, 0, 0))
SHARED = (
    table(),
    table(_PAID),
    table(LOOK, TOLD),
    table({**_PAID, (2, RoundStep.PLAN): _SENT, (2, RoundStep.MOVE): _SENT}),
    table({**_PAID, (2, RoundStep.PLAN): _SENT, (2, RoundStep.MOVE): _SENT, (2, RoundStep.INSPECT): LUNDA}),
)
SELLING = TrustTable(0, {}, {(1, RoundStep.PAY): (0, 0, 0), (1, RoundStep.PLAN): STAY, (1, RoundStep.MOVE): STAY})
