"""The guide through the first month: the aim, a salary, a trip, an offer, the sale."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.diamond_trust.form import TrustForm
from kimberley.client.boards.diamond_trust.form_move import MoveForm
from kimberley.client.boards.guide import AnyShown, GuideStep, areas, either, open_form, own, phase
from kimberley.client.ui.canvas import Action
from kimberley.games.diamond_trust.angola import FIRST_MONTHS_LEFT, HOME, MARKET, NO_SALE, trip_cost

STEPPER: Final = areas(("noop",), ("less",), ("more",), ("set",))
OWN: Final = either(own("home"), own("balance"), areas("key:d"))
"""The player's agents at home, money and vault, and Done."""
MAP: Final = either(OWN, areas(("region",)))
"""The same, and the names and diamonds of the regions."""


def _counts(shown: AnyShown) -> bool:
    """Whether a number is being set."""
    form = open_form(shown)
    return isinstance(form, TrustForm) and form.stepper() is not None


def _cannot_travel(shown: AnyShown) -> bool:
    form = open_form(shown)
    return isinstance(form, MoveForm) and bool(form.poor)


def _stepper_or_done(action: Action, shown: AnyShown) -> bool:
    return STEPPER(action, shown) if _counts(shown) else action == "key:d"


GUIDE: Final = (
    GuideStep(
        "Your goal",
        f"After {FIRST_MONTHS_LEFT + 1} months the side with more diamonds wins. Money breaks a tie.",
        "The goal",
        own("home"),
        phase("PAY"),
        done=_counts,
    ),
    GuideStep(
        "Your agents",
        "Pay each agent at home a salary. If bribes exceed it, the agent reveals your plans to your opponent.",
        "pay",
        own("agent"),
        phase("PAY"),
        clear=OWN,
        do="Click a waving agent, or press 1.",
        by_touch="Tap a waving agent.",
        done=_counts,
    ),
    GuideStep(
        "A salary",
        "Salaries and bribes add up over the whole game. Only double agents reveal them. Trips and offers cost money, "
        "too.",
        "pay",
        _stepper_or_done,
        phase("PAY"),
        clear=OWN,
        do="← → or ◂ ▸ set it, Enter or ✓. All paid? Done (d).",
        by_touch="Set it. All paid? Then Done.",
    ),
    GuideStep(
        "A trip",
        f"${trip_cost(0, 1)} within Angola, ${trip_cost(HOME, 0)} between Angola and home.",
        "The map",
        own("agent"),
        phase("MOVE"),
        clear=MAP,
        do="Select an agent, then a region.",
        stuck=_cannot_travel,
        instead="You cannot pay for a trip this month. Choose Done.",
        done=_counts,
    ),
    GuideStep(
        "An offer",
        "Both sides pay; the higher offer takes all diamonds in a region.",
        "collect",
        _stepper_or_done,
        phase("MOVE"),
        clear=MAP,
        do="Set it. After all three: Done (d).",
        by_touch="Set it. After all three: Done.",
    ),
    GuideStep(
        "The sale",
        f"Sellers share ${MARKET} in proportion to what they sell; if you sell nothing you get ${NO_SALE}. Sold "
        "diamonds are gone.",
        "sale",
        areas(("noop",)),
        phase("SALE"),
        clear=own("balance"),
        do="Choose a number, then Done (d).",
        by_touch="Choose a number, then Done.",
    ),
)
