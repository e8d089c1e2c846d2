"""Diamond Mine, a game of two or four by Sam Zitin."""

from games.mine.game import DiamondMine

GAME = DiamondMine()
"""Diamond Mine as the table finds it. The rules are imported when a game starts, not with this module."""
