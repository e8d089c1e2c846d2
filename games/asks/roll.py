"""Roll: all seats make random numbers together."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Roll:
    """All seats roll dice together. Answer: one number below each entry of `sides`.

    A random order of n is sides (n, n-1, ..., 1).
    """

    sides: tuple[int, ...]
