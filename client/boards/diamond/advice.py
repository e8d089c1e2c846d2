"""Why a bot plays a turn, in a sentence: what the turn does on the board, the most urgent thing first."""

from __future__ import annotations

from typing import cast

from kimberley.client.boards.diamond.events import explain_capture, open_corners, won_square
from kimberley.client.session.notices import join_names
from kimberley.games.diamond.board import NAMES, SQUARES_AT, names
from kimberley.games.diamond.notation import read_turn
from kimberley.games.diamond.position import COLORS, Move, Movement, Placement, Position, Removal, Swap
from kimberley.games.diamond.rules import State
from kimberley.games.table import Plain


def advise(state: State, choice: Plain) -> str:
    """A turn as advice, and why."""
    move = read_turn(cast(str, choice)).move
    return f"{_told(move)}: {_reason(state, move, state.apply(choice))}."


def _told(move: Move) -> str:
    match move:
        case Placement(to):
            return f"Place on {NAMES[to]}"
        case Movement(start, to):
            return f"Move {NAMES[start]} to {NAMES[to]}"
        case Removal(at):
            return f"Remove the neutral piece on {NAMES[at]}"
        case Swap():
            return "Swap"
    return "Accept the draw"


def _reason(state: State, move: Move, after: State) -> str:
    before = state.position
    own = before.turn
    if square := won_square(after):
        return f"it completes the square {' '.join(names(square))} and wins"
    if isinstance(move, Swap):
        return "that first piece is too strong to leave to Black"
    if not isinstance(move, Placement | Movement | Removal):
        return "you are unlikely to win from here"
    if guarded := open_corners(before, 1 - own) & ~open_corners(after.position, 1 - own):
        return f"it stops {COLORS[1 - own]} from completing a square on {join_names(names(guarded))}"
    if isinstance(move, Movement) and before.captured(move):
        return f"{explain_capture(before, move)} and capture it"
    if corners := names(open_corners(after.position, own)):
        return f"then only {' or '.join(corners)} is missing for a square"
    if isinstance(move, Removal):
        return "it makes room, and no move looks better"
    return f"{NAMES[move.to] if isinstance(move, Movement) else 'it'} {_prospect(after.position, move.to, own)}"


def _prospect(position: Position, point: int, own: int) -> str:
    """How many squares with a corner on a point the other side does not hold a corner of."""
    free = [square for square in SQUARES_AT[point] if not square & position.pieces[1 - own]]
    if not free:
        return "keeps your pieces together, with no immediate threat"
    whole = "a square" if len(free) == 1 else f"{len(free)} squares"
    return f"is a corner of {whole} with no {COLORS[1 - own]} piece"
