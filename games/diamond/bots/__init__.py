"""Who plays and judges Diamond."""
