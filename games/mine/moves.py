"""Where pawns can go, and what they can do on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kimberley.games.mine.gems import CAPACITY
from kimberley.games.mine.mine import Mine
from kimberley.games.mine.squares import RAYS, homes, name, way
from kimberley.games.phrases import count_of

CARDS: Final = (1, 2, 3)
"""The movement cards: how many squares a pawn goes."""


def obstacle(mine: Mine, seat: int, square: int) -> str | None:
    """Says why a seat's pawn cannot enter a square, or None."""
    if any(pawn == square for other, pawn in enumerate(mine.pawns) if other != seat):
        return f"another pawn is on {name(square)}"
    if square in homes(mine.seats) and square != mine.home(seat):
        return f"{name(square)} is another player’s home"
    if mine.blocks(square):
        return f"the vein on {name(square)} is exhausted and blocks the way"
    return None


def targets(mine: Mine, seat: int, card: int) -> tuple[int, ...]:
    """Returns the squares to which a card takes a seat's pawn; none without a pawn."""
    start = mine.pawns[seat]
    if start is None:
        return ()
    return tuple(
        ray[card - 1]
        for ray in RAYS[start]
        if len(ray) >= card and not any(obstacle(mine, seat, square) for square in ray[:card])
    )


def reach(mine: Mine, seat: int) -> dict[int, tuple[int, ...]]:
    """Returns the squares that a seat's pawn could come to, by card."""
    return {card: targets(mine, seat, card) for card in CARDS}


def droppable(mine: Mine, seat: int, to: int) -> tuple[int, ...]:
    """Returns the squares on the way to `to` where a gem may be dropped, if what lies there is picked up."""
    start = mine.pawns[seat]
    assert start is not None
    return tuple(square for square in way(start, to)[:-1] if mine.vein_at(square) is None)


def violation(
    mine: Mine, seat: int, card: int, to: int, picked: Sequence[int], dropped: Sequence[tuple[int, int]]
) -> str | None:
    """Returns the rule that forbids a move, or None.

    Args:
        mine: The board.
        seat: The seat that moves.
        card: Its card, 1 to 3.
        to: The square where the pawn stops.
        picked: The squares where it picks up a gem, in the order of the move.
        dropped: (square, gem) for each gem that it drops, in the order of the move.

    """
    start = mine.pawns[seat]
    entered = () if start is None else way(start, to)
    if len(entered) != card:
        return f"you must move {count_of(card, 'square')} in a straight line"
    for square in entered:
        if reason := obstacle(mine, seat, square):
            return reason
    return _handling_violation(mine, seat, entered, picked, dropped)


def _handling_violation(
    mine: Mine, seat: int, entered: Sequence[int], picked: Sequence[int], dropped: Sequence[tuple[int, int]]
) -> str | None:
    """Returns the rule that forbids what is picked up and dropped on the squares entered, or None."""
    drops = dict(dropped)
    if tuple(picked) != tuple(square for square in entered if square in picked):
        return "list the squares on the way where you pick up, each once, in order"
    if tuple(square for square, _ in dropped) != tuple(square for square in entered if square in drops):
        return "list the squares on the way where you drop, each once, in order"
    carried = set(mine.carried[seat])
    for square in entered:
        lying = mine.loose_at(square)
        if square in picked:
            if lying is None:
                return f"there is no gem on {name(square)}"
            carried.add(lying)
            if sum(map(mine.size, carried)) > CAPACITY:
                return f"you can carry at most {CAPACITY} pips"
        if square in drops:
            if reason := _drop_violation(mine, entered, square, lying is not None and square not in picked):
                return reason
            if drops[square] not in carried:
                return "you can drop only what you carry"
            carried.remove(drops[square])
    return None


def _drop_violation(mine: Mine, entered: Sequence[int], square: int, taken: bool) -> str | None:
    if square == entered[-1]:
        return "you can drop a gem along the way, but not where you stop"
    if mine.vein_at(square) is not None:
        return f"there is a vein on {name(square)}"
    return f"there is already a gem on {name(square)}" if taken else None
