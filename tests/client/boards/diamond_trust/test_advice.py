"""Why the bot of Diamond Trust advises what it does."""

from __future__ import annotations

import pytest

from kimberley.client.boards.diamond_trust.advice import advise, advise_next
from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.bots.thrift import spared
from kimberley.games.diamond_trust.knowledge import UNKNOWN, AtLeast, Estimate, Exact, Knowledge
from kimberley.games.diamond_trust.position import Agent
from kimberley.games.diamond_trust.rules import RoundStep, State
from kimberley.games.table import HIDDEN, Plain, evolve
from tests.support.trust import ABROAD, CUANDO, HUILA, LUNDA, MALANJE, MOXICO, UIGE, Trust

OPEN = "Your opponent can adjust if an agent of yours is their double agent."
KNOWS = "Your opponent can adjust, because agent 2 reports to them."

STAY: Plain = tuple((HOME, 0, 0) for _ in range(3))


def at_home(money: int = 18, **fields: object) -> State:
    """Returns the first plan of London, which has so many dollars."""
    trust = Trust()
    trust.pay()
    return evolve(trust.view(0), limit=(money, 18), **fields)


def abroad(**fields: object) -> State:
    """Returns London's plan in the second month, with its agents in Uige, Lunda and Malanje."""
    trust = Trust()
    trust.move(ABROAD).sell()
    trust.pay()
    return evolve(trust.view(0), **fields)


def next_to(state: State, choice: Plain, other: Plain) -> str:
    """Returns what London reads of the choice that came next; empty if nothing."""
    told = advise_next(state, 0, choice, other)
    return "" if told is None else told.sentence()


def told_plan(order: tuple[int, int, int]) -> Knowledge:
    return Knowledge(plans=(None, order, None))


@pytest.mark.parametrize(
    ("money", "why"),
    [(0, "you have no money for a trip or an offer"), (1, "you have too little money for a trip"),
     (2, "no diamonds are worth a trip now")],
)  # fmt: skip
def test_all_stay_for_want_of_money_only_if_there_is_none(money: int, why: str) -> None:
    assert advise(at_home(money), 0, STAY) == f"Keep all your agents where they are and offer nothing: {why}."


def test_a_dollar_may_do_something_abroad() -> None:
    state = abroad()
    stay = tuple((place, 0, 0) for place in state.places(0))
    limit = (state.spent[0] + 1, 18)  # type: ignore[operator]
    assert advise(evolve(state, limit=limit), 0, stay).endswith("no diamonds are worth a trip now.")


@pytest.mark.parametrize(
    ("money", "why"),
    [(0, "you have no money"), (3, "you need your $3 for a trip and an offer"),
     (4, "this month your money is worth more as offers for diamonds")],
)  # fmt: skip
def test_nobody_is_paid_without_money_to_spare(money: int, why: str) -> None:
    assert advise(evolve(Trust().view(0), limit=(money, 18)), 0, (0, 0, 0)) == f"Pay nobody: {why}."


@pytest.mark.parametrize(("paid", "left"), [((5, 4, 4), "$5"), ((9, 8, 0), "$1")])
def test_a_payment_says_what_it_leaves(paid: Plain, left: str) -> None:
    assert advise(Trust().view(0), 0, paid).endswith(f". That leaves {left} for trips and offers.")


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        (((HUILA, 1, 0), (HOME, 0, 0), (HOME, 0, 0)),
         "Send agent 1 to Huila and offer $1; leave agents 2 and 3 where they are. Huila has 2 "
         "diamonds, and the higher offer takes them."),
        (((HUILA, 1, 0), (HOME, 0, 0), (CUANDO, 7, 2)),
         "Send agent 1 to Huila and offer $1; send agent 3 to Cuando Cubango, offer $7 and bribe the "
         "Inspector with $2; leave agent 2 where it is. Huila has 2 diamonds and Cuando Cubango 1, and the "
         "higher offer in a region takes all its diamonds. The Inspector is in Cuando Cubango and freezes its "
         "diamonds unless he leaves. The higher bribe decides where the Inspector goes."),
        (((UIGE, 0, 0), (LUNDA, 0, 0), (MOXICO, 0, 0)),
         "Send agent 1 to Uige; send agent 2 to Lunda; send agent 3 to Moxico. If an enemy agent is in "
         "a region with one of yours next month, you can bribe it."),
    ],
)  # fmt: skip
def test_each_agent_is_named_and_each_offer_has_its_reason(orders: Plain, said: str) -> None:
    assert advise(at_home(), 0, orders) == said


