"""Who plays and judges the piecepack game."""
