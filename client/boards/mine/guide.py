"""The guide through the first round: the aim, a nest, a card, a move, what a pawn carries, veins."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.guide import AnyShown, GuideStep, areas, open_form, own, phase
from kimberley.client.boards.mine.form import MineForm
from kimberley.client.boards.mine.form_move import MoveForm
from kimberley.client.boards.mine.help_text import TIMES
from kimberley.client.ui.canvas import Action
from kimberley.games.mine.gems import CAPACITY, FLAWLESS, MEDIUM, OWN, SMALL
from kimberley.games.mine.moves import CARDS
from kimberley.games.mine.rules import State


def _at_cursor(action: Action, shown: AnyShown) -> bool:
    form = open_form(shown)
    return isinstance(form, MineForm) and action == ("square", form.cursor.square)


def _has_target(shown: AnyShown) -> bool:
    form = open_form(shown)
    return isinstance(form, MoveForm) and form.to is not None


def _pawn(action: Action, shown: AnyShown) -> bool:
    state = shown.state
    assert isinstance(state, State)
    return shown.you is not None and action == ("square", state.mine.pawns[shown.you])


def _choices(action: Action, shown: AnyShown) -> bool:
    """The squares that the player may choose, or that a card leads to, and the button of what is chosen."""
    form = open_form(shown)
    if not isinstance(form, MineForm):
        return False
    lights = form.lights()
    return action == "key:enter" or action in {("square", square) for square in {*lights.open, *lights.notes}}


def _vein(action: Action, shown: AnyShown) -> bool:
    """A vein that still holds something."""
    state = shown.state
    assert isinstance(state, State)
    full = (square for nest, square in enumerate(state.mine.veins) if not state.mine.opened[nest])
    return action == ("square", next(full, None))


GUIDE: Final = (
    GuideStep(
        "The aim",
        f"Bring home the most valuable gems. A small gem is worth {SMALL} point, a medium one {MEDIUM}; {TIMES[OWN]} "
        f"as much in your own color, {TIMES[FLAWLESS]} as much if flawless.",
        "The aim",
        own("player"),
        phase("NESTS"),
    ),
    GuideStep(
        "Nests",
        "Each nest gets one small and one medium gem, and nobody knows which. It must be outside your own quarter, and "
        "on nobody’s home.",
        "Set-up",
        _at_cursor,
        phase("NESTS"),
        free=areas("key:enter"),
        do="Arrows and Enter, or click a square twice.",
        by_touch="Touch a square, then Place it.",
    ),
    GuideStep(
        "Cards",
        f"Everybody chooses a card in secret, from {CARDS[0]} to {CARDS[-1]}. Then all cards are shown at the same "
        "time.",
        "cards",
        areas(("card",)),
        phase("CARD"),
        clear=areas(("about",)),
        free=_choices,
        do="Choose by its number, then Enter, or click twice.",
        by_touch="Touch a card, then Play it.",
    ),
    GuideStep(
        "Moves",
        "You move exactly as far as your card says, in a straight line: along a row, a column or a diagonal.",
        "moves",
        _pawn,
        phase("MOVE"),
        free=_choices,
        do="Choose a lit square: click it, or Tab.",
        by_touch="Touch a lit square.",
        done=_has_target,
    ),
    GuideStep(
        "On the way",
        f"Your pawn never carries more than {CAPACITY} pips: a small gem has {SMALL}, a medium one {MEDIUM}. You may "
        "pick up a gem on a square that you enter, and drop one where you pass.",
        "On the way",
        _pawn,
        phase("MOVE", "CARD"),
        free=_choices,
    ),
    GuideStep(
        "Veins",
        "If you land on a vein, it opens: everybody sees what is in it, and you may take what you can carry. Only gems "
        "at home count when the game ends.",
        "Veins",
        _vein,
        phase("CARD", "VEIN"),
        free=_choices,
    ),
)
