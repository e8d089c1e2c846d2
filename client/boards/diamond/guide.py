"""The guide through the first turns: the aim and placing, later moving and captures."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.diamond.form import TurnForm
from kimberley.client.boards.guide import AnyShown, Areas, GuideStep, open_form, phase
from kimberley.client.ui.canvas import Action
from kimberley.games.diamond.board import NAMED, SQUARES_AT, TRIANGLES, Bits
from kimberley.games.diamond.position import PIECES, Position
from kimberley.games.diamond.rules import State

PLACING: Final = phase("PLACE", "SWAP?")
MOVING: Final = phase("MOVE")
MIDDLE: Final = NAMED["d4"]


def _points(bits: Bits) -> Areas:
    return lambda action, _: _is_in(action, bits)


def _is_in(action: Action, bits: Bits) -> bool:
    return isinstance(action, tuple) and action[0] == "point" and bool(bits >> int(action[1]) & 1)


def _form(shown: AnyShown) -> TurnForm:
    form = open_form(shown)
    assert isinstance(form, TurnForm)
    return form


def _at_cursor(action: Action, shown: AnyShown) -> bool:
    return action == ("point", _form(shown).cursor.point)


def _enemies(action: Action, shown: AnyShown) -> bool:
    """The pieces of the other side, or the point where the cursor is if it has none yet."""
    position = _position(shown)
    return _is_in(action, position.pieces[1 - position.turn]) or (
        not position.pieces[1 - position.turn] and _at_cursor(action, shown)
    )


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
        "The aim",
        "Be the first to hold all four corners of a square with pieces of your color. The squares are tinted.",
        "The aim",
        _points(SQUARES_AT[MIDDLE][0]),
        PLACING,
    ),
    GuideStep(
        "First phase: placing",
        f"The sides take turns, until all {2 * PIECES} pieces stand. In this phase no piece moves, and no piece is "
        "captured.",
        "placing",
        _at_cursor,
        PLACING,
        do="Arrows and Enter, or click an open point twice.",
        by_touch="Touch an open point, then the button.",
    ),
    GuideStep(
        "Squares again",
        "You can complete a square in either phase of the game, and you win at once. So can the other side: look "
        "where it stands.",
        "The aim",
        _enemies,
        PLACING,
        do="Place your next piece.",
    ),
    GuideStep(
        "Second phase: moving",
        "All pieces stand. Move one of your pieces along a line to an open neighboring point.",
        "moving",
        _can_move,
        MOVING,
        do="Pick a piece: click it, or arrows and Enter.",
        by_touch="Touch a piece of yours.",
        done=lambda shown: _form(shown).picked is not None,
    ),
    GuideStep(
        "Captures",
        "You corner an enemy piece if you move to the last open corner of a triangle whose other two corners hold "
        "that enemy piece and a piece of your own.",
        "Captures",
        _points(next(tile for tile in TRIANGLES if tile >> MIDDLE & 1)),
        MOVING,
    ),
    GuideStep(
        "One, and no more",
        "If your move corners exactly one enemy piece, you capture it: it becomes neutral. If it corners two or more, "
        "all of them are safe.",
        "Captures",
        _can_go,
        MOVING,
        do="Go to a lit point: Enter, or two clicks.",
        by_touch="Touch a lit point, then Go.",
    ),
)
