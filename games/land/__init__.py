"""Blood Diamonds, the land game by Mark Steere."""

from games.land.game import LandGame

GAME = LandGame()
