"""Diamond Mine, a game of two or four by Sam Zitin."""

from kimberley.games.mine.game import DiamondMine

GAME = DiamondMine()
"""Diamond Mine as the entry point offers it. The rules are imported only when a game starts."""
