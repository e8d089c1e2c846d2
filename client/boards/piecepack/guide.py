"""The guide through the first turn: the aim, exploring, coins, a step, actions, a sale."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.guide import AnyShown, GuideStep, areas, either, open_form, phase
from kimberley.client.boards.piecepack.form_act import ActForm
from kimberley.client.boards.piecepack.help_text import SALE, SOLD, STEP
from kimberley.games.piecepack.suits import GOAL, payoff


def _acts(shown: AnyShown) -> bool:
    """Returns whether the player is to choose the first action of a turn."""
    form = open_form(shown)
    return isinstance(form, ActForm) and form.phase == "ACT" and not form.state.acted


def _can_step(shown: AnyShown) -> bool:
    """Returns whether the player is choosing an action, and still has the step of this turn."""
    form = open_form(shown)
    return _in_turn(shown) and form is not None and not form.state.stepped


def _goes_on(shown: AnyShown) -> bool:
    """Returns whether the player has done something, in this turn or the last, and is choosing what comes next."""
    form = open_form(shown)
    return form is not None and (form.phase == "EXPLORE" or (_in_turn(shown) and bool(form.state.acted)))


def _steps(shown: AnyShown) -> bool:
    """Returns whether the player is choosing where to step."""
    form = open_form(shown)
    return form is not None and form.phase == "STEP"


def _in_turn(shown: AnyShown) -> bool:
    """Returns whether the player is choosing an action, the first one or another, and no tile or coins for it."""
    form = open_form(shown)
    return isinstance(form, ActForm) and form.phase == "ACT"


TILES: Final = areas(("tile",))
"""The tiles on the map, which the player can go to."""
TO_DO: Final = either(TILES, areas(("deed",)))
"""These, and the actions to choose from."""
HAND: Final = areas(("card",), ("own",))

GUIDE: Final = (
    GuideStep(
        "Goal",
        f"Be the first to reach {GOAL} points. Mine or steal diamonds, and sell them on black markets for points.",
        "Goal",
        areas("key:p"),
        phase("EXPLORE"),
        clear=HAND,
    ),
    GuideStep(
        "Exploring",
        "Place the new tile next to your pawn’s tile, sharing a whole edge or half of one.",
        "explore",
        areas(("ghost",)),
        phase("EXPLORE"),
        clear=HAND,
        free=areas("key:enter"),
        do="Choose a place: arrows and Enter, or click twice.",
        by_touch="Tap a place, then Place it.",
    ),
    GuideStep(
        "Your coins",
        "A coin’s back shows its suit: everyone sees your suits. Only you see the values, unless a spy peeks.",
        "Components",
        HAND,
        _acts,
    ),
    GuideStep(
        "A step",
        f"Once a turn, you can {STEP}",
        "2: act",
        areas(("deed", 0)),
        _can_step,
        free=TO_DO,
        do="Press w, or click the step.",
        by_touch="Tap the step.",
        done=_steps,
    ),
    GuideStep(
        "Actions",
        "Take at least one action; you cannot pass. A step is a free action. On a mine, spades mine as many diamonds "
        "as they are worth, up to its value.",
        "2: act",
        areas(("deed",)),
        _in_turn,
        free=TILES,
    ),
    GuideStep(
        "Black markets",
        "When you enter a tile with 0, you sell all your diamonds for the product of their values: "
        f"{SOLD} bring {payoff(SALE, swindler=False)} points; with a 0, nothing.",
        "Black markets",
        areas("key:p"),
        _goes_on,
        free=TO_DO,
        clear=HAND,
    ),
)
