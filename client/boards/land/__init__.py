"""The board of Blood Diamonds, the land game."""

from kimberley.client.boards.land.board import LandBoard

BOARD = LandBoard()
