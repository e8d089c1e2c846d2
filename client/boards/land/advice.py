"""Why a bot makes the deals of a turn, in a sentence: what they change in what its land earns."""

from __future__ import annotations

from typing import Final, cast

from kimberley.client.boards.advice import next_best
from kimberley.client.boards.land.phrases import rounded, times
from kimberley.games.land.accounts import account
from kimberley.games.land.deals import BUY, PRICE, SELL, DealDraft, Deals
from kimberley.games.land.money import CENT, GOAL
from kimberley.games.land.rules import DealSpace, State
from kimberley.games.table import Decide, Plain
from kimberley.p2p.sentences.notices import join_names

END: Final = "End your turn"
NAMED: Final = 4
"""Parcels that are called by name; more are counted."""


def advise(state: State, seat: int, choice: Plain) -> str:
    """The deals of a turn as advice, and why."""
    deals = cast(Deals, choice)
    if not deals:
        return f"{END}: nothing more in this sector would pay for itself."
    return f"{_told(state, deals)}: {_reason(state, seat, deals)}."


def advise_next(state: State, seat: int, choice: Plain, other: Plain) -> str:
    """The deals that came next to those of a turn, and what they change; for none, what stays as it is."""
    best, deals = cast(Deals, choice), cast(Deals, other)
    if deals:
        return next_best(_told(state, deals), _reason(state, seat, deals), "")
    before = _draft(state)
    after = before.all(best)
    sold = [deal[1] for deal in best if before.land.owner(deal[1]) == seat != after.land.owner(deal[1])]
    stays = f"you keep {_parcels(state, sold)}" if sold else f"you keep all {rounded(before.cash)}"
    return next_best(END, stays if after.cash != before.cash else "your prices stay as they are", "")


def _told(state: State, deals: Deals) -> str:
    parts = [
        f"{verb} {_parcels(state, [deal[1] for deal in deals if deal[0] == kind])}"
        for kind, verb in ((BUY, "buy"), (SELL, "sell"))
        if any(deal[0] == kind for deal in deals)
    ]
    if priced := [deal for deal in deals if deal[0] == PRICE]:
        low, high = (rounded(end(deal[-1] for deal in priced)) for end in (min, max))
        at = low if low == high else f"{low} to {high}"
        parts.append(f"price {_parcels(state, [deal[1] for deal in priced])} at {at}")
    said = ", then ".join(parts)
    return f"{said[0].upper()}{said[1:]}"


def _draft(state: State) -> DealDraft:
    """The turn before any deal."""
    ask = state.ask()
    assert isinstance(ask, Decide)
    return cast(DealSpace, ask.space).draft()


def _parcels(state: State, parcels: list[int]) -> str:
    assert state.map is not None
    named = [state.map.name(parcel) for parcel in parcels]
    if len(named) <= NAMED:
        return join_names(named)
    return f"{', '.join(named[: NAMED - 1])} and {times(len(named) - NAMED + 1, 'other parcel')}"


def _reason(state: State, seat: int, deals: Deals) -> str:
    assert state.map is not None
    buys = {deal[1] for deal in deals if deal[0] == BUY} - {deal[1] for deal in deals if deal[0] == SELL}
    before = _draft(state)
    after = before.all(deals)
    if after.cash >= GOAL > before.cash:
        return f"selling to the government takes you to {rounded(after.cash)}: a million"
    then, now = ([account(state.map, land, each) for each in range(state.seats)] for land in (after.land, before.land))
    gain = then[seat].net - now[seat].net
    taken = sum(now[rival].revenue - then[rival].revenue for rival in range(state.seats) if rival != seat)
    price = f"for {rounded(before.cash - after.cash)} now, " if after.cash < before.cash else ""
    if buys and gain >= CENT:
        return f"{price}your land earns {rounded(gain)} more a turn"
    if buys and taken >= CENT:
        return f"{price}you take {rounded(taken)} a turn from your rivals"
    if buys:
        return f"{price}you get land that you can connect to the river later"
    if after.cash > before.cash:
        return f"{rounded(after.cash - before.cash)} now is worth more than the land would still earn"
    return "at these prices nobody gains by buying your land"
