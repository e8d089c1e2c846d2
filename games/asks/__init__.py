"""The asks: what a game can want from its table next. One module for each."""