def test_where_the_next_best_plan_is_the_same_it_points_above() -> None:
    best = ((HOME, 0, 0), (LUNDA, 0, 0), (UIGE, 0, 0))
    other = ((HOME, 0, 0), (HUILA, 1, 0), (UIGE, 0, 0))
    assert "send agent 2 to Huila and offer $1; give agents 1 and 3 the orders above. " in (
        next_to(at_home(), best, other)
    )


def test_agents_come_home_with_diamonds_or_for_a_salary_and_flee_from_the_inspector() -> None:
    places = ((HOME, 0, 0), (LUNDA, 0, 0), (MALANJE, 0, 0))
    state = abroad()
    assert advise(state, 0, places) == (
        "Send agent 1 to London; leave agents 2 and 3 where they are. You can pay an agent at home next month."
    )
    carries = (Agent(UIGE, 2), Agent(LUNDA, 0), Agent(MALANJE, 0))
    state = evolve(state, agents=(carries, state.agents[1]))
    assert advise(state, 0, places).endswith(". That brings 2 diamonds home.")
    fled = ((MOXICO, 0, 0), *places[1:])
    assert "In Uige the Inspector may seize 2 diamonds." in advise(evolve(state, inspector=UIGE), 0, fled)
    assert "the Inspector may seize" not in advise(state, 0, fled)


def test_a_last_look_says_what_changes_what_stands_and_what_was_told() -> None:
    plan = ((CUANDO, 1, 0), (HOME, 0, 0), (HUILA, 2, 0))
    state = at_home(step=RoundStep.MOVE, plan=(plan, HIDDEN), known=(told_plan((CUANDO, 6, 0)), HIDDEN))
    assert advise(state, 0, plan).startswith("Keep your plan: ")
    assert advise(state, 0, ((CUANDO, 7, 0), *plan[1:])) == (
        "Adjust your plan, now that you know more. Send agent 1 to Cuando Cubango and offer $7; keep "
        "the plan for agents 2 and 3. Cuando Cubango has 1 diamond, and the higher offer takes it. Your "
        "opponent plans to offer $6 in Cuando Cubango. The Inspector is in Cuando Cubango and freezes its "
        "diamonds unless he leaves."
    )


@pytest.mark.parametrize(
    ("offer", "theirs", "whether", "said"),
    [
        (15, 18, None, f"Your $15 in Huila wins only if your opponent lowers their offer. {OPEN}"),
        (15, 18, True, f"Your $15 in Huila wins only if your opponent lowers their offer. {KNOWS}"),
        (2, 2, False, "Your opponent plans to offer $2 in Huila. With equal offers, nobody gets the diamonds in"),
        (3, 2, None, "Your opponent plans to offer $2 in Huila."),
        (9, 2, None, f"Your $9 in Huila wins even if your opponent raises their offer a little. {OPEN}"),
        (9, 0, None, f"Your $9 in Huila wins even if your opponent makes a small offer. {OPEN}"),
        (0, 2, False, "Your opponent offers $2 in Huila and cannot adjust."),
    ],
)
def test_an_offer_beside_a_reported_one_says_what_it_is_for(
    offer: int, theirs: int, whether: bool | None, said: str
) -> None:
    plan = ((CUANDO, 1, 0), (HOME, 0, 0), (HUILA, 5, 0))
    known = evolve(told_plan((HUILA, theirs, 0)), unseen=((), (0,) * (whether is not False), ()))
    known = evolve(known, bribes=(UNKNOWN, AtLeast(3) if whether else UNKNOWN, UNKNOWN))
    state = at_home(step=RoundStep.MOVE, plan=(plan, HIDDEN), known=(known, HIDDEN), most_bribes=((9,) * 3,) * 2)
    advice = advise(state, 0, (*plan[:2], (HUILA, offer, 0)))
    assert f" {said}" in advice
    assert ("adjust" in advice.replace("Adjust your plan", "")) == ("adjust" in said)


