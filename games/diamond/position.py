"""A position of Diamond and its turns. Wins, and draws that need no memory of earlier positions, are found here,
too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from kimberley.games.diamond.board import ALL, NAMES, NEXT, PAIRS, SQUARES, Bits, names, points
from kimberley.games.phrases import join_names

BLACK: Final = 0
WHITE: Final = 1
COLORS: Final = ("Black", "White")
PIECES: Final = 12
"""Pieces of each color."""


class Placement(NamedTuple):
    """Puts a piece of the side to move on an open point."""

    to: int


class Movement(NamedTuple):
    """Moves a piece along a line."""

    start: int
    to: int


class Removal(NamedTuple):
    """Takes a neutral piece off the board."""

    at: int


class Swap(NamedTuple):
    """The players change sides; nothing changes on the board."""


class DrawAgreement(NamedTuple):
    """Accepts the draw that was offered."""


Move: TypeAlias = Placement | Movement | Removal | Swap | DrawAgreement


@dataclass(frozen=True)
class Position:
    """The board and the side to move. `left` pieces are still to be placed, of both colors together.

    `may_swap` holds for White right after Black's first placement. Sets of points are bits (`games.diamond.board`).
    """

    pieces: tuple[Bits, Bits] = (0, 0)
    neutral: Bits = 0
    turn: int = BLACK
    left: int = 2 * PIECES
    may_swap: bool = False

    @property
    def empty(self) -> Bits:
        """The open points."""
        return ALL & ~(self.pieces[BLACK] | self.pieces[WHITE] | self.neutral)

    @property
    def placing(self) -> bool:
        """Returns whether the placement phase is still going on."""
        return self.left > 0

    def material(self, color: int) -> int:
        """Returns the pieces of a color that are on the board or still to be placed."""
        return self.pieces[color].bit_count() + (self.left + color) // 2

    # -- what may be done --------------------------------------------------------------------------------------------

    def targets(self, start: int) -> Bits:
        """Returns the open points beside a point."""
        return NEXT[start] & self.empty

    def removable(self) -> Bits:
        """Returns the neutral pieces with neither a black nor a white piece beside them, in the movement phase."""
        if self.placing:
            return 0
        colored = self.pieces[BLACK] | self.pieces[WHITE]
        return sum(1 << point for point in points(self.neutral) if not NEXT[point] & colored)

    def moves(self) -> Iterator[Move]:
        """Yields every legal turn except an agreement, whether or not the game is over."""
        if self.placing:
            yield from map(Placement, points(self.empty))
            if self.may_swap:
                yield Swap()
            return
        for start in points(self.pieces[self.turn]):
            for to in points(self.targets(start)):
                yield Movement(start, to)
        yield from map(Removal, points(self.removable()))

    def can_move(self) -> bool:
        """Returns whether the side to move can place or move a piece; removing a neutral one does not count."""
        return self.placing or any(self.targets(start) for start in points(self.pieces[self.turn]))

    # -- captures ----------------------------------------------------------------------------------------------------

    def cornered(self, step: Movement) -> Bits:
        """Returns the enemy pieces that a step corners: each on a triangle whose other corners are now the mover's."""
        own, enemy = self.pieces[self.turn] & ~(1 << step.start), self.pieces[1 - self.turn]
        pieces = 0
        for a, b in PAIRS[step.to]:
            if own & a:
                pieces |= enemy & b
            elif own & b:
                pieces |= enemy & a
        return pieces

    def captured(self, step: Movement) -> Bits:
        """Returns the piece that a step captures, as a set: none where it corners none, or more than one."""
        cornered = self.cornered(step)
        return cornered if cornered & (cornered - 1) == 0 else 0

    # -- what a turn leads to ------------------------------------------------------------------------------------------

    def after(self, move: Move) -> Position:
        """Returns the position after a legal turn."""
        own, enemy, neutral = self.pieces[self.turn], self.pieces[1 - self.turn], self.neutral
        left = self.left
        match move:
            case Placement(to):
                own |= 1 << to
                left -= 1
            case Movement(start, to):
                taken = self.captured(move)
                own ^= 1 << start | 1 << to
                enemy &= ~taken
                neutral |= taken
            case Removal(at):
                neutral &= ~(1 << at)
            case _:
                return Position(self.pieces, neutral, self.turn, left)
        pieces = (own, enemy) if self.turn == BLACK else (enemy, own)
        return Position(pieces, neutral, 1 - self.turn, left, may_swap=left == 2 * PIECES - 1)

    def won(self) -> tuple[int, Bits] | None:
        """Returns the color that holds a square, and the square. If both do, the color that moved last counts."""
        for color in (1 - self.turn, self.turn):
            for square in SQUARES:
                if self.pieces[color] & square == square:
                    return color, square
        return None

    # -- why something may not be done --------------------------------------------------------------------------------

    def violation(self, move: Move) -> str | None:
        """Returns the rule that forbids a turn, or None. Agreements are left to the caller, who knows of offers."""
        match move:
            case Placement(to):
                if not self.placing:
                    return "all pieces are placed: move one, or remove a neutral one"
                return self._taken(to)
            case Movement(start, to):
                return self._step_violation(start, to)
            case Removal(at):
                return self._removal_violation(at)
            case Swap():
                return None if self.may_swap else "only White can swap, once, right after Black’s first piece"
            case _:
                return None

    def _taken(self, point: int) -> str | None:
        what = self.what(point)
        return f"{NAMES[point]} is occupied by a {what} piece" if what else None

    def what(self, point: int) -> str:
        """Says what stands on a point: black, white, neutral, or nothing."""
        for bits, word in zip((*self.pieces, self.neutral), ("black", "white", "neutral"), strict=True):
            if bits >> point & 1:
                return word
        return ""

    def _step_violation(self, start: int, to: int) -> str | None:
        if self.placing:
            return f"pieces cannot move until all are placed; {self.left} to go"
        what = self.what(start)
        if what == "neutral":
            return f"the piece on {NAMES[start]} is neutral and cannot move"
        if what != COLORS[self.turn].lower():
            there = f"the piece there is {what}" if what else "it is open"
            return f"{COLORS[self.turn]} has no piece on {NAMES[start]}: {there}"
        if not NEXT[start] >> to & 1:
            return f"no line joins {NAMES[start]} and {NAMES[to]}"
        return self._taken(to)

    def _removal_violation(self, at: int) -> str | None:
        if not self.neutral >> at & 1:
            return f"there is no neutral piece on {NAMES[at]}"
        beside = names(NEXT[at] & (self.pieces[BLACK] | self.pieces[WHITE]))
        if not beside:
            return None
        pieces = "a white or black piece is" if len(beside) == 1 else "white or black pieces are"
        return f"you cannot remove {NAMES[at]} while {pieces} next to it, on {join_names(beside)}"


EMPTY: Final = Position()
"""The start: an empty board, and Black to place."""
