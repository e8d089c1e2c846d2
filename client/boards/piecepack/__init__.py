"""The board of Blood Diamonds, the piecepack game."""

from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.game_ui import AnyGameUI


def _load() -> AnyGameUI:
    from kimberley.client.boards.piecepack.board import PiecepackUI

    return PiecepackUI()


BOARD = GameBoard(_load, "Build the map; mine, steal and sell diamonds. First to 600 points wins.")
