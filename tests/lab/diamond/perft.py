"""Counts the ways to play on from a position, the usual test of a move generator.

From the shell: `python -m tests.lab.diamond.perft DEPTH [POSITION]`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from kimberley.games.diamond.notation import TurnNotationError, read_position
from kimberley.games.diamond.position import Position

START = "7/8/8/8/8/8/8/7 b 24"


def perft(position: str, depth: int) -> int:
    """Returns how many sequences of `depth` turns there are from a position given as text.

    A sequence ends where a square is complete or the side to move cannot move; one that ends before `depth` does not
    count. A swap is a turn. Repetitions, the count of quiet moves, offers and agreements are left out. Raises
    TurnNotationError for a text that is not a position.
    """
    return count(read_position(position), depth)


def count(position: Position, depth: int) -> int:
    """Returns what `perft` does, from a position."""
    if depth == 0:
        return 1
    if not position.can_move() or position.won():
        return 0
    if depth == 1:
        return sum(1 for _ in position.moves())
    return sum(count(position.after(move), depth - 1) for move in position.moves())


def main(arguments: Sequence[str]) -> int:
    """Prints the count for each depth up to the one given."""
    try:
        depth, position = int(arguments[0]), " ".join(arguments[1:]) or START
        for each in range(1, depth + 1):
            print(each, perft(position, each))
    except (IndexError, ValueError) as error:
        reason = str(error) if isinstance(error, TurnNotationError) else "give a depth, and a position if not the start"
        print(f"perft: {reason}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
