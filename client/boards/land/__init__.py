"""The board of Blood Diamonds, the land game."""

from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.game_ui import AnyGameUI


def _load() -> AnyGameUI:
    from kimberley.client.boards.land.board import LandUI

    return LandUI()


BOARD = GameBoard(_load, "Buy and sell land where the dice send you. First to 1000K in cash wins.")
