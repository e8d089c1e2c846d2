"""How much the slow tests try: what every change must pass, or everything with `--thorough`."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")

_thorough = False


def set_thorough(thorough: bool) -> None:
    """Call this before importing tests: they read the setting on import."""
    global _thorough
    _thorough = thorough


def tries(usual: T, thorough: T) -> T:
    """`usual`, or `thorough` with `--thorough`."""
    return thorough if _thorough else usual
