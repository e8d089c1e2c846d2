"""The board of Diamond Trust of London."""

from client.boards.diamond_trust.board import DiamondTrustBoard

BOARD = DiamondTrustBoard()