def test_a_bribe_beside_a_reported_one_says_what_it_is_for() -> None:
    plan = ((CUANDO, 1, 0), (HOME, 0, 0), (HOME, 0, 0))
    known = Knowledge(plans=((UIGE, 1, 0), (LUNDA, 1, 0), (HOME, 0, 0)), unseen=((0,), (), ()))
    state = at_home(step=RoundStep.MOVE, plan=(plan, HIDDEN), known=(known, HIDDEN), most_bribes=((9,) * 3,) * 2)
    assert advise(state, 0, ((CUANDO, 1, 9), *plan[1:])).endswith(
        "The higher bribe decides where the Inspector goes. Your opponent plans no bribe for him. Your bribe "
        "decides even if your opponent pays a small one. Your opponent can adjust if an agent of yours is their "
        "double agent."
    )
    assert spared(state, 0, ((CUANDO, 4, 9), *plan[1:])) == ((CUANDO, 4, 9), *plan[1:])
    certain = evolve(state, known=(evolve(known, unseen=((),) * 3), HIDDEN))
    assert spared(certain, 0, ((CUANDO, 4, 9), *plan[1:])) == ((CUANDO, 1, 1), *plan[1:])
    assert spared(evolve(certain, step=RoundStep.PLAN), 0, ((CUANDO, 4, 9), *plan[1:])) == ((CUANDO, 4, 9), *plan[1:])


@pytest.mark.parametrize(
    ("offer", "theirs", "makes"), [(15, 18, 0), (18, 18, 18), (19, 18, 19), (20, 18, 19), (5, 0, 1), (0, 2, 0)]
)
def test_no_dollar_is_offered_in_vain_where_the_report_is_certain(offer: int, theirs: int, makes: int) -> None:
    state = at_home(step=RoundStep.MOVE, known=(told_plan((HUILA, theirs, 0)), HIDDEN))
    unknown = (UIGE, 7, 0), (HOME, 0, 0)
    assert spared(state, 0, ((HUILA, offer, 0), *unknown)) == ((HUILA, makes, 0), *unknown)


def test_a_plan_says_what_the_inspector_can_seize() -> None:
    state = abroad(inspector=MALANJE)
    carries = (Agent(UIGE, 5), Agent(LUNDA, 1), Agent(MALANJE, 0))
    state = evolve(state, agents=(carries, state.agents[1]))
    into = advise(state, 0, ((MALANJE, 0, 0), (LUNDA, 0, 0), (UIGE, 1, 0)))
    assert "Malanje, freezes its diamonds and seizes the 5 that agent 1 carries, unless he leaves." in into
    assert into.endswith("Your opponent can bribe the Inspector to seize the diamond that agent 2 carries.")
    stay = advise(evolve(state, inspector=LUNDA), 0, tuple((place, 0, 0) for place in state.places(0)))
    assert "The Inspector is in Lunda and seizes the one that agent 2 carries, unless he leaves." in stay
    away = advise(state, 0, tuple((place, 0, 0) for place in state.places(0)))
    assert away.endswith("Your opponent can bribe the Inspector to seize what agent 1 or 2 carries.")
    home = advise(state, 0, ((HOME, 0, 0), (HOME, 0, 0), (MALANJE, 0, 0)))
    assert "seizes" not in home


