"""The visible part of the field: near, or all of it. It follows what happens until the player moves it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from kimberley.client.boards.piecepack.window import FAR, NEAR, FieldBox, Window, box_of, place_of
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.geometry import nearest
from kimberley.games.piecepack.field import TilePlace
from kimberley.games.piecepack.rules import State


def standing(state: State, seat: int) -> FieldBox | None:
    """Returns the tile of a seat's pawn."""
    index = state.pawns[seat]
    return box_of([place_of(state.field[index])]) if index is not None else None


def field_box(state: State, more: tuple[TilePlace, ...] = ()) -> FieldBox:
    """Returns the whole field, and more places."""
    return box_of([*map(place_of, state.field), *more])


def towards(places: Sequence[TilePlace], at: int, way: str) -> int:
    """Returns the index of the nearest place in a direction from the one at `at`; `at` itself if there is none."""
    target = nearest(places[at], way, ((number, x, y) for number, (x, y) in enumerate(places)), bend=2)
    return at if target is None else target


class Viewport:
    """A window on the field. `whole` says that tiles are so small that the whole field is seen."""

    def __init__(self) -> None:
        self.whole = False
        self.window: Window | None = None
        self._followed: Hashable = None

    def seen(self, width: int, height: int, every: FieldBox, focus: FieldBox | None) -> Window:
        """Returns a window of `width` by `height` cells: on `every`, the whole field, if it fits; else on `focus`,
        where something happens.

        It moves when its target changes, and no more than it must.
        """
        scale = FAR if self.whole else NEAR
        if self.window is None:
            window = Window(width, height, scale).centered(every)
        else:
            window = self.window.sized(width, height, scale)
        target = every if focus is None or window.fits(every) else focus
        if target != self._followed:
            self._followed = target
            grown = target.grown(1)
            window = window.following(grown if window.fits(grown) else target)
        self.window = window
        return window

    def turn(self) -> None:
        """Switches between near and the whole field."""
        self.whole, self.window, self._followed = not self.whole, None, None

    def pan(self, across: int, down: int) -> bool:
        """Moves by half tiles. Returns False if nothing is shown yet."""
        if self.window is None:
            return False
        self.window = self.window.panned(across, down)
        return True

    def click(self, action: Action, state: State) -> bool:
        """Answers a click on an edge of the field, or on the small map."""
        match action:
            case ("pan", int(across), int(down)):
                return self.pan(2 * across, 2 * down)
            case ("go", int(left), int(top)) if self.window is not None:
                self.window = self.window.centered_near((left, top), field_box(state))
                return True
        return False
