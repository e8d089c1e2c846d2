"""Finds the bots of a game. A game can do without them: it is then played by people alone."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from kimberley.games.bots.base import Bots
from kimberley.games.table import Game

OURS: Final = {
    "diamond": "kimberley.games.diamond.bots",
    "diamond-trust": "kimberley.games.diamond_trust.bots",
    "land": "kimberley.games.land.bots",
    "mine": "kimberley.games.mine.bots",
    "piecepack": "kimberley.games.piecepack.bots",
}
"""By the id of a game, the package whose `BOTS` play it."""


def has_bots(game: Game) -> bool:
    """Returns whether `bots_of` finds any, without loading them."""
    return game.id in OURS or isinstance(game, Bots)


def bots_of(game: Game) -> Bots | None:
    """Returns the bots of a game; None if there are none. A game of another package has them on its game object."""
    if isinstance(game, Bots):
        return game
    if game.id not in OURS:
        return None
    bots: Bots = import_module(OURS[game.id]).BOTS
    return bots
