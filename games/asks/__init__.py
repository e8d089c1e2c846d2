"""The asks: what a game can want from its table next, a module for each (`kimberley.games.asks.base`)."""
