"""The offer of a guide through the first turns: made once for each game, when a person first plays it alone, if that
person has finished none.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kimberley.client.boards.guide import LEVEL
from kimberley.client.boards.registry import board_of
from kimberley.client.screens.dialogs import Confirm
from kimberley.client.screens.shell import Shell
from kimberley.client.session.options import for_table
from kimberley.games.table import Game


def offer_guide(shell: Shell, game: Game, otherwise: Callable[[], None]) -> None:
    """Offers a guided game, until the player has chosen once. Calls `otherwise` if the player wants none, or has chosen
    before.
    """
    settings = shell.settings
    if game.id in settings.guided or not has_guide(game):
        otherwise()
        return

    opponents = "the easiest bot" if game.seats[0] == 2 else "the easiest bots"

    def chosen(go_on: Callable[[], None]) -> None:
        settings.skip_guide(game.id)
        go_on()

    shell.push(
        Confirm(
            shell,
            "Your first game?",
            f"Six short notes will guide you through your first turns of {game.title}, against {opponents}. You "
            "can stop the notes at any time.",
            "Guide me",
            "Just play",
            lambda: chosen(lambda: play_guided(shell, game)),
            otherwise=lambda: chosen(otherwise),
        )
    )


def has_guide(game: Game) -> bool:
    """Returns whether the board of a game brings a guide."""
    board = board_of(game.id)
    return board is not None and bool(board.game.guide)


def play_guided(shell: Shell, game: Game) -> None:
    """Opens a table with as few players as possible against the easiest bots, and the guide."""
    seats, options = for_table(shell.settings, game, game.seats[0], alone=True)
    opening = partial(shell.services.alone, game.id, options, seats, LEVEL)
    shell.sit(game.title, "Setting up the table.", opening, guide_from=0)
