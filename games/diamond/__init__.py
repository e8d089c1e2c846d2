"""Diamond, a game of two by Larry Back."""

from games.diamond.game import Diamond

GAME = Diamond()
