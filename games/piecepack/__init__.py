"""Blood Diamonds, the game for the piecepack: see docs/piecepack.md for the rules in prose."""

from kimberley.games.piecepack.game import Piecepack

GAME = Piecepack()

__all__ = ["GAME"]
