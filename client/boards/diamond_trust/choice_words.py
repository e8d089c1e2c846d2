"""Choices in a few words, for the review of a game."""

from __future__ import annotations

from typing import cast

from kimberley.client.boards.diamond_trust.phrases import counted, order_words
from kimberley.client.boards.diamond_trust.scene import badge
from kimberley.games.diamond_trust.angola import HOME, REGIONS, Order, Orders, other
from kimberley.games.diamond_trust.position import PayableAgent, RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.phrases import join_names
from kimberley.games.table import Plain


def choice_words(state: State, seat: int, choice: Plain, beside: Plain) -> str:
    """See `GameUI.choice_words`."""
    match state.step:
        case RoundStep.PAY:
            paid = _payments(state, seat, choice, beside)
            return ", ".join(_payment(seat, slot, amount) for slot, amount in paid) or "pays nobody"
        case RoundStep.PLAN | RoundStep.MOVE:
            return ", ".join(_order(state, seat, agent, order) for agent, order in _changed(choice, beside))
        case RoundStep.INSPECT:
            return f"Inspector {'stays in' if choice == state.inspector else 'to'} {REGIONS[cast(int, choice)]}"
        case _:
            return f"sells ◆{cast(int, choice)}" if choice else "sells nothing"


def choice_aloud(state: State, seat: int, choice: Plain, beside: Plain) -> str:
    """See `GameUI.choice_aloud`."""
    match state.step:
        case RoundStep.PAY:
            paid = _payments(state, seat, choice, beside)
            return join_names([_payment_aloud(slot, amount) for slot, amount in paid]) or "pays nobody"
        case RoundStep.PLAN | RoundStep.MOVE:
            orders = _changed(choice, beside)
            at = [agent.at for agent in state.agents[seat]]
            return "; ".join(f"agent {agent + 1} {order_words(order, at[agent], seat)}" for agent, order in orders)
        case RoundStep.INSPECT:
            sends = "leaves the Inspector in" if choice == state.inspector else "sends the Inspector to"
            return f"{sends} {REGIONS[cast(int, choice)]}"
        case _:
            return f"sells {counted(cast(int, choice))}"


def _payments(state: State, seat: int, choice: Plain, beside: Plain) -> list[tuple[PayableAgent, int]]:
    """Returns what differs from the payments beside it, or all if nothing does."""
    amounts, others = cast(tuple[int, ...], choice), cast(tuple[int, ...], beside)
    parts = list(zip(state.slots(seat), amounts, others, strict=True))
    different = [(slot, amount) for slot, amount, other_amount in parts if amount != other_amount]
    return different or [(slot, amount) for slot, amount, _ in parts if amount]


def _changed(choice: Plain, beside: Plain) -> list[tuple[int, Order]]:
    """Returns the orders, by agent, that differ from those beside them, or all if none does."""
    orders = list(enumerate(zip(cast(Orders, choice), cast(Orders, beside), strict=True)))
    changed = [(agent, order) for agent, (order, than) in orders if order != than]
    return changed or [(agent, order) for agent, (order, _) in orders]


def _payment_aloud(slot: PayableAgent, amount: int) -> str:
    if slot.bribe:
        who = f"enemy agent {slot.agent + 1}"
        return f"bribes {who} with ${amount}" if amount else f"pays {who} no bribe"
    who = f"agent {slot.agent + 1}"
    return f"pays {who} a salary of ${amount}" if amount else f"pays {who} no salary"


def _payment(seat: int, slot: PayableAgent, amount: int) -> str:
    if slot.bribe:
        who = badge(other(seat), slot.agent)
        return f"bribes {who} with ${amount}" if amount else f"no bribe for {who}"
    who = badge(seat, slot.agent)
    return f"{who} salary ${amount}" if amount else f"no salary for {who}"


def _order(state: State, seat: int, agent: int, order: Order) -> str:
    to, payment, bribe = order
    here = state.agents[seat][agent].at
    if to == HOME:
        where = "stays home" if here == HOME else "goes home"
    else:
        where = f"stays in {REGIONS[to]}" if to == here else f"to {REGIONS[to]}"
    paid = f" ${payment}" if payment else ""
    return f"{badge(seat, agent)} {where}{paid}" + (f" UN ${bribe}" if bribe else "")
