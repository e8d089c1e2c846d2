"""The diagrams in docs/mine.md show what the rules say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kimberley.games.mine.mine import Mine
from kimberley.games.mine.moves import targets
from kimberley.games.mine.squares import SIDE, name, square

PAGE = Path(__file__).parents[3] / "docs" / "mine.md"
DIAGRAMS = re.findall(r"```text\n card (\d)[^\n]*\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def squares(rows: str, sign: str) -> set[str]:
    """Returns the squares with a sign, in a diagram whose rows begin with their number."""
    lines = [line.split() for line in rows.splitlines()]
    found = {line[0]: line[1:] for line in lines if len(line) == SIDE + 1}
    return {f"{'abcdefgh'[x]}{row}" for row, cells in found.items() for x, cell in enumerate(cells) if cell == sign}


def drawn(rows: str) -> Mine:
    """Returns the position of a diagram: P moves, Q is the other pawn, V a vein that holds something, X an exhausted
    one.
    """
    veins = [*sorted(squares(rows, "V")), *sorted(squares(rows, "X"))]
    inside = tuple((nest, 20 + nest) if at in squares(rows, "V") else () for nest, at in enumerate(veins))
    (own,), others = squares(rows, "P"), squares(rows, "Q") or {"h8"}
    pawns = square(own), square(others.pop())
    none: tuple[tuple[int, ...], ...] = ((), ())
    return Mine(2, 20, inside, (True,) * len(veins), pawns, none, none, tuple(map(square, veins)))


def test_there_are_diagrams_of_moves() -> None:
    assert len(DIAGRAMS) == 2


@pytest.mark.parametrize(("card", "rows"), DIAGRAMS)
def test_a_diagram_marks_where_a_pawn_may_land(card: str, rows: str) -> None:
    mine = drawn(rows)
    there = {name(to) for to in targets(mine, 0, int(card))}
    # A marked vein or home would hide its own sign: it is named below the board.
    named = set(re.findall(r"also ([a-h][1-8])", rows))
    assert squares(rows, "+") | named == there
