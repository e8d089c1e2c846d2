"""The board of Diamond."""

from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.game_ui import AnyGameUI


def _load() -> AnyGameUI:
    from kimberley.client.boards.diamond.board import DiamondUI

    return DiamondUI()


BOARD = GameBoard(_load, "Place twelve pieces, then move. Hold all four corners of a square to win.")
