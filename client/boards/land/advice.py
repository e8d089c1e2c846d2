"""Why a bot makes the deals of a turn, in a sentence: how they change what its land earns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final, cast

from kimberley.client.boards.land.phrases import each, rounded, times
from kimberley.client.boards.next_best import NextBest, next_best
from kimberley.games.land.accounts import account, connected
from kimberley.games.land.bots.bot import named_deals
from kimberley.games.land.deals import BUY, PRICE, SELL, Deal, DealDraft, Deals
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.maps import KIND_NAMES
from kimberley.games.land.money import CENT, GOAL
from kimberley.games.land.rules import DealSpace, State
from kimberley.games.phrases import join_names
from kimberley.games.table import Decide, Plain

END: Final = "End your turn"
NAMED: Final = 4
"""The most parcels that are named one by one; more are counted."""


def advise(state: State, seat: int, choice: Plain) -> str:
    """Returns the deals of a turn as advice, and why."""
    deals = named_deals(state, choice)
    if not deals and _draft(state).ruined:
        return f"{END}: nothing that you can sell here takes you back to zero."
    if not deals:
        return f"{END}: nothing more in this sector would pay for itself."
    return f"{_told(state, deals)}: {_reason(state, seat, deals)}."


def advise_next(state: State, seat: int, choice: Plain, other: Plain) -> NextBest:
    """Returns the second-best deals of a turn, and what they change; if there are none, what stays as it is."""
    best, deals = named_deals(state, choice), named_deals(state, other)
    if deals:
        return next_best(_told(state, deals), _reason(state, seat, deals))
    before = _draft(state)
    if before.cash < 0:
        return next_best(END, "you are out")
    after = before.all(best)
    sold = [parcel for parcel in before.own() if after.land.owner(parcel) != seat]
    kept = f"you keep {_parcels(state, sold)}" if sold else f"you keep all {rounded(before.cash)}"
    return next_best(END, kept if after.cash != before.cash else "your prices stay as they are")


def _told(state: State, deals: Deals) -> str:
    parts = []
    for verb, group in groupby(deals, key=lambda deal: deal[0]):
        made = list(group)
        if verb == PRICE:
            parts.append(f"{verb} {_priced(state, made)}")
            continue
        parcels = [deal[1] for deal in made]
        parts.append(f"{verb} {_all_but(state, verb, parcels) or _parcels(state, parcels)}")
    sentence = ", then ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}"


def _priced(state: State, deals: Sequence[Deal]) -> str:
    """Says what is priced at what: parcel by parcel if they are few and share a price, else by kind."""
    assert state.map is not None
    if len(deals) <= NAMED and len({deal[-1] for deal in deals}) == 1:
        return f"{_parcels(state, [deal[1] for deal in deals])} at {rounded(deals[0][-1] * CENT)}{each(deals)}"
    kinds: dict[str, list[int]] = {}
    for deal in deals:
        kinds.setdefault(state.map.kind(deal[1]), []).append(deal[-1])
    phrases = []
    for kind, prices in sorted(kinds.items(), key=lambda priced: min(priced[1])):
        low, high = (rounded(price * CENT) for price in (min(prices), max(prices)))
        cost = f"{low}{each(prices)}" if low == high else f"{low} to {high}"
        phrases.append(f"{times(len(prices), f'{KIND_NAMES[kind]} parcel')} at {cost}")
    return join_names(phrases)


def _draft(state: State) -> DealDraft:
    """Returns the turn before any deal."""
    ask = state.ask()
    assert isinstance(ask, Decide)
    return cast(DealSpace, ask.space).draft()


def _parcels(state: State, parcels: list[int]) -> str:
    assert state.map is not None
    named = [state.map.name(parcel) for parcel in parcels]
    if len(named) <= NAMED:
        return join_names(named)
    return f"{', '.join(named[: NAMED - 1])} and {times(len(named) - NAMED + 1, 'other parcel')}"


def _all_but(state: State, verb: str, parcels: list[int]) -> str:
    """Says which parcels to deal in by naming those left out; empty if that would name too many, or the parcels are
    few.
    """
    before = _draft(state)
    assert state.map is not None
    own = set(before.own())
    choices = own if verb == SELL else set(before.parcels) - own
    left = sorted(choices - set(parcels))
    if len(parcels) <= NAMED or len(left) >= NAMED or not choices.issuperset(parcels):
        return ""
    if verb == SELL:
        which = "all your parcels here"
    elif all(before.land.owner(parcel) == GOVERNMENT for parcel in choices):
        which = "all government parcels here"
    else:
        which = "all parcels here that you do not own"
    return f"{which} except {join_names([state.map.name(parcel) for parcel in left])}" if left else which


def _reason(state: State, seat: int, deals: Deals) -> str:
    assert state.map is not None
    before = _draft(state)
    after = before.all(deals)
    bought = set(after.own()) - set(before.own())
    if before.cash < 0:
        return f"that takes you to {rounded(after.cash)}" if after.cash >= 0 else "even so, you stay below zero"
    if after.cash >= GOAL > before.cash:
        return f"selling to the government takes you to {rounded(after.cash)}, which wins the game"
    then, now = (
        [account(state.map, land, owner) for owner in range(state.seats)] for land in (after.land, before.land)
    )
    gain = then[seat].net - now[seat].net
    others = "your opponent" if state.seats == 2 else "other players"
    taken = sum(now[rival].revenue - then[rival].revenue for rival in range(state.seats) if rival != seat)
    paid = rounded(before.cash - after.cash) if after.cash < before.cash else ""
    last = state.turn == state.limit
    if last and after.cash <= before.cash and taken < CENT:
        spent = f" for your {paid}" if paid else ""
        return f"you gain nothing{spent}, since this is your last turn and only cash counts at the end"
    price = f"for {paid} now, " if paid else ""
    if all(deal[0] == PRICE for deal in deals):
        return _why_priced(state, now[seat].tax - then[seat].tax, deals)
    if bought and gain >= CENT and not last:
        joined = connected(state.map, after.land, seat) - connected(state.map, before.land, seat)
        apart = len(joined & set(before.land.of(seat)))
        reconnects = f"you reconnect {times(apart)} to the river, and " if apart else ""
        return f"{price}{reconnects}your land earns {rounded(gain)} more a turn"
    if taken >= CENT and (bought or price):
        return f"{price}you take {rounded(taken)} a turn from {others}"
    if not bought and after.cash > before.cash:
        resold = {deal[1] for deal in deals if deal[0] == BUY} - bought
        cuts = f", and you take {rounded(taken)} a turn from {others}" if resold and taken >= CENT else ""
        return f"{rounded(after.cash - before.cash)} now is worth more than the land would still earn{cuts}"
    return f"{price}you get land that you can connect to the river later"


def _why_priced(state: State, spared: int, deals: Deals) -> str:
    """Says why to set new prices, which save `spared` units of tax a turn, and what may come of them."""
    if spared > 0:
        which = "this price" if len(deals) == 1 else "these prices"
        return f"you pay {rounded(spared)} less tax a turn, but a player who rolls this sector can buy at {which}"
    land = _draft(state).land
    lowered = [deal[1] for deal in deals if deal[-1] < land.price(deal[1])]
    tax = f"for {rounded(-spared)} more tax a turn" if spared else "for the same tax"
    if not lowered:
        return f"{tax}, your land costs others more"
    raised = [deal[1] for deal in deals if deal[-1] > land.price(deal[1])]
    cost = "costs" if len(raised) == 1 else "cost"
    return f"{tax}, {_parcels(state, raised)} {cost} others more, and {_parcels(state, lowered)} less"
