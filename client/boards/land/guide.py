"""The guide through the first turn: the million, the dice, a deal, revenue, tax, the end of the turn."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.guide import AnyShown, GuideStep, areas, open_form, phase
from kimberley.client.boards.land.form_turn import TurnForm
from kimberley.client.boards.land.phrases import faces_named
from kimberley.games.land.maps import SECTOR, SIDES
from kimberley.games.land.money import CENTS, GOAL, REVENUE_PARTS, START, K

BUYING: Final = phase("BUY")


def _has_dealt(shown: AnyShown) -> bool:
    form = open_form(shown)
    return isinstance(form, TurnForm) and form.draft.begun


GUIDE: Final = (
    GuideStep(
        "Goal",
        f"Be the first to have {GOAL // K}K in cash, or the last player left. Everyone starts with {START // K}K.",
        "Goal|Start",
        areas("key:t"),
        BUYING,
    ),
    GuideStep(
        "The dice",
        "The black die picks a row of sectors, the white die a column. You trade where they meet. On a small map, "
        f"{faces_named(SIDES[1] // SECTOR, '')}.",
        "the dice",
        areas(("parcel",)),
        BUYING,
    ),
    GuideStep(
        "Buying",
        "Buy any parcel in the sector at its sale price, from the government or a player. Nobody can refuse.",
        "deals",
        areas(("parcel",)),
        BUYING,
        do="Click a parcel or use the arrows, then press b.",
        by_touch="Tap a parcel, then Buy.",
        done=_has_dealt,
    ),
    GuideStep(
        "Revenue",
        f"Each connected parcel earns {100 // REVENUE_PARTS}% of its base price a turn. Connected: a path of your own "
        "parcels, edge to edge, leads to the river.",
        "sales, tax",
        areas(("map",), ("mode", "river")),
        BUYING,
    ),
    GuideStep(
        "Tax",
        f"Each turn you pay {100 * CENTS // K}% tax on the sale price of each of your parcels, earning or not. "
        "Others can buy at that price.",
        "sales, tax",
        areas("key:p", ("step",), ("digit",)),
        BUYING,
    ),
    GuideStep(
        "The end of your turn",
        f"Below zero, you are out of the game. With {GOAL // K}K or more, you win.",
        "its end",
        areas("key:d"),
        BUYING,
        do="Make more deals, or press d to finish.",
        by_touch="Make more deals, or tap End turn.",
    ),
)
