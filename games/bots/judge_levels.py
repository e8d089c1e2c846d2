"""How much a judge can think about a decision: in a file of its own, because every command's help names the levels."""

from __future__ import annotations

from typing import Final

LEVELS: Final = range(1, 21)
"""The levels of a judge, numbered like those of bots."""
NORMAL_LEVEL: Final = 10
