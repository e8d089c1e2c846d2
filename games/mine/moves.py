"""Where pawns can go, and what they can do on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.mine.gems import CAPACITY
from games.mine.mine import Mine
from games.mine.squares import RAYS, homes, name, way

CARDS: Final = (1, 2, 3)
"""How far a card sends a pawn."""


def why_blocked(mine: Mine, seat: int, square: int) -> str | None:
    """Why a seat's pawn cannot enter a square, or None."""
    if any(pawn == square for other, pawn in enumerate(mine.pawns) if other != seat):
        return f"another pawn stands on {name(square)}"
    if square in homes(mine.seats) and square != mine.home(seat):
        return f"{name(square)} is another's home"
    if mine.blocks(square):
        return f"the vein on {name(square)} is exhausted and bars the way"
    return None


def targets(mine: Mine, seat: int, card: int) -> tuple[int, ...]:
    """The squares to which a card takes a seat's pawn; none without a pawn."""
    start = mine.pawns[seat]
    if start is None:
        return ()
    return tuple(
        ray[card - 1]
        for ray in RAYS[start]
        if len(ray) >= card and not any(why_blocked(mine, seat, square) for square in ray[:card])
    )


def reach(mine: Mine, seat: int) -> dict[int, tuple[int, ...]]:
    """The squares that a seat's pawn could come to, by card."""
    return {card: targets(mine, seat, card) for card in CARDS}


def droppable(mine: Mine, seat: int, to: int) -> tuple[int, ...]:
    """The squares on the way to `to` where a gem may be dropped, if what lies there is picked up."""
    start = mine.pawns[seat]
    assert start is not None
    return tuple(square for square in way(start, to)[:-1] if mine.vein_at(square) is None)


def why_not(
    mine: Mine, seat: int, card: int, to: int, picked: Sequence[int], dropped: Sequence[tuple[int, int]]
) -> str | None:
    """The rule that forbids a move, or None."""
    start = mine.pawns[seat]
    entered = () if start is None else way(start, to)
    if len(entered) != card:
        return f"a move goes {card} square{'s' * (card > 1)} in a straight line"
    for square in entered:
        if reason := why_blocked(mine, seat, square):
            return reason
    return _why_not_handled(mine, seat, entered, picked, dropped)


def _why_not_handled(
    mine: Mine, seat: int, entered: Sequence[int], picked: Sequence[int], dropped: Sequence[tuple[int, int]]
) -> str | None:
    """The rule that forbids what is picked up and dropped on the squares entered, or None."""
    drops = dict(dropped)
    if tuple(picked) != tuple(square for square in entered if square in picked):
        return "what is picked up is told by the squares on the way, each once, in their order"
    if tuple(square for square, _ in dropped) != tuple(square for square in entered if square in drops):
        return "what is dropped is told by the squares on the way, each once, in their order"
    carried = set(mine.carried[seat])
    for square in entered:
        lying = mine.loose_at(square)
        if square in picked:
            if lying is None:
                return f"no gem lies on {name(square)}"
            carried.add(lying)
            if sum(map(mine.size, carried)) > CAPACITY:
                return f"a pawn carries {CAPACITY} pips at most"
        if square in drops:
            if reason := _why_not_dropped(mine, entered, square, lying is not None and square not in picked):
                return reason
            if drops[square] not in carried:
                return "it does not carry what it would drop"
            carried.remove(drops[square])
    return None


def _why_not_dropped(mine: Mine, entered: Sequence[int], square: int, taken: bool) -> str | None:
    if square == entered[-1]:
        return "a gem is dropped on the way, not where the pawn stops and stands"
    if mine.vein_at(square) is not None:
        return f"on {name(square)} there is a vein"
    return f"on {name(square)} there lies a gem already" if taken else None
