"""The guide through the first round: the aim, a nest, a card, a move, what a pawn carries, veins."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.guide import TO_CHOOSE, AnyShown, GuideStep, areas, either, open_form, phase
from kimberley.client.boards.mine.form import MineForm
from kimberley.client.boards.mine.form_move import TAP, MoveForm
from kimberley.client.boards.mine.help_text import TIMES
from kimberley.client.ui.canvas import Action
from kimberley.games.mine.gems import CAPACITY, MEDIUM, OWN, SMALL
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


def _vein(action: Action, shown: AnyShown) -> bool:
    """Returns whether an action is a vein that still holds something."""
    state = shown.state
    assert isinstance(state, State)
    full = (square for nest, square in enumerate(state.mine.veins) if not state.mine.opened[nest])
    return action == ("square", next(full, None))


BOARD: Final = areas("key:enter", ("square",))
"""The board, which has everything that a note is about, and the button of the current choice."""
ABOUT: Final = areas(("about",))
"""What the panel says about it."""
PLAYERS: Final = areas(("player",))
"""The list of the players, with what they carry."""

GUIDE: Final = (
    GuideStep(
        "Goal",
        f"Bring home gems: small ones are worth {SMALL} point, medium ones {MEDIUM}; {TIMES[OWN]} in your color.",
        "Goal",
        _at_cursor,
        phase("NESTS"),
        clear=either(ABOUT, PLAYERS),
        first=ABOUT,
        free=BOARD,
    ),
    GuideStep(
        "Nests",
        "Each nest hides one small and one medium gem; nobody knows which. Place it outside your quarter, and not on "
        "a home.",
        "Start",
        _at_cursor,
        phase("NESTS"),
        clear=either(ABOUT, PLAYERS),
        first=ABOUT,
        free=BOARD,
        do=TO_CHOOSE,
        by_touch="Tap a square, then Place it.",
    ),
    GuideStep(
        "Cards",
        f"Everyone secretly chooses a card, {CARDS[0]} to {CARDS[-1]}. Then all cards are revealed together.",
        "cards",
        areas(("card",)),
        phase("CARD"),
        clear=either(ABOUT, PLAYERS),
        first=ABOUT,
        free=BOARD,
        do="Type its number, then Enter, or click it twice.",
        by_touch="Tap a card, then Play it.",
    ),
    GuideStep(
        "Moves",
        "Move exactly as far as your card says, in a straight line: row, column or diagonal.",
        "moves",
        _pawn,
        phase("MOVE"),
        clear=either(ABOUT, PLAYERS),
        first=ABOUT,
        free=BOARD,
        do="Choose a lit square: click it, or Tab.",
        by_touch=TAP,
        done=_has_target,
    ),
    GuideStep(
        "On the way",
        f"Carry up to {CAPACITY} pips: small gems are {SMALL}, medium ones {MEDIUM}. Pick up a gem on any square you "
        "enter; drop one on any you pass.",
        "On the way",
        _pawn,
        phase("MOVE", "CARD"),
        clear=either(ABOUT, PLAYERS),
        first=ABOUT,
        free=BOARD,
    ),
    GuideStep(
        "Veins",
        "Land on a vein and it opens: everyone sees what is in it, and you may take what you can carry. Only gems at "
        "home count at the end.",
        "Veins",
        _vein,
        phase("CARD", "VEIN"),
        clear=either(ABOUT, PLAYERS),
        first=ABOUT,
        free=BOARD,
    ),
)
