"""Texts that are partly overwritten: letters of an older one are left right beside a newer one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any
from unicodedata import category
from unittest.mock import patch
from weakref import WeakKeyDictionary

from kimberley.client.ui.canvas import Canvas

Owners = dict[tuple[int, int], int]
"""Which text a cell belongs to, by row and column."""


@contextmanager
def noting_overwritten() -> Iterator[set[str]]:
    """Notes every row where letters of an overwritten text are left in the end. What is filled first is cleared."""
    found: set[str] = set()
    texts: WeakKeyDictionary[Any, Owners] = WeakKeyDictionary()
    torn: list[tuple[Any, int, int, int, int, int]] = []
    number, under_way = count(1), [0]
    put, write = Canvas.put, Canvas._write

    def noting(canvas: Canvas, *args: Any, **values: Any) -> int:
        under_way.append(next(number))
        try:
            return put(canvas, *args, **values)
        finally:
            under_way.pop()

    def writing(canvas: Canvas, x: int, y: int, cells: list[str], *args: Any) -> None:
        grid, row, left, new = canvas._grid, canvas._top + y, canvas._left + x, under_way[-1]
        owners, chars, right = texts.setdefault(grid, {}), grid.chars[row], left + len(cells)
        # A picture may cover a part of a word.
        for kept, gone, by in ((left - 1, left, cells[0]), (right, right - 1, cells[-1])):
            old = owners.get((row, kept))
            same = old is not None and old == owners.get((row, gone)) and new not in (0, old)
            if (
                same
                and 0 <= kept < len(chars)
                and chars[kept].isalnum()
                and by != chars[gone]
                and category(by[:1] or " ")[0] in "LNP"
            ):
                torn.append((grid, row, kept, gone, old or 0, new))
        write(canvas, x, y, cells, *args)
        owners.update({(row, column): new for column in range(left, right)})

    with patch.object(Canvas, "put", noting), patch.object(Canvas, "_write", writing):
        yield found
    for grid, row, kept, gone, old, new in torn:
        if texts[grid].get((row, kept)) == old and texts[grid].get((row, gone)) == new:
            found.add(f"letters are left at {kept}, {row}: {''.join(grid.chars[row]).strip()}")
