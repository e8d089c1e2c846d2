"""The board of Diamond Mine."""

from kimberley.client.boards.mine.board import MineBoard

BOARD = MineBoard()
