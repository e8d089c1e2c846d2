"""The board of Diamond Mine."""

from kimberley.client.boards.game_board import GameBoard
from kimberley.client.boards.mine.board import MineUI

BOARD = GameBoard(MineUI())
