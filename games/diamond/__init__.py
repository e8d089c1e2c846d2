"""Diamond, a game of two by Larry Back."""

from kimberley.games.diamond.game import Diamond

GAME = Diamond()