@pytest.mark.parametrize(
    ("theirs", "planned", "brings"),
    [
        (5, None, "$12 if your opponent sells the same number, $24 if they sell nothing"),
        (2, None, "$14 if your opponent sells both, $24 if they sell nothing"),
        (1, None, "$18 if your opponent sells their only one, $24 if they sell nothing"),
        (0, None, "$24, as your opponent has none to sell"),
        (5, 0, "$24 if your opponent sells nothing, as planned"),
        (5, 1, "$18 if your opponent sells 1, as planned"),
    ],
)
def test_a_sale_brings_what_is_possible_or_known(theirs: int, planned: int | None, brings: str) -> None:
    step = RoundStep.SALE_PLAN if planned is None else RoundStep.SALE
    state = at_home(step=step, vault=(4, theirs), sale_plan=(0, HIDDEN), known=(Knowledge(sale=planned), HIDDEN))
    said = advise(state, 0, 3)
    left = " and gives your opponent all $24 if they sell any" if theirs and planned != 0 else ""
    assert f"Sell 3 diamonds: you get {brings}; selling nothing brings $18{left}." in said


def test_a_sale_says_what_the_money_is_for_and_what_selling_none_would_keep() -> None:
    state = at_home(3, step=RoundStep.SALE_PLAN, vault=(4, 5))
    assert advise(state, 0, 3, 0).endswith("You have $3 so far for trips, offers and bribes next month.")
    poor = at_home(0, step=RoundStep.SALE_PLAN, vault=(4, 5))
    assert advise(poor, 0, 3, 0).endswith("You have no money so far for trips, offers and bribes next month.")
    assert next_to(state, 3, 0) == (
        "The next best choice is to sell nothing: you get $18 for sure and keep 3 more diamonds; "
        "selling 3 can bring $6 more."
    )
    assert next_to(state, 2, 1) == (
        "The next best choice is to sell 1 diamond: you get $4 less if your opponent sells 2, and keep 1 more diamond."
    )
    empty = at_home(step=RoundStep.SALE_PLAN, vault=(4, 0))
    assert "you keep 1 more diamond for the same money." in next_to(empty, 2, 1)
    last = at_home(step=RoundStep.SALE_PLAN, vault=(4, 5), months_left=0)
    assert "next month" not in advise(last, 0, 3, 0) + next_to(last, 3, 0)


def test_the_inspector_says_all_that_each_side_loses_and_what_he_leaves() -> None:
    table = Trust(HUILA).move({0: (UIGE, 1, 0), 1: (LUNDA, 1, 0)}, {0: (MOXICO, 1, 0), 1: (MALANJE, 1, 0)}).sell()
    table.move({0: (HUILA, 3, 1), 1: (LUNDA, 0, 0)}, {0: (MOXICO, 1, 0), 1: (MALANJE, 0, 0), 2: (CUANDO, 1, 0)})
    state = table.view(0)
    left = "; in Huila, you keep 1 diamond and collect 4."
    assert advise(state, 0, MOXICO, MALANJE) == (
        f"Send the Inspector to Moxico: he seizes 1 diamond from Antwerp and freezes 1 that Antwerp would collect{left}"
    )
    assert advise(state, 0, UIGE, HUILA) == f"Send the Inspector to Uige: nobody loses diamonds there{left}"
    assert advise(state, 0, UIGE, MALANJE).endswith(f"{left[:-1]}; looking ahead, nothing else comes out better.")
    assert advise(state, 0, HUILA) == (
        "Leave the Inspector where he is: he seizes 1 diamond from you and freezes 4 that you would collect."
    )
    assert next_to(state, MOXICO, CUANDO).endswith(": he freezes 3 diamonds that Antwerp would collect.")
    assert next_to(state, HUILA, LUNDA).endswith(f": he seizes 1 diamond from you{left}")
    assert next_to(state, UIGE, LUNDA).endswith(": he seizes 1 diamond from you.")
    there = evolve(state, agents=(state.agents[0], (Agent(HUILA, 2), *state.agents[1][1:])))
    assert advise(there, 0, UIGE).endswith("in Huila, you keep 1 diamond and collect 4, and Antwerp keeps 2 diamonds.")
    last = evolve(state, months_left=0)
    assert "looking ahead" not in advise(last, 0, UIGE, MALANJE)


