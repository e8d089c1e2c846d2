"""The form of exploring: where a tile is laid."""

from __future__ import annotations

from dataclasses import replace

from kimberley.client.boards.piecepack.form import Button, PiecepackForm, PiecepackFormContext
from kimberley.client.boards.piecepack.phrases import short_tile, with_article
from kimberley.client.boards.piecepack.scene import Scene
from kimberley.client.boards.piecepack.suits import SUITS, face, tile_name
from kimberley.client.boards.piecepack.viewport import towards
from kimberley.client.boards.piecepack.window import FieldBox, box_of, place_of
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.widgets import Hint
from kimberley.games.piecepack.spaces import TileSpace


class PlaceForm(PiecepackForm):
    """Exploring: where to lay the tile that was drawn."""

    phase = "EXPLORE"

    def __init__(self, context: PiecepackFormContext, space: TileSpace) -> None:
        super().__init__(context)
        self._space = space
        self._places = space.open()
        here = place_of(self.state.tile(self.seat))
        level = [n for n, (x, y) in enumerate(self._places) if x == here[0] or y == here[1]]
        self._at = max(level, key=lambda n: self._places[n][0]) if level else 0
        self._touched = False

    def sentence(self) -> str:
        suit, value = self._space.tile
        return f"Lay {SUITS[suit].sign} {face(value)}, {with_article(tile_name(suit, value))}, beside your pawn."

    def scene(self, scene: Scene) -> Scene:
        here = place_of(self.state.tile(self.seat))
        return replace(scene, ghosts=self._places, held=self._space.tile, chosen=self._at, anchor=here)

    def box(self) -> FieldBox:
        return box_of([*self._places, place_of(self.state.tile(self.seat))])

    def about(self) -> str:
        touching = self._touching()
        return f"It would touch {', '.join(touching)}." if touching else ""

    def _touching(self) -> list[str]:
        x, y = self._places[self._at]
        return [
            short_tile(tile)
            for tile in self.state.field
            if (abs(tile.x - x) == 2 and abs(tile.y - y) <= 1) or (abs(tile.y - y) == 2 and abs(tile.x - x) <= 1)
        ]

    def buttons(self) -> tuple[Button, ...]:
        return (Button("Lay it", "Enter", True),)

    def hints(self) -> list[Hint]:
        return [Hint("← → ↑ ↓", "place", "nothing"), Hint("Space", "next"), Hint("Enter", "lay it")]

    def key(self, name: str) -> bool:
        match name:
            case "left" | "right" | "up" | "down":
                self._at = towards(self._places, self._at, name)
            case " ":
                self._at = (self._at + 1) % len(self._places)
            case "enter":
                self.context.choose(self._places[self._at])
            case _:
                return False
        self._touched = True
        return True

    def click(self, action: Action) -> bool:
        match action:
            case ("ghost", int(number)):
                if number == self._at and self._touched:
                    self.context.choose(self._places[number])
                self._at, self._touched = number, True
                return True
        return False
