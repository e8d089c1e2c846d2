"""The form of exploring: where to place a tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kimberley.client.boards.form import Command, FormContext
from kimberley.client.boards.piecepack.form import HandDisplay
from kimberley.client.boards.piecepack.form_target import TargetForm
from kimberley.client.boards.piecepack.parsing import ParseError
from kimberley.client.boards.piecepack.phrases import place_in_words, touched_at, with_article
from kimberley.client.boards.piecepack.scene import Scene
from kimberley.client.boards.piecepack.suits import SUITS, face, tile_name
from kimberley.client.boards.piecepack.window import FieldBox, box_of, place_of
from kimberley.client.ui.bars import first_fitting
from kimberley.client.ui.buttons import Button
from kimberley.client.ui.keys import Hint
from kimberley.games.phrases import join_names
from kimberley.games.piecepack.rules import State
from kimberley.games.piecepack.spaces import TileSpace
from kimberley.games.piecepack.suits import RANKS
from kimberley.games.table import Plain


class PlaceForm(TargetForm):
    """Exploring: where to place the tile that was drawn."""

    phase = "EXPLORE"
    own_refused = "First place the tile"
    called = "place"
    alone = "There is no other place for it"

    def __init__(self, context: FormContext[State], display: HandDisplay, space: TileSpace) -> None:
        self._space, places = space, space.open()
        super().__init__(context, display, places, [("ghost", number) for number in range(len(places))])
        here = place_of(self.state.tile(self.seat))
        level = [n for n, (x, y) in enumerate(places) if x == here[0] or y == here[1]]
        self.at = max(level, key=lambda n: places[n][0]) if level else 0

    def sentence(self, room: int) -> str:
        if self.clicked:
            return self.again("place it there")
        suit, value = self._space.tile
        tile, called = f"{SUITS[suit].sign}{face(value)}", with_article(tile_name(suit, value))
        return first_fitting(room, f"Place {tile}, {called}, next to your pawn.", f"Place {tile} next to your pawn.")

    def scene(self, scene: Scene) -> Scene:
        here = place_of(self.state.tile(self.seat))
        return replace(scene, ghosts=self.places, held=self._space.tile, chosen=self.at, anchor=here)

    def box(self) -> FieldBox:
        return box_of([*self.places, place_of(self.state.tile(self.seat))])

    def about(self) -> str:
        touched = touched_at(self.state, self.places[self.at])
        if not touched:
            return ""
        tiles = join_names(
            [f"{SUITS[tile.suit].sign}{face(tile.value)} ({tile_name(tile.suit, tile.value)})" for tile in touched]
        )
        return f"It would touch {tiles}. Pawns can step between tiles that touch."

    def picked(self) -> str:
        return f"place {self.at + 1} of {len(self.places)}"

    def commands(self) -> list[Command]:
        place = Command(
            ("enter",), lambda _: self.go(), Hint("Enter", "place it", primary=True), Button("Place it", "Enter", True)
        )
        return [*super().commands(), place]

    def go(self) -> None:
        self.context.send(self.places[self.at])

    # -- in the line mode ----------------------------------------------------------------------------------------------

    def prompt(self) -> list[str]:
        suit, value = self._space.tile
        tile = f"{SUITS[suit].name} {RANKS[value]}, {with_article(tile_name(suit, value))}"
        lines = [f"Where do you place {tile}? Type a number."]
        return lines + [
            f"{n}: {place_in_words(self.state, self.seat, place)}." for n, place in enumerate(self.places, start=1)
        ]

    def parse(self, words: Sequence[str]) -> Plain:
        number, count = words[-1], len(self.places)
        alone = list(words) in ([number], ["place", number])
        if not alone or not number.isascii() or not number.isdigit() or not 1 <= int(number) <= count:
            raise ParseError(f"Type the number of a place, from 1 to {count}.")
        return self.places[int(number) - 1]
