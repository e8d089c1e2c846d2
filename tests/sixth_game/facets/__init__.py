"""Facets: in turn, one to three facets of a stone are cut, and whoever cuts the last one has won."""

from .game import Facets

GAME = Facets()
"""The game as the entry point `kimberley.games` finds it."""
