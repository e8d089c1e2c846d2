"""The board of Diamond Trust of London."""

from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.game_ui import AnyGameUI


def _load() -> AnyGameUI:
    from kimberley.client.boards.diamond_trust.board import DiamondTrustUI

    return DiamondTrustUI()


BOARD = GameBoard(_load, "Send agents to Angola, bribe your opponent’s, and bring home more diamonds.")
