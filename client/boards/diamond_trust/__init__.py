"""The board of Diamond Trust of London."""

from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.game_ui import AnyGameUI


def _load() -> AnyGameUI:
    from kimberley.client.boards.diamond_trust.board import DiamondTrustUI

    return DiamondTrustUI()


BOARD = GameBoard(_load, "Run agents in Angola, bribe those of your rival, and bring home the most diamonds.")
