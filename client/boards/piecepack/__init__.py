"""The board of Blood Diamonds, the piecepack game."""

from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.piecepack.board import PiecepackUI

BOARD = GameBoard(PiecepackUI())
