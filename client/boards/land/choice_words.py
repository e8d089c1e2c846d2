"""Turns in a few words, for the review of a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, cast

from kimberley.client.boards.land.phrases import each, money, times
from kimberley.games.land.deals import BUY, DealDraft, Deals
from kimberley.games.land.land import GOVERNMENT
from kimberley.games.land.money import price
from kimberley.games.land.rules import DealSpace, State
from kimberley.games.phrases import join_names
from kimberley.games.table import Plain, space_for

NOTHING: Final = "makes no deals"
NAMED: Final = 4
"""The most parcels that are named one by one."""


def choice_words(state: State, seat: int, choice: Plain, beside: Plain) -> str:
    """See `GameUI.choice_words`."""
    before = cast(DealSpace, space_for(state.ask(), seat)).draft()
    after, other = (before.all(cast(Deals, deals)) for deals in (choice, beside))
    different = [parcel for parcel in before.parcels if _kept(after, parcel) != _kept(other, parcel)]
    relevant = different or before.parcels
    done = [parcel for parcel in relevant if _kept(after, parcel) != _kept(before, parcel)]
    bought = [parcel for parcel in done if after.land.owner(parcel) == seat != before.land.owner(parcel)]
    gone = [parcel for parcel in done if after.land.owner(parcel) == GOVERNMENT]
    sold = [parcel for parcel in gone if before.land.owner(parcel) == seat]
    resold = [parcel for parcel in gone if parcel not in sold]
    priced = [parcel for parcel in done if parcel not in (*bought, *gone)]
    phrases = [_buys(after, bought) + _resale(after, bought)] if bought else []
    phrases += [f"{_buys(after, resold)} and resells {_them(resold)} for {_gained(before, resold)}"] if resold else []
    phrases += [f"sells {_named(after, sold)} for {_gained(before, sold)}"] if sold else []
    phrases += [f"prices {_named(after, priced)} at {_asked(after, priced)}"] if priced else []
    if not phrases:
        return f"leaves {_named(after, different)} alone" if after.dealt and different else NOTHING
    return "; ".join(phrases)


def _kept(draft: DealDraft, parcel: int) -> tuple[int, int]:
    """Returns who owns a parcel after the deals, and its price."""
    return draft.land.owner(parcel), draft.land.price(parcel)


def _buys(draft: DealDraft, parcels: list[int]) -> str:
    """Returns what is bought and for how much."""
    paid = _paid(draft)
    return f"buys {_named(draft, parcels)} for {money(sum(paid[parcel] for parcel in parcels))}"


def _resale(draft: DealDraft, parcels: list[int]) -> str:
    """Returns the new prices of what is bought, if they differ from what was paid."""
    paid = _paid(draft)
    again = all(draft.cost(parcel) == paid[parcel] for parcel in parcels)
    return "" if again else f", to sell at {_asked(draft, parcels)}"


def _paid(draft: DealDraft) -> dict[int, int]:
    """Returns what was paid for each parcel that was bought."""
    return {done.deal[1]: done.paid for done in draft.dealt if done.deal[0] == BUY}


def _gained(draft: DealDraft, parcels: Iterable[int]) -> str:
    """Returns what the government pays for parcels."""
    return money(sum(map(draft.gain, parcels)))


def _them(parcels: Sequence[int]) -> str:
    return "it" if len(parcels) == 1 else "them"


def _asked(draft: DealDraft, parcels: Sequence[int]) -> str:
    """Returns the prices of parcels, from the lowest to the highest."""
    asked = sorted({draft.land.price(parcel) for parcel in parcels})
    return f"{price(asked[0])}K{each(parcels)}" if len(asked) == 1 else f"{price(asked[0])}K to {price(asked[-1])}K"


def _named(draft: DealDraft, parcels: Sequence[int]) -> str:
    """Returns parcels by name; many are counted."""
    return join_names([draft.map.name(parcel) for parcel in parcels]) if len(parcels) <= NAMED else times(len(parcels))
