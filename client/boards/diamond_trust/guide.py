"""The guide through the first month: the aim, a salary, a trip, an offer, the sale."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.diamond_trust.form import TrustForm
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


def _stepper_or_done(action: Action, shown: AnyShown) -> bool:
    return STEPPER(action, shown) if _counts(shown) else action == "key:d"


GUIDE: Final = (
    GuideStep(
        "The aim",
        f"After {FIRST_MONTHS_LEFT + 1} months the side with more diamonds in its vault wins. If the vaults are equal, "
        "the side with more money wins.",
        "The aim",
        own("home"),
        phase("PAY"),
    ),
    GuideStep(
        "Your agents",
        "You can pay a salary to each of your agents at home. If the bribes to an agent are above its salary, it is "
        "turned: it tells the other side your plans.",
        "pay",
        own("agent"),
        phase("PAY"),
        clear=OWN,
        do="Click a waving agent, or press 1.",
        by_touch="Touch a waving agent.",
        done=_counts,
    ),
    GuideStep(
        "A salary",
        "Salaries and bribes add up over the whole game, and are secret. You need money for trips and offers, too.",
        "pay",
        _stepper_or_done,
        phase("PAY"),
        clear=OWN,
        do="← → and Enter set it. When all are paid: Done, d.",
        by_touch="Set it. When all are paid: Done.",
    ),
    GuideStep(
        "A trip",
        f"You pay ${trip_cost(0, 1)} within Angola, ${trip_cost(HOME, 0)} between Angola and home.",
        "The map",
        own("agent"),
        phase("MOVE"),
        clear=MAP,
        do="Select an agent, then a region.",
        done=_counts,
    ),
    GuideStep(
        "An offer",
        "Both sides pay; the higher offer takes all diamonds in a region.",
        "collect",
        _stepper_or_done,
        phase("MOVE"),
        clear=MAP,
        do="Set it. After all three: Done, d.",
        by_touch="Set it. After all three: Done.",
    ),
    GuideStep(
        "The sale",
        f"Sides that sell share ${MARKET} in proportion to what each sells; a side that sells nothing gets ${NO_SALE}. "
        "Sold diamonds leave the vault.",
        "sale",
        areas(("noop",)),
        phase("SALE"),
        clear=own("balance"),
        do="Choose a number, then Done, d.",
        by_touch="Choose a number, then Done.",
    ),
)
