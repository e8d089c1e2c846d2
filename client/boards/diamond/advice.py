"""Why a bot plays a turn, in a sentence: what the turn does on the board, the most urgent thing first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, cast

from kimberley.client.boards.diamond.events import (
    explain_capture,
    open_corners,
    proposal,
    side,
    winning_corners,
    won_square,
)
from kimberley.client.boards.next_best import NextBest, next_best
from kimberley.games.diamond.board import NAMES, SQUARES_AT, Bits, names
from kimberley.games.diamond.notation import read_turn
from kimberley.games.diamond.position import COLORS, Move, Movement, Placement, Position, Removal, Swap
from kimberley.games.diamond.rules import State
from kimberley.games.phrases import join_names
from kimberley.games.table import Plain


class _Fact(NamedTuple):
    """What a turn does on the board: its kind, in words, and how much of it."""

    kind: str
    text: str
    much: int = 1


FORESEEN: Final = "looking ahead, no other turn comes out better"
LATER: Final = "that does not win yet"
"""About a turn beside one that wins."""
URGENCY: Final = ("win", "swap", "draw", "stop", "capture", "threat", "room", "block", "free")
"""The kinds of facts, the most urgent first."""


def advise(state: State, choice: Plain, other: Plain | None = None) -> str:
    """Returns a turn as advice, and why: what is most urgent, and what it does more than the `other` turn."""
    move, after = read_turn(cast(str, choice)).move, state.apply(choice)
    facts = _facts(state, move, after)
    beside = [] if other is None else _facts(state, read_turn(cast(str, other)).move, state.apply(other))
    reason = _reason(facts, beside)
    if not any(fact.kind in ("win", "draw", "stop") for fact in facts) and (
        threat := _threat(after, state.position.turn)
    ):
        reason = f"{reason}, though {threat}"
    return f"{proposal(move)}: {reason}."


def _threat(after: State, color: int) -> str:
    """Says where the opponent of a color wins next; empty if nowhere."""
    then, enemy = after.position, 1 - color
    corners = winning_corners(then, enemy, then.placing)
    return f"{COLORS[enemy]} can complete a square on {join_names(names(corners), 'or')} next" if corners else ""


def advise_next(state: State, choice: Plain, other: Plain) -> NextBest:
    """Returns the second-best turn after a choice, and what it does."""
    best, move = read_turn(cast(str, choice)).move, read_turn(cast(str, other)).move
    facts, beside = _facts(state, move, state.apply(other)), _facts(state, best, state.apply(choice))
    if beside and beside[0].kind == "win":
        wins = bool(facts) and facts[0].kind == "win"
        return next_best(proposal(move), f"{facts[0].text} as well" if wins else LATER)
    apart = [fact.text for fact in facts if fact not in beside]
    return next_best(proposal(move), apart[0] if apart else "")


def _reason(facts: Sequence[_Fact], beside: Sequence[_Fact]) -> str:
    """Returns the first fact, and if the turn `beside` it does as much, another that tells them apart. If that one does
    something more urgent, or nothing tells them apart, looking ahead is the reason.
    """
    apart = [fact for fact in facts if all(other.kind != fact.kind or other.much < fact.much for other in beside)]
    if not facts:
        return FORESEEN
    first = facts[0]
    if first.kind == "win":
        return first.text
    if beside and URGENCY.index(beside[0].kind) < URGENCY.index(first.kind):
        return f"{first.text}; {FORESEEN}"
    if first in apart:
        return first.text
    return f"{first.text}, and {apart[0].text}" if apart else f"{first.text}; {FORESEEN}"


def _facts(state: State, move: Move, after: State) -> list[_Fact]:
    """Returns what a turn does, the most urgent thing first."""
    before, then = state.position, after.position
    own = before.turn
    enemy = 1 - own
    if square := won_square(after):
        return [_Fact("win", f"it completes the square {' '.join(names(square))} and wins")]
    if isinstance(move, Swap):
        return [_Fact("swap", "that first piece is too good to leave to your opponent")]
    if not any(before.pieces):
        # Of an empty board, all that is said of points below is true, and tells nothing.
        return [_Fact("swap", "White could take over a better point by swapping")]
    if not isinstance(move, Placement | Movement | Removal):
        return [_Fact("draw", "you are unlikely to win from here")]
    facts = []
    open_to_enemy = winning_corners(then, enemy, then.placing)
    if stopped := winning_corners(before, enemy, then.placing) & ~open_to_enemy:
        still = f", though not on {join_names(names(open_to_enemy))}" if open_to_enemy else ""
        text = f"it stops {COLORS[enemy]} from completing a square on {join_names(names(stopped))}{still}"
        facts.append(_Fact("stop", text, stopped.bit_count()))
    if isinstance(move, Movement) and before.captured(move):
        facts.append(_Fact("capture", f"{explain_capture(before, move)} and capture it"))
    places_again = then.left > 1
    if threats := winning_corners(then, own, places_again) & ~winning_corners(before, own, places_again):
        facts.append(_Fact("threat", _needed(threats, open_corners(before, own)), threats.bit_count()))
    if isinstance(move, Removal):
        return [*facts, _Fact("room", f"{NAMES[move.at]} is open again")]
    shared, free = _blocked(before, move.to, enemy), _free(then, move.to, enemy)
    if shared:
        whole = "a square in" if shared == 1 else f"{shared} squares in each of"
        facts.append(_Fact("block", f"it blocks {whole} which {COLORS[enemy]} holds two corners", shared))
    if free > (_free(before, move.start, enemy) if isinstance(move, Movement) else 0):
        whole = "a square" if free == 1 else f"{free} squares"
        facts.append(_Fact("free", f"{NAMES[move.to]} is a corner of {whole} with no {side(enemy)} piece", free))
    return facts


def _needed(threats: Bits, known: Bits) -> str:
    """Says which corners that win next are now the only ones missing, and which of those already `known` as missing can
    now be reached.
    """
    new, reached = names(threats & ~known), names(threats & known)
    parts = [f"need only {join_names(new, 'or')} for a square"] if new else []
    last = "the last corner of a square" if len(reached) == 1 else "each the last corner of a square"
    parts += [f"can reach {join_names(reached, 'or')}, {last}"] if reached else []
    return f"then you {', and '.join(parts)}"


def _blocked(position: Position, point: int, enemy: int) -> int:
    """Returns how many squares with a corner on a point the other side holds two corners of, and nobody a third."""
    theirs, taken = position.pieces[enemy], position.pieces[1 - enemy] | position.neutral
    return sum((square & theirs).bit_count() == 2 and not square & taken for square in SQUARES_AT[point])


def _free(position: Position, point: int, enemy: int) -> int:
    """Returns how many squares with a corner on a point the other side does not hold a corner of."""
    return sum(not square & position.pieces[enemy] for square in SQUARES_AT[point])
