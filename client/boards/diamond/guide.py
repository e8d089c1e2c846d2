"""The guide through the first turns: the aim, the swap and placing, later moving and captures."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.diamond.form import TurnForm
from kimberley.client.boards.diamond.scene import EXAMPLE
from kimberley.client.boards.guide import AnyShown, Areas, GuideStep, open_form, phase
from kimberley.client.ui.canvas import Action
from kimberley.games.diamond.board import NAMED, TRIANGLES, Bits
from kimberley.games.diamond.position import PIECES, Position
from kimberley.games.diamond.rules import State

PLACING: Final = phase("PLACE", "SWAP?")
MOVING: Final = phase("MOVE")
MIDDLE: Final = NAMED["d4"]


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
    """The button that swaps, or the point where the first piece goes."""
    return action == "key:s" if _position(shown).may_swap else _at_cursor(action, shown)


def _on_board(action: Action, shown: AnyShown) -> bool:
    """The piece that there is to swap for."""
    return _is_in(action, _position(shown).pieces[0] | _position(shown).pieces[1])


def _can_swap(shown: AnyShown) -> bool:
    """Whether the player may swap, or the other side may after the player's first piece."""
    position = _position(shown)
    return PLACING(shown) and (position.may_swap or not any(position.pieces))


def _can_move(action: Action, shown: AnyShown) -> bool:
    """The first of the player's pieces that can move."""
    position = _position(shown)
    own = (point for point in range(len(NAMED)) if position.pieces[position.turn] >> point & 1)
    return action == ("point", next((point for point in own if position.targets(point)), None))


def _position(shown: AnyShown) -> Position:
    state = shown.state
    assert isinstance(state, State)
    return state.position


def _can_go(action: Action, shown: AnyShown) -> bool:
    """Where the picked piece may go; without one, a piece that can move."""
    form = _form(shown)
    return _is_in(action, form.targets) if form.picked is not None else _can_move(action, shown)


GUIDE: Final = (
    GuideStep(
        "Goal",
        "Be the first to hold all four corners of a tinted square. That wins at once, in either phase. So can "
        "your opponent.",
        "Goal",
        _points(EXAMPLE),
        PLACING,
    ),
    GuideStep(
        "The swap",
        "Right after Black’s first piece, White may swap sides instead of placing, and take over that piece. As Black, "
        "do not place it too well.",
        "The swap",
        _swap_or_cursor,
        _can_swap,
        free=_on_board,
    ),
    GuideStep(
        "First phase: placing",
        f"Take turns placing until all {2 * PIECES} pieces are on the board. Nothing moves or is captured yet.",
        "placing",
        _at_cursor,
        PLACING,
        do="Arrows and Enter, or click an open point twice. The next note comes when pieces move.",
        by_touch="Tap an open point, then the button. The next note comes when pieces move.",
        free=_board,
    ),
    GuideStep(
        "Second phase: moving",
        "All pieces are placed. Move one along a line to an adjacent open point.",
        "moving",
        _can_move,
        MOVING,
        do="Choose a piece: click it, or use the arrows and Enter.",
        by_touch="Tap one of your pieces.",
        free=_board,
        done=lambda shown: _form(shown).picked is not None,
    ),
    GuideStep(
        "Captures",
        "If a triangle holds one of your pieces and one enemy piece, move another of your pieces to its third corner: "
        "you corner the enemy piece.",
        "Captures",
        _points(next(tile for tile in TRIANGLES if tile >> MIDDLE & 1)),
        MOVING,
        free=_board,
    ),
    GuideStep(
        "Only one at a time",
        "Corner exactly one enemy piece and you capture it: it turns neutral. Corner two or more and all are safe.",
        "Captures",
        _can_go,
        MOVING,
        do="Move to a lit point: Enter, or click twice.",
        by_touch="Tap a lit point, then Go.",
        free=_board,
    ),
)
