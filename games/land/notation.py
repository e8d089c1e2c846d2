"""Turns in writing: "buy l11 l12 6.00; sell l9; price k9 30.00".

Deals stand in order, separated by semicolons. Parcels that get the same price may share it, and parcels that are sold
one `sell`. `pass` is a turn without deals. Prices are in K, with up to two decimals.
"""

from __future__ import annotations

from typing import Final

from kimberley.games.land.deals import BUY, MOST, PRICE, SELL, Deal, DealDraft, Deals
from kimberley.games.land.maps import Map
from kimberley.games.land.money import price, read_price

PASS: Final = "pass"


class DealNotationError(ValueError):
    """A turn that cannot be read, or that the rules forbid; the message says what to write."""


def write_deals(map: Map, deals: Deals) -> str:
    """Returns a turn in writing. `parse_deals` reads it again."""
    parts: list[tuple[str, str, list[str]]] = []
    for deal in deals:
        verb, name, priced = deal[0], map.name(deal[1]), "" if deal[0] == SELL else f" {price(deal[-1])}"
        if parts and parts[-1][:2] == (verb, priced):
            parts[-1][2].append(name)
        else:
            parts.append((verb, priced, [name]))
    return "; ".join(f"{verb} {' '.join(names)}{priced}" for verb, priced, names in parts) or PASS


def parse_deals(draft: DealDraft, text: str) -> Deals:
    """Returns the deals that a text spells, allowed one after another. Raises DealNotationError.

    Parcels that are bought without a price keep the price that was paid for them.
    """
    before = len(draft.dealt)
    if text.split() != [PASS]:
        for part in text.split(";"):
            for deal in _deals(draft, part.split()):
                reason = draft.violation(deal)
                if reason is None and len(draft.dealt) == MOST:
                    reason = f"a turn has at most {MOST} deals"
                if reason is not None:
                    raise DealNotationError(reason)
                draft = draft.then(deal)
    return draft.deals[before:]


def _deals(draft: DealDraft, words: list[str]) -> list[Deal]:
    """Returns the deals of one part, between semicolons."""
    if not words or words[0] not in (SELL, BUY, PRICE):
        one, _ = _examples(draft)
        raise DealNotationError(
            f"{' '.join(words)!r} is not a deal: write buy {one} 5.00, sell {one} or price {one} 30.00, with ; between "
            "deals"
        )
    verb, *names = words
    cents = None
    if verb != SELL and names and _is_number(names[-1]):
        try:
            cents = read_price(names.pop())
        except ValueError as error:
            raise DealNotationError(str(error)) from None
    if not names:
        raise DealNotationError(_unnamed(draft, verb))
    if verb == PRICE and cents is None:
        raise DealNotationError(f"price {' '.join(names)} at what? Write the price after the parcels: 30.00")
    try:
        parcels = [draft.map.parcel(name) for name in names]
    except ValueError as error:
        raise DealNotationError(str(error)) from None
    if verb == SELL:
        return [(SELL, parcel) for parcel in parcels]
    return [(verb, parcel, draft.default(parcel) if cents is None else cents) for parcel in parcels]


def _unnamed(draft: DealDraft, verb: str) -> str:
    """Returns what to write after a verb without parcels, with parcels in which the seat can deal."""
    own = draft.own()
    if verb != BUY and not own:
        return f"you own no land here to {verb}"
    dealt = own if verb != BUY else tuple(parcel for parcel in draft.parcels if parcel not in own) or own
    example = f"{verb} {' '.join(map(draft.map.name, dealt[:2]))}{' 30.00' if verb == PRICE else ''}"
    return f"{verb} what? Name one or more parcels: {example}"


def _examples(draft: DealDraft) -> tuple[str, str]:
    """Returns the names of two parcels in the sector in play."""
    one, two = draft.parcels[:2]
    return draft.map.name(one), draft.map.name(two)


def _is_number(word: str) -> bool:
    return word[:1].isdecimal() or word[:1] in "-+."
