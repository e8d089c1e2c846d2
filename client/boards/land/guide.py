"""The guide through the first turn: the million, the dice, a deal, revenue, tax, the end of the turn."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.guide import AnyShown, GuideStep, areas, open_form, own, phase
from kimberley.client.boards.land.form_turn import TurnForm
from kimberley.client.boards.land.phrases import SMALL_FACES
from kimberley.games.land.money import CENTS, GOAL, REVENUE_PARTS, START, K

BUYING: Final = phase("BUY")


def _has_dealt(shown: AnyShown) -> bool:
    form = open_form(shown)
    return isinstance(form, TurnForm) and form.draft.begun


GUIDE: Final = (
    GuideStep(
        "The aim",
        f"Be the first to have {GOAL // K}K in cash, or the last player in the game. Everybody begins with "
        f"{START // K}K.",
        "The aim|Start",
        own("seat"),
        BUYING,
    ),
    GuideStep(
        "The dice",
        "The black die names a row of sectors, the white die a column. You deal in the sector where they meet. On a "
        f"small map {SMALL_FACES}.",
        "the dice",
        areas(("parcel",)),
        BUYING,
    ),
    GuideStep(
        "A deal",
        "Buy any parcel of the sector, from the government or from a player, at its sale price. Nobody can refuse.",
        "deals",
        areas(("parcel",)),
        BUYING,
        do="Click a parcel, or use the arrows. Then b.",
        by_touch="Touch a parcel, then Buy.",
        done=_has_dealt,
    ),
    GuideStep(
        "Revenue",
        f"Each of your connected parcels earns {100 // REVENUE_PARTS}% of its base price each turn. Connected means: a "
        "path of your own parcels, edge to edge, leads to the river.",
        "credits, tax",
        areas(("mode", "river")),
        BUYING,
    ),
    GuideStep(
        "Tax",
        f"Each turn you pay {100 * CENTS // K}% of the sale price of each of your parcels, whether it earns or not. "
        "Others can buy it at that price.",
        "credits, tax",
        areas(("step",), ("digit",)),
        BUYING,
    ),
    GuideStep(
        "The end of your turn",
        f"If you are below zero then, you are out of the game. If you have {GOAL // K}K or more, you win.",
        "its end",
        areas("key:d"),
        BUYING,
        do="Deal on, or end the turn: Done, d.",
        by_touch="Deal on, or end the turn: Done.",
    ),
)
