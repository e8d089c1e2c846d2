"""The board of Diamond Trust of London."""

from kimberley.client.boards.diamond_trust.board import DiamondTrustUI
from kimberley.client.boards.game_board import GameBoard

BOARD = GameBoard(DiamondTrustUI())
