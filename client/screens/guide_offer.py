"""The offer of a guide through the first turns: made once for each game, when somebody who has never finished it first
plays it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from kimberley.client.boards.guide import LEVEL
from kimberley.client.boards.registry import board_of
from kimberley.client.screens.dialogs import Confirm
from kimberley.client.screens.shell import Shell
from kimberley.client.session.options import NONE_GIVEN, for_table
from kimberley.games.phrases import count_of
from kimberley.games.table import Game, Plain
from kimberley.p2p.sentences.notices import SETTING_UP


class GuidedTable(NamedTuple):
    """The table of a guided game: what was asked for, else as few players as possible against the easiest bots."""

    game: Game
    seats: int | None = None
    options: Mapping[str, Plain] = NONE_GIVEN
    level: int | None = None

    @property
    def opponents(self) -> str:
        """Returns the bots in words."""
        number = (self.seats or self.game.seats[0]) - 1
        if self.level is not None:
            return f"{count_of(number, 'bot')} at level {self.level}"
        return "the easiest bot" if number == 1 else f"{number} of the easiest bots"

    def play(self, shell: Shell) -> None:
        """Opens it, with the guide."""
        game = self.game
        seats, options = for_table(shell.settings, game, self.seats or game.seats[0], self.options, alone=True)
        opening = partial(shell.services.alone, game.id, options, seats, LEVEL if self.level is None else self.level)
        shell.sit(game.title, SETTING_UP, opening, guide_from=0)


def offer_guide(shell: Shell, table: GuidedTable, otherwise: Callable[[], None]) -> None:
    """Offers a guided game, until the player has chosen once. Calls `otherwise` if the player wants none, or has chosen
    before.
    """
    game = table.game
    settings = shell.settings
    if game.id in settings.guided or not has_guide(game):
        otherwise()
        return

    def chosen(go_on: Callable[[], None]) -> None:
        settings.skip_guide(game.id)
        go_on()

    shell.push(_GuideOffer(shell, table, lambda: chosen(lambda: table.play(shell)), lambda: chosen(otherwise)))


class _GuideOffer(Confirm):
    """The question whether to be guided."""

    def __init__(
        self, shell: Shell, table: GuidedTable, then: Callable[[], None], otherwise: Callable[[], None]
    ) -> None:
        self._game = table.game.id
        text = (
            f"Short notes will guide you through your first turns of {table.game.title}, against {table.opponents}. "
            "You can stop the notes at any time."
        )
        super().__init__(shell, "Your first game?", text, "Guide me", "Just play", then, otherwise=otherwise)

    def game_id(self) -> str:
        return self._game


def has_guide(game: Game) -> bool:
    """Returns whether the board of a game has a guide."""
    board = board_of(game.id)
    return board is not None and bool(board.game.guide)
