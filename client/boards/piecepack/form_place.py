"""The form of exploring: where a tile is laid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kimberley.client.boards.form import Button, FormContext
from kimberley.client.boards.piecepack.form import HandDisplay, PiecepackForm
from kimberley.client.boards.piecepack.parsing import ParseError
from kimberley.client.boards.piecepack.phrases import place_in_words, touched_at, with_article
from kimberley.client.boards.piecepack.scene import Scene
from kimberley.client.boards.piecepack.suits import SUITS, face, tile_name
from kimberley.client.boards.piecepack.viewport import towards
from kimberley.client.boards.piecepack.window import FieldBox, box_of, place_of
from kimberley.client.ui.bars import first_fitting
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.keys import Hint
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import TileSpace
from kimberley.games.piecepack.suits import RANKS
from kimberley.games.table import Plain
from kimberley.p2p.sentences.notices import join_names


class PlaceForm(PiecepackForm):
    """Exploring: where to lay the tile that was drawn."""

    phase = "EXPLORE"
    own_refused = "First place the tile"

    def __init__(self, context: FormContext[State], display: HandDisplay, space: TileSpace) -> None:
        super().__init__(context, display)
        self._space = space
        self._places = space.open()
        here = place_of(self.state.tile(self.seat))
        level = [n for n, (x, y) in enumerate(self._places) if x == here[0] or y == here[1]]
        self._at = max(level, key=lambda n: self._places[n][0]) if level else 0
        self._touched = False
        self._clicked = False
        """Whether the last input was a click on the place in focus, so that another one places the tile."""

    @property
    def begun(self) -> bool:
        return self._touched

    def sentence(self, room: int) -> str:
        if self._clicked:
            return self.again("place it there")
        suit, value = self._space.tile
        tile, called = f"{SUITS[suit].sign} {face(value)}", with_article(tile_name(suit, value))
        return first_fitting(room, f"Place {tile}, {called}, next to your pawn.", f"Place {tile} next to your pawn.")

    def scene(self, scene: Scene) -> Scene:
        here = place_of(self.state.tile(self.seat))
        return replace(scene, ghosts=self._places, held=self._space.tile, chosen=self._at, anchor=here)

    def box(self) -> FieldBox:
        return box_of([*self._places, place_of(self.state.tile(self.seat))])

    def about(self) -> str:
        touched = touched_at(self.state, self._places[self._at])
        if not touched:
            return ""
        tiles = join_names(
            [f"{SUITS[tile.suit].sign}{face(tile.value)} ({tile_name(tile.suit, tile.value)})" for tile in touched]
        )
        return f"It would touch {tiles}. Pawns can step between tiles that touch."

    def picked(self) -> str:
        return f"place {self._at + 1} of {len(self._places)}"

    def buttons(self) -> tuple[Button, ...]:
        return (Button("Place it", "Enter", True),)

    def hints(self) -> list[Hint]:
        return [
            Hint("← → ↑ ↓", "place", "nothing"),
            Hint("Space", "next", "key: "),
            Hint("Enter", "place it", primary=True),
        ]

    def key(self, name: str) -> bool:
        self._clicked = False
        match name:
            case "left" | "right" | "up" | "down":
                self._at = towards(self._places, self._at, name)
            case " ":
                self._next(1)
            case "enter":
                self.context.send(self._places[self._at])
            case _:
                return False
        self._touched = True
        return True

    def click(self, action: Action) -> bool:
        match action:
            case ("ghost", int(number)):
                again = number == self._at and self._touched
                self._at, self._touched, self._clicked = number, True, not again
                if again:
                    self.context.send(self._places[number])
                return True
            case ("next", int(by)):
                self._next(by)
                self._touched = True
                return True
        return super().click(action)

    def _next(self, by: int) -> None:
        self._clicked = False
        if len(self._places) == 1:
            self.refusal = "There is no other place for it"
        self._at = (self._at + by) % len(self._places)

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        suit, value = self._space.tile
        tile = f"{SUITS[suit].name} {RANKS[value]}, {with_article(tile_name(suit, value))}"
        lines = [f"Where do you place {tile}? Type a number."]
        return lines + [
            f"{n}: {place_in_words(self.state, self.seat, place)}." for n, place in enumerate(self._places, start=1)
        ]

    def parse(self, words: Sequence[str]) -> Plain:
        number, count = words[-1], len(self._places)
        if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= count:
            raise ParseError(f"Type the number of a place, from 1 to {count}.")
        return self._places[int(number) - 1]
