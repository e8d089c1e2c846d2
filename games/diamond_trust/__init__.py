"""Diamond Trust of London, a game of two by Jason Rohrer."""

from kimberley.games.diamond_trust.game import DiamondTrust

GAME = DiamondTrust()