def last_month(**fields: object) -> State:
    """Returns London's plan in the last month, with its agents as in `abroad`, the Inspector in Moxico."""
    return abroad(months_left=0, inspector=MOXICO, diamonds=(2, 1, 0, 1, 3, 0), **fields)


@pytest.mark.parametrize(
    ("best", "other", "said"),
    [
        (((HUILA, 4, 0), (LUNDA, 0, 0), (MALANJE, 0, 0)), ((UIGE, 3, 0), (LUNDA, 0, 0), (MALANJE, 0, 0)),
         "Keep agent 1 in Uige and offer $3; give agents 2 and 3 the orders above. You offer $3 for the 2 "
         "diamonds in Uige, but offer nothing for the 3 diamonds in Huila."),
        (((HUILA, 4, 0), (LUNDA, 2, 0), (MALANJE, 0, 0)), ((HUILA, 3, 0), (LUNDA, 3, 0), (MALANJE, 0, 0)),
         "Send agent 1 to Huila and offer $3; keep agent 2 in Lunda and offer $3; give agent 3 the "
         "order above. You offer $1 more for the diamond in Lunda, but offer $1 less for the 3 diamonds in Huila."),
        (((HOME, 0, 0), (LUNDA, 0, 0), (MALANJE, 0, 0)), ((MOXICO, 0, 2), (LUNDA, 0, 0), (MALANJE, 0, 0)),
         "Send agent 1 to Moxico and bribe the Inspector with $2; give agents 2 and 3 the orders above. You "
         "bribe the Inspector with $2, but carry 2 diamonds where the Inspector can seize them."),
        (((UIGE, 2, 0), (LUNDA, 0, 0), (MALANJE, 0, 0)), ((UIGE, 4, 0), (LUNDA, 0, 0), (MALANJE, 0, 0)),
         "Keep agent 1 in Uige and offer $4; give agents 2 and 3 the orders above. You offer $2 more for the "
         "2 diamonds in Uige, but have $2 less, which counts only if both sides end with the same number of diamonds."),
    ],
)  # fmt: skip
def test_in_the_last_month_the_next_best_plan_says_what_it_would_lose(best: Plain, other: Plain, said: str) -> None:
    state = last_month()
    state = evolve(state, agents=((Agent(UIGE, 2), *state.agents[0][1:]), state.agents[1]))
    assert next_to(state, best, other) == f"The next best choice: {said[:1].lower()}{said[1:]}"


def test_in_the_last_month_a_next_best_plan_that_loses_nothing_one_can_see_is_left_out() -> None:
    best, other = ((HUILA, 4, 0), (LUNDA, 0, 0), (MALANJE, 1, 0)), ((HUILA, 4, 0), (LUNDA, 0, 0), (MALANJE, 0, 0))
    assert not next_to(last_month(), best, other)
    assert "later on" in next_to(abroad(diamonds=(2, 1, 0, 1, 3, 0)), best, other)


def test_in_the_last_month_all_comes_home_and_what_comes_home_at_once_is_safe_from_the_inspector() -> None:
    state = last_month()
    state = evolve(state, agents=((Agent(UIGE, 2), *state.agents[0][1:]), state.agents[1]))
    said = advise(state, 0, ((HOME, 0, 0), (LUNDA, 0, 0), (MALANJE, 0, 0)))
    assert said.endswith(" That brings 2 diamonds home before the Inspector acts.")


