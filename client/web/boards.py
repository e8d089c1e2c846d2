"""Boards for the page, redrawn only when something has happened at the table."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, NamedTuple

from kimberley.client.boards.registry import seat_marks
from kimberley.client.session.ports import SpectatedGame
from kimberley.client.web.picture import DrawnGame, css_color, draw_game

MOST_KEPT: Final = 64


class SeatMark(NamedTuple):
    """The sign of a seat and its color in CSS."""

    sign: str
    color: str


class Boards:
    """Keeps pictures and words of the games that were viewed last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[SpectatedGame, tuple[object, DrawnGame]] = OrderedDict()

    def drawn(self, game: str, view: SpectatedGame) -> DrawnGame:
        """The position as an onlooker sees it."""
        moment = (len(view.story), view.waiting, view.result is None)
        kept = self._kept.get(view)
        if kept is None or kept[0] != moment:
            kept = (moment, draw_game(game, view))
        self._kept[view] = kept
        self._kept.move_to_end(view)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return kept[1]

    def marks(self, game: str, view: SpectatedGame | None) -> Sequence[SeatMark]:
        """How the board marks the seats; empty where only lots that are not known yet, or no longer, tell it."""
        return [SeatMark(sign, css_color(color)) for sign, color in seat_marks(game, view.state if view else None)]
