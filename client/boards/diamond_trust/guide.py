"""The guide through the first month: the goal, a salary, a trip, an offer, the sale; later the first bribe, and what
comes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.client.boards.diamond_trust.form import LESS, MORE, SET, Agent, TrustForm
from kimberley.client.boards.diamond_trust.form_move import MoveForm
from kimberley.client.boards.diamond_trust.form_pay import PayForm
from kimberley.client.boards.guide import AnyShown, GuideStep, areas, either, open_form, own, phase
from kimberley.client.ui.canvas import Action
from kimberley.games.diamond_trust.angola import FIRST_MONTHS_LEFT, HOME, MARKET, NO_SALE, trip_cost
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State

STEPPER: Final = areas(("noop",), LESS, MORE, SET)
OWN: Final = either(own("home"), own("balance"), areas("key:d"))
"""The player's agents at home, money and vault, and Done."""
MAP: Final = either(OWN, areas(("region",), ("agent",), ("tag",), ("card",)))
"""The same, the names and diamonds of the regions, the agents there with their orders, and what is said of them."""
STANDING: Final = areas(("agent",), ("inspector",))
"""The agents of both sides, and the Inspector."""
IF_REPORTED: Final = "If an enemy agent reports its orders to you, you can change your plan."


def _counts(shown: AnyShown) -> bool:
    """Returns whether a number is being set."""
    form = open_form(shown)
    return isinstance(form, TrustForm) and form.stepper() is not None


def _counts_nothing(shown: AnyShown) -> bool:
    return not _counts(shown)


def _chosen(action: Action, shown: AnyShown) -> bool:
    """Returns whether an area is a window where a number is set, or the region that the player has gone to."""
    form = open_form(shown)
    if not isinstance(form, TrustForm):
        return False
    return (form.stepper() is not None and STEPPER(action, shown)) or action == ("region", form.focus())


def _taken(action: Action, shown: AnyShown) -> bool:
    """Returns whether an area is a region where an agent of either side is, or the region of the Inspector."""
    state = shown.state
    assert isinstance(state, State)
    places = {state.inspector, *(agent.at for agents in state.agents for agent in agents)}
    return isinstance(action, tuple) and action[0] == "region" and action[1] in places


def _cannot_travel(shown: AnyShown) -> bool:
    form = open_form(shown)
    return isinstance(form, MoveForm) and bool(form.poor)


def _stepper_or_done(action: Action, shown: AnyShown) -> bool:
    return STEPPER(action, shown) if _counts(shown) else action == "key:d"


def _bribable(shown: AnyShown) -> Sequence[Agent]:
    form = open_form(shown)
    return form.bribable() if isinstance(form, PayForm) else ()


def _can_be_bribed(action: Action, shown: AnyShown) -> bool:
    return isinstance(action, tuple) and action[0] == "agent" and action[1:] in _bribable(shown)


def _before_adjusting(shown: AnyShown) -> bool:
    """Returns whether a plan is being made that can be adjusted, and each side can end the time for that."""
    form = open_form(shown)
    if not isinstance(form, MoveForm) or form.state.step is not RoundStep.PLAN or not form.state.anyone_met():
        return False
    return not form.times.fixed


GUIDE: Final = (
    GuideStep(
        "Your goal",
        f"After {FIRST_MONTHS_LEFT + 1} months the side with more diamonds wins. Money breaks a tie.",
        "The goal",
        own("home"),
        phase("PAY"),
        clear=MAP,
        done=_counts,
        free=_chosen,
    ),
    GuideStep(
        "Your agents",
        "You can pay agents at home a salary. If bribes exceed it, an agent reveals its orders to your opponent.",
        "pay",
        own("agent"),
        phase("PAY"),
        clear=OWN,
        do="Click a waving agent, or press Tab.",
        by_touch="Tap a waving agent.",
        done=_counts,
        free=_chosen,
    ),
    GuideStep(
        "A salary",
        "Salaries and bribes add up over the whole game. Only double agents reveal them. Trips and offers cost "
        "money as well.",
        "pay",
        _stepper_or_done,
        phase("PAY"),
        clear=OWN,
        do="Set the amount: ← → or ◂ ▸, then Enter or ✓. No more to pay? Done (d).",
        by_touch="Set the amount. No more to pay? Then Done.",
        stuck=_counts_nothing,
        instead="No more to pay? Choose Done.",
        free=_chosen,
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
        first=_taken,
        free=either(_chosen, STANDING),
    ),
    GuideStep(
        "An offer",
        "Both sides pay; the higher offer takes the diamonds.",
        "collect",
        _stepper_or_done,
        phase("MOVE"),
        clear=MAP,
        do="Set the amount. No more? Done (d).",
        by_touch="Set the amount. No more? Then Done.",
        stuck=_counts_nothing,
        instead="No more trips? Choose Done.",
        first=_taken,
        free=either(_chosen, STANDING),
    ),
    GuideStep(
        "The sale",
        f"Sellers share ${MARKET} in proportion to what they sell; if you sell nothing, you get ${NO_SALE}. Sold "
        "diamonds are gone.",
        "sale",
        areas(("noop",)),
        phase("SALE"),
        clear=own("balance"),
        do="Choose a number, then Done (d).",
        by_touch="Choose a number, then Done.",
        free=_chosen,
    ),
    GuideStep(
        "A bribe",
        "An enemy agent is in the same region as yours. If bribes exceed its salary, it reveals its orders to you.",
        "pay|What double agents reveal",
        _can_be_bribed,
        lambda shown: bool(_bribable(shown)),
        clear=MAP,
        do="Select it, or choose Done (d).",
        by_touch="Tap that agent, or Done.",
        done=_counts,
        first=_taken,
        free=either(_chosen, STANDING, areas("key:d")),
    ),
    GuideStep(
        "Adjusting",
        f"{IF_REPORTED} If you take long, your opponent can guess that it did.",
        "Adjusting",
        areas("key:d"),
        _before_adjusting,
        clear=MAP,
        unobserved=IF_REPORTED,
        first=_taken,
        free=either(_chosen, STANDING),
    ),
)
