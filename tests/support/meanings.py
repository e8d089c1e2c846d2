"""What a click on each cell of a frame means, read at once."""

from __future__ import annotations

from kimberley.client.ui.canvas import Action, Canvas


def meanings(canvas: Canvas) -> dict[tuple[int, int], Action]:
    """Returns what `Canvas.touched` does for each cell where it is not None: the last area that has the cell."""
    return {
        (x, y): hit.action
        for hit in canvas.hits
        for y in range(hit.y, hit.y + hit.height)
        for x in range(hit.x, hit.x + hit.width)
    }


def first_cell(canvas: Canvas, action: Action) -> tuple[int, int] | None:
    """Returns the first cell on which a click means an action, row by row; None if there is none."""
    cells = [(y, x) for (x, y), meant in meanings(canvas).items() if meant == action]
    return min(cells)[::-1] if cells else None
