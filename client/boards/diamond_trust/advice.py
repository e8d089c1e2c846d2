"""Why a bot chooses what it does, in a sentence: whom a payment holds, which diamonds an order is for, what sells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from kimberley.client.boards.diamond_trust.phrases import agent_name, counted, dollars, order_words
from kimberley.client.session.notices import join_names
from kimberley.games.diamond_trust.angola import HOME, HOMES, NO_SALE, REGIONS, Order, Orders, income, other
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Plain


def advise(state: State, seat: int, choice: Plain) -> str:
    """A choice as advice, and why."""
    match state.step:
        case RoundStep.PAY:
            return _pay(state, seat, cast("tuple[int, ...]", choice))
        case RoundStep.PLAN:
            return _orders(state, seat, cast(Orders, choice))
        case RoundStep.MOVE | RoundStep.SALE:
            return _last_look(state, seat, choice)
        case RoundStep.INSPECT:
            return _inspector(state, seat, cast(int, choice))
    return _sale(state, seat, cast(int, choice))


def _pay(state: State, seat: int, amounts: Sequence[int]) -> str:
    paid = [(slot, amount) for slot, amount in zip(state.slots(seat), amounts, strict=True) if amount]
    if not paid:
        return "Pay nobody: the dollars are worth more this month where the diamonds are."
    told = join_names(
        [f"{dollars(a)} to {agent_name(other(seat) if slot.bribe else seat, slot.agent, seat)}" for slot, a in paid]
    )
    bribes, salaries = any(slot.bribe for slot, _ in paid), any(not slot.bribe for slot, _ in paid)
    why = []
    if bribes:
        why.append(f"an agent that has had more from you than from {HOMES[other(seat)]} tells you its plans")
    if salaries:
        why.append("only a bribe above its whole salary turns an agent of yours")
    return f"Pay {told}: {' and '.join(why)}."


def _orders(state: State, seat: int, orders: Orders) -> str:
    places = state.places(seat)
    told = [
        f"{agent_name(seat, agent, seat)} {order_words(order, places[agent], seat)}"
        for agent, order in enumerate(orders)
        if order != (places[agent], 0, 0)
    ]
    if not told:
        return "Let all your agents stay and offer nothing: no diamonds are worth the trip now."
    return f"{_begun('; '.join(told))}: {_purpose(state, seat, orders)}."


def _begun(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _purpose(state: State, seat: int, orders: Orders) -> str:
    """What orders are for: diamonds that are brought home, and those that are bid for."""
    agents = state.agents[seat]
    home = sum(agent.carries for agent, (to, _, _) in zip(agents, orders, strict=True) if to == HOME != agent.at)
    bids = [order for order in orders if order[0] != HOME and order[1]]
    why = [f"that brings {counted(home)} home"] if home else []
    if bids:
        most = max(bids, key=lambda order: order[1])
        why.append(f"{_there(state, most)}, and the higher offer takes what lies there")
    if any(order[2] for order in orders):
        why.append("the higher bribe says where the Inspector goes")
    return "; ".join(why) or "where an agent meets one of the other side, you can bribe it next month"


def _there(state: State, order: Order) -> str:
    number = state.diamonds[order[0]]
    return f"{REGIONS[order[0]]} has {counted(number)}"


def _last_look(state: State, seat: int, choice: Plain) -> str:
    moves = state.step is RoundStep.MOVE
    if choice == (state.plan if moves else state.sale_plan)[seat]:
        return "Leave it as you planned it: nothing that you were told makes anything else better."
    changed = _orders(state, seat, cast(Orders, choice)) if moves else _sale(state, seat, cast(int, choice))
    return f"Change your plan, now that you know more. {changed}"


def _inspector(state: State, seat: int, region: int) -> str:
    preview = state.inspector_preview(region)
    theirs = sum(preview.confiscates[other(seat)])
    where = f"Send the Inspector to {REGIONS[region]}" if region != state.inspector else "Leave the Inspector there"
    if theirs:
        return f"{where}: he seizes {counted(theirs)} from {HOMES[other(seat)]}."
    if preview.blocks.winner == other(seat) and preview.blocks.diamonds:
        return f"{where}: he keeps {HOMES[other(seat)]} from {counted(preview.blocks.diamonds)} there."
    own = sum(preview.confiscates[seat]) + preview.blocks.diamonds * (preview.blocks.winner == seat)
    return f"{where}: {f'you lose {counted(own)} there' if own else 'you lose nothing there'}."


def _sale(state: State, seat: int, number: int) -> str:
    if not number:
        return f"Sell nothing: that brings {dollars(NO_SALE)} for certain, and diamonds decide the game."
    both, alone = (income((number, theirs))[0] for theirs in (number, 0))
    tail = f"{dollars(both)} if the other side sells as many, {dollars(alone)} if it sells none"
    return f"Sell {counted(number)}: that brings {tail}, and dollars win diamonds in the months to come."
