"""Boards for the page, redrawn only when something has happened at the table."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from markupsafe import Markup

from kimberley.client.boards.registry import seat_marks
from kimberley.client.session.ports import SpectatedGame
from kimberley.client.web.picture import DrawnGame, board_html, css_color, draw_game

MOST_KEPT: Final = 64
LARGE: Final = (80, 23)
"""Columns and rows of the featured board on a wall."""

T = TypeVar("T")


class SeatMark(NamedTuple):
    """The sign of a seat and its color in CSS."""

    sign: str
    color: str


class Boards:
    """Keeps pictures and words of the games that were viewed last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[SpectatedGame, tuple[object, DrawnGame]] = OrderedDict()
        self._large: OrderedDict[SpectatedGame, tuple[object, Markup]] = OrderedDict()

    def drawn(self, game: str, view: SpectatedGame) -> DrawnGame:
        """The position as an onlooker sees it."""
        return _latest(self._kept, view, lambda: draw_game(game, view))

    def large(self, game: str, view: SpectatedGame) -> Markup:
        """A picture of the position with few cells, to be read across a room."""
        return _latest(self._large, view, lambda: Markup(board_html(game, view, *LARGE)))

    def marks(self, game: str, view: SpectatedGame | None) -> Sequence[SeatMark]:
        """How the board marks the seats; empty where only lots that are not known yet, or no longer, tell it."""
        return [SeatMark(sign, css_color(color)) for sign, color in seat_marks(game, view.state if view else None)]


def _latest(kept: OrderedDict[SpectatedGame, tuple[object, T]], view: SpectatedGame, draw: Callable[[], T]) -> T:
    """What was drawn of a game, drawn anew if something has happened in it since."""
    moment = (len(view.story), view.waiting, view.result is None)
    found = kept.get(view)
    if found is None or found[0] != moment:
        found = (moment, draw())
    kept[view] = found
    kept.move_to_end(view)
    while len(kept) > MOST_KEPT:
        kept.popitem(last=False)
    return found[1]
