"""The board of Blood Diamonds, the piecepack game."""

from kimberley.client.boards.piecepack.board import PiecepackBoard

BOARD = PiecepackBoard()
