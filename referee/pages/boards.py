"""Boards for the page, redrawn only when something has happened at the table."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final, TypeVar, cast

from markupsafe import Markup

from kimberley.p2p.table.spectated_game import SpectatedGame
from kimberley.p2p.tournament.page_games import PageGames, SeatMark

MOST_KEPT: Final = 128
LARGE: Final = (80, 23)
"""Columns and rows of the featured board on a wall."""

T = TypeVar("T")


class Boards:
    """Keeps pictures and words of the games that were viewed last."""

    def __init__(self, games: PageGames) -> None:
        """Takes `games`, which draws the boards."""
        self._games = games
        self._kept: OrderedDict[tuple[SpectatedGame, str], tuple[object, object]] = OrderedDict()

    def picture(self, game: str, view: SpectatedGame) -> Markup:
        """Returns the position as a spectator sees it."""
        return self._latest(view, "picture", lambda: self._games.picture(game, view))

    def tall(self, game: str, view: SpectatedGame) -> Markup:
        """Returns the same for a phone; empty if the board has no such form."""
        return self._latest(view, "tall", lambda: self._games.tall(game, view))

    def large(self, game: str, view: SpectatedGame) -> Markup:
        """Returns the same with few cells, to be read across a room."""
        return self._latest(view, "large", lambda: self._games.picture(game, view, LARGE))

    def words(self, game: str, view: SpectatedGame) -> tuple[str, ...]:
        """Returns the position in sentences."""
        return self._latest(view, "words", lambda: self._games.words(game, view))

    def marks(self, game: str, view: SpectatedGame | None) -> Sequence[SeatMark]:
        """Returns how the board marks the seats; empty if that depends on lots that are not known yet, or no longer."""
        return self._games.marks(game, view)

    def _latest(self, view: SpectatedGame, form: str, draw: Callable[[], T]) -> T:
        """Returns what was drawn of a game in a form, drawn again if something has happened in the game since."""
        moment = (len(view.story), view.waiting, view.result is None)
        kept = self._kept.get((view, form))
        if kept is None or kept[0] != moment:
            kept = (moment, draw())
        self._kept[view, form] = kept
        self._kept.move_to_end((view, form))
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return cast(T, kept[1])
