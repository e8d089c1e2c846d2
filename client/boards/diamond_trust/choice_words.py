"""Choices in a few words, for the review of a game."""

from __future__ import annotations

from typing import cast

from kimberley.client.boards.diamond_trust.scene import badge
from kimberley.games.diamond_trust.angola import HOME, REGIONS, Order, Orders, other
from kimberley.games.diamond_trust.position import PayableAgent, RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.table import Plain


def choice_words(state: State, seat: int, choice: Plain, beside: Plain) -> str:
    """See `GameUI.choice_words`."""
    match state.step:
        case RoundStep.PAY:
            amounts, others = cast(tuple[int, ...], choice), cast(tuple[int, ...], beside)
            parts = list(zip(state.slots(seat), amounts, others, strict=True))
            told = [part for part in parts if part[1] != part[2]] or [part for part in parts if part[1]]
            return ", ".join(_payment(seat, slot, amount) for slot, amount, _ in told) or "pays nobody"
        case RoundStep.PLAN | RoundStep.MOVE:
            orders = list(enumerate(zip(cast(Orders, choice), cast(Orders, beside), strict=True)))
            changed = [(agent, order) for agent, (order, than) in orders if order != than]
            every = [(agent, order) for agent, (order, _) in orders]
            return ", ".join(_order(state, seat, agent, order) for agent, order in changed or every)
        case RoundStep.INSPECT:
            return f"Inspector to {REGIONS[cast(int, choice)]}"
        case _:
            return f"sells ◆{cast(int, choice)}" if choice else "sells none"


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
