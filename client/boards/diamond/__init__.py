"""The board of Diamond."""

from kimberley.client.boards.diamond.board import DiamondBoard

BOARD = DiamondBoard()
