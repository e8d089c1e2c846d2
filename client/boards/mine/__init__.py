"""The board of Diamond Mine."""

from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.game_ui import AnyGameUI


def _load() -> AnyGameUI:
    from kimberley.client.boards.mine.board import MineUI

    return MineUI()


BOARD = GameBoard(_load, "Open veins and carry gems home. Only gems at home at the end count.")
