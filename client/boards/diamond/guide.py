"""The guide through the first turns: the swap and placing, later moving and captures. The panel says the goal."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.diamond.form import TurnForm
from kimberley.client.boards.guide import TO_CHOOSE, AnyShown, Areas, GuideStep, areas, open_form, phase
from kimberley.client.ui.canvas import Action
from kimberley.games.diamond.board import NAMED, TRIANGLES, Bits
from kimberley.games.diamond.position import PIECES, Position
from kimberley.games.diamond.rules import State

PLACING: Final = phase("PLACE", "SWAP?")
MOVING: Final = phase("MOVE")
MIDDLE: Final = NAMED["d4"]
CHOOSE: Final = "Choose a piece."
ABOUT: Final = areas(("about",))
"""What the panel says of the last turn, or of the picked piece."""


def _points(bits: Bits) -> Areas:
    return lambda action, _: _is_in(action, bits)


def _is_in(action: Action, bits: Bits) -> bool:
    return isinstance(action, tuple) and action[0] == "point" and bool(bits >> int(action[1]) & 1)


def _board(action: Action, _shown: AnyShown) -> bool:
    return isinstance(action, tuple) and action[0] == "point"


def _form(shown: AnyShown) -> TurnForm:
    form = open_form(shown)
    assert isinstance(form, TurnForm)
    return form


def _at_cursor(action: Action, shown: AnyShown) -> bool:
    return action == ("point", _form(shown).cursor.point)


def _swap_or_cursor(action: Action, shown: AnyShown) -> bool:
    """Returns whether an action swaps, or means the first piece's point: the middle, until the player has to choose."""
    if open_form(shown) is None:
        return action == ("point", MIDDLE)
    return action == "key:s" if _position(shown).may_swap else _at_cursor(action, shown)


def _only_places(shown: AnyShown) -> bool:
    """Returns whether the player can place a piece and nothing else: what is asked of the player comes first."""
    return PLACING(shown) and not (_position(shown).may_swap or _offered(shown))


def _only_moves(shown: AnyShown) -> bool:
    return MOVING(shown) and not _offered(shown)


def _offered(shown: AnyShown) -> bool:
    state = shown.state
    assert isinstance(state, State)
    return state.offered


def _nothing_picked(shown: AnyShown) -> bool:
    return _form(shown).picked is None


def _can_swap(shown: AnyShown) -> bool:
    """Returns whether the player may swap, or the other side may after the player's first piece, or just has; not while
    a draw is offered: that comes first.
    """
    return PLACING(shown) and not _offered(shown) and sum(map(int.bit_count, _position(shown).pieces)) <= 1


def _can_move(action: Action, shown: AnyShown) -> bool:
    """Returns whether an action is the first of the player's pieces that can move."""
    position = _position(shown)
    own = (point for point in range(len(NAMED)) if position.pieces[position.turn] >> point & 1)
    return action == ("point", next((point for point in own if position.targets(point)), None))


def _position(shown: AnyShown) -> Position:
    state = shown.state
    assert isinstance(state, State)
    return state.position


def _no_targets(shown: AnyShown) -> bool:
    return not _form(shown).targets


def _can_go(action: Action, shown: AnyShown) -> bool:
    """Returns whether an action is a point where the picked piece may go; without one, a piece that can move."""
    return _can_move(action, shown) if _no_targets(shown) else _is_in(action, _form(shown).targets)


GUIDE: Final = (
    GuideStep(
        "The swap",
        "Right after Black’s first piece, White may swap sides instead of placing, and take over that piece. "
        "If you are Black, do not choose too good a point.",
        "The swap",
        _swap_or_cursor,
        _can_swap,
        clear=ABOUT,
        free=_board,
    ),
    GuideStep(
        "Placing pieces",
        f"Take turns placing all {2 * PIECES} pieces. Nothing moves yet. Four corners of a square win at once.",
        "placing",
        _at_cursor,
        _only_places,
        do=TO_CHOOSE,
        by_touch="Tap an open point, then the button.",
        clear=ABOUT,
        free=_board,
    ),
    GuideStep(
        "Moving pieces",
        "All pieces are placed. Move one along a line to an adjacent open point.",
        "moving",
        _can_move,
        _only_moves,
        do=CHOOSE,
        by_touch="Tap one of your pieces.",
        clear=ABOUT,
        free=_board,
        done=lambda shown: not _nothing_picked(shown),
    ),
    GuideStep(
        "Captures",
        "Move so that you hold two corners of a triangle: an enemy piece on the third is cornered.",
        "Captures",
        _points(next(tile for tile in TRIANGLES if tile >> MIDDLE & 1)),
        _only_moves,
        clear=ABOUT,
        free=_board,
    ),
    GuideStep(
        "Only one at a time",
        "Corner exactly one enemy piece to capture it: it turns neutral. Two or more at once are safe.",
        "Captures",
        _can_go,
        _only_moves,
        do="Move to a lit point.",
        by_touch="Tap a lit point, then Go.",
        stuck=_no_targets,
        instead=CHOOSE,
        clear=ABOUT,
        free=_board,
    ),
)
