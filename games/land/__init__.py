"""Blood Diamonds, the land game by Mark Steere."""

from kimberley.games.land.game import LandGame

GAME = LandGame()
