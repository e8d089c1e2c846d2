"""Leave: a mark in a story where a seat has left."""

from __future__ import annotations

from dataclasses import dataclass

from kimberley.games.asks.base import Ask


@dataclass(frozen=True, slots=True)
class Leave(Ask):
    """Asks nothing. It marks in a story that a seat has left, and its answer is None."""

    seat: int
