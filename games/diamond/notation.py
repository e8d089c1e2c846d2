"""Diamond in writing: turns as players record them, and positions in one line.

A turn:

    b2          a piece is placed on b2           b1-b2       a piece goes from b1 to b2
    (b3)        the neutral piece leaves b3       b1-b2*      it captures
    swap        the players change sides          =           the draw that was offered is taken
    b1-b2 =     any turn but an agreement, with a draw offered

A position: the rows from 8 down to 1, each from left to right, with b and w for pieces, n for a neutral one and a
number for that many open points; then the side to move, and how many pieces are still to be placed (of both colors),
followed by `s` where White may swap. Rows 8 and 1 have seven points. The start is 7/8/8/8/8/8/8/7 b 24.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from kimberley.games.diamond.board import COLUMNS, NAMED, NAMES, ROWS, SIDE
from kimberley.games.diamond.position import (
    BLACK,
    COLORS,
    PIECES,
    WHITE,
    DrawAgreement,
    Move,
    Movement,
    Placement,
    Position,
    Removal,
    Swap,
)

OFFER: Final = "="


class TurnNotationError(ValueError):
    """A text that is not a turn, a position or a game; the message says what was expected."""


class UnreadableTurnError(TurnNotationError):
    """A text that does not have the form of a turn."""


class ParsedTurn(NamedTuple):
    """A turn as written: the move, whether it is marked as a capture, and whether it offers a draw."""

    move: Move
    captures: bool = False
    offers: bool = False


_TURN: Final = re.compile(r"(?:(?P<start>[a-h][1-8])-)?(?P<to>[a-h][1-8])(?P<star>\*)?|\((?P<at>[a-h][1-8])\)|swap")


def read_turn(text: str) -> ParsedTurn:
    """Returns the turn that a text spells. Every turn has one spelling. Raises TurnNotationError."""
    if text == OFFER:
        return ParsedTurn(DrawAgreement())
    bare = text.removesuffix(f" {OFFER}")
    match = _TURN.fullmatch(bare)
    if match is None:
        raise UnreadableTurnError(f"{text[:20]!r} is not a turn: write b2, b1-b2, b1-b2*, (b3), swap or =")
    start, to, star, at = match["start"], match["to"], match["star"], match["at"]
    if missing := [name for name in (start, to, at) if name and name not in NAMED]:
        raise TurnNotationError(f"the board has no point {missing[0]}")
    move: Move
    if at:
        move = Removal(NAMED[at])
    elif start:
        move = Movement(NAMED[start], NAMED[to])
    elif to and star:
        raise TurnNotationError("a placement captures nothing: write it without *")
    else:
        move = Placement(NAMED[to]) if to else Swap()
    return ParsedTurn(move, bool(star), bare != text)


def format_move(move: Move, captures: bool = False, offers: bool = False) -> str:
    """Returns the one spelling of a turn."""
    match move:
        case Placement(to):
            text = NAMES[to]
        case Movement(start, to):
            text = f"{NAMES[start]}-{NAMES[to]}{'*' if captures else ''}"
        case Removal(at):
            text = f"({NAMES[at]})"
        case Swap():
            text = "swap"
        case _:
            return OFFER
    return f"{text} {OFFER}" if offers else text


def format_turn(position: Position, move: Move, offers: bool = False) -> str:
    """Says how a turn from a position is written."""
    return format_move(move, isinstance(move, Movement) and bool(position.captured(move)), offers)


# -- positions ---------------------------------------------------------------------------------------------------------

_LETTERS: Final = {"b": "black", "w": "white", "n": "neutral"}


def _row(row: int) -> list[int]:
    """Returns the points of a row, from left to right."""
    return [NAMED[column + ROWS[row - 1]] for column in COLUMNS if column + ROWS[row - 1] in NAMED]


def write_position(position: Position) -> str:
    """Returns a position in one line."""
    letters = {word: letter for letter, word in _LETTERS.items()}
    rows = []
    for row in range(SIDE, 0, -1):
        line = "".join(letters.get(position.what(point), "1") for point in _row(row))
        rows.append(re.sub("1+", lambda run: str(len(run[0])), line))
    swap = "s" if position.may_swap else ""
    return f"{'/'.join(rows)} {COLORS[position.turn][0].lower()} {position.left}{swap}"


_POSITION: Final = re.compile(r"([1-8bwn/]+) ([bw]) (\d{1,2})(s?)")


def read_position(text: str) -> Position:
    """Returns the position that a line describes. Raises TurnNotationError for one that cannot arise in a game."""
    match = _POSITION.fullmatch(text.strip())
    if match is None:
        raise TurnNotationError("a position is eight rows, the side to move and the pieces still to be placed: "
                            "7/8/8/8/8/8/8/7 b 24")  # fmt: skip
    sets = {"b": 0, "w": 0, "n": 0}
    rows = match[1].split("/")
    if len(rows) != SIDE:
        raise TurnNotationError(f"a position has {SIDE} rows, not {len(rows)}")
    for row, line in zip(range(SIDE, 0, -1), rows, strict=True):
        spread = re.sub("[1-8]", lambda run: "." * int(run[0]), line)
        there = _row(row)
        if len(spread) != len(there):
            raise TurnNotationError(f"row {row} has {len(there)} points, not {len(spread)}")
        for point, letter in zip(there, spread, strict=True):
            if letter in sets:
                sets[letter] |= 1 << point
    turn = WHITE if match[2] == "w" else BLACK
    position = Position((sets["b"], sets["w"]), sets["n"], turn, int(match[3]), bool(match[4]))
    if wrong := _impossible(position):
        raise TurnNotationError(wrong)
    return position


def _impossible(position: Position) -> str | None:
    left, (black, white) = position.left, (bits.bit_count() for bits in position.pieces)
    if left > 2 * PIECES:
        return f"there are {2 * PIECES} pieces to place, not {left}"
    if position.may_swap and left != 2 * PIECES - 1:
        return "White may swap only while 23 pieces are still to be placed"
    if not left:
        total = black + white + position.neutral.bit_count()
        return None if black <= PIECES and white <= PIECES and total <= 2 * PIECES else "there are too many pieces"
    if position.neutral:
        return "there are no neutral pieces until all pieces are placed"
    due = PIECES - left // 2, PIECES - (left + 1) // 2
    if (black, white) == due and position.turn == left % 2:
        return None
    side = COLORS[left % 2]
    return f"with {left} pieces left it is {side}’s turn, with {due[0]} black and {due[1]} white pieces placed"
