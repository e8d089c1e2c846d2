"""The visible part of the field: half tiles to cells and back, and a view that follows what happens.

The field is measured in half tiles; a tile covers two by two. A window has a scale, the cells
of a half tile, and an origin in cells.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from kimberley.games.piecepack.field import SIDE, Tile, TilePlace


class FieldScale(NamedTuple):
    """The cells of a half tile."""

    across: int
    down: int


NEAR: Final = FieldScale(4, 2)
FAR: Final = FieldScale(2, 1)


class FieldBox(NamedTuple):
    """A rectangle of half tiles; `right` and `bottom` are exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    def grown(self, by: int) -> FieldBox:
        """Returns the box with `by` more half tiles on every side."""
        return FieldBox(self.left - by, self.top - by, self.right + by, self.bottom + by)


def place_of(tile: Tile) -> TilePlace:
    """Returns where a tile lies."""
    return tile.x, tile.y


def box_of(places: Iterable[TilePlace]) -> FieldBox:
    """Returns the smallest box around tiles. Raises ValueError if there are none."""
    tiles = list(places)
    xs, ys = [x for x, _ in tiles], [y for _, y in tiles]
    return FieldBox(min(xs), min(ys), max(xs) + SIDE, max(ys) + SIDE)


@dataclass(frozen=True, slots=True)
class Window:
    """`width` by `height` cells that show the field from the cell (`left`, `top`) on, at a scale."""

    width: int
    height: int
    scale: FieldScale = NEAR
    left: int = 0
    top: int = 0

    def cell(self, place: TilePlace) -> tuple[int, int]:
        """Returns where the upper left corner of a tile lies, in cells of the window."""
        return place[0] * self.scale.across - self.left, place[1] * self.scale.down - self.top

    def center(self, place: TilePlace) -> tuple[int, int]:
        """Returns the cell in the middle of a tile, the lower right one of the four."""
        x, y = self.cell(place)
        return x + self.scale.across, y + self.scale.down

    def half_tile(self, x: int, y: int) -> TilePlace:
        """Returns the half tile that a cell of the window lies in."""
        return (x + self.left) // self.scale.across, (y + self.top) // self.scale.down

    def fits(self, box: FieldBox) -> bool:
        """Returns whether the window is large enough for a box."""
        return (box.right - box.left) * self.scale.across <= self.width and (
            box.bottom - box.top
        ) * self.scale.down <= self.height

    def shows(self, box: FieldBox) -> bool:
        """Returns whether all of a box is seen."""
        return self.following(box) == self

    def panned(self, across: int, down: int) -> Window:
        """Returns the window moved by that many half tiles."""
        return replace(self, left=self.left + across * self.scale.across, top=self.top + down * self.scale.down)

    def centered(self, box: FieldBox) -> Window:
        """Returns the window moved so that a box lies in its middle."""
        across, down = self.scale
        left = ((box.left + box.right) * across - self.width) // 2
        top = ((box.top + box.bottom) * down - self.height) // 2
        return replace(self, left=left, top=top)

    def following(self, box: FieldBox) -> Window:
        """Returns the window moved just far enough to show a box; centered along an axis that the box does not fit."""
        across, down = self.scale
        left = _shifted(self.left, self.width, box.left * across, box.right * across)
        top = _shifted(self.top, self.height, box.top * down, box.bottom * down)
        return replace(self, left=left, top=top)

    def centered_near(self, place: TilePlace, field: FieldBox) -> Window:
        """Returns the window moved so that the part of the field closest to a half tile lies in its middle."""
        x = min(max(place[0], field.left), field.right - 1)
        y = min(max(place[1], field.top), field.bottom - 1)
        return self.centered(FieldBox(x, y, x + 1, y + 1))

    def sized(self, width: int, height: int, scale: FieldScale) -> Window:
        """Returns a window in another size or scale, with the same middle."""
        if (width, height, scale) == (self.width, self.height, self.scale):
            return self
        middle_x = (self.left + self.width / 2) / self.scale.across
        middle_y = (self.top + self.height / 2) / self.scale.down
        left, top = round(middle_x * scale.across - width / 2), round(middle_y * scale.down - height / 2)
        return Window(width, height, scale, left, top)


def _shifted(start: int, room: int, low: int, high: int) -> int:
    """Returns the start nearest to `start` at which `room` cells hold those from `low` to `high`."""
    if high - low > room:
        return (low + high - room) // 2
    return min(max(start, high - room), low)
