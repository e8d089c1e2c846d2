"""Positions in sentences: what a screen reader reads."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.boards.diamond.events import (
    captures_from,
    effect,
    explain_capture,
    near_wins,
    side,
    swap_offer,
)
from kimberley.client.boards.subject import subject
from kimberley.games.diamond.board import NAMED, NAMES, NEXT, SQUARES_AT, Bits, names, points
from kimberley.games.diamond.position import BLACK, COLORS, WHITE, Movement
from kimberley.games.diamond.rules import QUIET, State
from kimberley.games.phrases import count_of, join_names
from kimberley.games.table import Result

DRAWING = "Choosing at random who plays Black and begins."


def describe(state: State, players: Sequence[str], you: int | None, *, over: bool = False) -> list[str]:
    """Returns a position, the most important first. `you` is the seat of the reader, None for a spectator. Of a
    game that is `over`, nothing is said of what could follow.
    """
    if state.first is None:
        return [DRAWING]
    position = state.position
    if you is None:
        lines = [
            f"{players[state.seat(color)]} plays {COLORS[color]}: {_pieces(position.pieces[color])}."
            for color in (BLACK, WHITE)
        ]
    else:
        lines = [f"You play {COLORS[state.color(you)]}."]
        if not any(position.pieces):
            begins = subject(players, state.first, you)
            lines.append(f"{begins} {begins.does('begins')}, as Black.")
        for color in (state.color(you), state.color(1 - you)):
            lines.append(f"{COLORS[color]}: {_pieces(position.pieces[color])}.")
    over = over or isinstance(state.ask(), Result)
    lines += [] if over else _outlook(state, players, you)
    if position.neutral:
        label = "Neutral piece" if position.neutral.bit_count() == 1 else "Neutral pieces"
        lines.append(f"{label}: {join_names(names(position.neutral))}.")
    return lines if over else lines + _turn(state, players, you)


def _outlook(state: State, players: Sequence[str], you: int | None) -> list[str]:
    """Says which squares can be completed, and that White can swap."""
    position = state.position
    wins = near_wins(position, to_play=you is not None and state.color(you) == position.turn)
    return [*(win.text for win in wins), *([swap_offer(state, players, you)] if position.may_swap else [])]


def _turn(state: State, players: Sequence[str], you: int | None) -> list[str]:
    """Says whose turn it is, and how long the game can last."""
    position, lines = state.position, list[str]()
    if you is None:
        to = "place" if position.placing else "move"
        lines.append(f"{players[state.seat(position.turn)]}, {COLORS[position.turn]}, to {to}.")
    if state.quiet and not position.placing:
        lines.append(
            f"No capture or removal for {count_of(state.quiet, 'turn')}, counting both sides. After {QUIET} turns it "
            "is a draw."
        )
    if you is not None and position.placing:
        black, white = position.left // 2, (position.left + 1) // 2
        lines.append(f"Left to place: Black {black}, White {white}.")
    return lines


def _pieces(pieces: Bits) -> str:
    there = names(pieces)
    return f"{'a piece' if len(there) == 1 else 'pieces'} on {join_names(there)}" if there else "no pieces on the board"


def look(state: State, name: str, *, over: bool = False) -> list[str]:
    """Says what stands on a point and beside it, and what a piece there would capture, unless the game is `over`."""
    if name not in NAMED:
        return [f"There is no point {name}."]
    point, position = NAMED[name], state.position
    what = position.what(point)
    lines = [f"{name}: a {what} piece." if what else f"{name} is open."]
    beside = [f"{NAMES[near]} {position.what(near) or 'open'}" for near in points(NEXT[point])]
    lines.append(f"Next to it: {', '.join(sorted(beside))}.")
    squares = sorted(" ".join(names(square)) for square in SQUARES_AT[point])
    lines.append(
        f"Squares with {name} as a corner: {', '.join(squares)}."
        if squares
        else f"{name} is not a corner of any square."
    )
    if not (over or position.placing) and what == side(position.turn):
        taking = captures_from(position, point)
        for to in points(position.targets(point)):
            step = Movement(point, to)
            did, reason = effect(position, step), explain_capture(position, step)
            if taking >> to & 1 or did:
                captures = f" {did}" if position.captured(step) else ""
                lines.append(f"{name}-{NAMES[to]}{captures}: {reason}.")
    return lines
