"""Who plays and judges the land game."""
