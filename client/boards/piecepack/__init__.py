"""The board of Blood Diamonds, the piecepack game."""

from client.boards.piecepack.board import PiecepackBoard

BOARD = PiecepackBoard()
