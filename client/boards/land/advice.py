"""Why a bot makes the deals of a turn, in a sentence: what they change in what its land earns."""

from __future__ import annotations

from typing import Final, cast

from kimberley.client.boards.land.phrases import money, times
from kimberley.client.session.notices import join_names
from kimberley.games.land.accounts import account
from kimberley.games.land.deals import BUY, PRICE, SELL, Deals
from kimberley.games.land.money import GOAL
from kimberley.games.land.rules import DealSpace, State
from kimberley.games.table import Decide, Plain

NAMED: Final = 4
"""Parcels that are called by name; more are counted."""


def advise(state: State, seat: int, choice: Plain) -> str:
    """The deals of a turn as advice, and why."""
    deals = cast(Deals, choice)
    if not deals:
        return "Do nothing here: no parcel of this sector would earn back what it costs."
    kept = {deal[1] for deal in deals if deal[0] == BUY} - {deal[1] for deal in deals if deal[0] == SELL}
    parts = [
        f"{verb} {_parcels(state, [deal[1] for deal in deals if deal[0] == kind])}"
        for kind, verb in ((BUY, "buy"), (SELL, "sell"), (PRICE, "price"))
        if any(deal[0] == kind for deal in deals)
    ]
    said = join_names(parts)
    return f"{said[0].upper()}{said[1:]}: {_reason(state, seat, deals, bool(kept))}."


def _parcels(state: State, parcels: list[int]) -> str:
    assert state.map is not None
    named = [state.map.name(parcel) for parcel in parcels]
    return join_names(named) if len(named) <= NAMED else f"{named[0]} and {times(len(named) - 1, 'other parcel')}"


def _reason(state: State, seat: int, deals: Deals, buys: bool) -> str:
    ask = state.ask()
    assert isinstance(ask, Decide)
    assert state.map is not None
    before = cast(DealSpace, ask.space).draft()
    after = before.all(deals)
    if after.cash >= GOAL > before.cash:
        return f"with what the government pays you have {money(after.cash)}, a million"
    gain = account(state.map, after.land, seat).net - account(state.map, before.land, seat).net
    if buys and gain > 0:
        return f"your land then earns {money(gain)} more a turn, for {money(before.cash - after.cash)} now"
    if buys:
        return f"it costs {money(before.cash - after.cash)}, brings you nearer to the river, and is in the others’ way"
    if after.cash > before.cash:
        return f"the {money(after.cash - before.cash)} now are worth more than what the land would still earn"
    return "at these prices nobody gains by buying it from you"
