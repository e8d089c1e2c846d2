"""The board of Blood Diamonds, the land game."""

from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.game_ui import AnyGameUI
from kimberley.games.land.money import GOAL, K


def _load() -> AnyGameUI:
    from kimberley.client.boards.land.board import LandUI

    return LandUI()


BOARD = GameBoard(
    _load,
    f"Buy and sell land. First to {GOAL // K}K wins; if the turns run out, the most cash wins.",
)
