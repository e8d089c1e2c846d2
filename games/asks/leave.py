"""Leave: the mark in a story that a seat has left."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Leave:
    """Asks nothing. It marks in a story that a seat has left, and its answer is None."""

    seat: int
