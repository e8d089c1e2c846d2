"""The board of Diamond Trust of London."""

from kimberley.client.boards.diamond_trust.board import DiamondTrustBoard

BOARD = DiamondTrustBoard()
