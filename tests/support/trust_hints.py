"""Checks the facts in the hints of Diamond Trust of London against the state."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from kimberley.games.diamond_trust.angola import HOME, HOMES, REGIONS, income, least_errand, order_cost, place_name
from kimberley.games.diamond_trust.bots.deduction import bribe_bounds, may_adjust, salary_bounds
from kimberley.games.diamond_trust.knowledge import Unknown
from kimberley.games.diamond_trust.position import RoundStep


def facts_of(state: Any, seat: int, choice: Any, why: str, other: Any = None, *, comes_next: bool = False) -> int:
    regions = "|".join(map(re.escape, REGIONS))
    facts = 0
    for region, number in re.findall(rf"({regions})(?: has)? (\d+)\b", why):
        assert state.diamonds[REGIONS.index(region)] == int(number)
        facts += 1
    orders = choice if isinstance(choice, tuple) and choice and isinstance(choice[0], tuple) else ()
    for region in re.findall(rf"[Tt]he Inspector is in ({regions})(?:,| and) freezes", why):
        assert state.inspector == REGIONS.index(region)
        facts += 1
    stood = (
        state.plan[seat] if state.step is RoundStep.MOVE else tuple((agent.at, 0, 0) for agent in state.agents[seat])
    )
    if comes_next and orders:
        stood = other  # what it has in common with the choice is told there
    sent = [order for order, before in zip(orders, stood, strict=True) if order != before] if orders else []
    if not comes_next and any(payment and to == state.inspector != HOME for to, payment, _ in sent):
        assert "he Inspector is in" in why
    if orders and not comes_next:
        facts += dangers(state, seat, choice, why)
    if orders and not comes_next and state.step is RoundStep.MOVE:
        facts += beside_reports(state, seat, sent, why)
    if told := re.search(r"[Tt]hat brings (\d+) diamonds? home", why):
        carried = [
            agent.carries for agent, order, before in zip(state.agents[seat], orders, stood, strict=True)
            if order[0] == HOME != agent.at and order != before
        ]  # fmt: skip
        assert sum(carried) == int(told[1])
        facts += 1
    if told := re.search(r"That leaves \$(\d+) for trips and offers", why):
        assert int(told[1]) == state.cash(seat) - sum(choice) >= least_errand(state.places(seat))
        facts += 1
    if state.step is RoundStep.PAY and not comes_next and any(choice):
        facts += paid_facts(state, seat, choice, why)
    if told := re.search(r"you (keep|sell) (\d+) more diamonds? for the same money", why):
        assert (other - choice) * (1 if told[1] == "keep" else -1) == int(told[2])
        facts += 1
    if told := re.search(r"that leaves \$(\d+)", why):
        assert int(told[1]) == state.cash(seat) - sum(choice) != state.cash(seat) - sum(other)
        facts += 1
    if told := re.search(r"that also costs \$(\d+)", why):
        assert int(told[1]) == sum(choice) == sum(other)
        facts += 1
    if comes_next and state.step is RoundStep.PAY:
        facts += unpaid_facts(state, seat, other, choice, why)
    if comes_next and orders and not state.months_left:
        facts += last_facts(state, seat, other, choice, why)
    if "you have no money" in why:
        assert state.cash(seat) == 0
        facts += 1
    for got, theirs in re.findall(r"\$(\d+) if your opponent sells (all \d+|\d+)", why):
        assert income((choice, int(theirs.removeprefix("all "))))[0] == int(got)
        facts += 1
    if told := re.search(r"You have (?:\$(\d+)|no money) so far for trips, offers and bribes next month", why):
        assert int(told[1] or 0) == state.cash(seat)
        assert state.months_left
        facts += 1
    if told := re.search(
        r"for sure and keep (\d+) more diamonds?(?:; selling (\d+) (brings|can bring) \$(\d+) more)?", why
    ):
        planned = state.known[seat].sale
        assert int(told[1]) == other
        assert told[2] in (None, told[1])
        assert int(told[4] or 0) == max(0, income((other, planned or 0))[0] - income((0, 0))[0])
        assert told[3] != "brings" or planned is not None or not state.vault[1 - seat]
        facts += 1
    if told := re.search(r"gives your opponent all \$(\d+) if they sell any", why):
        assert int(told[1]) == max(income((0, number))[1] for number in range(1, state.vault[1 - seat] + 1))
        assert state.known[seat].sale != 0
        facts += 1
    if state.step is RoundStep.INSPECT:
        facts += inspector_facts(state, seat, choice, why, other, comes_next=comes_next)
    if "selling none brings" in why:
        assert f"selling none brings ${income((0, 0))[0]}" in why
        facts += 1
    return facts


def taken(state: Any, side: int, region: int) -> tuple[int, int]:
    """Returns what a side loses if the Inspector is in a region: the diamonds that its agent carries there, and those
    for which it offered more than the other.
    """
    offers = [sum(order[1] for order in orders if order[0] == region) for orders in state.moved.orders]
    carried = sum(agent.carries for agent in state.agents[side] if agent.at == region)
    return carried, state.diamonds[region] if offers[side] > offers[1 - side] else 0


def inspector_facts(state: Any, seat: int, region: int, why: str, other: Any, *, comes_next: bool) -> int:
    """Checks that a hint says all that each side loses to the Inspector and, where he leaves, what it then has; and
    that no other choice takes more at once without a reason.
    """
    sides = ((seat, "you", ""), (1 - seat, HOMES[1 - seat], "s"))
    number = r"(\d+)(?: diamonds?)?"
    for side, who, ending in sides:
        seized = re.search(rf"seizes {number} from {who}\b", why)
        frozen = re.search(rf"freezes {number} that {who} would collect", why)
        assert (int(seized[1]) if seized else 0, int(frozen[1]) if frozen else 0) == taken(state, side, region)
        if comes_next and state.inspector != other:
            continue
        left = re.search(rf"in {REGIONS[state.inspector]}, (.*)", why)
        there = re.search(
            rf"{who} (?:keep{ending} {number})?(?: and )?(?:collect{ending} {number})?", left[1] if left else ""
        )
        told = tuple(int(amount or 0) for amount in there.groups()) if there else (0, 0)
        assert told == (taken(state, side, state.inspector) if region != state.inspector else (0, 0))
    harm, beside = (
        sum(taken(state, 1 - seat, at)) - sum(taken(state, seat, at))
        for at in (region, region if other is None else other)
    )
    assert ("looking ahead" in why) == (not comes_next and harm < beside and state.months_left > 0)
    assert ("nobody loses diamonds there" in why) == (not any(sum(taken(state, side, region)) for side in (0, 1)))
    return 1


def dangers(state: Any, seat: int, orders: Any, why: str) -> int:
    """Checks that a hint says, for all diamonds that agents carry in Angola, how the Inspector can seize them."""
    facts, loaded = 0, set[str]()
    if why.startswith("Keep your plan"):
        return 0
    for number, (agent, (to, _, _)) in enumerate(zip(state.agents[seat], orders, strict=True), 1):
        if agent.carries and to == state.inspector:
            them = f"the {agent.carries}" if agent.carries > 1 else "the one"
            assert f"seizes {them} that agent {number} carries, unless he leaves" in why
            facts += 1
        elif agent.carries and to != HOME:
            loaded.add(str(number))
    told = re.search(r"Inspector to seize (?:the (?:\d+ )?diamonds? that|what) agent ([^.]*) carries", why)
    if told is None:
        certain = None not in state.known[seat].plans and may_adjust(state, seat) is False
        assert not loaded or (state.step is RoundStep.MOVE and certain)
        return facts
    assert re.findall(r"\d", told[1]) == sorted(loaded)
    return facts + 1


def beside_reports(state: Any, seat: int, orders: Any, why: str) -> int:
    """Checks what is said of offers and bribes compared with those of the other side that were reported."""
    plans, adjusts, facts = [plan for plan in state.known[seat].plans if plan is not None], may_adjust(state, seat), 0
    for to, payment, bribe in orders:
        pairs = [
            (payment, plan[1], f"${payment} in {place_name(to, seat)} wins only if")
            for plan in plans
            if plan[0] == to != HOME
        ]
        pairs += [(bribe, plan[2], "bribe decides only if") for plan in plans if plan[0] == to == state.inspector]
        for own, theirs, loses in pairs:
            assert (loses in why) == (0 < own < theirs)
            assert own in (0, theirs, theirs + 1) or adjusts is not False, "it is certain, and paid in vain"
            assert own in (0, theirs, theirs + 1) or "our opponent can adjust" in why
            facts += own > 0
    if "your opponent can adjust, because" in why.lower():
        assert adjusts
    return facts


def paid_facts(state: Any, seat: int, amounts: Any, why: str) -> int:
    """Checks that every payment has its total next to what that total is compared with."""
    facts = 0
    for slot, amount in zip(state.slots(seat), amounts, strict=True):
        if not amount:
            continue
        agent = slot.agent
        total = amount + (state.bribes[1 - seat] if slot.bribe else state.salary[seat])[agent]
        bounds = (salary_bounds if slot.bribe else bribe_bounds)(state, seat, agent)
        against, more = bounds.estimate(), total - bounds.most
        if slot.bribe and isinstance(against, Unknown):
            said = rf"agent {agent + 1}( reveals .* to you)? if your total bribes of \${total} exceed its salary"
        elif slot.bribe:
            assert not isinstance(against, Unknown)
            said = rf"agent {agent + 1} are then \${total}, and its salary is (at least |at most )?\${against.amount}\b"
            until = rf" until it is paid (at least )?\${more} more" if state.months_left else "[.;]"
            said += rf", so it reports to you{until}" if more > 0 else "(?!, so)"
        elif not bounds.least:
            said = rf"more than \${total} to win over agents? (\d, |\d and )*{agent + 1}\b"
        else:
            said = rf"agent {agent + 1}’s salary is then \${total}, and the bribes to it are "
            said += rf"(at least )?\${bounds.least}\b"
        assert re.search(said, why)
        facts += 1
    return facts


def _each(one: str, several: re.Match[str]) -> str:
    return " and ".join(map(one.format, re.findall(r"\d", several[1])))


def unpaid_facts(state: Any, seat: int, best: Any, amounts: Any, why: str) -> int:
    """Checks what is said of agents that get less: each of them has its total so far next to what is known."""
    facts = 0
    if told := re.search(r"for trips and offers, \$(\d+) (more|less)", why):
        assert sum(best) - sum(amounts) == int(told[1]) * (1 if told[2] == "more" else -1)
        facts += 1
    for several, one in (
        (r"enemy agents (\d[^a-z]*and \d) reveal nothing to you", "enemy agent {} reveals nothing to you"),
        (r"any bribe makes agents (\d[^a-z]*and \d) reveal their orders", "any bribe makes agent {} reveal its orders"),
    ):
        why = re.sub(several, partial(_each, one), why)
    for agent in re.findall(r"any bribe makes agent (\d) reveal its orders", why):
        (at,) = [at for at, slot in enumerate(state.slots(seat)) if (slot.bribe, slot.agent) == (False, int(agent) - 1)]
        assert state.salary[seat][int(agent) - 1] == amounts[at] == 0 < best[at]
        facts += 1
    for whose, agent, ending in re.findall(
        r"(enemy )?agent (\d) reveals (\w+ \w+ .*?)(?=,| and (?:enemy )?agent|$)", why
    ):
        number = int(agent) - 1
        (at,) = [at for at, slot in enumerate(state.slots(seat)) if (slot.bribe, slot.agent) == (bool(whose), number)]
        assert amounts[at] < best[at]
        total = amounts[at] + (state.bribes[1 - seat] if bool(whose) else state.salary[seat])[number]
        bounds = (salary_bounds if bool(whose) else bribe_bounds)(state, seat, number)
        # No salary is one below $1.
        if said := re.search(r"\$(\d+)", ending.replace("it has no salary", "below $1")):
            assert int(said[1]) == total
            assert total <= bounds.most if bool(whose) else total < bounds.most or not bounds.least
        else:
            assert total <= bounds.least if bool(whose) else total < bounds.least
        facts += 1
    return facts


def last_facts(state: Any, seat: int, best: Any, orders: Any, why: str) -> int:
    """Checks what a plan of the last month is said to gain and to lose compared with another one."""
    regions, facts = "|".join(map(re.escape, REGIONS)), 0
    bids = [{to: payment for to, payment, _ in plan} for plan in (best, orders)]
    offers = rf"offer (?:nothing|\$(\d+)( more| less)?) for the (?:(\d+) )?diamonds? in ({regions})"
    for amount, way, diamonds, region in re.findall(offers, why):
        at = REGIONS.index(region)
        before, after = (plan.get(at, 0) for plan in bids)
        assert state.diamonds[at] == int(diamonds or 1)
        assert after - before == (-before if not amount else int(amount) * (-1 if way == " less" else 1))
        assert bool(way) == bool(amount and before and after)
        facts += 1
    if told := re.search(r"carry (\d+) diamonds? where the Inspector can", why):
        moved = [
            agent.carries for agent, (here, _, _), (to, _, _) in zip(state.agents[seat], best, orders, strict=True)
            if HOME != to != here and (here == HOME or to == state.inspector)
        ]  # fmt: skip
        assert sum(moved) == int(told[1])
        facts += 1
    if told := re.search(r"have \$(\d+) less", why):
        spent = [sum(map(order_cost, state.places(seat), plan)) for plan in (best, orders)]
        assert spent[1] - spent[0] == int(told[1])
        facts += 1
    return facts
