"""The board of Blood Diamonds, the land game."""

from client.boards.land.board import LandBoard

BOARD = LandBoard()