@pytest.mark.parametrize(
    ("offer", "bribe", "said"),
    [
        (16, 2, "are then $2, and its salary is $0, so it reports to you until it is paid $2 more."),
        (12, 9, "are then $9, and its salary is at most $4, so it reports to you until it is paid at least $5 more."),
        (12, 3, "are then $3, and its salary is at most $4."),
        (0, 3, "enemy agent 1 reveals its orders to you if your total bribes of $3 exceed its salary."),
    ],
)
def test_a_bribe_says_what_the_opponent_can_have_paid_at_most(offer: int, bribe: int, said: str) -> None:
    table = Trust()
    table.become(limit=(18, 18 if offer else 30))
    table.move({0: (UIGE, 0, 0)}, {0: (UIGE, offer, 0)}).sell()
    slots = table.view(0).slots(0)
    assert slots[0].bribe
    amounts = (bribe, *(0,) * (len(slots) - 1))
    assert said in advise(table.view(0), 0, amounts)
    last = advise(evolve(table.view(0), months_left=0), 0, amounts)
    assert said.partition(" until")[0] in last
    assert "until" not in last, "nobody is paid after the last month"


@pytest.mark.parametrize("months_left", [0, 3])
def test_the_next_best_payment_says_what_is_revealed_and_what_is_left(months_left: int) -> None:
    state = evolve(Trust().view(0), months_left=months_left)

    assert next_to(state, (5, 4, 0), (5, 0, 0)) == (
        "The next best choice is to pay $5 to agent 1: that leaves $13 for trips and offers, $4 more, but "
        "any bribe makes agent 2 reveal its orders."
    )
    assert next_to(state, (5, 4, 3), (5, 0, 0)).endswith("any bribe makes agents 2 and 3 reveal their orders.")
    assert next_to(state, (5, 4, 3), (1, 0, 3)).endswith(
        "any bribe makes agent 2 reveal its orders and agent 1 reveals its orders if your opponent’s bribes to it "
        "total more than $1."
    )
    assert next_to(state, (5, 0, 0), (5, 4, 0)) == (
        "The next best choice is to pay $5 to agent 1 and $4 to agent 2: that leaves $9 for trips and offers, $4 less."
    )
    assert next_to(state, (5, 4, 0), (5, 0, 4)) == (
        "The next best choice is to pay $5 to agent 1 and $4 to agent 3: any bribe makes agent 2 reveal its orders."
    )
    state = evolve(state, known=(Knowledge(bribes=(Exact(2), Exact(6), Exact(0))), state.known[1]))
    assert next_to(state, (3, 0, 0), (1, 0, 0)).endswith("$2 more, but agent 1 reveals its orders to your opponent.")
    assert next_to(state, (0, 4, 0), (0, 1, 0)).endswith("$3 more.") == (months_left > 0)
    assert not next_to(state, (0, 4, 0), (0, 1, 0)) or months_left


@pytest.mark.parametrize(
    ("salary", "paid", "said"),
    [(UNKNOWN, 0, "reveals nothing to you"), (UNKNOWN, 2, "reveals its orders to you only if its salary is below $2"),
     (UNKNOWN, 1, "reveals its orders to you only if it has no salary"),
     (AtLeast(2), 2, "reveals nothing to you"), (Exact(3), 2, "reveals nothing to you"), (Exact(5), 2, ""),
     (Exact(1), 2, "")],
)  # fmt: skip
def test_a_smaller_bribe_says_whether_the_enemy_agent_reveals_its_orders(
    salary: Estimate, paid: int, said: str
) -> None:
    trust = Trust()
    trust.move(ABROAD, ABROAD).sell()
    state = trust.view(0)
    known = state.known[0]
    assert isinstance(known, Knowledge)
    state = evolve(state, known=(evolve(known, salaries=(salary,) * 3), state.known[1]), months_left=0)
    slots = state.slots(0)
    assert slots[0].bribe
    rest = (0,) * (len(slots) - 1)
    told = next_to(state, (4, *rest), (paid, *rest))
    assert bool(told) == bool(said)
    assert not said or f"but enemy agent {slots[0].agent + 1} {said}." in told
