"""The board of Diamond Mine."""

from client.boards.mine.board import MineBoard

BOARD = MineBoard()
