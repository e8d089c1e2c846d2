"""Who plays and judges Diamond Trust of London."""
