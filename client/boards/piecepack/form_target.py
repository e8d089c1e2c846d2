"""Forms that choose a place on the field: what they have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial

from kimberley.client.boards.form import Clickable, Command, FormContext
from kimberley.client.boards.piecepack.form import HandDisplay, PiecepackForm
from kimberley.client.boards.piecepack.viewport import towards
from kimberley.client.ui.canvas import Action
from kimberley.client.ui.geometry import WAYS
from kimberley.client.ui.keys import Hint
from kimberley.games.piecepack.field import TilePlace
from kimberley.games.piecepack.rules import State


class TargetForm(PiecepackForm):
    """The player chooses one of several places. Keys and a first click bring one into focus; Enter and a second click
    choose it for good. `areas` are the actions of clicks on the places.
    """

    called = ""
    """What a place is called in the key bar."""
    alone = ""
    """Says that there is no other place to choose."""

    def __init__(
        self, context: FormContext[State], display: HandDisplay, places: Sequence[TilePlace], areas: Sequence[Action]
    ) -> None:
        super().__init__(context, display)
        self.places, self.areas = places, areas
        self.at = 0
        """The place in focus."""
        self.touched = False
        """Whether the player brought it there."""

    @property
    def begun(self) -> bool:
        return self.touched

    @abstractmethod
    def go(self) -> None:
        """Chooses the place in focus for good."""

    def towards(self, way: str) -> int:
        """Returns the place in a direction."""
        return towards(self.places, self.at, way)

    def focus(self, at: int) -> None:
        """Brings a place into focus."""
        self.at, self.touched = at, True

    # -- keys and clicks -----------------------------------------------------------------------------------------------

    def commands(self) -> list[Command]:
        return [
            Command(tuple(WAYS), lambda way: self.focus(self.towards(way)), Hint("← → ↑ ↓", self.called, "nothing")),
            Command((" ",), lambda _: self._next(1), Hint("Space", "next", "key: ")),
        ]

    def clickables(self) -> list[Clickable]:
        places = [Clickable(area, partial(self._point, at)) for at, area in enumerate(self.areas)]
        return [*places, *(Clickable(("next", by), partial(self._next, by)) for by in (-1, 1))]

    def _point(self, at: int) -> None:
        if again := at == self.at and self.touched:
            self.go()
        else:
            self.focus(at)
        self.clicked = not again

    def _next(self, by: int) -> None:
        self.clicked = False
        if len(self.places) == 1:
            self.refusal = self.alone
        self.focus((self.at + by) % len(self.places))
