"""The guide through the first turn: the aim, exploring, coins, a step, actions, a sale."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.guide import AnyShown, GuideStep, areas, open_form, phase
from kimberley.client.boards.piecepack.form_act import ActForm
from kimberley.client.boards.piecepack.help_text import SALE, SOLD
from kimberley.games.piecepack.suits import GOAL, payoff


def _acts(shown: AnyShown) -> bool:
    """Whether the player has the first action of a turn."""
    form = open_form(shown)
    return isinstance(form, ActForm) and form.phase == "ACT" and not form.state.acted


def _goes_on(shown: AnyShown) -> bool:
    """Whether the player has done something, in this turn or in the one before."""
    form = open_form(shown)
    return form is not None and (form.phase == "EXPLORE" or (isinstance(form, ActForm) and bool(form.state.acted)))


def _steps(shown: AnyShown) -> bool:
    """Whether the player chooses where to step."""
    form = open_form(shown)
    return form is not None and form.phase == "STEP"


def _in_turn(shown: AnyShown) -> bool:
    """Whether the player chooses an action, the first one or another, and no tile or coins for it."""
    form = open_form(shown)
    return isinstance(form, ActForm) and form.phase == "ACT"


TILES: Final = areas(("tile",))
"""The tiles on the map, to which one may go."""

GUIDE: Final = (
    GuideStep(
        "Goal",
        f"Be the first to reach {GOAL} points. Mine or steal diamonds, and sell them on black markets for points.",
        "Goal",
        areas("key:p"),
        phase("EXPLORE"),
    ),
    GuideStep(
        "Exploring",
        "Place the new tile next to your pawn’s tile, sharing a whole edge or half of one.",
        "explore",
        areas(("ghost",)),
        phase("EXPLORE"),
        free=areas("key:enter"),
        do="Choose a place: arrows and Enter, or click twice.",
        by_touch="Tap a place, then Place it.",
    ),
    GuideStep(
        "Your coins",
        "A coin’s back shows its suit: everyone sees your suits. Only you see the values, unless a spy peeks.",
        "Components",
        areas(("card",)),
        _acts,
    ),
    GuideStep(
        "A step",
        "Step, once a turn: move to a tile that shares a whole edge, or half of one, with yours.",
        "2: act",
        areas(("deed", 0)),
        _acts,
        free=TILES,
        do="Press w, or click that line.",
        by_touch="Tap that line.",
        done=_steps,
    ),
    GuideStep(
        "Actions",
        "Take one action or more. You cannot pass, but one step a turn is free.",
        "2: act",
        areas(("deed",)),
        _in_turn,
        free=TILES,
    ),
    GuideStep(
        "Black markets",
        "Every null tile is a black market, where you must sell all your diamonds for the product of their values. "
        f"For example, {SOLD} bring {payoff(SALE, swindler=False)} points.",
        "Black markets",
        areas("key:p"),
        _goes_on,
    ),
)
