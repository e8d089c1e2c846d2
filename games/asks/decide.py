"""Decide: one seat chooses in the open."""

from __future__ import annotations

from dataclasses import dataclass

from kimberley.games.spaces import Space


@dataclass(frozen=True, slots=True)
class Decide:
    """One seat chooses, and all learn what. Answer: the choice."""

    seat: int
    space: Space
    topic: str
