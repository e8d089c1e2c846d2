"""The board of Diamond."""

from client.boards.diamond.board import DiamondBoard

BOARD = DiamondBoard()
