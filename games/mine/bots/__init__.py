"""Who plays and judges Diamond Mine."""
