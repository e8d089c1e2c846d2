"""Why a bot makes a choice, in a sentence: whom a payment keeps loyal, which diamonds an order is for, what sells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from kimberley.client.boards.diamond_trust.phrases import agents_named, counted, dollars, short_agent_name, the_diamonds
from kimberley.client.boards.next_best import FORESEEN, NextBest, next_best
from kimberley.games.diamond_trust.angola import (
    AGENTS,
    HOME,
    HOMES,
    NO_SALE,
    REGIONS,
    Order,
    Orders,
    income,
    least_errand,
    order_cost,
    other,
    place_name,
)
from kimberley.games.diamond_trust.bots.deduction import (
    TotalRange,
    bribe_bounds,
    is_turned,
    may_adjust,
    reported_bribe,
    reported_offer,
    salary_bounds,
)
from kimberley.games.diamond_trust.knowledge import Unknown
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.phrases import count_of, join_names
from kimberley.games.table import Hidden, Plain

NEXT_REASONS: Final = 2
"""The most reasons for the second-best choice, so that the advice fits on a screen."""


def advise(state: State, seat: int, choice: Plain, other: Plain | None = None) -> str:
    """Returns a choice as advice, and why; what a sentence about the `other` choice says is left out."""
    match state.step:
        case RoundStep.PAY:
            return _pay(state, seat, cast("tuple[int, ...]", choice))
        case RoundStep.PLAN:
            return _orders(state, seat, cast(Orders, choice))
        case RoundStep.MOVE | RoundStep.SALE:
            return _last_look(state, seat, choice, other)
        case RoundStep.INSPECT:
            return _inspector(state, seat, cast(int, choice), cast("int | None", other))
    advice = _sale(state, seat, cast(int, choice), beside_none=other == 0)
    if not choice or not state.months_left:
        return advice
    cash = state.cash(seat)
    return f"{advice} You have {f'${cash}' if cash else 'no money'} so far for trips, offers and bribes next month."


def advise_next(state: State, seat: int, choice: Plain, other: Plain) -> NextBest | None:
    """Returns the second-best choice after another one, and what it does, as far as the two differ. None in the last
    month if what it would lose does not show: there is nothing further ahead.
    """
    match state.step:
        case RoundStep.PAY:
            return _pay_next(state, seat, cast("tuple[int, ...]", choice), cast("tuple[int, ...]", other))
        case RoundStep.PLAN | RoundStep.MOVE:
            return _orders_next(state, seat, cast(Orders, choice), cast(Orders, other))
        case RoundStep.INSPECT:
            return _inspector_next(state, seat, cast(int, choice), cast(int, other))
    second, best = (_sale(state, seat, cast(int, number), beside_none=True) for number in (other, choice))
    (action, fact), (_, beside) = (sentence.removesuffix(".").split(": ", 1) for sentence in (second, best))
    if choice:
        compare = _other_number if other else _kept_for
        fact = compare(state, seat, cast(int, choice), cast(int, other))
    following = next_best(action, fact, beside)
    return following if following.fact or state.months_left else None


def _other_number(state: State, seat: int, number: int, other_number: int) -> str:
    """Returns what selling `other_number` brings beside the best, if the other side sells as planned, or as many."""
    known, has = state.known[seat], state.vault[other(seat)]
    planned = None if isinstance(known, Hidden) else known.sale
    theirs = min(max(number, other_number), has) if planned is None else planned
    less = income((number, theirs))[0] - income((other_number, theirs))[0]
    kept = number - other_number
    if not less:
        what = f"you {'keep' if kept > 0 else 'sell'} {count_of(abs(kept), 'more diamond')} for the same money"
        return what if planned is not None or not has else f"{what} if your opponent sells {theirs}"
    money = f"you get ${abs(less)} {'less' if less > 0 else 'more'} if your opponent sells {theirs or 'nothing'}"
    return f"{money}, and keep {count_of(abs(kept), 'more diamond' if kept > 0 else 'fewer diamond')}"


def _kept_for(state: State, seat: int, number: int, none: int) -> str:
    """Returns what selling none brings, if the best is to sell a `number`: the money that is sure, the diamonds that
    stay, and how much more the sale brings if all goes well.
    """
    assert not none
    known = state.known[seat]
    planned = None if isinstance(known, Hidden) else known.sale
    more = income((number, planned or 0))[0] - NO_SALE
    brings = "brings" if planned is not None or not state.vault[other(seat)] else "can bring"
    sale = f"; selling {number} {brings} ${more} more" if more > 0 else ""
    return f"you get ${NO_SALE} for sure and keep {count_of(number, 'more diamond')}{sale}"


def _pay_next(state: State, seat: int, choice: Sequence[int], other: Sequence[int]) -> NextBest | None:
    saved, left = sum(choice) - sum(other), cast(int, state.cash(seat)) - sum(other)
    lost = join_names(_less_revealed(state, seat, choice, other))
    if not saved:
        fact = lost or f"that also costs ${sum(other)}"
    else:
        fact = f"that leaves ${left} for trips and offers, ${abs(saved)} {'more' if saved > 0 else 'less'}"
        fact += f", {'but' if saved > 0 else 'and'} {lost}" if lost else ""
    loses = lost or saved < 0
    return next_best(_paid(state, seat, other), fact) if loses or state.months_left else None


def _less_revealed(state: State, seat: int, choice: Sequence[int], other: Sequence[int]) -> list[str]:
    """Returns what the agents that get less from the `other` choice then reveal, if that can make a difference."""
    rival, sure, doubtful = 1 - seat, list[str](), list[str]()
    silent, open_to_any = list[int](), list[int]()
    for slot, best, less in zip(state.slots(seat), choice, other, strict=True):
        so_far = cast(int, (state.bribes[rival] if slot.bribe else state.salary[seat])[slot.agent])
        most, total = so_far + best, so_far + less
        bounds = (salary_bounds if slot.bribe else bribe_bounds)(state, seat, slot.agent)
        agent = short_agent_name(rival if slot.bribe else seat, slot.agent, seat)
        if total >= most:
            continue
        if slot.bribe and total <= bounds.least:
            silent += [slot.agent] if most > bounds.least else []
        elif slot.bribe and total <= bounds.most:
            below = f"its salary is below ${total}" if total > 1 else "it has no salary"
            doubtful.append(f"{agent} reveals its orders to you only if {below}")
        elif not slot.bribe and total < bounds.least:
            sure += [f"{agent} reveals its orders to your opponent"] if most >= bounds.least else []
        elif not slot.bribe and not total:
            open_to_any.append(slot.agent)
        elif not slot.bribe and (total < bounds.most or not bounds.least):
            doubtful.append(f"{agent} reveals its orders if your opponent’s bribes to it total more than ${total}")
    if silent:
        sure.append(f"enemy {agents_named(silent)} {'reveals' if len(silent) == 1 else 'reveal'} nothing to you")
    if open_to_any:
        whose = "its" if len(open_to_any) == 1 else "their"
        sure.append(f"any bribe makes {agents_named(open_to_any)} reveal {whose} orders")
    # What ends with a condition stands last: what follows it would read as a part of it.
    return [*sure, *doubtful]


def _orders_next(state: State, seat: int, choice: Orders, other: Orders) -> NextBest | None:
    above = ("give {} the order above", "give {} the orders above")
    changed, agents = _told_changes(state, seat, other, choice, above)
    if not state.months_left:
        loses = _lost_at_last(state, seat, choice, other)
        return next_best(changed, loses) if loses else None
    advice = advise(state, seat, choice)
    new = [why for why in _purposes(state, seat, other, agents) if _begun(why) not in advice][:NEXT_REASONS]
    return next_best(changed, ". ".join([*new[:1], *map(_begun, new[1:])]))


def _lost_at_last(state: State, seat: int, choice: Orders, other: Orders) -> str:
    """Returns what `other` orders of the last month gain and lose beside the best ones: diamonds that are bid for or
    carried, and bribes; money only if they lose none of these. Empty if they lose nothing.
    """
    gained, lost = list[str](), list[str]()
    best, new = ({to: payment for to, payment, _ in orders} for orders in (choice, other))
    for region, diamonds in enumerate(state.diamonds):
        more = new.get(region, 0) - best.get(region, 0)
        lies = f"the {counted(diamonds)} in {REGIONS[region]}" if diamonds > 1 else f"the diamond in {REGIONS[region]}"
        if diamonds and more > 0:
            gained.append(f"offer ${more}{' more' if best.get(region) else ''} for {lies}")
        elif diamonds and more < 0:
            lost.append(f"offer {f'${-more} less' if new.get(region) else 'nothing'} for {lies}")
    carried = [
        (agent.carries, _risk(state, to) - _risk(state, before), to)
        for agent, (before, _, _), (to, _, _) in zip(state.agents[seat], choice, other, strict=True)
    ]
    if safe := sum(carries for carries, risk, to in carried if risk < 0 and to == HOME):
        gained.append(f"bring {counted(safe)} home before the Inspector acts")
    if away := sum(carries for carries, risk, to in carried if risk < 0 and to != HOME):
        gained.append(f"keep {counted(away)} away from the Inspector")
    if risked := sum(carries for carries, risk, _ in carried if risk > 0):
        lost.append(f"carry {counted(risked)} where the Inspector can seize {'it' if risked == 1 else 'them'}")
    bribed, bribes = (sum(bribe for _, _, bribe in orders) for orders in (choice, other))
    if bribes > bribed:
        gained.append(f"bribe the Inspector with ${bribes - bribed}{' more' if bribed else ''}")
    elif bribes < bribed:
        lost.append(f"bribe the Inspector with ${bribed - bribes} less" if bribes else "do not bribe the Inspector")
    if not lost and (spent := _cost(state, seat, other) - _cost(state, seat, choice)) > 0:
        lost.append(f"have ${spent} less, which counts only if both sides end with the same number of diamonds")
    changes = ", but ".join(join_names(verbs) for verbs in (gained, lost) if verbs)
    return f"you {changes}" if lost else ""


def _risk(state: State, place: int) -> int:
    """Returns how easily the Inspector seizes what is carried at a place: 0 never, 1 by going there, 2 by staying."""
    return 0 if place == HOME else 2 if place == state.inspector else 1


def _cost(state: State, seat: int, orders: Orders) -> int:
    return sum(map(order_cost, state.places(seat), orders))


def _pay(state: State, seat: int, amounts: Sequence[int]) -> str:
    paid = [slot for slot, amount in zip(state.slots(seat), amounts, strict=True) if amount]
    if not paid:
        return f"{_paid(state, seat, amounts)}: {_why_nobody_is_paid(state, seat)}."
    left = cast(int, state.cash(seat)) - sum(amounts)
    why = "; ".join(_what_pay_beats(state, seat, amounts))
    return f"{_paid(state, seat, amounts)}: {why}. That leaves ${left} for trips and offers."


def _what_pay_beats(state: State, seat: int, amounts: Sequence[int]) -> list[str]:
    """Says what each new total stands against: a total of the other side, or all that it beats."""
    rival = other(seat)
    won_over: dict[int, list[int]] = {}
    facts, unknown = list[str](), list[str]()
    for slot, amount in zip(state.slots(seat), amounts, strict=True):
        if not amount:
            continue
        so_far = state.bribes[rival][slot.agent] if slot.bribe else state.salary[seat][slot.agent]
        total = cast(int, so_far) + amount
        agent = short_agent_name(rival if slot.bribe else seat, slot.agent, seat)
        if slot.bribe:
            against = salary_bounds(state, seat, slot.agent)
            if isinstance(against.estimate(), Unknown):
                who = agent if unknown else f"{agent} reveals its orders to you"
                unknown.append(f"{who} if your total bribes of ${total} exceed its salary")
            else:
                facts.append(_beside_salary(agent, total, against, last=not state.months_left))
        elif (bribes := bribe_bounds(state, seat, slot.agent)).least:
            known = f"${bribes.least}" if bribes.least == bribes.most else f"at least ${bribes.least}"
            facts.append(f"{agent}’s salary is then ${total}, and the bribes to it are {known}")
        else:
            won_over.setdefault(total, []).append(slot.agent)
    if won_over:
        beaten = [f"more than ${total} to win over {agents_named(agents)}" for total, agents in won_over.items()]
        facts.append(f"your opponent’s bribes must then total {join_names(beaten)}")
    return [*facts, join_names(unknown)] if unknown else facts


def _beside_salary(agent: str, total: int, salary: TotalRange, *, last: bool) -> str:
    """Says what a total of bribes to an enemy agent does beside its salary, of which something is known. In the `last`
    month nobody is paid again.
    """
    fact = f"your bribes to {agent} are then ${total}, and its salary is {dollars(salary.estimate())}"
    if total <= salary.most:
        return fact
    if last:
        return f"{fact}, so it reports to you"
    least = "" if salary.least == salary.most else "at least "
    return f"{fact}, so it reports to you until it is paid {least}${total - salary.most} more"


def _paid(state: State, seat: int, amounts: Sequence[int]) -> str:
    paid = [(slot, amount) for slot, amount in zip(state.slots(seat), amounts, strict=True) if amount]
    parts = [
        f"${amount} to {short_agent_name(other(seat) if slot.bribe else seat, slot.agent, seat)}"
        for slot, amount in paid
    ]
    return f"Pay {join_names(parts) or 'nobody'}"


def _why_nobody_is_paid(state: State, seat: int) -> str:
    cash = cast(int, state.cash(seat))
    if not cash:
        return "you have no money"
    if cash <= least_errand(state.places(seat)):
        return f"you need your ${cash} for a trip and an offer"
    return "this month your money is worth more as offers for diamonds"


def _orders(state: State, seat: int, orders: Orders) -> str:
    places = state.places(seat)
    stay = tuple((place, 0, 0) for place in places)
    if orders == stay:
        why = "".join(f" {_begun(danger)}." for danger in _dangers(state, seat, orders, ()))
        return f"Keep all your agents where they are and offer nothing: {_why_nobody_moves(state, seat)}.{why}"
    return _changes(state, seat, orders, stay, ("leave {} where it is", "leave {} where they are"))


def _why_nobody_moves(state: State, seat: int) -> str:
    cash = state.cash(seat)
    if cash == 0:
        return "you have no money for a trip or an offer"
    if cash == 1 and set(state.places(seat)) == {HOME}:
        return "you have too little money for a trip"
    return "no diamonds are worth a trip now"


def _changes(state: State, seat: int, orders: Orders, stood: Orders, as_before: tuple[str, str]) -> str:
    """Returns the orders that differ from those that `stood`, and why. `as_before`: what to do with another or two."""
    changed, new = _told_changes(state, seat, orders, stood, as_before)
    why = _purposes(state, seat, orders, new) or ["there is nothing better to do now"]
    why += _dangers(state, seat, orders, new)
    return " ".join(f"{_begun(sentence)}." for sentence in (changed, *why))


def _told_changes(
    state: State, seat: int, orders: Orders, stood: Orders, as_before: tuple[str, str]
) -> tuple[str, list[int]]:
    """Says which orders differ from those that `stood`, as `_changes` does. Also returns the agents that have them."""
    places = state.places(seat)
    new = [agent for agent, order in enumerate(orders) if order != stood[agent]]
    old = [agent for agent in range(AGENTS) if agent not in new]
    # Those that free up money come first: a player who gives these orders one by one needs it.
    new.sort(key=lambda agent: order_cost(places[agent], orders[agent]) >= order_cost(places[agent], stood[agent]))
    parts = [
        join_names(_told_order(short_agent_name(seat, agent, seat), orders[agent], places[agent], seat))
        for agent in new
    ]
    if len(old) == 1:
        parts.append(as_before[0].format(short_agent_name(seat, old[0], seat)))
    elif old:
        parts.append(as_before[1].format(f"agents {join_names([str(agent + 1) for agent in old])}"))
    return _begun("; ".join(parts)), new


def _told_order(agent: str, order: Order, here: int, seat: int) -> list[str]:
    """Says in parts what to tell an agent: where to go or stay, what to offer, and what to bribe the Inspector with."""
    to, payment, bribe = order
    parts = [f"keep {agent} in {place_name(to, seat)}" if to == here else f"send {agent} to {place_name(to, seat)}"]
    parts += [f"offer ${payment}"] if payment else []
    return parts + ([f"bribe the Inspector with ${bribe}"] if bribe else [])


def _begun(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _purposes(state: State, seat: int, orders: Orders, new: Sequence[int]) -> list[str]:
    """Returns what the orders of the agents `new` are for, in clauses."""
    agents = [(state.agents[seat][agent], orders[agent]) for agent in new]
    moved = [(agent, order) for agent, order in agents if order[0] != agent.at]
    home = [agent.carries for agent, (to, _, _) in moved if to == HOME]
    fled = sum(agent.carries for agent, (to, _, _) in moved if to != HOME and agent.at == state.inspector)
    # In the last month all that is still carried comes home once the Inspector has acted.
    before = "" if state.months_left else " before the Inspector acts"
    why = [f"that brings {counted(sum(home))} home{before}"] if sum(home) else []
    if fled:
        why.append(f"in {REGIONS[state.inspector]} the Inspector may seize {counted(fled)}")
    bids = [order for _, order in agents if order[0] != HOME and order[1]]
    why += [*_bids(state, bids), *_beside_offers(state, seat, bids)]
    why += _left_alone(state, seat, [to for _, (to, payment, _) in agents if to != HOME and not payment])
    if any(to == state.inspector for _, (to, _, _) in agents):
        here, seized = f"the Inspector is in {REGIONS[state.inspector]}", _seized(state, seat, orders)
        frozen = f"{here}, freezes its diamonds and {seized}," if seized else f"{here} and freezes its diamonds"
        why.append(f"{frozen} unless he leaves")
    bribe = sum(bribe for _, (_, _, bribe) in agents)
    if bribe:
        why += ["the higher bribe decides where the Inspector goes", *_beside_bribe(state, seat, bribe)]
    if _hedged(state, seat, [order for _, order in agents]):
        why.append(_how_adjusted(state, seat))
    if state.months_left and home and not sum(home):
        why.append("you can pay an agent at home next month")
    if state.months_left and any(to != HOME and not payment for _, (to, payment, _) in moved):
        why.append("if an enemy agent is in a region with one of yours next month, you can bribe it")
    return why


def _seized(state: State, seat: int, orders: Orders) -> str:
    """Says what the Inspector seizes where he is, if he stays there; empty if nothing."""
    for number, (agent, (to, _, _)) in enumerate(zip(state.agents[seat], orders, strict=True)):
        if to == state.inspector and agent.carries:
            them = f"the {agent.carries}" if agent.carries > 1 else "the one"
            return f"seizes {them} that {short_agent_name(seat, number, seat)} carries"
    return ""


def _dangers(state: State, seat: int, orders: Orders, new: Sequence[int]) -> list[str]:
    """Says what the Inspector can seize of what is carried, unless a reason for the orders of agents `new` says it."""
    dangers = list[str]()
    if not any(orders[agent][0] == state.inspector for agent in new) and (seized := _seized(state, seat, orders)):
        dangers.append(f"the Inspector is in {REGIONS[state.inspector]} and {seized}, unless he leaves")
    carried = [
        (number, agent.carries)
        for number, (agent, (to, _, _)) in enumerate(zip(state.agents[seat], orders, strict=True))
        if agent.carries and to not in (HOME, state.inspector)
    ]
    if not carried or (
        state.step is RoundStep.MOVE and reported_bribe(state, seat) == 0 and may_adjust(state, seat) is False
    ):
        return dangers
    if len(carried) == 1:
        number, carries = carried[0]
        what = f"the {counted(carries)} that {short_agent_name(seat, number, seat)} carries"
        what = what if carries > 1 else f"the diamond that {short_agent_name(seat, number, seat)} carries"
    else:
        *most, last = [str(number + 1) for number, _ in carried]
        what = f"what agent {', '.join(most)} or {last} carries"
    return [*dangers, f"your opponent can bribe the Inspector to seize {what}"]


def _bids(state: State, bids: Sequence[Order]) -> list[str]:
    """Returns what is bid for."""
    if not bids:
        return []
    first, *others = [to for to, _, _ in bids]
    there = [f"{REGIONS[first]} has {counted(state.diamonds[first])}"]
    there += [f"{REGIONS[to]} {state.diamonds[to]}" for to in others]
    one = len(bids) == 1 and state.diamonds[bids[0][0]] == 1
    takes = f"the higher offer takes {'it' if one else 'them'}"
    if len(bids) > 1:
        takes = "the higher offer in a region takes all its diamonds"
    return [f"{join_names(there)}, and {takes}"]


def _beside_offers(state: State, seat: int, bids: Sequence[Order]) -> list[str]:
    """Returns what the other side plans to offer where the seat bids, as far as the seat was told, and what its own
    offer is for if it is not just a dollar more.
    """
    offers = [
        (to, payment, theirs) for to, payment, _ in bids if (theirs := reported_offer(state, seat, to)) is not None
    ]
    if not offers:
        return []
    plans = [f"{f'${theirs}' if theirs else 'nothing'} in {REGIONS[to]}" for to, _, theirs in offers]
    why = [f"your opponent plans to offer {join_names(plans)}"]
    for to, payment, theirs in offers:
        if payment == theirs:
            why.append(f"with equal offers, nobody gets {the_diamonds(state.diamonds[to])} in {REGIONS[to]}")
        elif payment < theirs:
            why.append(f"your ${payment} in {REGIONS[to]} wins only if your opponent lowers their offer")
        elif payment > theirs + 1:
            little = "raises their offer a little" if theirs else "makes a small offer"
            why.append(f"your ${payment} in {REGIONS[to]} wins even if your opponent {little}")
    return why


def _left_alone(state: State, seat: int, regions: Sequence[int]) -> list[str]:
    """Says which offers of the other side are certain, in regions where the seat’s own agents offer nothing."""
    if state.step is not RoundStep.MOVE or may_adjust(state, seat) is not False:
        return []
    offers = [f"${theirs} in {REGIONS[to]}" for to in regions if (theirs := reported_offer(state, seat, to))]
    return [f"your opponent offers {join_names(offers)} and cannot adjust"] if offers else []


def _beside_bribe(state: State, seat: int, bribe: int) -> list[str]:
    """Returns the same for a bribe to the Inspector."""
    theirs = reported_bribe(state, seat)
    if theirs is None:
        return []
    why = [f"your opponent plans {f'to bribe him with ${theirs}' if theirs else 'no bribe for him'}"]
    if bribe == theirs:
        why.append("with equal bribes, nobody moves him")
    elif bribe < theirs:
        why.append("your bribe decides only if your opponent lowers theirs")
    elif bribe > theirs + 1:
        little = "raises theirs a little" if theirs else "pays a small one"
        why.append(f"your bribe decides even if your opponent {little}")
    return why


def _hedged(state: State, seat: int, orders: Sequence[Order]) -> bool:
    """Returns whether an offer or a bribe allows for what the other side may pay once it adjusts its plan."""
    if may_adjust(state, seat) is False:
        return False
    paid = [(payment, reported_offer(state, seat, to)) for to, payment, _ in orders if to != HOME]
    paid.append((sum(bribe for _, _, bribe in orders), reported_bribe(state, seat)))
    return any(own and theirs is not None and own not in (theirs, theirs + 1) for own, theirs in paid)


def _how_adjusted(state: State, seat: int) -> str:
    """Says why the other side can adjust its plan, or could."""
    turned = [str(agent + 1) for agent in range(AGENTS) if is_turned(state, seat, agent)]
    if not turned:
        return "your opponent can adjust if an agent of yours is their double agent"
    agents = f"agent {turned[0]} reports" if len(turned) == 1 else f"agents {join_names(turned)} report"
    return f"your opponent can adjust, because {agents} to them"


def _last_look(state: State, seat: int, choice: Plain, other: Plain | None) -> str:
    moves = state.step is RoundStep.MOVE
    stood = (state.plan if moves else state.sale_plan)[seat]
    known = state.known[seat]
    informed = not isinstance(known, Hidden) and (any(known.plans) if moves else known.sale is not None)
    if choice == stood:
        return "Keep your plan: nothing you have learned makes another one better."
    if moves:
        changed = _changes(
            state, seat, cast(Orders, choice), cast(Orders, stood), ("keep the plan for {}", "keep the plan for {}")
        )
    else:
        changed = _sale(state, seat, cast(int, choice), beside_none=other == 0)
    return f"Adjust your plan{', now that you know more' if informed else ''}. {changed}"


def _inspector(state: State, seat: int, region: int, second: int | None) -> str:
    """Says where the Inspector goes, what each side loses there, and what he leaves. If the `second` choice takes
    more at once, looking ahead is the reason.
    """
    why = [_taken(state, seat, region)]
    if region != state.inspector and (left := _spared(state, seat)):
        why.append(left)
    if second is not None and state.months_left and _harm(state, seat, second) > _harm(state, seat, region):
        why.append(FORESEEN)
    return f"{_sent(state, region)}: {'; '.join(why)}."


def _inspector_next(state: State, seat: int, choice: int, other: int) -> NextBest | None:
    fact = _taken(state, seat, other)
    if other != state.inspector == choice and (left := _spared(state, seat)):
        fact = f"{fact}; {left}"
    following = next_best(_sent(state, other), fact, _taken(state, seat, choice))
    return following if following.fact or state.months_left else None


def _sent(state: State, region: int) -> str:
    return (
        f"Send the Inspector to {REGIONS[region]}" if region != state.inspector else "Leave the Inspector where he is"
    )


def _harm(state: State, seat: int, region: int) -> int:
    """Returns how many more diamonds the other side loses to the Inspector in a region than the seat does."""
    lost = _lost_to_inspector(state, region)
    return sum(lost[other(seat)]) - sum(lost[seat])


def _lost_to_inspector(state: State, region: int) -> list[tuple[int, int]]:
    """Returns, by seat, how many diamonds the Inspector seizes in a region, and how many he freezes that the side would
    collect.
    """
    preview = state.inspector_preview(region)
    blocks = preview.blocks
    return [
        (sum(agents), blocks.diamonds if blocks.winner == side else 0)
        for side, agents in enumerate(preview.confiscates)
    ]


def _taken(state: State, seat: int, region: int) -> str:
    """Says what the Inspector takes from each side in a region."""
    lost, clauses = _lost_to_inspector(state, region), list[str]()
    for side, who in ((other(seat), HOMES[other(seat)]), (seat, "you")):
        seized, frozen = lost[side]
        parts = [f"seizes {counted(seized)} from {who}"] if seized else []
        parts += [f"freezes {frozen if seized else counted(frozen)} that {who} would collect"] if frozen else []
        clauses += [join_names(parts)] if parts else []
    return f"he {', but also '.join(clauses)}" if clauses else "nobody loses diamonds there"


def _spared(state: State, seat: int) -> str:
    """Says which diamonds each side has once the Inspector leaves the region where he is; empty if none."""
    clauses = list[str]()
    for side, who, ending in ((seat, "you", ""), (other(seat), HOMES[other(seat)], "s")):
        kept, collected = _lost_to_inspector(state, state.inspector)[side]
        parts = [f"keep{ending} {counted(kept)}"] if kept else []
        parts += [f"collect{ending} {collected if kept else counted(collected)}"] if collected else []
        clauses += [f"{who} {join_names(parts)}"] if parts else []
    return f"in {REGIONS[state.inspector]}, {', and '.join(clauses)}" if clauses else ""


def _sale(state: State, seat: int, number: int, *, beside_none: bool = False) -> str:
    if not number:
        kept = "" if beside_none else ", and diamonds win the game"
        return f"Sell nothing: you get ${NO_SALE} for sure{kept}."
    brings = _income(state, seat, number)
    none = "" if beside_none else f"; selling nothing brings ${NO_SALE}{_left_to_other(state, seat)}"
    return f"Sell {counted(number)}: you get {brings}{none}."


def _left_to_other(state: State, seat: int) -> str:
    """Returns what the other side gets if it sells alone, unless it is known not to sell."""
    known = state.known[seat]
    planned = None if isinstance(known, Hidden) else known.sale
    if not state.vault[other(seat)] or planned == 0:
        return ""
    return f" and gives your opponent all ${income((0, 1))[1]} if they sell any"


def _income(state: State, seat: int, number: int) -> str:
    """Returns what a sale brings, by what the other side can sell, or plans to sell if that was told."""
    known, has = state.known[seat], state.vault[other(seat)]
    planned = None if isinstance(known, Hidden) else known.sale
    if not has:
        return f"{_share(number, 0)}, as your opponent has none to sell"
    if planned is not None:
        return f"{_share(number, planned)} if your opponent sells {planned or 'nothing'}, as planned"
    most = "the same number" if has >= number else {1: "their only one", 2: "both"}.get(has, f"all {has}")
    return f"{_share(number, min(number, has))} if your opponent sells {most}, {_share(number, 0)} if they sell nothing"


def _share(own: int, theirs: int) -> str:
    return f"${income((own, theirs))[0]}"
