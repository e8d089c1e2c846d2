"""The guide through the first turn: the million, the dice, a deal, revenue, tax, the end of the turn."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.guide import AnyShown, GuideStep, areas, either, open_form, phase
from kimberley.client.boards.land.form_turn import TurnForm
from kimberley.client.ui.canvas import Action
from kimberley.games.land.money import CENTS, GOAL, REVENUE_PARTS, K

BUYING: Final = phase("BUY")
PRICE: Final = areas(("step",), ("digit",))
"""The price that is being set."""
TO_CHOOSE: Final = either(PRICE, areas(("mode",), "key:d"))
"""That, the button that ends the turn, and on a phone the tabs beside the map."""
PARCELS: Final = areas(("parcel",))


def _at_cursor(action: Action, shown: AnyShown) -> bool:
    form = open_form(shown)
    return isinstance(form, TurnForm) and action == ("parcel", form.cursor.parcel)


CHOSEN: Final = either(TO_CHOOSE, _at_cursor)
"""The same, and the parcel that the player has gone to."""


def _has_dealt(shown: AnyShown) -> bool:
    form = open_form(shown)
    return isinstance(form, TurnForm) and form.draft.begun


GUIDE: Final = (
    GuideStep(
        "Goal",
        f"Be first to {GOAL // K}K in cash, or the last player left. If the turns run out, the most cash wins.",
        "Goal|The short game",
        areas("key:t"),
        BUYING,
        free=either(PRICE, PARCELS),
    ),
    GuideStep(
        "The dice",
        "The black die picks the row, the white die the column. You trade where they meet.",
        "the dice",
        areas(("dice",), ("sector",)),
        BUYING,
        clear=areas("key:t"),
        free=either(PRICE, PARCELS),
    ),
    GuideStep(
        "Buying",
        "Buy any parcel in the sector at its sale price, from the government or a player. Nobody can refuse to sell.",
        "deals",
        areas(("parcel",)),
        BUYING,
        clear=PARCELS,
        free=CHOSEN,
        do="To buy: click a parcel or use the arrows, then press b.",
        by_touch="To buy: tap a parcel, then Buy.",
        done=_has_dealt,
    ),
    GuideStep(
        "Revenue",
        f"A parcel earns {100 // REVENUE_PARTS}% of its base price a turn if a path of your own parcels, edge to "
        "edge, leads from it to the river.",
        "sales, tax",
        areas(("parcel",), ("mode", "river")),
        BUYING,
        clear=PARCELS,
        free=CHOSEN,
    ),
    GuideStep(
        "Tax",
        f"Each turn you pay {100 * CENTS // K}% tax on the sale price of each of your parcels, earning or not. "
        "Others can buy at that price.",
        "sales, tax",
        either(areas("key:p"), PRICE),
        BUYING,
        clear=PARCELS,
        free=CHOSEN,
    ),
    GuideStep(
        "The end of your turn",
        f"With cash below zero, you are out. With {GOAL // K}K or more, you win.",
        "the end",
        areas("key:d"),
        BUYING,
        clear=either(PARCELS, areas("key:t", ("about",))),
        free=CHOSEN,
        do="Make deals, or press d to finish.",
        by_touch="Make deals, or tap End turn.",
    ),
)
